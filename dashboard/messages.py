"""How pages say what went wrong and what was noticed: plain sentences, never a traceback."""

import logging
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager

import streamlit as st

from core.errors import EvenhandError, Notice
from core.files import home
from dashboard.jobs.table import Failure
from dashboard.text import literal

_ICONS = {"serious": ":material/error:", "warning": ":material/warning:", "info": ":material/info:"}
_NAMES = {"serious": "Serious", "warning": "Warning", "info": "Note"}
_LOG = logging.getLogger("evenhand")


def show_failure(failure: Failure | EvenhandError) -> None:
    """What is wrong, where, and what to do about it."""
    where = f"  \nWhere: {literal(failure.where)}" if failure.where else ""
    advice = f"  \n**What to do:** {literal(failure.advice)}" if failure.advice else ""
    st.error(f"**{literal(failure.what)}**{where}{advice}", icon=_ICONS["serious"])


def show_notices(notices: Iterable[Notice]) -> None:
    """What was noticed, in the order given; the level stands in words too."""
    for notice in notices:
        box = {"serious": st.error, "warning": st.warning, "info": st.info}[notice.level]
        box(
            f"{_NAMES[notice.level]}: {literal(notice.what)} {literal(notice.advice)}".strip(),
            icon=_ICONS[notice.level],
        )


def show_facts(facts: Mapping[str, object]) -> None:
    """Names and values side by side."""
    st.table(
        {"Name": list(facts), "Value": [literal(value) for value in facts.values()]},
        border="horizontal",
        width="content",
        hide_index=True,
        hide_header=True,
    )


def disk_failure(error: OSError) -> Failure:
    """A file that cannot be read or written, in words."""
    return Failure(
        "Unexpected",
        f"A file of Evenhand's own cannot be read or written: {error.strerror or type(error).__name__}.",
        str(error.filename or home()),
        "Free some room on the disk or mend the folder's permissions, then reload the page; your choices are kept.",
    )


@contextmanager
def guarded() -> Iterator[None]:
    """Around every page: an error becomes its sentences; a fault of ours becomes one, and goes to the server's log."""
    try:
        yield
    except EvenhandError as error:
        show_failure(error)
    except OSError as error:
        _LOG.exception("A page failed.")
        show_failure(disk_failure(error))
    except Exception:
        _LOG.exception("A page failed.")
        show_failure(
            Failure(
                "Unexpected",
                "Something went wrong inside Evenhand; what you have chosen is kept.",
                "details are in the log of the server",
                "Reload the page; if it happens again, report it with that log.",
            )
        )
