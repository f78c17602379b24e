"""Whose each session of Streamlit is, and how much of the server's memory the files that are put into it may take.

The door notes a session when its name is first told, and forgets it with its files once Streamlit has.
"""

import time
from dataclasses import dataclass

from streamlit.runtime import get_instance
from streamlit.runtime.uploaded_file_manager import UploadedFileRec

from core.base.errors import SettingsError
from core.base.files import number_of_machine
from core.language.told import localized, say
from dashboard.visitor import SECRET, people_sign_in

RESUMED_FOR = 130.0
"""Seconds after which Streamlit has forgotten a session that lost its connection (two minutes), and a little more."""
_UPLOADS, _GIGABYTES = "EVENHAND_UPLOADS_GB", 2.0
_SHARE = 0.25
"""Of what all sessions may hold, for one of them."""


@dataclass
class _Session:
    secret: str = ""
    signed_in: bool = False
    connections: int = 0
    lost: float = 0.0
    arriving: int = 0


_sessions: dict[str, _Session] = {}


def note(session: str, secret: str) -> None:
    """A browser with this secret in its cookie was told the name of the session that it opened or goes on with."""
    found = _known(session)
    found.secret = found.secret or secret
    found.connections += 1


def note_lost(session: str) -> None:
    """A connection of the session has ended."""
    if found := _sessions.get(session):
        found.connections -= 1
        found.lost = time.monotonic()


def forget_lost() -> None:
    """Free what sessions hold that Streamlit has forgotten; to be called when a connection is lost that long."""
    longest = time.monotonic() - RESUMED_FOR + 1
    for session, found in list(_sessions.items()):
        if not found.connections and found.lost <= longest:
            del _sessions[session]
            _free(session)


def note_person(session: str, *, signed_in: bool) -> None:
    """Whether somebody has signed in in this session."""
    _known(session).signed_in = signed_in


def is_own(session: str, secret: str | None) -> bool:
    """Whether the browser with this secret in its cookie opened the session."""
    found = _sessions.get(session)
    return bool(found and secret and SECRET.fullmatch(secret) and found.secret == secret)


def upload_refusal(session: str, size: int) -> tuple[int, str]:
    """Why ``size`` more bytes cannot be put into a session now: an HTTP status and a sentence; (0, "") if they can."""
    found = _sessions.get(session)
    try:
        if people_sign_in() and not (found and found.signed_in):
            return 403, say("Sign in before you bring files.")
        most = number_of_machine(_UPLOADS, _GIGABYTES) * 1e9
    except SettingsError as error:
        return 500, str(error)
    arriving = {name: one.arriving for name, one in _sessions.items() if one.arriving}
    held = {name: sum(len(file.data) for file in files.values()) for name, files in _held().items()}
    own = arriving.get(session, 0) + held.get(session, 0) + size
    whole = sum(arriving.values()) + sum(held.values()) + size
    if most and own > most * _SHARE:
        return 413, say(
            "The files on this page take more than {most} MB. Reload the page, and bring fewer or smaller ones.",
            most=localized(f"{most * _SHARE / 1e6:,.0f}"),
        )
    if most and whole > most:
        return 413, say("Others are bringing many files now. Try again in a few minutes.")
    return 0, ""


def note_arriving(session: str, size: int) -> None:
    """So many bytes of a file are on their way; negative once they have arrived, which a forgotten session frees."""
    if found := _sessions.get(session):
        found.arriving += size
    elif size < 0:
        _free(session)


def _known(session: str) -> _Session:
    return _sessions.setdefault(session, _Session(lost=time.monotonic()))


def _held() -> dict[str, dict[str, UploadedFileRec]]:
    """The files in memory, by session and name."""
    storage: dict[str, dict[str, UploadedFileRec]] = get_instance().uploaded_file_mgr.file_storage  # type: ignore[attr-defined]
    return {name: dict(files) for name, files in dict(storage).items()}


def _free(session: str) -> None:
    get_instance().uploaded_file_mgr.remove_session_files(session)
