"""Cells and names of 130,000 characters, written so that a careless look at them takes the square of their length."""

import time
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from core.base.errors import EvenhandError
from core.base.files import FileStore
from core.data.column_look import Column, words_of
from core.data.look_alikes import look_alikes
from core.data.prediction_names import marked_stem, strength
from core.data.roles import Roles
from core.sources.upload.uploaded import UploadedTable
from core.text.words import key
from dashboard.jobs.tasks import TASKS

LONG = 130_000
UNITS = (
    "a",
    "A",
    "Aa",
    "aA",
    "1",
    " ",
    "a ",
    " .",
    ".",
    "1.",
    "_",
    "\u00e9",
    "\u0327\u0301",
    "\u200b",
    "mlm",
    "v1",
    "\n",
    "\ufdfa",
)
NAMES = (*UNITS, "pr", "praw", "score")
OFTEN = ("a", "Aa", "1.", " .", "\u0327\u0301", "\u200b", "v1", "\ufdfa")
"""Of each kind one; tables of the others are read behind ``long``."""
READ = [pytest.param(unit, marks=() if unit in OFTEN else pytest.mark.long) for unit in UNITS]


@contextmanager
def seconds(most: float) -> Iterator[None]:
    before = time.process_time()
    yield
    assert time.process_time() - before < most


def long(unit: str, end: str) -> str:
    return unit * (LONG // len(unicodedata.normalize("NFKC", unit))) + end


def table(names: list[str], cells: list[str]) -> bytes:
    """Sixty people with two answers of a model, and a column for each name."""
    rows = [[("yes", "no")[i % 2], ("f", "m")[i // 2 % 2], str(20 + i % 40), *cells] for i in range(60)]
    lines = [",".join(f'"{cell}"' for cell in row) for row in (["outcome", "sex", "age", *names], *rows)]
    return "\n".join(lines).encode()


def read_and_examine(content: bytes, names: list[str], files: FileStore) -> None:
    """As the page does; a table that is refused with a sentence is as good."""
    source = UploadedTable(file=files.put(content, "people.csv")).model_dump(mode="json")
    roles = Roles(outcome="outcome", favourable="yes", protected=("sex",), features=("age", *names))
    try:
        found = TASKS["read_table"].run({"source": source}, files, lambda _: None)
        told = {"table": found["table"], "roles": roles.model_dump(mode="json")}
        TASKS["examine_table"].run(told, files, lambda _: None)
    except EvenhandError:
        return


@pytest.mark.parametrize("unit", READ, ids=ascii)
def test_a_name_of_a_column_is_read_in_a_moment(unit: str, tmp_path: Path) -> None:
    names = [f"x{long(unit, '!')}", f"x{long(unit, '2')}"]
    with seconds(8):
        read_and_examine(table(names, ["1", "2"]), [name.strip() for name in names], FileStore(tmp_path))


@pytest.mark.parametrize("unit", READ, ids=ascii)
def test_a_cell_is_read_in_a_moment(unit: str, tmp_path: Path) -> None:
    content = table(["kind", "note"], ["x", "y"]).replace(b'"x"', f'"{long(unit, "!")}"'.encode(), 1)
    content = content.replace(b'"yes"', f'"{long(unit, "a")}"'.encode(), 1)
    with seconds(8):
        read_and_examine(content, ["kind", "note"], FileStore(tmp_path))


@pytest.mark.parametrize("unit", READ, ids=ascii)
def test_a_list_of_texts_is_read_in_a_moment(unit: str, tmp_path: Path) -> None:
    with seconds(8):
        read_and_examine("\n".join([f"a{long(unit, '')}"] * 3).encode(), [], FileStore(tmp_path))


@pytest.mark.parametrize("end", ["", "!", "a"])
@pytest.mark.parametrize("unit", NAMES, ids=ascii)
def test_what_names_values_and_words_say_is_found_in_a_moment(unit: str, end: str) -> None:
    import pandas as pd

    def column(name: str) -> Column:
        return Column(name, words_of(name), False, False, False, pd.Series(["a", "b"]), 60, 1.0)

    with seconds(8):
        for name in (long(unit, end), f"outcome_{unit * 60}{end}", f"outcome{unit * 20}{end}"):
            strength(column(name))
            marked_stem(column(name), column("outcome"))
            marked_stem(column(name), column(long(unit, "2")))
        look_alikes({long(unit, end): 1, f"{long(unit, end)} ": 2})
        key(long(unit, end))


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("HTTPServerURLFoo", ("http", "server", "url", "foo")),
        ("ageGroup", ("age", "group")),
        ("a1BC2dE", ("a1", "bc2d", "e")),
        ("Straße_Nr", ("straße", "nr")),
    ],
)
def test_names_are_still_parted_as_they_were(name: str, words: tuple[str, ...]) -> None:
    assert words_of(name) == words


@pytest.mark.parametrize(("mark", "joined"), [("mlm", True), ("praw", True), ("v12prate", True), ("prx2z", False)])
def test_marks_without_anything_between_them_are_still_known(mark: str, joined: bool) -> None:
    import pandas as pd

    def column(name: str) -> Column:
        return Column(name, words_of(name), False, False, False, pd.Series(["a", "b"]), 60, 1.0)

    assert (marked_stem(column(f"hired{mark}"), column("hired")) == 3) is joined
