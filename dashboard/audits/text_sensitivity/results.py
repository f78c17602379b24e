"""The page of a text sensitivity test: its tabs, its decision settings and its lines in the record."""

from typing import ClassVar

from core.audits.text_sensitivity.decision import TextSensitivityDecision
from core.audits.text_sensitivity.result import TextSensitivityResult
from core.audits.text_sensitivity.verdict import TextSensitivityFinding
from core.language.told import localized, say
from core.phrases import count, p_value, percent
from core.plan import AuditPlan
from dashboard.audits.text_sensitivity import (
    results_controls,
    results_corpus,
    results_read,
    results_robustness,
)
from dashboard.text import literal
from dashboard.views.results.chart import show_chart
from dashboard.views.results.decision import ErrorRate
from dashboard.views.results.tables import show_statistics, show_table_of
from dashboard.views.results.view import AbstractView


class TextSensitivityView(AbstractView[TextSensitivityResult, TextSensitivityDecision, TextSensitivityFinding]):
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
        return results_controls.show(plan, start, result, alpha)

    def show(self, tab: str, plan: AuditPlan, finding: TextSensitivityFinding) -> None:
        """See the base class."""
        if tab == "Why":
            show_chart(finding, say("sensitivity interval"))
            show_statistics(finding)
            show_table_of(finding, say("sensitivity interval"))
            show_chart(finding, say("sensitivity flips"))
        elif tab == "Read":
            results_read.show(plan, finding)
        elif tab == "Corpus":
            results_corpus.show(finding)
        elif tab == "Compare":
            results_corpus.compare(finding)
        else:
            results_robustness.show(finding)

    def p_values(self, finding: TextSensitivityFinding) -> str:
        """Of what the verdict is about."""
        return say("p-value against the tolerance: **{p_value}**.", p_value=literal(p_value(finding.p_value)))

    def facts(self, result: TextSensitivityResult) -> dict[str, str]:
        """See the base class."""
        detail, total = result.detail, len(result.detail.label)
        facts = {
            "Texts": say(
                "{total}; {listed_texts} with a word that names a group, {exchanged_texts} with exchanged words",
                total=localized(f"{total:,}"),
                listed_texts=localized(f"{detail.listed_texts:,}"),
                exchanged_texts=localized(f"{detail.exchanged_texts:,}"),
            ),
            "Words that name a group": result.audit.words.complete.name,
        }
        if detail.status is not None:
            facts["Protected status model"] = f"{detail.status.name} ({detail.status.origin})"
        if detail.reference is not None:
            facts["Second model"] = detail.reference.name
        if detail.cut_texts:
            facts["Longer than the model reads"] = say(
                "{cut_texts} ({cut_texts2}), {cut_words} not read",
                cut_texts=count(detail.cut_texts, "text"),
                cut_texts2=percent(round(detail.cut_texts / total, 3)),
                cut_words=count(detail.cut_words, "word"),
            )
        return {
            **facts,
            "Run time": say(
                "{seconds} s, {draws} bootstrap draws",
                seconds=localized(f"{result.seconds:.1f}"),
                draws=localized(f"{detail.draws:,}"),
            ),
        }
