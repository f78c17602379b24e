"""The verdict card: the headline, what forbids a claim, what to do next; everything else is one click away."""

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

import streamlit as st

from core.base.errors import Caveat, in_short
from core.base.tables import Case, Table
from core.inference.estimate import Verdict
from core.language.phrases import upper_first
from core.language.told import Told, say
from core.report.multiple_tests import TestLine, Together
from core.report.others import as_table, others, still_open
from core.report.summary import answers_described, reconciled
from dashboard.fields import offer_symbols
from dashboard.text import literal
from dashboard.views.results.chart import choose_format
from dashboard.views.results.sparkline import show_sparkline
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
        switch: Whether the switch for symbols, how charts are saved, and what can be done with the whole result stand
            in it; once a page.
        of_one_test: Whether there is room for its decision settings, and for the case that shows what it found.

    Attributes:
        controls: Room for the widgets of the decision settings, below the verdict.
        actions: Room for what can be done with the whole result.
        below: Room right below the verdict.
    """

    def __init__(self, *, switch: bool, of_one_test: bool = False) -> None:
        left, self._beside = st.columns([3, 2], gap="medium") if of_one_test else (st.container(), st.empty())
        self._top, self.below, self.controls = left.container(), left.container(), left.container()
        self.actions = st.container()
        self._folded = st.container()
        if switch:
            with st.container(horizontal=True, vertical_alignment="center", key="result_looks"):
                offer_symbols()
                choose_format()

    def fill(
        self,
        verdict: Verdict,
        headline: str,
        caveats: Iterable[Caveat],
        behind: Sequence[str],
        *,
        steps: Sequence[str] = (),
        besides: Mapping[str, str] = MappingProxyType({}),
        table: Table | None = None,
    ) -> None:
        """The verdict in a word, the headline, what qualifies it in short and the first step; what forbids a claim in
        full; all else folded away.

        Args:
            verdict: Decides word, icon and colour.
            headline: What people repeat; empty where it stands on top of the page already.
            caveats: What speaks against it, each shown once.
            behind: The numbers behind the headline, paragraphs of Markdown.
            steps: What the reader can do next, the most helpful first.
            besides: What else a reader of the headline has to know, by what it is about; each may be empty.
            table: The numbers behind it as a table.
        """
        steps = [step for step in steps if not _repeats(step, headline)]
        known = (one for one in dict.fromkeys(caveats) if not (one.is_in(headline) and one.advice in ("", *steps)))
        once = tuple(known)
        with self._top:
            told = f"{ICONS[verdict]} **{literal(upper_first(verdict.words))}**"
            told += (
                f"\n## {literal(headline)}" if headline else f": {say('the headline above is what this test found.')}"
            )
            told += "".join(f"\n\n**{about}**: {literal(what)}" for about, what in besides.items() if what)
            if qualified := in_short(one for one in once if not (_forbids(one) or one.is_in(headline))):
                told += f"\n\n**{say('Keep in mind')}**: {literal(qualified)}"
            if steps:
                told += f"\n\n**{say('What to do next')}**: {literal(steps[0])}"
            BOXES[verdict](told)
            for caveat in once:
                if _forbids(caveat):
                    st.warning(_said(caveat), icon=_LEVELS[caveat.level])
        others = [caveat for caveat in once if not _forbids(caveat)]
        further = steps[1:]
        if not (behind or others or further):
            return
        label = (
            say("How sure is this, and what to keep in mind ({n})", n=len(others))
            if others
            else say("How sure is this?")
        )
        with self._folded, st.expander(label):
            for paragraph in behind:
                st.markdown(paragraph)
            if table is not None:
                show_table(table)
            for step in further:
                st.markdown(f":material/arrow_forward: {literal(step)}")  # verbatim
            for caveat in others:
                st.markdown(f"{_LEVELS[caveat.level]} {_said(caveat)}")

    def show_number(self, line: TestLine, nothing: float) -> None:
        """The number that decides, drawn and in words, right below the verdict."""
        with self.below:
            show_sparkline(line, nothing)
            st.caption(literal(f"{line.measure}: {line.number}" if line.measure else line.number))

    def show_others(self, together: Together) -> None:
        """Of whom tests say something besides the headline, what they leave open, and how groups are answered."""
        with self.below:
            if told := reconciled(together):
                st.markdown(literal(told))
            if table := as_table(others(together)):
                show_table(table)
            for left in still_open(together):
                st.markdown(literal(left))
            for counted in answers_described(together):
                st.caption(literal(counted))

    def show_case(self, case: Case | None) -> None:
        """The case that shows what was found, beside the verdict; nothing where there is none."""
        if case is None:
            return
        with self._beside, st.container(border=True):
            st.markdown(f"**{literal(case.title)}**")
            st.markdown(literal(case.told))
            if case.beside is not None:
                show_table(case.beside)
                if case.beside.caption:
                    st.caption(literal(case.beside.caption))


def _repeats(step: str, headline: str) -> bool:
    """Whether a step asks for what a claim needs to be settled, and the headline says so already."""
    needed = step.given.get("needed") if isinstance(step, Told) else None
    return needed is not None and needed in headline


def _forbids(caveat: Caveat) -> bool:
    """Whether a claim is withheld because of it, so that it never folds."""
    return caveat.level == "serious" and caveat.forbids != "nothing"


def _said(caveat: Caveat) -> str:
    return f"**{literal(caveat.what)}** {literal(caveat.advice)}".strip()
