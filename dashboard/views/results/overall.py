"""The top of a page with several tests: one headline for all of them, and a line for each, which opens it."""

from collections.abc import Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.base.errors import Caveat, in_short
from core.language.told import retold, say
from core.report.model import comparison
from core.report.multiple_tests import TestLine, Together
from core.report.others import open_questions, other_attributes
from core.report.summary import what_to_do
from dashboard.messages import guarded
from dashboard.text import literal
from dashboard.views.results.card import ICONS, Card
from dashboard.views.results.sparkline import show_sparkline

_HOW_TO_READ = say(
    "Each line: the diamond is the estimate, the bar reaches to the bound that decides, "
    "the dashed line is the tolerance."
)

_TO_THE_TESTS = """<script>
setTimeout(() => document.querySelector(".stTabs")?.scrollIntoView({block: "start"}), 300)
</script>"""  # verbatim
"""Brings the tests, which stand far below the line that opens one, to the top of the window."""


class Top:
    """The room for the card of the whole audit and its lines, filled once the decision settings are known.

    Args:
        open_test: Key of the tabs, under which a line opens its test.
    """

    def __init__(self, open_test: str) -> None:
        self._open = open_test
        self._card = Card(switch=True)

    @property
    def below(self) -> DeltaGenerator:
        """Room right below the verdict, which filling adds to."""
        return self._card.below

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
            (literal(together.sentence), retold(_HOW_TO_READ)),
            steps=what_to_do(together)[:1],
            besides={
                say("Other attributes"): other_attributes(together),
                say("Not settled"): open_questions(together),
            },
            table=comparison(together),
        )
        with self._card.below, st.container(key="lines"):
            for place, line in enumerate(together.lines):
                finding = together.findings[place]
                own = in_short(one for one in finding.spoken if one not in shared)
                _show_line(line, finding.nothing, place, own, self._open)
        self._card.show_others(together)


def in_several(each: Sequence[Sequence[Caveat]]) -> tuple[Caveat, ...]:
    """What speaks against more than one of several tests, in the order in which it comes."""
    once = [tuple(dict.fromkeys(one)) for one in each]
    told = dict.fromkeys(caveat for one in once for caveat in one)
    return tuple(caveat for caveat in told if sum(caveat in one for one in once) > 1)


def _show_line(line: TestLine, nothing: float, place: int, qualified: str, open_test: str) -> None:
    """Name, measure, verdict, number, what qualifies them, and drawing of one test; a click on the name opens it."""
    name, found, drawn = st.columns([3, 6, 3], vertical_alignment="center")
    opened = name.button(
        literal(line.name),
        key=f"open_{place}",
        type="tertiary",
        icon=":material/arrow_forward:",
        on_click=guarded()(st.session_state.__setitem__),
        args=(open_test, line.name),
    )
    told = f"{ICONS[line.verdict]} {literal(line.verdict.words)}  \n{literal(line.number)}"
    small = " ".join(filter(None, (f"{line.measure}." if line.measure and qualified else line.measure, qualified)))
    found.markdown(f"{told}  \n:small[{literal(small)}]" if small else told)  # verbatim
    with drawn:
        show_sparkline(line, nothing)
    if opened:
        st.html(_TO_THE_TESTS, unsafe_allow_javascript=True)
