"""A tour of one audit in five captions: what was asked, of whom, how much, how sure, what next. It can be closed."""

import streamlit as st

from core.inference.estimate import Verdict
from core.language.told import retold, say
from core.report.multiple_tests import Together
from core.report.summary import about_whom, how_often_wrong, what_to_do
from dashboard import seen
from dashboard.messages import guarded
from dashboard.text import literal

_NEXT = {
    Verdict.VIOLATION: say(
        "Read below what else was found, and of whom. Then state what you decide, and sign the report."
    ),
    Verdict.NO_VIOLATION: say("Read below what the test cannot say. Audit again when the model or its use changes."),
}
ADDRESS = "tour"
"""What in the address of a result asks for the tour."""


class Tour:
    """The room for the tour on a page, filled once the tolerance is known; none if nobody asked or it was closed."""

    def __init__(self) -> None:
        asked = ADDRESS in st.query_params and not seen.seen().tour
        self._room = st.container(border=True, key="tour") if asked else None

    def fill(self, together: Together) -> None:
        """Show the captions in the words of what was found."""
        if self._room is None:
            return
        with self._room, st.container(horizontal=True, vertical_alignment="top"):
            told = (f"{n}. **{name}** {literal(said)}" for n, (name, said) in enumerate(captions(together), start=1))
            st.markdown("\n".join((say("This audit in five captions:"), "", *told)))
            st.button(
                say("Close the tour"),
                key="tour_close",
                type="tertiary",
                icon=":material/close:",
                on_click=guarded()(seen.note_tour),
            )


def captions(together: Together) -> tuple[tuple[str, str], ...]:
    """Five names, and what stands behind each, a sentence or two."""
    first = together.findings[together.place]
    return (
        (say("What was asked?"), first.question),
        (say("Of whom?"), about_whom(first.result.data)),
        (say("How much?"), _how_much(together)),
        (say("How sure?"), _sentence(how_often_wrong(together.verdict, max(together.alphas)))),
        (say("What next?"), _next(together)),
    )


def _next(together: Together) -> str:
    if together.verdict in _NEXT:
        return retold(_NEXT[together.verdict])
    return next(iter(what_to_do(together)), say("Read below why it stays open, and what would settle it."))


def _how_much(together: Together) -> str:
    """The number behind the headline with its bound, and how to move the tolerance."""
    return say("{told}. You can move the tolerance on this page.", told=together.lines[together.place].number)


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"
