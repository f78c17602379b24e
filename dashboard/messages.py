"""How pages say what went wrong and what was noticed: plain sentences, never a traceback."""

import logging
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.base.errors import Caveat, EvenhandError, StorageError, by_advice
from core.base.files import trouble
from core.language.phrases import whole
from core.language.told import retold, say, say_count
from dashboard.jobs.job import Failure
from dashboard.logs import log
from dashboard.text import literal

_ICONS = {"serious": ":material/error:", "warning": ":material/warning:", "info": ":material/info:"}
_NAMES = {"serious": say("Serious"), "warning": say("Warning"), "info": say("Note")}
MOST_SHOWN = 3
"""Boxes of caveats that a page shows at once; more shout, and nobody reads them."""
MOST_OF_A_GROUP = 3
"""Caveats listed in a box; the rest of them is behind the fold."""
_DONE, _DONE_HERE = "done", "done_here"
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
    if isinstance(failure, StorageError):
        lines.append(say("Then reload the page; your choices are kept."))
    st.error("  \n".join(lines), icon=_ICONS["serious"])


def show_caveats(caveats: Iterable[Caveat]) -> None:
    """What was noticed, grouped by what to do about it; what forbids a claim is always in the open.

    At most ``MOST_SHOWN`` groups are boxes, the most serious first, with ``MOST_OF_A_GROUP`` caveats each. The rest
    is behind one fold whose label says how many there are.
    """
    folded: list[tuple[Caveat, ...]] = []
    for place, group in enumerate(by_advice(caveats)):
        forbids = group[0].forbids != "nothing"
        shown = len(group) if forbids else MOST_OF_A_GROUP if place < MOST_SHOWN else 0
        if shown:
            _show_group(group, shown)
        folded += [group[shown:]] if group[shown:] else []
    if folded:
        more = sum(map(len, folded))
        with st.expander(say_count("{n} more remark", "{n} more remarks", more), icon=":material/more_horiz:"):
            for group in folded:
                st.markdown(_listed(f"**{_heading(group)}**", group))


def _show_group(group: tuple[Caveat, ...], shown: int) -> None:
    """One box of caveats with the same advice, the first ``shown`` of them listed; the level stands in words too."""
    first = group[0]
    box = {"serious": st.error, "warning": st.warning, "info": st.info}[first.level]
    if len(group) == 1:
        told = f"{retold(_NAMES[first.level])}: {literal(first.what)} {literal(first.advice)}".strip()
    else:
        told = _listed(f"**{_heading(group)}**", group[:shown])
        if (more := len(group) - shown) > 0:
            told += f"\n- {say('{n} more, below', n=whole(more))}"
    box(told, icon=_ICONS[first.level])


def _heading(group: tuple[Caveat, ...]) -> str:
    """The most serious level and the advice of caveats that share it."""
    level, advice = retold(_NAMES[group[0].level]), literal(group[0].advice)
    return f"{level}: {advice}" if advice else f"{level}:"


def _listed(heading: str, group: tuple[Caveat, ...]) -> str:
    return heading + "\n" + "".join(f"\n- {literal(one.what)}" for one in group)


def show_warnings(caveats: Iterable[Caveat]) -> None:
    """Caveats that should not be overlooked, grouped by what to do about them."""
    show_caveats(caveat for caveat in caveats if caveat.level != "info")


def show_remarks(caveats: Iterable[Caveat]) -> None:
    """The other caveats, in small print."""
    for caveat in caveats:
        if caveat.level == "info":
            st.caption(literal(f"{caveat.what} {caveat.advice}".strip()))


def show_facts(facts: Mapping[str, object], heading: str = "", found: str = "") -> None:
    """Names and what stands beside them; two headings, ``found`` for what was found, only where the names have one."""
    import pandas as pd

    st.table(
        pd.DataFrame(
            {found or say("Found"): [literal(value) for value in facts.values()]},
            index=pd.Index([literal(name) for name in facts], name=heading),
        ),
        border="horizontal",
        width="stretch" if heading else "content",
        hide_header=not heading,
    )


def say_next(what: str) -> None:
    """Say at the top of the next page that is drawn that something was done."""
    st.session_state[_DONE] = what


def say_over(what: str, *, more_to_do: bool = False) -> None:
    """Say over the same page, drawn again, that something was done, or that there is more to do before it is.

    It is seen wherever the page is scrolled to, which a click below may have moved.
    """
    st.session_state[_DONE_HERE] = what, more_to_do


def show_done() -> None:
    """What :func:`say_next` and :func:`say_over` were given, once."""
    if what := st.session_state.pop(_DONE, ""):
        st.success(what, icon=":material/check_circle:")
    over, more_to_do = st.session_state.pop(_DONE_HERE, ("", False))
    if over:
        with st.container(key="said_over"):
            if more_to_do:
                st.warning(over, icon=":material/pending_actions:")
            else:
                st.success(over, icon=":material/check_circle:")


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
    log("page_failed", level=logging.ERROR, error=error)
    show_failure(StorageError.of(error) if isinstance(error, OSError) else _FAULT)
    return True
