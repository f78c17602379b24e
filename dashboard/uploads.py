"""Files that a visitor brings: kept where there is room, and for how long."""

from typing import Any

import streamlit as st

from core.base.errors import StorageError
from core.base.files import FileRef, FileStore
from core.language.told import localized, say
from core.wall.sandbox import missing_walls
from core.wall.trust import are_refused
from dashboard.jobs.removal import retention_days, upload_days
from dashboard.messages import show_failure


def keep(file: Any) -> FileRef | None:
    """What lies in an uploader, kept on disk; None, with the reason shown, where it cannot be."""
    try:
        return FileStore().put(file.getvalue(), file.name)
    except StorageError as error:
        show_failure(error)
        return None


def lifetime_of_drafts() -> str:
    """How long choices are kept, one sentence."""
    days = retention_days()
    return (
        say("Deleted {days} days after you last opened them.", days=localized(f"{days:g}"))
        if days
        else say("Until you delete them.")
    )


def lifetime_of_audits() -> str:
    """How long an audit is kept, one sentence."""
    days = retention_days()
    if days == 0:
        return say("Each stays until you delete it.")
    return say(
        "Each is deleted {days} days after you last opened it, unless it is in review or signed.",
        days=localized(f"{days:g}"),
    )


def lifetime() -> str:
    """How long an upload is kept, one sentence."""
    if days := upload_days():
        return say(
            "It stays on this machine and is deleted {days} days after you brought it; results stay.",
            days=localized(f"{days:g}"),
        )
    days = retention_days()
    if days == 0:
        return say("It stays on this machine until you delete it.")
    return say(
        "It stays on this machine and is deleted {days} days after you last used it.", days=localized(f"{days:g}")
    )


def warn_of_missing_walls() -> None:
    """Say what this system does not protect from an uploaded model; nothing where it protects all."""
    if missing := missing_walls():
        told = [*missing, say("Upload only models that you trust.")]
        if are_refused():
            told.append(
                say(
                    "Files of XGBoost, LightGBM and scikit-learn are refused here: the libraries that read them cannot "
                    "be confined."
                )
            )
        st.warning(" ".join(told), icon=":material/warning:")
