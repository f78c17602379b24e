"""The page of a sensitivity audit of texts: its tabs, its reading and its lines in the record."""

from typing import ClassVar

from core.audits.text_sensitivity.decision import TextSensitivityDecision
from core.audits.text_sensitivity.report.numbers import TextSensitivityNumbers
from core.audits.text_sensitivity.result import TextSensitivityResult
from core.audits.text_sensitivity.wording_next import next_steps
from core.phrases import count, p_value, percent
from core.plan import AuditPlan
from dashboard.audits.text_sensitivity import results_controls as results_sensitivity_controls
from dashboard.audits.text_sensitivity import results_corpus as results_sensitivity_corpus
from dashboard.audits.text_sensitivity import results_read as results_sensitivity_read
from dashboard.audits.text_sensitivity import results_robustness as results_sensitivity_robustness
from dashboard.audits.text_sensitivity import results_why as results_sensitivity_why
from dashboard.text import literal
from dashboard.views.results.decision import ErrorRate
from dashboard.views.results.old_view import OldView


class TextSensitivityView(OldView[TextSensitivityResult, TextSensitivityDecision, TextSensitivityNumbers]):
    """See the base class."""

    tabs: ClassVar[tuple[str, ...]] = ("Why", "Read", "Corpus", "Compare", "Robustness")

    def tabs_of(self, result: TextSensitivityResult) -> tuple[str, ...]:
        """Without texts to read there is no tab for them, without a second model none to compare."""
        detail = result.detail
        hidden = {"Read": not len(detail.shown.rows), "Compare": detail.reference is None}
        return tuple(tab for tab in self.tabs if not hidden.get(tab, False))

    def controls(
        self, plan: AuditPlan, start: TextSensitivityDecision, result: TextSensitivityResult, alpha: ErrorRate
    ) -> TextSensitivityDecision:
        """What the verdict is about, the measure, the tolerance in its unit, and the error rate."""
        return results_sensitivity_controls.show(plan, start, result, alpha)

    def show_old(
        self,
        tab: str,
        plan: AuditPlan,
        result: TextSensitivityResult,
        decision: TextSensitivityDecision,
        numbers: TextSensitivityNumbers,
    ) -> None:
        """See the base class."""
        if tab == "Why":
            results_sensitivity_why.show(plan, result, decision, numbers)
        elif tab == "Read":
            results_sensitivity_read.show(plan, result, decision)
        elif tab == "Corpus":
            results_sensitivity_corpus.show(plan, result, decision, numbers)
        elif tab == "Compare":
            results_sensitivity_corpus.compare(plan, result, decision, numbers)
        else:
            results_sensitivity_robustness.show(plan, result, decision, numbers)

    def next_steps_old(
        self, plan: AuditPlan, result: TextSensitivityResult, decision: TextSensitivityDecision
    ) -> tuple[str, ...]:
        """See the base class."""
        return next_steps(result, decision)

    def p_values_old(self, numbers: TextSensitivityNumbers) -> str:
        """Of what the verdict is about."""
        return f"p-value against the tolerance: **{literal(p_value(numbers.p_value))}**."

    def facts(self, result: TextSensitivityResult) -> dict[str, str]:
        """See the base class."""
        detail, total = result.detail, len(result.detail.label)
        facts = {
            "Texts": f"{total:,}; {detail.listed_texts:,} with a word that names a group, "
            f"{detail.exchanged_texts:,} with exchanged words",
            "Words that name a group": result.audit.words.complete.name,
        }
        if detail.status is not None:
            facts["Protected status model"] = f"{detail.status.name} ({detail.status.origin})"
        if detail.reference is not None:
            facts["Second model"] = detail.reference.name
        if detail.cut_texts:
            facts["Longer than the model reads"] = (
                f"{count(detail.cut_texts, 'text')} ({percent(round(detail.cut_texts / total, 3))}), "
                f"{count(detail.cut_words, 'word')} not read"
            )
        return {**facts, "Run time": f"{result.seconds:.1f} s, {detail.draws:,} bootstrap draws"}
