"""The draft of the session: kept on disk under a random name that stands in the address.

A browser refresh loses Streamlit's session but not the address, so nothing chosen is ever lost. What is computed from
the choices is not kept here: jobs find their answers again by fingerprint.
"""

import os
import re
import uuid
from pathlib import Path
from typing import Any, TypeVar

import streamlit as st
from pydantic import ValidationError

from core.audit import AbstractAudit
from core.audits import AuditDecision, AuditSettings
from core.errors import RecordError
from core.files import home
from core.settings import Settings
from dashboard.draft import Draft, kind_of

S = TypeVar("S", bound=Settings)

_NAME = re.compile(r"[0-9a-f]{16}")


def draft() -> Draft:
    """The draft named in the address, or the session's, or a new one; its name is put into the address."""
    name = _name()
    st.query_params["draft"] = name
    st.session_state["draft"] = name
    return load(name)


def change(**values: Any) -> Draft:
    """Replace fields of the draft, and keep it."""
    changed = draft().model_copy(update=values)
    save(_name(), changed)
    return changed


def keep(now: Draft, *chosen: AuditSettings | AuditDecision) -> Draft:
    """``now`` with these settings and decision settings of tests, which are kept where they are new."""
    changed = now.having(*chosen)
    if changed != now:
        kept = draft().having(*chosen)
        change(audits=kept.audits, decisions=kept.decisions)
    return changed


def tell_missing(now: Draft, test: type[AbstractAudit], problem: str) -> Draft:
    """``now`` with what this test still has to be told, one sentence; with nothing missing if it is empty."""
    kind = kind_of(test)
    others = {other: told for other, told in now.missing.items() if other != kind}
    missing = others | ({kind: problem} if problem else {})
    if missing != now.missing:
        change(missing=missing)
    return now.model_copy(update={"missing": missing})


def set_aside() -> None:
    """Keep a copy of the draft, if it has a table with an outcome or texts, to which :func:`take_back` returns."""
    now = draft()
    if now.data is not None and (now.roles.outcome or now.roles.text):
        save(f"{_name()}-before", now)


def aside() -> Draft | None:
    """The copy that :func:`set_aside` kept; None if there is none, or if it is the draft itself."""
    kept = load(f"{_name()}-before")
    return None if kept.data is None or kept.data == draft().data else kept


def take_back() -> None:
    """Exchange the draft and the copy kept aside, so that both stay."""
    kept, now = aside(), draft()
    if kept is not None:
        save(f"{_name()}-before", now)
        save(_name(), kept)


def begin(started: Draft | None = None) -> str:
    """Make a new draft the session's own and return its name."""
    name = uuid.uuid4().hex[:16]
    st.session_state["draft"] = name
    st.query_params.pop("draft", None)
    for key in [key for key in st.session_state if "." in str(key)]:
        del st.session_state[key]
    save(name, started or Draft())
    return name


def load(name: str) -> Draft:
    """The draft of this name; a new one if there is none.

    Raises:
        RecordError: The file is damaged, or another version wrote it; it is put aside, and the next call begins anew.
    """
    path = _path(name)
    try:
        return Draft.model_validate_json(path.read_bytes())
    except FileNotFoundError:
        return Draft()
    except (OSError, ValidationError) as error:
        damaged = path.with_suffix(".unreadable")
        path.replace(damaged)
        raise RecordError(
            "What you had chosen under this address cannot be read: it is damaged, or another version wrote it.",
            where=str(damaged),
            advice="Reload the page to choose again; finished audits are listed on the first page.",
        ) from error


def save(name: str, kept: Settings) -> None:
    """Write choices under a name, all of them or nothing."""
    path = _path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_suffix(f".{uuid.uuid4().hex}")
    fresh.write_text(kept.model_dump_json())
    os.replace(fresh, path)


def load_of_page(page: str, kind: type[S]) -> S:
    """The choices of a page of its own that belong to the session's draft; new ones if there are none to be read."""
    try:
        return kind.model_validate_json(_path(_of_page(page)).read_bytes())
    except (OSError, ValidationError):
        return kind()


def save_of_page(page: str, kept: Settings) -> None:
    """Keep the choices of a page of its own that belong to the session's draft."""
    save(_of_page(page), kept)


def _name() -> str:
    for kept in (st.query_params.get("draft"), st.session_state.get("draft")):
        if isinstance(kept, str) and _NAME.fullmatch(kept):
            return kept
    return uuid.uuid4().hex[:16]


def _of_page(page: str) -> str:
    return f"{st.session_state['draft']}.{page}"


def _path(name: str) -> Path:
    return home() / "drafts" / f"{name}.json"
