"""What a visitor has seen and in which language, so that nothing is called new twice, and a reload changes nothing."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st
from pydantic import Field, ValidationError

from core.base.errors import EvenhandError, StorageError
from core.base.files import home, write_whole
from core.base.settings import Settings
from dashboard.visitor import visitor

if TYPE_CHECKING:
    from core.register.entry import Entry

FOLDER = "seen"
"""In Evenhand's folder, a small file a visitor."""
_KEPT = "seen"


class Seen(Settings):
    """What a visitor has seen.

    Attributes:
        tour: Whether they closed the tour of an audit.
        comments: How many comments they have seen of each entry of the register, by its id.
        language: The code of the language that they chose; empty where they chose none.
    """

    tour: bool = False
    comments: dict[str, int] = Field(default={})
    language: str = Field(default="", max_length=35)


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


def language() -> str:
    """The language that this visitor chose; empty where they chose none, or where they have not signed in yet."""
    try:
        return seen().language
    except EvenhandError:
        return ""


def note_language(code: str) -> None:
    """The visitor chose a language."""
    _keep(seen().model_copy(update={"language": code}))


def _keep(now: Seen) -> None:
    """Keep it; where the disk takes nothing, until the session ends."""
    try:
        write_whole(_path(), now.model_dump_json().encode())
    except StorageError:
        st.session_state[_KEPT] = now


def _path() -> Path:
    return home() / FOLDER / f"{visitor()}.json"
