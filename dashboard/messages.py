"""How pages say what went wrong and what was noticed: plain sentences, never a traceback."""

import logging
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.base.errors import Caveat, EvenhandError, StorageError, how_it_came
from core.base.files import trouble
from core.language.told import retold, say
from dashboard.jobs.job import Failure
from dashboard.text import literal

_ICONS = {"serious": ":material/error:", "warning": ":material/warning:", "info": ":material/info:"}
_NAMES = {"serious": say("Serious"), "warning": say("Warning"), "info": say("Note")}
_DONE = "done"
_LOG = logging.getLogger("evenhand")
_FAULT = Failure(
    "Unexpected",
    say("Something went wrong inside Evenhand; what you have chosen is kept."),
    say("details are in the log of the server"),
    say("Reload the page; if it happens again, report it with that log."),
)


def show_failure(failure: Failure | EvenhandError) -> None:
    """What is wrong, where, and what to do about it."""
    failure = failure.error if isinstance(failure, Failure) else failure
    lines = [f"**{literal(failure.what)}**"]
    if failure.where:
        lines.append(say("Where: {where}", where=literal(failure.where)))
    if failure.advice:
        lines.append(say("**What to do:** {advice}", advice=literal(failure.advice)))
    st.error("  \n".join(lines), icon=_ICONS["serious"])


def show_caveats(caveats: Iterable[Caveat]) -> None:
    """What was noticed, in the order given; the level stands in words too."""
    for caveat in caveats:
        box = {"serious": st.error, "warning": st.warning, "info": st.info}[caveat.level]
        box(
            f"{retold(_NAMES[caveat.level])}: {literal(caveat.what)} {literal(caveat.advice)}".strip(),
            icon=_ICONS[caveat.level],
        )


def show_warnings(caveats: Iterable[Caveat]) -> None:
    """Caveats that should not be overlooked, in the order given."""
    show_caveats(caveat for caveat in caveats if caveat.level != "info")


def show_remarks(caveats: Iterable[Caveat]) -> None:
    """The other caveats, in small print."""
    for caveat in caveats:
        if caveat.level == "info":
            st.caption(literal(f"{caveat.what} {caveat.advice}".strip()))


def show_facts(facts: Mapping[str, object]) -> None:
    """Names and values side by side."""
    st.table(
        {"Name": list(facts), "Value": [literal(value) for value in facts.values()]},
        border="horizontal",
        width="content",
        hide_index=True,
        hide_header=True,
    )


def say_next(what: str) -> None:
    """Say on the next page that is drawn that something was done."""
    st.session_state[_DONE] = what


def show_done() -> None:
    """What :func:`say_next` was given, once."""
    if done := st.session_state.pop(_DONE, ""):
        st.success(done, icon=":material/check_circle:")


def show_trouble(place: DeltaGenerator) -> None:
    """Say in ``place`` that nothing new can be kept, if that is so."""
    remembers = bool(st.session_state.get("remembered"))
    why = trouble() or ("full" if remembers else "")
    if not why:
        return
    disk = {"full": say("The disk is full"), "locked": say("Evenhand's folder may not be written")}[why]
    place.warning(
        say(
            "{disk}: what was kept before can be opened, and what you choose now is lost when you close this page. "
            "Delete audits that you no longer need, on the first page, or ask who runs this machine for room.",
            disk=disk,
        ),
        icon=_ICONS["warning"],
    )


@contextmanager
def guarded() -> Iterator[None]:
    """Around every page, fragment and callback: an error becomes its sentences, and a fault of ours goes to the log.

    ``guarded()`` is also a decorator: Streamlit calls fragments and callbacks long after the page around them ended.
    """
    try:
        yield
    except Exception as error:
        show_fault(error)


def show_fault(error: Exception) -> bool:
    """Say in words what was raised; a fault of ours goes to the server's log as well. True: nothing is left to say."""
    if isinstance(error, EvenhandError):
        show_failure(error)
        return True
    _LOG.error("A page failed.\n%s", how_it_came(error))  # verbatim
    show_failure(StorageError.of(error) if isinstance(error, OSError) else _FAULT)
    return True
