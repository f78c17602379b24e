"""What a visitor has seen, so that nothing is called new twice, and no tour is shown to whoever closed it."""

from pathlib import Path

import streamlit as st
from pydantic import Field, ValidationError

from core.base.errors import StorageError
from core.base.files import home, write_whole
from core.base.settings import Settings
from core.register.entry import Entry
from dashboard.visitor import visitor

FOLDER = "seen"
"""In Evenhand's folder, a small file a visitor."""
_KEPT = "seen"


class Seen(Settings):
    """What a visitor has seen.

    Attributes:
        tour: Whether they closed the tour of an audit.
        comments: How many comments they have seen of each entry of the register, by its id.
    """

    tour: bool = False
    comments: dict[str, int] = Field(default={})


def seen() -> Seen:
    """What this visitor has seen."""
    if _KEPT in st.session_state:
        kept: Seen = st.session_state[_KEPT]
        return kept
    try:
        return Seen.model_validate_json(_path().read_bytes())
    except (OSError, ValidationError):
        return Seen()


def new_comments(entry: Entry) -> int:
    """How many comments on an entry this visitor has not seen."""
    return max(0, len(entry.comments) - seen().comments.get(entry.id, 0)) if entry.comments else 0


def note_comments(entry: Entry) -> None:
    """The visitor sees the comments on an entry."""
    if new_comments(entry):
        known = seen()
        _keep(known.model_copy(update={"comments": {**known.comments, entry.id: len(entry.comments)}}))


def note_tour() -> None:
    """The visitor closed the tour."""
    _keep(seen().model_copy(update={"tour": True}))


def _keep(now: Seen) -> None:
    """Keep it; where the disk takes nothing, until the session ends."""
    try:
        write_whole(_path(), now.model_dump_json().encode())
    except StorageError:
        st.session_state[_KEPT] = now


def _path() -> Path:
    return home() / FOLDER / f"{visitor()}.json"
