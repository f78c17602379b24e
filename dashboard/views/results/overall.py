"""The top of a page with several tests: one headline for all of them, and a line for each, which opens it."""

from collections.abc import Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.base.errors import Caveat
from core.language.told import say
from core.report.model import comparison
from core.report.multiple_tests import TestLine, Together
from core.report.summary import cleared, not_settled, what_to_do
from dashboard.messages import guarded
from dashboard.text import literal
from dashboard.views.results.card import ICONS, Card
from dashboard.views.results.sparkline import show_sparkline

TEST = "test"
"""What the open test is called in the address."""


class Top:
    """The room for the card of the whole audit and its lines, filled once the decision settings are known."""

    def __init__(self) -> None:
        self._card = Card(switch=True)

    @property
    def actions(self) -> DeltaGenerator:
        """Room for what can be done with the whole result."""
        return self._card.actions

    def fill(self, together: Together, shared: Sequence[Caveat]) -> None:
        """Verdict and headline of the audit, a line a test, and what several tests share.

        Args:
            together: All tests under their readings.
            shared: What speaks against several of them.
        """
        self._card.fill(
            together.verdict,
            together.headline,
            shared,
            (literal(together.sentence),),
            steps=what_to_do(together)[:1],
            table=comparison(together),
        )
        with self._card.below:
            for place, line in enumerate(together.lines):
                _show_line(line, together.findings[place].nothing, place)
            for told in filter(None, (cleared(together), not_settled(together))):
                st.markdown(literal(told))
            st.caption(
                say(
                    "Each line: the diamond is the estimate, the bar reaches to the bound that decides, "
                    "the dashed line is the tolerance."
                )
            )


def in_several(each: Sequence[Sequence[Caveat]]) -> tuple[Caveat, ...]:
    """What speaks against more than one of several tests, in the order in which it comes."""
    once = [tuple(dict.fromkeys(one)) for one in each]
    told = dict.fromkeys(caveat for one in once for caveat in one)
    return tuple(caveat for caveat in told if sum(caveat in one for one in once) > 1)


def serious_of_one(together: Together, several: Sequence[Caveat]) -> list[tuple[str, Caveat]]:
    """What speaks seriously against one of the tests that decide, with what people call it, but not against several."""
    named = zip(together.names, together.findings, strict=True)
    return [
        (name, one)
        for name, finding in named
        if finding in together.deciding
        for one in finding.spoken
        if one.level == "serious" and one not in several
    ]


def _show_line(line: TestLine, nothing: float, place: int) -> None:
    """Name, measure, verdict, number and drawing of one test; a click on the name opens it."""
    name, found, drawn = st.columns([3, 6, 3], vertical_alignment="center")
    name.button(
        literal(line.name),
        key=f"open_{place}",
        type="tertiary",
        icon=":material/arrow_forward:",
        on_click=guarded()(_open),
        args=(line.name,),
    )
    told = f"{ICONS[line.verdict]} {literal(line.verdict.words)}  \n{literal(line.number)}"
    found.markdown(f"{told}  \n:small[{literal(line.measure)}]" if line.measure else told)  # verbatim
    with drawn:
        show_sparkline(line, nothing)


def _open(name: str) -> None:
    st.session_state[TEST] = name
