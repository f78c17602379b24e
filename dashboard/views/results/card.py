"""The verdict card: one plain sentence, what speaks against it, and the p-values."""

from collections.abc import Iterable, Sequence

import streamlit as st

from core.base.errors import Caveat
from core.base.tables import Case
from core.inference.estimate import Verdict
from core.language.told import say
from dashboard.text import literal
from dashboard.views.results.tables import show_table

ICONS = {
    Verdict.VIOLATION: ":material/error:",
    Verdict.NO_VIOLATION: ":material/check_circle:",
    Verdict.INSUFFICIENT: ":material/help:",
}
BOXES = {Verdict.VIOLATION: st.error, Verdict.NO_VIOLATION: st.success, Verdict.INSUFFICIENT: st.info}
_LEVELS = {"serious": ":material/report:", "warning": ":material/warning:", "info": ":material/info:"}


class Card:
    """The room on top of a page or a test, taken before the decision settings are known and filled once they are.

    Args:
        switch: Whether the switch for symbols, and what can be done with the whole result, stand in it; once a page.
        of_one_test: Whether there is room for its decision settings, and for the case that shows what it found.

    Attributes:
        controls: Room for the widgets of the decision settings, below the verdict.
        actions: Room for what can be done with the whole result.
    """

    def __init__(self, *, switch: bool, of_one_test: bool = False) -> None:
        left, self._beside = st.columns([3, 2], gap="medium") if of_one_test else (st.container(), st.empty())
        self._top, self.controls = left.container(), left.container()
        self.actions = st.container()
        with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
            self._line = st.empty()
            if switch:
                st.toggle(
                    say("Show symbols"),
                    key="symbols",
                    bind="query-params",
                    help=say("Adds the papers' symbols (δ, α, T, ε) to the names."),
                )
        self._folded = st.container()

    def fill(
        self,
        verdict: Verdict,
        headline: str,
        sentence: str,
        caveats: Iterable[Caveat],
        line: str,
        *,
        steps: Sequence[str] = (),
    ) -> None:
        """Icon, colour and words; then serious caveats in full, a line below, and the other caveats folded away.

        Args:
            verdict: Decides icon and colour.
            headline: The verdict in a few words.
            sentence: The rest of it; may begin with the headline.
            caveats: What speaks against it, each shown once.
            line: One line of Markdown, for example the p-values; may be empty.
            steps: What the reader can do next, shown within the card.
        """
        rest = sentence.removeprefix(headline).lstrip(":. ")
        once = tuple(dict.fromkeys(caveats))
        with self._top:
            told = f"## {ICONS[verdict]} {literal(headline)}\n{literal(rest[:1].upper() + rest[1:])}"
            if steps:
                told += f"\n\n**{say('What you can do next')}**\n" + "".join(f"\n1. {literal(step)}" for step in steps)
            BOXES[verdict](told)
            for caveat in once:
                if caveat.level == "serious":
                    st.warning(_said(caveat), icon=_LEVELS[caveat.level])
        self._line.markdown(line, width="content")
        others = [caveat for caveat in once if caveat.level != "serious"]
        if others:
            with self._folded, st.expander(say("Read with this in mind ({n})", n=len(others))):
                for caveat in others:
                    st.markdown(f"{_LEVELS[caveat.level]} {_said(caveat)}")

    def show_case(self, case: Case | None) -> None:
        """The case that shows what was found, beside the verdict; nothing where there is none."""
        if case is None:
            return
        with self._beside, st.container(border=True):
            st.markdown(f"**{literal(case.title)}**")
            st.markdown(literal(case.told))
            if case.beside is not None:
                show_table(case.beside)


def _said(caveat: Caveat) -> str:
    return f"**{literal(caveat.what)}** {literal(caveat.advice)}".strip()
