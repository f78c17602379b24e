"""Every way of bringing a table, good and bad, as real files."""

import io
import zipfile
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import ClassVar

import numpy as np
import openpyxl
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from core.base.errors import DataError
from core.base.files import FileStore
from core.sources.upload import limits, workbook_parts
from core.sources.upload.uploaded import TableDescription, UploadedTable, about_marks
from core.sources.upload.workbook import Sheet
from core.text import encoding

Read = Callable[..., tuple[pd.DataFrame, TableDescription]]

PEOPLE = 'age,job,hired\n39,clerk,yes\n51,"cook, chef",no\n28,clerk,yes\n'


@pytest.fixture
def read(tmp_path: Path) -> Read:
    files = FileStore(tmp_path / "files")

    def read_bytes(content: bytes, name: str, **settings: object) -> tuple[pd.DataFrame, TableDescription]:
        source = UploadedTable(file=files.put(content, name), **settings)  # type: ignore[arg-type]
        frame, described = source.read(files)
        pd.testing.assert_frame_equal(source.load(files), frame)
        return frame, described

    return read_bytes


def refused(read: Read, content: bytes, name: str, **settings: object) -> DataError:
    with pytest.raises(DataError) as caught:
        read(content, name, **settings)
    assert caught.value.what.endswith((".", "?"))
    assert caught.value.advice.endswith(".")
    return caught.value


def sheet_bytes(rows: list[list[object]], **more_sheets: list[list[object]]) -> bytes:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.title = "people"
    for row in rows:
        sheet.append(row)
    for name, content in more_sheets.items():
        other = book.create_sheet(name)
        for row in content:
            other.append(row)
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def parquet_bytes(table: pa.Table) -> bytes:
    stream = io.BytesIO()
    pq.write_table(table, stream)
    return stream.getvalue()


class TestMarksThatAreCategories:
    """A mark for a missing value that the model knows as a category of a column is read as that category there."""

    KNOWN: ClassVar = {"job": ("?", "clerk"), "city": ("Bonn", "Köln"), "hired": ("NA", "yes"), "absent": ("?",)}
    PEOPLE: ClassVar[list[list[object]]] = [
        ["job", "city", "hired"],
        ["?", "?", "yes"],
        ["clerk", "Bonn", "no"],
        ["NA", "Köln", "yes"],
    ]

    @pytest.mark.parametrize("name", ["people.csv", "people.xlsx"])
    def test_it_is_kept_in_columns_that_have_it_and_missing_in_others(self, tmp_path: Path, name: str) -> None:
        lines = "\n".join(",".join(map(str, row)) for row in self.PEOPLE)
        content = lines.encode() if name.endswith("csv") else sheet_bytes([list(row) for row in self.PEOPLE])
        files = FileStore(tmp_path / "files")
        source = UploadedTable(file=files.put(content, name))
        frame = source.load(files)
        assert frame.isna().sum().to_dict() == {"job": 2, "city": 1, "hired": 0}
        known = source.for_categories(self.KNOWN, frame, files)
        assert known.kept_marks == (("job", "?"),)
        again, described = known.read(files)
        assert again["job"].fillna("").tolist() == ["?", "clerk", ""]
        assert again.isna().sum().to_dict() == {"job": 1, "city": 1, "hired": 0}
        assert "Cells of 'job' that hold '?' are not missing" in described.caveats[-1].what
        assert known.for_categories(self.KNOWN, again, files) == known, "reading again changes nothing"
        assert known.for_categories({}, again, files) == source
        assert [caveat.level for caveat in about_marks(source, known)] == ["warning"]
        assert about_marks(known, known) == ()

    def test_a_parquet_file_says_itself_what_is_missing(self, tmp_path: Path) -> None:
        files = FileStore(tmp_path / "files")
        table = pa.table({"job": ["?", None, "clerk"]})
        source = UploadedTable(file=files.put(parquet_bytes(table), "people.parquet"))
        assert source.for_categories({"job": ("?",)}, source.load(files), files) == source


