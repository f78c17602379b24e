"""Ways through the steps with a table of texts and a tiny model of our own."""

from typing import Any

from streamlit.testing.v1 import AppTest

from tests.builders_text import make_archive, make_texts
from tests.dashboard.walking import click, open_app, upload, walked_once


def table_of_texts(rows: int = 240, **columns: Any) -> bytes:
    """The tiny biographies as CSV, each text another; ``columns`` are added or replaced."""
    frame = make_texts(rows)
    frame["text"] = [f"{text} Number {row}." for row, text in enumerate(frame["text"])]
    return bytes(frame.assign(**columns).to_csv(index=False).encode())


def with_texts(table: bytes | None = None) -> AppTest:
    """The first step with a table of texts uploaded."""
    return upload(click(open_app(), "start"), "data.file", "texts.csv", table_of_texts() if table is None else table)


def with_text_model(table: bytes | None = None, **model: Any) -> AppTest:
    """The second step with the tiny model uploaded."""
    return _with_archive(table_of_texts() if table is None else table, make_archive(**model))


def with_words(table: bytes | None = None, **model: Any) -> AppTest:
    """The fourth step with the test that is proposed for a text model."""
    return _with_archive_and_tests(table_of_texts() if table is None else table, make_archive(**model))


@walked_once("model")
def _with_archive(table: bytes, archive: bytes) -> AppTest:
    return upload(click(with_texts(table), "step_next"), "model.file", "tiny.zip", archive)


@walked_once("similar")
def _with_archive_and_tests(table: bytes, archive: bytes) -> AppTest:
    return click(click(_with_archive(table, archive), "step_next"), "step_next")
