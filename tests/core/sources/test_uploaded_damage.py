"""Whatever bytes arrive under whatever name: a table, or one clear sentence."""

import io
import re
import tempfile
from functools import cache
from pathlib import Path

import numpy as np
import openpyxl
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.base.errors import DataError
from core.base.files import FileStore
from core.sources.upload.uploaded import UploadedTable


def read(content: bytes, name: str) -> pd.DataFrame | None:
    """The table, or None where it is refused."""
    with tempfile.TemporaryDirectory() as folder:
        files = FileStore(Path(folder))
        refusal = None
        try:
            return UploadedTable(file=files.put(content, name)).load(files)
        except DataError as error:
            refusal = error
        assert refusal.what
        assert refusal.advice
        return None


@cache
def sound(name: str) -> bytes:
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"x": rng.normal(size=60), "job": rng.choice(["cook", "clärk"], 60), "y": [0, 1] * 30})
    stream = io.BytesIO()
    if name.endswith("csv"):
        return frame.to_csv(index=False).encode()
    if name.endswith("parquet"):
        frame.to_parquet(stream)
    else:
        book = openpyxl.Workbook()
        assert book.active is not None
        for row in [list(frame.columns), *frame.to_numpy().tolist()]:
            book.active.append(row)
        book.save(stream)
    return stream.getvalue()


NAMES = ["people.csv", "people.parquet", "people.xlsx"]


@pytest.mark.parametrize("name", NAMES)
def test_the_sound_file_is_read(name: str) -> None:
    frame = read(sound(name), name)
    assert frame is not None
    assert frame.shape == (60, 3)


@settings(deadline=None, max_examples=60)
@given(content=st.binary(max_size=300), name=st.sampled_from(NAMES))
def test_any_bytes(content: bytes, name: str) -> None:
    read(content, name)


@settings(deadline=None, max_examples=60)
@given(lines=st.lists(st.text('abc,;"\t\n 0123.é\0', max_size=20), max_size=8))
def test_any_text(lines: list[str]) -> None:
    content = "\n".join(lines)
    frame = read(content.encode(), "people.csv")
    assert frame is None or len(frame) >= 1
    if frame is not None and len(frame.columns) < 2:
        assert re.search(r"\w\W*\s\W*\w", content), "a table of one column is a list of texts"


@pytest.mark.parametrize("name", NAMES)
@settings(deadline=None, max_examples=40)
@given(
    changes=st.lists(st.tuples(st.integers(0, 2**16), st.integers(0, 255)), min_size=1, max_size=6),
    keep=st.floats(0, 1),
)
def test_any_damage_to_a_sound_file(name: str, changes: list[tuple[int, int]], keep: float) -> None:
    content = bytearray(sound(name))
    for place, value in changes:
        content[place % len(content)] = value
    read(bytes(content), name)
    read(bytes(content[: int(keep * len(content))]), name)
