"""The page of a sensitivity audit of texts: its tabs, its reading and its lines in the record."""

from typing import ClassVar

from core.audits.sensitivity.reading import SensitivityReading
from core.plan import AuditPlan
from core.report.sensitivity.numbers import SensitivityNumbers
from core.result import SensitivityResult
from core.words import count, p_value, percent
from core.words_sensitivity_next import next_steps
from dashboard.text import literal
from dashboard.views import (
    results_sensitivity_controls,
    results_sensitivity_corpus,
    results_sensitivity_read,
    results_sensitivity_robustness,
    results_sensitivity_why,
)
from dashboard.views.results_reading import ErrorRate
from dashboard.views.results_view import AbstractView


class SensitivityView(AbstractView[SensitivityResult, SensitivityReading, SensitivityNumbers]):
    """See the base class."""

    label: ClassVar[str] = "Text sensitivity"
    tabs: ClassVar[tuple[str, ...]] = ("Why", "Read", "Corpus", "Compare", "Robustness")

    def tabs_of(self, result: SensitivityResult) -> tuple[str, ...]:
        """Without texts to read there is no tab for them, without a second model none to compare."""
        detail = result.detail
        hidden = {"Read": not len(detail.shown.rows), "Compare": detail.reference is None}
        return tuple(tab for tab in self.tabs if not hidden.get(tab, False))

    def controls(
        self, plan: AuditPlan, start: SensitivityReading, result: SensitivityResult, alpha: ErrorRate
    ) -> SensitivityReading:
        """What the verdict is about, the measure, the tolerance in its unit, and the error rate."""
        return results_sensitivity_controls.show(plan, start, result, alpha)

    def show(
        self,
        tab: str,
        plan: AuditPlan,
        result: SensitivityResult,
        reading: SensitivityReading,
        numbers: SensitivityNumbers,
    ) -> None:
        """See the base class."""
        if tab == "Why":
            results_sensitivity_why.show(plan, result, reading, numbers)
        elif tab == "Read":
            results_sensitivity_read.show(plan, result, reading)
        elif tab == "Corpus":
            results_sensitivity_corpus.show(plan, result, reading, numbers)
        elif tab == "Compare":
            results_sensitivity_corpus.compare(plan, result, reading, numbers)
        else:
            results_sensitivity_robustness.show(plan, result, reading, numbers)

    def next_steps(self, plan: AuditPlan, result: SensitivityResult, reading: SensitivityReading) -> tuple[str, ...]:
        """See the base class."""
        return next_steps(result, reading)

    def p_values(self, numbers: SensitivityNumbers) -> str:
        """Of what the verdict is about."""
        return f"p-value against the tolerance: **{literal(p_value(numbers.p_value))}**."

    def facts(self, result: SensitivityResult) -> dict[str, str]:
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
