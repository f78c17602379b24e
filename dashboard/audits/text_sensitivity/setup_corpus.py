"""Other texts that the protected status model learns from: which table, and which of its columns."""

from typing import Any

import pandas as pd
import streamlit as st

from core.language.told import say
from core.protected_status.settings import Corpus
from core.sources import SOURCES, DataSource
from core.sources.upload.uploaded import UploadedTable
from dashboard import forms, samples, uploads
from dashboard.jobs.answers import unpack
from dashboard.tables import TableSummary
from dashboard.waiting import answer


def choose(before: Corpus | None) -> tuple[Corpus | None, str]:
    """The corpus as the widgets say, and what is still missing, one sentence."""
    source = _source(before)
    if source is None:
        return None, say("Choose the table of other texts, or another way.")
    corpus = _columns(source, before if before is not None and before.data == source else None)
    return corpus, "" if corpus is not None else say(
        "Say which columns of the other table hold the text and the group."
    )


def _built_in() -> dict[str, Any]:
    """The built-in tables of texts, by name."""
    return {
        name: kind for name, kind in SOURCES.items() if kind is not UploadedTable and kind().roles(pd.DataFrame()).text
    }


def _source(before: Corpus | None) -> DataSource | None:
    built_in = _built_in()
    options = [*built_in, ""]
    kind = before.data.kind if before is not None else options[0]
    name = st.selectbox(
        say("Other texts"),
        options,
        index=options.index(kind if kind in options else ""),
        format_func=lambda name: built_in[name]().title if name else say("A table of my own"),
        key=forms.key_of("status.corpus.table"),
    )
    if name:
        source: DataSource = built_in[name]()
        return before.data if before is not None and before.data.kind == name else source
    file = st.file_uploader(say("Table of other texts"), key=forms.key_of("status.corpus.file"))
    samples.offer("texts")
    if file is not None and (ref := uploads.keep(file)) is not None:
        return UploadedTable(file=ref)
    return before.data if before is not None and isinstance(before.data, UploadedTable) else None


def _columns(source: DataSource, before: Corpus | None) -> Corpus | None:
    read = answer("read_table", {"source": source.model_dump(mode="json")}, say("Reading the other table"))
    if read is None:
        return before
    summary, roles = unpack(read["summary"], TableSummary), read["roles"] or {}
    guessed = (roles.get("text"), next(iter(roles.get("protected", ())), None))
    text, attribute = (before.text, before.attribute) if before is not None else guessed
    names = summary.names
    left, right = st.columns(2)
    with left:
        text = _column(say("Text"), names, text, "text")
    with right:
        attribute = _column(
            say("Protected attribute"), tuple(name for name in names if name != text), attribute, "group"
        )
    return Corpus(data=source, text=text, attribute=attribute) if text and attribute else None


def _column(label: str, names: tuple[str, ...], current: str | None, key: str) -> str | None:
    chosen: str | None = st.selectbox(
        label,
        names,
        index=names.index(current) if current in names else None,
        placeholder=say("Choose one"),
        key=forms.key_of(f"status.corpus.{key}"),
    )
    return chosen
