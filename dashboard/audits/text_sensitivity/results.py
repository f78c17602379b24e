"""The page of a text sensitivity test: its tabs, its decision settings and its lines in the record."""

from typing import ClassVar

from core.audits.text_sensitivity.decision import TextSensitivityDecision
from core.audits.text_sensitivity.result import TextSensitivityResult
from core.audits.text_sensitivity.verdict import TextSensitivityFinding
from core.language.phrases import count, number, p_value, percent, whole
from core.language.told import retold, say, say_as
from core.plan import AuditPlan
from core.text.shipped_lists import shown
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

_ORIGINS = {
    "trained": say_as("a model", "trained"),
    "uploaded": say_as("a model", "uploaded"),
    "transferred": say_as("a model", "transferred"),
}
"""Where a protected status model comes from."""


class TextSensitivityView(AbstractView[TextSensitivityResult, TextSensitivityDecision, TextSensitivityFinding]):
    """See the base class."""

    tabs: ClassVar[tuple[str, ...]] = (say("Why"), say("Read"), say("Corpus"), say("Compare"), say("Robustness"))

    def tabs_of(self, result: TextSensitivityResult) -> tuple[str, ...]:
        """Without texts to read there is no tab for them, without a second model none to compare."""
        detail = result.detail
        _, read, _, compare, _ = self.tabs
        hidden = {read: not len(detail.shown.rows), compare: detail.reference is None}
        return tuple(tab for tab in self.tabs if not hidden.get(tab, False))

    def controls(
        self, plan: AuditPlan, start: TextSensitivityDecision, result: TextSensitivityResult, alpha: ErrorRate
    ) -> TextSensitivityDecision:
        """What the verdict is about, the measure, the tolerance in its unit, and the error rate."""
        return results_controls.show(plan, start, result, alpha)

    def show(self, tab: str, plan: AuditPlan, finding: TextSensitivityFinding) -> None:
        """See the base class."""
        why, read, corpus, compare, _ = self.tabs
        if tab == why:
            show_chart(finding, "sensitivity interval")  # verbatim
            show_statistics(finding)
            show_table_of(finding, "sensitivity interval")  # verbatim
            show_chart(finding, "sensitivity flips")  # verbatim
        elif tab == read:
            results_read.show(plan, finding)
        elif tab == corpus:
            results_corpus.show(finding)
        elif tab == compare:
            results_corpus.compare(finding)
        else:
            results_robustness.show(plan, finding)

    def p_values(self, finding: TextSensitivityFinding) -> str:
        """Of what the verdict is about."""
        return say("p-value against the tolerance: **{p_value}**.", p_value=literal(p_value(finding.p_value)))

    def facts(self, result: TextSensitivityResult) -> dict[str, str]:
        """See the base class."""
        detail, total = result.detail, len(result.detail.label)
        facts = {
            say("Texts"): say(
                "{total}; {listed} with a word that names a group, {exchanged} with exchanged words",
                total=whole(total),
                listed=whole(detail.listed_texts),
                exchanged=whole(detail.exchanged_texts),
            ),
            say("Words that name a group"): shown(result.audit.words.complete.name),
        }
        if detail.status is not None:
            origin = retold(_ORIGINS.get(detail.status.origin, detail.status.origin))
            facts[say("Protected status model")] = f"{retold(detail.status.name)} ({origin})"
        if detail.reference is not None:
            facts[say("Second model")] = detail.reference.name
        if detail.cut_texts:
            facts[say("Longer than the model reads")] = say(
                "{texts} ({share}), {words} not read",
                texts=count(detail.cut_texts, "text"),
                share=percent(round(detail.cut_texts / total, 3)),
                words=count(detail.cut_words, "word"),
            )
        return {
            **facts,
            say("Run time"): say(
                "{seconds} s, {draws} bootstrap draws",
                seconds=number(result.seconds, 1),
                draws=whole(detail.draws),
            ),
        }
