"""The file of a model: uploaded, or picked from a folder that whoever runs Evenhand names."""

import os
from pathlib import Path
from typing import Any

import streamlit as st

from core.base.errors import StorageError
from core.base.files import FileRef, FileStore, model_files
from core.language.phrases import whole
from core.language.told import say
from dashboard import forms, samples, uploads
from dashboard.messages import guarded, show_failure
from dashboard.text import literal

LARGEST_UPLOAD = "200 MB"
"""What ``.streamlit/config.toml`` allows: an upload is held in memory until its page is closed."""


def new_file(label: str, key: str, sample: str = "model") -> FileRef | None:
    """The file that was chosen since the last call of :func:`note_read`, kept on disk; None if there is none.

    Args:
        label: Of the uploader.
        key: Prefix of the widgets' keys.
        sample: Which of the samples is offered beside it.
    """
    uploaded = st.file_uploader(label, key=forms.key_of(f"{key}.file"))
    samples.offer(sample, key)
    picked = _pick(key)
    seen = st.session_state.setdefault(f"{key}.seen", set())
    if uploaded is not None and uploaded.file_id not in seen:
        st.session_state[f"{key}.new"] = uploaded.file_id
        return uploads.keep(uploaded)
    if picked is not None and str(picked) not in seen:
        st.session_state[f"{key}.new"] = str(picked)
        return _adopt(picked, key)
    return None


def note_read(key: str) -> None:
    """The new file was read: it is new no longer."""
    st.session_state[f"{key}.seen"].add(st.session_state[f"{key}.new"])


def how_large() -> str:
    """How large a file may be, and how a larger one is brought, one sentence."""
    larger = (
        say("larger ones from the folder below")
        if model_files()
        else say("whoever runs this dashboard can open a folder for larger ones")
    )
    return say("Up to {size} can be uploaded; {larger}.", size=LARGEST_UPLOAD, larger=larger)


def _pick(key: str) -> Path | None:
    """The file chosen in the operator's folder; None while none is, or there is no such folder."""
    if not (files := model_files()):
        return None
    widget = forms.key_of(f"{key}.on_server")

    def choose_again() -> None:
        if chosen := files.get(st.session_state[widget]):
            st.session_state[f"{key}.seen"].discard(str(chosen))

    name: Any = st.selectbox(
        say("Or a file on the server"),
        list(files),
        index=None,
        key=widget,
        format_func=lambda name: say(
            "{name} ({size} MB)", name=name, size=whole(round(os.stat(files[name]).st_size / 1e6))
        ),
        placeholder=say("Choose a file"),
        help=say("Files in the folder that whoever runs Evenhand named for large models."),
        on_change=guarded()(choose_again),
    )
    return files.get(name)


def _adopt(path: Path, key: str) -> FileRef | None:
    """The file copied among the uploads, once; None, with the reason shown, where it cannot be."""
    bar = st.progress(0.0, say("Copying {name}", name=literal(path.name)))
    try:
        stat = path.stat()
        state = (str(path), stat.st_size, stat.st_mtime_ns)
        known: tuple[Any, FileRef | None] = st.session_state.get(f"{key}.copied", (None, None))
        before, ref = known
        if before != state or ref is None or not FileStore().holds(ref):
            ref = FileStore().put_file(path, path.name, bar.progress)
            st.session_state[f"{key}.copied"] = (state, ref)
    except (StorageError, OSError) as error:
        show_failure(error if isinstance(error, StorageError) else StorageError.of(error))
        return None
    finally:
        bar.empty()
    return ref