class TestDelimited:
    @pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
    @pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
    def test_the_separator_and_the_line_ends_are_found(self, read: Read, separator: str, ending: str) -> None:
        lines = ["age~job~hired", "39~clerk~yes", '51~"a~b"~no', ""]
        text = "\n".join(lines).replace("~", separator)
        frame, described = read(text.replace("\n", ending).encode(), "people.csv")
        assert frame.to_dict("list") == {"age": [39, 51], "job": ["clerk", f"a{separator}b"], "hired": ["yes", "no"]}
        assert (described.format, described.separator, described.rows, described.columns) == ("CSV", separator, 2, 3)

    @pytest.mark.parametrize(
        ("codec", "found"),
        [("utf-8", "utf-8"), ("utf-8-sig", "utf-8"), ("utf-16", "utf-16"), ("utf-16-le", "utf-16"),
         ("utf-16-be", "utf-16"), ("cp1252", "cp1252"), ("latin-1", "cp1252")],
    )  # fmt: skip
    def test_the_encoding_is_found(self, read: Read, codec: str, found: str) -> None:
        frame, described = read("name,city\nZoë,Köln\nJosé,Málaga\nAda,London\n".encode(codec), "people.csv")
        assert list(frame["city"]) == ["Köln", "Málaga", "London"]
        assert list(frame.columns) == ["name", "city"]
        assert described.encoding == found
        assert any("Zoë" in caveat.what for caveat in described.caveats) == (found == "cp1252")

    def test_letters_that_straddle_a_block_are_read(self, read: Read, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(encoding, "_CHUNK", 7)
        frame, described = read("a,b\nééééééééé,ß\nñ,ø\n".encode(), "people.csv")
        assert described.encoding == "utf-8"
        assert frame.loc[0, "a"] == "é" * 9

    def test_a_choice_overrules_the_search(self, read: Read) -> None:
        content = "a;b,c\n1;2,Köln\n".encode("latin-1")
        assert list(read(content, "people.csv", separator=",")[0].columns) == ["a;b", "c"]
        frame, described = read(content, "people.csv", separator=";", encoding="latin-1", decimal=",")
        assert list(frame.columns) == ["a", "b,c"]
        assert (described.separator, described.encoding, described.decimal) == (";", "latin-1", ",")

    def test_a_decimal_comma_is_found(self, read: Read) -> None:
        frame, described = read(b"wage;job\n1,5;cook\n20,25;clerk\n", "people.csv")
        assert described.decimal == ","
        assert list(frame["wage"]) == [1.5, 20.25]

    def test_numbers_are_read_to_the_last_digit(self, read: Read) -> None:
        numbers = np.random.default_rng(0).standard_normal(500) * 10.0 ** np.arange(-250, 250)
        text = "x,y\n" + "".join(f"{number!r},1\n" for number in map(float, numbers))
        assert (read(text.encode(), "numbers.csv")[0]["x"].to_numpy() == numbers).all()

    def test_text_that_looks_like_code_stays_text(self, read: Read) -> None:
        cells = ["=cmd|' /C calc'!A0", "<script>alert(1)</script>", "**bold** $x$", "{{7*7}}"]
        frame, _ = read(("name,y\n" + "".join(f'"{cell}",1\n' for cell in cells)).encode(), "people.csv")
        assert list(frame["name"]) == cells
        assert str(frame["name"].dtype) == "str"

    def test_only_the_declared_marks_are_missing(self, read: Read) -> None:
        frame, _ = read(b"a,b\nNone,?\nNA,x\nnone,\n-,y\n", "people.csv")
        assert list(frame["a"].isna()) == [False, True, False, False]
        assert list(frame["b"].isna()) == [True, False, True, False]
        kept, _ = read(b"a,b\nNA,1\nBE,2\n", "people.csv", missing_marks=("",))
        assert list(kept["a"]) == ["NA", "BE"]

    def test_codes_with_a_leading_zero_stay_as_written(self, read: Read) -> None:
        frame, described = read(b"postcode,y\n01234,1\n99999,0\n", "people.csv")
        assert list(frame["postcode"]) == ["01234", "99999"]
        assert "postcode" in described.caveats[0].what

    def test_blank_lines_are_counted_and_spaces_after_separators_dropped(self, read: Read) -> None:
        frame, described = read(b"\nage, job\n39, cook\n\n40, clerk\n\n", "people.csv")
        assert frame.to_dict("list") == {"age": [39, 40], "job": ["cook", "clerk"]}
        assert described.caveats[0].what == "Skipped 3 blank lines."

    def test_line_breaks_and_doubled_quotes_inside_quotes_belong_to_the_cell(self, read: Read) -> None:
        frame, _ = read(b'a,b\n"two\nlines",1\n"say ""hi""",2\n5" pipe,3\n', "people.csv")
        assert list(frame["a"]) == ["two\nlines", 'say "hi"', '5" pipe']

    def test_text_in_a_number_column_is_kept_and_not_coerced(self, read: Read) -> None:
        frame, _ = read(b"age,y\n39,1\nabout 40,0\n51,1\n", "people.csv")
        assert list(frame["age"]) == ["39", "about 40", "51"]

    def test_infinite_values_are_numbers_for_the_roles_to_judge(self, read: Read) -> None:
        assert np.isinf(read(b"x,y\n1,0\ninf,1\n", "people.csv")[0]["x"]).sum() == 1


class TestDelimitedRefusals:
    def test_an_empty_file(self, read: Read) -> None:
        assert "empty" in refused(read, b"", "people.csv").what

    def test_blank_lines_only(self, read: Read) -> None:
        assert refused(read, b"\n\n \n", "people.csv")

    def test_a_header_only(self, read: Read) -> None:
        assert "no records" in refused(read, b"age,job\n", "people.csv").what

    @pytest.mark.parametrize("record", ["1,2", "1,2,3,4"])
    def test_ragged_records_with_their_number(self, read: Read, record: str) -> None:
        error = refused(read, f"a,b,c\n1,2,3\n{record}\n1,2,3\n{record}\n".encode(), "people.csv")
        assert "2 of 4 records" in error.what
        assert f"the first has {record.count(',') + 1}" in error.what
        assert error.where == "record 2"

    def test_a_quote_that_is_never_closed(self, read: Read) -> None:
        error = refused(read, b'a,b\n1,2\n3,"4\n5,6\n7,8\n', "people.csv")
        assert "never closed" in error.what
        assert error.where == "record 2"

    def test_a_quote_that_swallows_columns(self, read: Read) -> None:
        error = refused(read, b'a,b\n1,2\n"3,4\n5,6\n7,8\n', "people.csv")
        assert "never closed" in error.what
        assert error.where == "record 2"

    def test_a_cell_as_long_as_a_book(self, read: Read) -> None:
        error = refused(read, b'a,b\n1,2\n3,"' + b"x" * 200_000, "people.csv", separator=",")
        assert "quote" in error.what
        assert error.where == "record 2"

    @pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
    def test_letters_that_the_chosen_encoding_does_not_have(self, read: Read, encoding: str) -> None:
        error = refused(read, "a,b\n1,2\n3,Köln\n".encode("latin-1") + b"\n", "people.csv", encoding=encoding)
        assert encoding in error.what

    def test_the_line_of_an_unreadable_letter(self, read: Read) -> None:
        error = refused(read, "a,b\n1,2\n3,Köln\n".encode("latin-1"), "people.csv", encoding="utf-8")
        assert error.where == "line 3"

    def test_letters_no_encoding_has(self, read: Read) -> None:
        assert "letters" in refused(read, b"a,b\n1,\xff\x81\n", "people.csv").what

    def test_zero_bytes_with_their_line(self, read: Read) -> None:
        error = refused(read, b"a,b\n1,2\n3,\x004\n5,6\n", "people.csv")
        assert "zero bytes" in error.what
        assert error.where == "line 3"

    def test_control_characters(self, read: Read) -> None:
        assert "not text" in refused(read, bytes(range(1, 32)) * 9, "people.csv").what

    def test_one_column(self, read: Read) -> None:
        assert "one column" in refused(read, b"age\n1\n2\n", "people.csv").what

    def test_a_header_of_numbers_is_pointed_out(self, read: Read) -> None:
        _, described = read(b"39,clerk\n40,cook\n", "people.csv")
        assert "no header" in described.caveats[0].what

    @pytest.mark.parametrize(
        "content",
        [
            b"PK\x03\x04rest",
            b"PAR1rest",
            b"%PDF-1.7",
            b"\x89PNG\r\n",
            b"\x1f\x8b\x08",
            b"\x80\x04\x95\x00",
            b"\xd0\xcf\x11\xe0",
        ],
    )
    def test_another_kind_of_file_named_csv(self, read: Read, content: bytes) -> None:
        assert "named like a CSV file but is" in refused(read, content, "people.csv").what

    @pytest.mark.parametrize("name", ["people.pkl", "people.xls", "people", "people.json", "people.csv.gz"])
    def test_other_endings(self, read: Read, name: str) -> None:
        assert refused(read, PEOPLE.encode(), name).advice

    def test_too_many_rows(self, read: Read) -> None:
        assert "1,000,000" in refused(read, b"a,b\n" + b"1,2\n" * 1_000_001, "people.csv").what

    def test_too_many_columns(self, read: Read) -> None:
        names = ",".join(f"c{place}" for place in range(1_001))
        error = refused(read, f"{names}\n{','.join(['1'] * 1_001)}\n".encode(), "people.csv")
        assert "1,001 columns" in error.what

    def test_too_many_bytes(self, read: Read, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("core.sources.upload.file_kind.MAXIMUM_BYTES", 2**20)
        assert "2 MB" in refused(read, b"a,b\n" + b"1,2\n" * 2**19, "people.csv").what


class TestParquet:
    def test_every_plain_type_arrives(self, read: Read) -> None:
        table = pa.table(
            {
                "age": pa.array([39, None, 51]),
                "count": pa.array([1, 2, 3], pa.int8()),
                "wage": pa.array([1.5, 2.5, None], pa.float32()),
                "job": pa.array(["cook", None, "clerk"]),
                "kind": pa.array(["a", "b", "a"]).dictionary_encode(),
                "member": pa.array([True, False, None]),
                "since": pa.array([datetime(2020, 1, 1), None, datetime(2021, 1, 1)]),
            }
        )
        frame, described = read(parquet_bytes(table), "people.parquet")
        assert described == TableDescription("Parquet", 3, 7)
        assert frame["age"].tolist()[::2] == [39.0, 51.0]
        assert [str(frame[name].dtype) for name in ("job", "kind", "member")] == ["str"] * 3
        assert frame["member"].tolist()[:2] == ["True", "False"]
        assert frame.isna().sum().to_dict() == {
            "age": 1, "count": 0, "wage": 1, "job": 1, "kind": 0, "member": 1, "since": 1
        }  # fmt: skip

    def test_a_frame_written_by_pandas_comes_back(self, read: Read) -> None:
        frame = pd.DataFrame({"x": [1.5, 2.5], "job": ["cook", "clerk"], "y": [True, False]})
        stream = io.BytesIO()
        frame.to_parquet(stream)
        pd.testing.assert_frame_equal(read(stream.getvalue(), "people.parquet")[0], frame)

    @pytest.mark.parametrize("keep", [0.3, 0.6, 0.95])
    def test_a_file_cut_off_is_refused(self, read: Read, keep: float) -> None:
        content = parquet_bytes(pa.table({"x": np.arange(1000), "y": np.arange(1000) % 2}))
        error = refused(read, content[: int(keep * len(content))], "people.parquet")
        assert "damaged or cut off" in error.what

    def test_a_file_with_a_broken_page_is_refused(self, read: Read) -> None:
        content = bytearray(parquet_bytes(pa.table({"x": [str(place) * 9 for place in range(5000)]})))
        content[100:2000] = b"\xff" * 1900
        assert "damaged" in refused(read, bytes(content), "people.parquet").what

    def test_text_named_parquet_is_refused(self, read: Read) -> None:
        assert "named like a Parquet file but is" in refused(read, PEOPLE.encode(), "people.parquet").what

    @pytest.mark.parametrize("column", [[[1, 2], [3]], [{"a": 1}, {"a": 2}], [b"raw", b"bytes"]])
    def test_cells_that_are_no_single_value_are_refused(self, read: Read, column: list[object]) -> None:
        error = refused(read, parquet_bytes(pa.table({"x": [1, 2], "odd": column})), "people.parquet")
        assert error.where == "column 'odd'"

    def test_no_rows_are_refused(self, read: Read) -> None:
        assert "no records" in refused(read, parquet_bytes(pa.table({"x": pa.array([], pa.int64())})), "a.parquet").what

    def test_doubled_and_empty_names_are_numbered_and_named(self, read: Read) -> None:
        double = pa.table([pa.array([1]), pa.array([2]), pa.array([3])], names=["x", "x", ""])
        frame, described = read(parquet_bytes(double), "a.parquet")
        assert frame.to_dict("list") == {"x": [1], "x.1": [2], "column 3": [3]}
        assert [caveat.what for caveat in described.caveats] == [
            "A column without a name was called 'column 3'.",
            "Several columns have the same name, so they were numbered: 'x.1'.",
        ]

    def test_a_small_file_that_unpacks_to_gigabytes_is_refused(self, read: Read) -> None:
        long = pa.DictionaryArray.from_arrays(np.zeros(1200, np.int32), ["x" * 2**20])
        content = parquet_bytes(pa.table({"x": long, "y": np.arange(1200)}))
        assert len(content) < 2**20
        assert "unpacked" in refused(read, content, "people.parquet").what

    def test_too_many_cells_are_refused_before_they_are_read(self, read: Read) -> None:
        table = pa.table({f"c{place}": pa.array(np.zeros(500_000, np.int8)) for place in range(201)})
        assert "cells" in refused(read, parquet_bytes(table), "people.parquet").what


class TestWorkbook:
    ROWS: ClassVar[list[list[object]]] = [
        ["age", "job", "member", "since", "hired"],
        [39, "cook", True, datetime(2020, 1, 2), "yes"],
        [51.5, None, False, datetime(2021, 1, 2), "no"],
    ]

    def test_every_plain_type_arrives(self, read: Read) -> None:
        frame, described = read(sheet_bytes(self.ROWS, notes=[["a", "b"], [1, 2]]), "people.xlsx")
        assert (described.format, described.sheet) == ("Excel", "people")
        assert frame["age"].tolist() == [39.0, 51.5]
        assert frame["member"].tolist() == [True, False]
        assert frame["since"].tolist() == ["2020-01-02", "2021-01-02"]
        assert frame["job"].isna().tolist() == [False, True]

    def test_the_largest_sheet_is_proposed_wherever_it_stands(self, read: Read) -> None:
        explanation = [["About this file"], ["Sent by the bank"], ["in March"], ["for the audit"]]
        frame, described = read(sheet_bytes(explanation, data=self.ROWS), "people.xlsx")
        assert described.sheet == "data"
        assert described.sheets == (Sheet("people", 4, 1), Sheet("data", 3, 5))
        assert len(frame) == 2

    def test_another_sheet_can_be_chosen(self, read: Read) -> None:
        content = sheet_bytes(self.ROWS, notes=[["a", "b"], [1, 2]])
        assert list(read(content, "people.xlsx", sheet="notes")[0].columns) == ["a", "b"]
        assert "'notes'" in refused(read, content, "people.xlsx", sheet="Sheet9").advice

    def test_blank_rows_are_counted_and_marks_are_missing(self, read: Read) -> None:
        frame, described = read(sheet_bytes([["a", "b"], [1, "?"], [None, None], [2, "x"], [None, None]]), "a.xlsx")
        assert frame["a"].tolist() == [1, 2]
        assert frame["b"].isna().tolist() == [True, False]
        assert described.caveats[-1].what.startswith("Skipped 1 blank row.")

    def test_formulas_are_counted_and_never_run(self, read: Read) -> None:
        frame, described = read(sheet_bytes([["a", "b"], [1, "=1+1"], [2, "=A2*2"], [3, 7]]), "a.xlsx")
        assert frame["b"].isna().tolist() == [True, True, False]
        assert "2 formulas" in described.caveats[0].what

    def test_text_that_looks_like_a_formula_stays_text(self, read: Read) -> None:
        book = openpyxl.Workbook()
        sheet = book.active
        assert sheet is not None
        for row in [["a", "b"], ["x", 1], ["y", 2]]:
            sheet.append(row)
        sheet["A2"].value = "=cmd|' /C calc'!A0"
        sheet["A2"].data_type = "s"
        stream = io.BytesIO()
        book.save(stream)
        assert read(stream.getvalue(), "a.xlsx")[0]["a"].tolist() == ["=cmd|' /C calc'!A0", "y"]

    def test_numbers_with_words_between_stay_as_written(self, read: Read) -> None:
        frame, _ = read(sheet_bytes([["age", "y"], [39, 1], ["about 40", 0], [51.5, 1]]), "a.xlsx")
        assert frame["age"].tolist() == ["39", "about 40", "51.5"]

    @pytest.mark.parametrize(
        ("rows", "said"),
        [([], "empty"), ([["a", "b"]], "no records")],
    )  # fmt: skip
    def test_what_is_no_table_is_refused(self, read: Read, rows: list[list[object]], said: str) -> None:
        assert said in refused(read, sheet_bytes(rows), "people.xlsx").what

    def test_text_named_xlsx_is_refused(self, read: Read) -> None:
        assert "named like a Excel" in refused(read, PEOPLE.encode(), "people.xlsx").what.replace("an Excel", "a Excel")

    def test_another_archive_named_xlsx_is_refused(self, read: Read) -> None:
        stream = io.BytesIO()
        with zipfile.ZipFile(stream, "w") as archive:
            archive.writestr("model.pkl", b"x")
        assert "another kind of ZIP" in refused(read, stream.getvalue(), "people.xlsx").what

    @pytest.mark.parametrize("keep", [0.4, 0.9])
    def test_a_file_cut_off_is_refused(self, read: Read, keep: float) -> None:
        content = sheet_bytes(self.ROWS)
        assert "damaged" in refused(read, content[: int(keep * len(content))], "people.xlsx").what

    def test_flipped_bytes_are_refused(self, read: Read) -> None:
        content = bytearray(sheet_bytes(self.ROWS * 200))
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            start = archive.getinfo("xl/worksheets/sheet1.xml").header_offset + 80
        content[start : start + 40] = b"\x55" * 40
        assert "damaged" in refused(read, bytes(content), "people.xlsx").what

    def repacked(self, content: bytes, part: str, text: Callable[[bytes], bytes]) -> bytes:
        stream = io.BytesIO()
        with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as new:
            for name in old.namelist():
                new.writestr(name, text(old.read(name)) if name == part else old.read(name))
        return stream.getvalue()

    def test_a_zip_bomb_is_refused_by_its_declared_size(self, read: Read, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(workbook_parts, "LIMITS", replace(workbook_parts.LIMITS, unpacked=2**24))
        bomb = self.repacked(sheet_bytes(self.ROWS), "xl/styles.xml", lambda text: text + b" " * 2**25)
        assert len(bomb) < 2**18
        assert "unpacks to too much" in refused(read, bomb, "people.xlsx").what

    def test_a_zip_bomb_that_lies_about_its_size_is_refused(self, read: Read) -> None:
        bomb = bytearray(self.repacked(sheet_bytes(self.ROWS), "xl/styles.xml", lambda text: text + b" " * 2**25))
        with zipfile.ZipFile(io.BytesIO(bomb)) as archive:
            true_size = archive.getinfo("xl/styles.xml").file_size
        bomb = bytearray(bytes(bomb).replace(true_size.to_bytes(4, "little"), (99).to_bytes(4, "little")))
        assert "damaged" in refused(read, bytes(bomb), "people.xlsx").what

    def test_xml_entities_are_refused(self, read: Read) -> None:
        bomb = self.repacked(
            sheet_bytes(self.ROWS),
            "xl/worksheets/sheet1.xml",
            lambda text: b'<!DOCTYPE x [<!ENTITY a "aaaaaaaa"><!ENTITY b "&a;&a;&a;">]>' + text,
        )
        assert "entities" in refused(read, bomb, "people.xlsx").what

    def test_a_table_may_stand_anywhere_on_its_sheet(self, read: Read) -> None:
        rows: list[list[object]] = [[], [None, "a", None, "b"], [None, 1, None, "x"], [None, 2, None, "y"]]
        frame, described = read(sheet_bytes(rows), "a.xlsx")
        assert frame.to_dict("list") == {"a": [1, 2], "b": ["x", "y"]}
        assert described.caveats[-1].what == "Skipped 1 blank column."

    def test_errors_are_counted_and_missing(self, read: Read) -> None:
        frame, described = read(sheet_bytes([["a", "b"], ["#DIV/0!", 1], [7, 2]]), "a.xlsx")
        assert frame["a"].isna().tolist() == [True, False]
        assert described.caveats[0].what.startswith("Read 1 cell with an error")

    @pytest.mark.parametrize(
        ("cell", "said"), [(b"AAAA1", "columns"), (b"XFD1", "columns"), (b"A9999999", "rows"), (b"ZZ900000", "cells")]
    )
    def test_a_cell_at_the_end_of_the_world_is_refused_before_it_is_given_room(
        self, read: Read, cell: bytes, said: str
    ) -> None:
        content = self.repacked(
            sheet_bytes([["a", "b"], [1, 2]]),
            "xl/worksheets/sheet1.xml",
            lambda text: text.replace(b'r="B2"', b'r="' + cell + b'"'),
        )
        assert said in refused(read, content, "people.xlsx").what

    def test_a_sheet_that_lies_about_its_extent_is_read_by_its_cells(self, read: Read) -> None:
        def stretch(text: bytes) -> bytes:
            return text.replace(b'ref="A1:E3"', b'ref="A1:XFD1048576"')

        content = self.repacked(sheet_bytes(self.ROWS), "xl/worksheets/sheet1.xml", stretch)
        assert read(content, "people.xlsx")[0].shape == (2, 5)

    def test_a_cell_longer_than_a_spreadsheet_allows_is_refused(self, read: Read) -> None:
        content = self.repacked(
            sheet_bytes([["a", "b"], ["word", 1]]),
            "xl/worksheets/sheet1.xml",
            lambda text: text.replace(b"word", b"w" * 40_000),
        )
        assert "letters" in refused(read, content, "people.xlsx").what


def test_the_limits_are_those_of_the_issue() -> None:
    assert limits.MAXIMUM_BYTES == 200 * 2**20
    assert limits.MAXIMUM_ROWS == 1_000_000
