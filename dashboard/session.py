"""The draft of the session: kept on disk under a random name that stands in the address, in its visitor's folder.

A browser refresh loses Streamlit's session but not the address, so nothing chosen is ever lost. Who opens the address
of somebody else's draft gets a copy, so that nobody changes what another one chose. What is computed from the choices
is not kept here: jobs find their answers again by fingerprint.
"""

import hashlib
import re
import time
import uuid
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

import streamlit as st
from pydantic import ValidationError

from core.audits import AuditDecision, AuditSettings
from core.base.errors import RecordError, StorageError
from core.base.files import home, write_whole
from core.base.settings import Settings
from core.contracts.audit import AbstractAudit
from core.language.told import packed, retold, say
from dashboard.draft import Draft, kind_of
from dashboard.visitor import people_sign_in, visitor

S = TypeVar("S", bound=Settings)

_NAME = re.compile(r"[0-9a-f]{16}")
_COPIED = say(
    "These choices were made in another browser. You work on a copy of your own; what you change stays with you."
)
_UNKNOWN = say("Nothing was chosen under this address, so you begin anew.")
_TOLD = "draft_told"
_WORTH_NOTING = 3600.0
"""Seconds after which it is noted again that a draft was opened."""


def draft() -> Draft:
    """The draft named in the address, or the session's, or a new one; its name is put into the address."""
    return load(_name())


def show_origin(now: Draft) -> None:
    """Say where the draft comes from, if not from its address in this browser."""
    told = st.session_state.get(_TOLD)
    if told and (told == _COPIED or now.data is None):
        st.info(retold(told), icon=":material/info:")


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
    missing = others | ({kind: packed(problem)} if problem else {})
    if missing != now.missing:
        change(missing=missing)
    return now.model_copy(update={"missing": missing})


def of_each_kind(form: str) -> dict[str, Any]:
    """What was last chosen of each kind that a form of the draft offers, by kind, for who switches back to it."""
    kept: dict[str, Any] = st.session_state.setdefault(f"{_name()}.{form}.of_each_kind", {})
    return kept


def set_aside() -> None:
    """Keep a copy of the draft, if its table has roles, to which :func:`take_back` returns."""
    now = draft()
    if now.data is not None and (now.roles.outcome or now.roles.text or now.roles.protected):
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
    name = st.session_state["draft"] = _issue(started or Draft())
    st.session_state.pop(_TOLD, None)
    st.query_params.pop("draft", None)
    for key in [key for key in st.session_state if "." in str(key)]:
        del st.session_state[key]
    return name


def load(name: str) -> Draft:
    """The draft of this name; a new one if there is none.

    Raises:
        RecordError: The file is damaged, or another version wrote it; it is put aside, and the next call begins anew.
    """
    path = _path(name)
    try:
        kept = Draft.model_validate_json(_read(name))
    except FileNotFoundError:
        return Draft()
    except (OSError, ValidationError) as error:
        damaged = path.with_suffix(".unreadable")
        with suppress(OSError):
            path.replace(damaged)
        raise RecordError(
            say("What you had chosen under this address cannot be read: it is damaged, or another version wrote it."),
            where=str(damaged),
            advice=say("Reload the page to choose again; finished audits are listed on the first page."),
        ) from error
    with suppress(OSError):
        if time.time() - path.stat().st_mtime > _WORTH_NOTING:
            path.touch()
    return kept


def save(name: str, kept: Settings) -> None:
    """Write choices under a name, all of them or nothing; where the disk takes none, the session remembers them."""
    written = kept.model_dump_json().encode()
    try:
        write_whole(_path(name), written)
        _remembered().pop(name, None)
    except StorageError:
        _remembered()[name] = written


def name() -> str:
    """The name of the session's draft."""
    return _name()


def drop_model(digest: str) -> None:
    """Take the model whose file has this SHA-256 out of the draft, and out of the copy kept aside."""
    for kept in (_name(), f"{_name()}-before"):
        now = load(kept)
        if getattr(getattr(now.model, "file", None), "sha256", "") == digest:
            save(kept, now.model_copy(update={"model": None, "tests": ()}))


def load_of_page(page: str, kind: type[S]) -> S:
    """The choices of a page of its own that belong to the session's draft; new ones if there are none to be read."""
    try:
        return kind.model_validate_json(_read(_of_page(page)))
    except (OSError, ValidationError):
        return kind()


def save_of_page(page: str, kept: Settings) -> None:
    """Keep the choices of a page of its own that belong to the session's draft."""
    save(_of_page(page), kept)


def _name() -> str:
    """The draft's name, which then stands in the address: one that was issued to this visitor."""
    asked, own = str(st.query_params.get("draft", "")), str(st.session_state.get("draft", ""))
    if asked != own and asked and not _is_issued(asked):
        own = _copied(asked)
        st.session_state[_TOLD] = _COPIED if own else _UNKNOWN
    elif asked:
        own = asked
    name = own if _is_issued(own) else _issue(Draft())
    st.session_state["draft"] = name
    if asked != name:
        st.query_params["draft"] = name
    return name


def _is_issued(name: str) -> bool:
    return _NAME.fullmatch(name) is not None and (name in _remembered() or _path(name).exists())


def _issue(begun: Draft) -> str:
    name = uuid.uuid4().hex[:16]
    save(name, begun)
    return name


def _copied(name: str) -> str:
    """The name of this visitor's copy of a draft in another browser, which is made once; empty if there is no such.

    Where people sign in, nobody's draft is copied by another.
    """
    if not _NAME.fullmatch(name) or people_sign_in():
        return ""
    copy = hashlib.sha256(f"{visitor()} {name}".encode()).hexdigest()[:16]
    drafts = home() / "drafts"
    for found in (*drafts.glob(f"{name}*.json"), *drafts.glob(f"*/{name}*.json")):
        target = _path(found.stem.replace(name, copy, 1))
        if not target.exists():
            write_whole(target, found.read_bytes())
    return copy if _is_issued(copy) else ""


def _remembered() -> dict[str, bytes]:
    """What the disk did not take, by the name under which it was to be kept."""
    found: dict[str, bytes] = st.session_state.setdefault("remembered", {})
    return found


def _read(name: str) -> bytes:
    return _remembered()[name] if name in _remembered() else _path(name).read_bytes()


def _of_page(page: str) -> str:
    return f"{st.session_state['draft']}.{page}"


def _path(name: str) -> Path:
    return home() / "drafts" / visitor() / f"{name}.json"
