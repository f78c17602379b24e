"""Tables that were made to get past the readers' checks."""

import io
import zipfile
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from core.base.errors import DataError
from core.base.files import FileStore
from core.sources.upload.uploaded import UploadedTable
from tests.core.sources.test_uploaded import sheet_bytes
from tests.dashboard import bad_files as bad

ROWS = [["x", "hired"], *([number, "yes"] for number in range(40))]
SHEET = "xl/worksheets/sheet1.xml"
FAR = b"<c r='%b' t='n'><v>1</v></c></row></sheetData>"


def read(files: FileStore, content: bytes, name: str) -> tuple[int, int]:
    frame: tuple[int, int] = UploadedTable(file=files.put(content, name)).load(files).shape
    return frame


def changed(part: str, before: bytes, after: bytes, *, renamed: str = "", more: tuple[str, ...] = ()) -> bytes:
    """A workbook of which one part says something else."""
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(sheet_bytes(ROWS))) as sound, zipfile.ZipFile(stream, "w") as new:
        for name in sound.namelist():
            content = sound.read(name)
            if name == part:
                assert before in content
                content = content.replace(before, after)
            if renamed:
                content = content.replace(SHEET.removeprefix("xl/").encode(), renamed.removeprefix("xl/").encode())
            new.writestr(renamed if renamed and name == SHEET else name, content)
        for name in more:
            new.writestr(name, b"")
    return stream.getvalue()


TWO = FAR.replace(b"</row", b"<c r='A999999'/></row") % b"XFD2"
CLOSING = b"</row></sheetData>"
BOMB = b"<!DOCTYPE a [<!ENTITY b 'c'>]>"
WORKBOOKS = {
    "lowercase far cell": changed(SHEET, CLOSING, FAR % b"xfd900000"),
    "far cell named by a reference": changed(SHEET, CLOSING, FAR % b"&#88;FD900000"),
    "far row of cells without a place": changed(SHEET, b'<row r="41"', b'<row r="1048576"'),
    "far column and far row of two cells": changed(
        SHEET, CLOSING, FAR.replace(b"</row", b"<c r='A999999'/></row") % b"XFD2"
    ),
    "no place": changed(SHEET, CLOSING, FAR % b"R9C9"),
    "padded doctype": changed(SHEET, b"<worksheet", b" " * 9_000 + BOMB + b"<worksheet"),
    "doctype after a comment": changed(SHEET, b"<worksheet", b"<!--" + b"-x" * 300_000 + b"-->" + BOMB + b"<worksheet"),
    "not well-formed": changed(SHEET, b"</sheetData>", b"</sheetdata>"),
    "deep": changed(SHEET, b"<sheetData>", b"<a>" * 5_000 + b"</a>" * 5_000 + b"<sheetData>"),
    "another encoding": changed(SHEET, b"<worksheet", b"<?xml version='1.0' encoding='utf-7'?>\xff<worksheet"),
    "a sheet called otherwise": changed(SHEET, CLOSING, FAR % b"XFD900000", renamed="xl/media/image1.png"),
    "also of another format": changed(SHEET, b"yes", b"no", more=("content.xml",)),
}


@pytest.mark.parametrize("case", WORKBOOKS)
def test_workbook(case: str, tmp_path: Path) -> None:
    with pytest.raises(DataError) as caught:
        read(FileStore(tmp_path), WORKBOOKS[case], "people.xlsx")
    assert caught.value.advice


def test_a_workbook_with_prefixed_names_and_cells_without_places_is_read(tmp_path: Path) -> None:
    plain = changed(SHEET, b' r="A', b' s="0" r="A')
    assert read(FileStore(tmp_path), plain, "people.xlsx") == (40, 2)


@pytest.mark.parametrize(
    "metadata", [b"[" * 200_000, b'{"a":' * 100_000, b'{"columns": 1}', b"\xff"], ids=["[", "{", "1", "ff"]
)
def test_metadata_of_a_parquet_file_is_never_read(metadata: bytes, tmp_path: Path) -> None:
    table = pa.table({"x": range(40), "hired": ["yes"] * 40}).replace_schema_metadata({b"pandas": metadata})
    stream = io.BytesIO()
    pq.write_table(table, stream)
    assert read(FileStore(tmp_path), stream.getvalue(), "people.parquet") == (40, 2)


def test_letters_stored_in_two_ways_are_asked_about(tmp_path: Path) -> None:
    lines = ["name,hired", *["Zoë,yes"] * 40]
    content = "\n".join(lines).encode().replace("Zoë".encode(), "Zoë".encode("cp1252"), 3)
    files = FileStore(tmp_path)
    with pytest.raises(DataError, match="stored as UTF-8 and others are not") as caught:
        read(files, content, "people.csv")
    assert caught.value.where == "line 2 is the first that is not UTF-8, at 'Zoë'"
    chosen = UploadedTable(file=files.put(content, "people.csv"), encoding="cp1252")
    assert chosen.load(files)["name"].tolist() == ["Zoë"] * 3 + ["ZoÃ«"] * 37


def test_a_capital_before_a_quotation_mark_does_not_look_stored_in_two_ways(tmp_path: Path) -> None:
    content = ("name,hired\n" + "Zoë,yes\n" * 40 + "«CAFÉ»,no\n").encode("cp1252")
    assert read(FileStore(tmp_path), content, "people.csv") == (41, 2)


GOOD = bad.GOOD.decode()
ENCODED = {
    "UTF-16 with its mark": GOOD.encode("utf-16"),
    "UTF-16 without a mark": GOOD.encode("utf-16-le"),
    "UTF-16, the other way round": GOOD.encode("utf-16-be"),
    "a direction turned in a name": GOOD.replace("age", "\u202eage", 1).encode(),
    "a direction turned in a group": GOOD.replace(",m,", ",\u202em,", 9).encode(),
    "lines ended in two ways": GOOD.replace("\n", "\r\n", 30).encode(),
    "a control character": GOOD.replace(",f,", ",\x1bf,", 3).encode(),
    "two marks of the encoding": b"\xef\xbb\xbf\xef\xbb\xbf" + bad.GOOD,
}
NO_TEXT = {
    "UTF-16 cut in a letter": GOOD.encode("utf-16")[:-1],
    "UTF-16 with half a pair": b"\xff\xfe"
    + GOOD[:20].encode("utf-16-le")
    + b"\x00\xd8"
    + GOOD[20:].encode("utf-16-le"),
    "UTF-32": GOOD.encode("utf-32"),
    "a zero byte in a cell": bad.GOOD.replace(b"20,f", b"2\x000,f", 1),
    "a zero byte in a name": bad.GOOD.replace(b"age", b"a\x00ge", 1),
    "zero bytes at the end": bad.GOOD + bytes(5_000),
}


@pytest.mark.parametrize("case", ENCODED)
def test_letters_are_read_as_they_were_written(case: str, tmp_path: Path) -> None:
    frame = UploadedTable(file=(files := FileStore(tmp_path)).put(ENCODED[case], "people.csv")).load(files)
    assert frame.shape == (bad.ROWS, 4)
    assert set(frame["hired"]) == {"yes", "no"}


@pytest.mark.parametrize("case", NO_TEXT)
def test_what_is_no_text_is_said_with_its_line(case: str, tmp_path: Path) -> None:
    files = FileStore(tmp_path)
    with pytest.raises(DataError) as caught:
        UploadedTable(file=files.put(NO_TEXT[case], "people.csv")).load(files)
    assert "line" in caught.value.where
    assert caught.value.advice
