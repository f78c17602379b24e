"""One test on the results page: its card, the widgets of its reading and its tabs."""

import math
from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.audits import KINDS
from core.base.errors import Caveat
from core.contracts.decision import DecisionSettings
from core.inference.estimate import Verdict
from core.language.phrases import p_value
from core.language.told import retold, say
from core.plan import AuditPlan
from core.report.multiple_tests import Together
from core.report.others import other_attributes, shown_instead
from core.report.summary import what_to_do
from core.result import AuditResult
from dashboard.audits.generic import pages_of
from dashboard.text import literal
from dashboard.views.results.card import Card
from dashboard.views.results.decision import ErrorRate
from dashboard.views.results.widgets import widget_key


class TestRoom:
    """The room of one test, drawn with the widgets of its reading, and filled once all readings are known.

    Args:
        plan: The test.
        result: What it found.
        alpha: The error rate of all tests.
        alone: Whether it is the only test of the page.
        more: Names of tabs behind the test's own.
        reason: Draws the field for the reason for the tolerance below the widgets.

    Attributes:
        decision: What the widgets say.
        tabs: The tabs by name.
    """

    __test__ = False

    def __init__(
        self,
        plan: AuditPlan,
        result: AuditResult,
        alpha: ErrorRate,
        *,
        alone: bool = True,
        more: tuple[str, ...] = (),
        reason: Callable[[DecisionSettings], None] | None = None,
    ) -> None:
        self._plan, self._result = plan, result
        self._view = pages_of(KINDS[plan.audit.kind]).view
        self._card = Card(switch=alone, of_one_test=True)
        self._own = self._view.tabs_of(result)
        names = (*self._own, *more)
        labels = [*map(retold, names)]
        tabs = st.tabs(labels, key=widget_key("view", plan), bind="query-params")
        self.tabs = dict(zip(names, tabs, strict=True))
        with self._card.controls:
            self.decision: Any = self._view.controls(plan, plan.decision, result, alpha)
            if reason is not None:
                reason(self.decision)

    @property
    def below(self) -> DeltaGenerator:
        """Room right below the verdict, which filling adds to."""
        return self._card.below

    @property
    def actions(self) -> DeltaGenerator:
        """Room for what can be done with the whole result."""
        return self._card.actions

    def fill(self, together: Together, place: int, *, shared: Sequence[Caveat] = ()) -> None:
        """Card and open tab.

        Args:
            together: All tests of the page under their readings.
            place: Which of them this one is.
            shared: Caveats that stand on top of the page already.
        """
        finding, verdict, told = together.shown[place], together.verdicts[place], together.headline_of(place)
        line = self._view.p_values(finding)
        if together.adjusted_tests > 1 and not math.isnan(finding.p_value):
            line = f"{line} {_adjusted(together, place)}"
        steps = self._view.next_steps(self._plan, finding)
        if len(together.findings) == 1:
            steps = tuple(dict.fromkeys((*steps, *what_to_do(together))))
        caveats = [caveat for caveat in together.findings[place].spoken if caveat not in shared]
        whom = (literal(finding.affected),) if verdict is Verdict.VIOLATION else ()
        behind = (literal(finding.explanation), *whom, line)
        on_top = len(together.findings) > 1 and told == together.headline
        attributes = "" if on_top or place != together.place else other_attributes(together)
        besides = {say("Other attributes"): attributes}
        self._card.fill(verdict, "" if on_top else told, caveats, behind, steps=steps, besides=besides)
        if not on_top:
            self._card.show_number(together.lines[place], finding.nothing)
        if together.shown[place] is not together.findings[place]:
            self._card.below.caption(literal(together.bounded_together))
        if finding.similar_people:
            self._card.below.caption(literal(say("Similar: {people}", people=finding.similar_people)))
        if len(together.findings) == 1:
            self._card.show_others(together)
        if shown := shown_instead(finding):
            self._card.below.markdown(literal(shown))
        self._card.show_case(finding.case)
        for name in self._own:
            tab = self.tabs[name]
            if tab.open:
                with tab:
                    self._view.show(name, self._plan, finding)


def _adjusted(together: Together, place: int) -> str:
    """What the other tests make of this one's p-value."""
    told = say(
        "Adjusted for {n} tests: **{p_value}**",
        n=together.adjusted_tests,
        p_value=literal(p_value(together.adjusted[place])),
    )
    own, final = together.findings[place].verdict, together.verdicts[place]
    if own is Verdict.VIOLATION and final is not own:
        return say("{told}, so that among several tests this one is **{verdict}**.", told=told, verdict=final.words)
    return f"{told}."
