"""Tables as other programs write them: titles, doubled and missing names, merged cells, decimals, 1,200 and 45%."""

import io
import itertools
import time
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import openpyxl
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from openpyxl.worksheet.cell_range import CellRange

from core.base.errors import DataError
from core.base.files import FileStore
from core.data.look_alikes import look_alikes
from core.sources.upload.header import name_columns
from core.sources.upload.uploaded import TableDescription, UploadedTable


class Reader:
    """Reads bytes as an upload."""

    def __init__(self, folder: Path) -> None:
        self.files = FileStore(folder)

    def __call__(self, content: bytes | str, name: str = "a.csv", **settings: Any) -> "Read":
        data = content.encode() if isinstance(content, str) else content
        source = UploadedTable(file=self.files.put(data, name), **settings)
        return Read(*source.read(self.files))


class Read:
    """A table and what was said of it."""

    def __init__(self, frame: pd.DataFrame, described: TableDescription) -> None:
        self.frame, self.described = frame, described
        self.told = [caveat.what for caveat in described.caveats]

    def column(self, name: str) -> list[object]:
        """The cells of a column."""
        return self.frame[name].tolist()


@pytest.fixture
def read(tmp_path: Path) -> Reader:
    return Reader(tmp_path)


def workbook(rows: Sequence[Sequence[object]], *merged: str) -> bytes:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    for row in rows:
        sheet.append(list(row))
    sheet.merged_cells.ranges.update(CellRange(cells) for cells in merged)
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


class TestNames:
    def test_doubled_names_are_numbered_and_told(self, read: Reader) -> None:
        found = read("age,score,age,age\n1,2,3,4\n")
        assert list(found.frame) == ["age", "score", "age.1", "age.2"]
        assert found.told == ["Several columns have the same name, so they were numbered: 'age.1', 'age.2'."]

    @pytest.mark.parametrize("header", list(itertools.product(("", "a", "a.1", "column 1"), repeat=4)))
    def test_every_column_has_a_name_of_its_own_and_a_free_name_is_kept(self, header: tuple[str, ...]) -> None:
        names, _ = name_columns(header)
        assert len(set(names)) == len(header) == len(names)
        assert all(names[header.index(name)] == name for name in header if name)

    def test_r_writes_no_name_above_the_names_of_rows(self, read: Reader) -> None:
        found = read('"","sex","hired"\n"1","f","yes"\n"2","m","no"\n')
        assert list(found.frame) == ["column 1", "sex", "hired"]
        assert found.told == ["A column without a name was called 'column 1'."]

    def test_a_header_one_short_of_its_records_is_r_s_too(self, read: Reader) -> None:
        found = read('"sex" "hired"\n"1" "f" "yes"\n"2" "m" "no"\n', separator=" ")
        assert found.frame.to_dict("list") == {"column 1": [1, 2], "sex": ["f", "m"], "hired": ["yes", "no"]}
        comma = read('"sex","hired"\n"a","f","yes"\n"b","m","no"\n')
        assert list(comma.frame) == ["column 1", "sex", "hired"]

    @pytest.mark.parametrize("records", ["1,2,\n3,4,\n", "1,2,3\n1,5,6\n", "1,2,3\n4,5\n"])
    def test_other_records_that_do_not_fit_their_header_are_refused(self, read: Reader, records: str) -> None:
        with pytest.raises(DataError, match="Another number of fields"):
            read("a,b\n" + records)

    def test_years_as_names_stay_years(self, read: Reader) -> None:
        found = read(workbook([["sex", "hired", 2019, 2020], ["f", "yes", 0.5, 0.7], ["m", "no", 0.1, 0.2]]), "a.xlsx")
        assert list(found.frame) == ["sex", "hired", "2019", "2020"]
        assert found.told == []


class TestTitles:
    @pytest.mark.parametrize(
        "above",
        [
            "Export of 3 March\n\n",
            "Export of 3 March, 2025\n",
            '"Export","3 March",,\n\n',
            "Export,,,\n",
            "|1x3 test\n",
        ],
    )
    def test_lines_above_the_header_are_skipped_and_told(self, read: Reader, above: str) -> None:
        body = "sex,paid,predicted,score\nf,yes,no,0.5\nm,no,no,0.25\nf,no,yes,0.75\n"
        found, plain = read(above + body), read(body)
        pd.testing.assert_frame_equal(found.frame, plain.frame)
        assert found.told[0].startswith("Skipped 1 line above the header: ")
        assert plain.told == []

    def test_a_title_in_a_workbook(self, read: Reader) -> None:
        rows: list[list[Any]] = [["Applicants 2024"], [], ["Sex", "Hired", "Age"], ["f", "yes", 31], ["m", "no", 40]]
        found = read(workbook(rows, "A1:C1"), "a.xlsx")
        assert found.frame.to_dict("list") == {"Sex": ["f", "m"], "Hired": ["yes", "no"], "Age": [31, 40]}
        assert found.told == ["Skipped 1 line above the header: 'Applicants 2024'."]

    def test_a_header_of_two_lines(self, read: Reader) -> None:
        rows: list[list[Any]] = [["Person", "", "Answer", ""], ["sex", "age", "paid", "score"], ["f", 3, "yes", 0.5]]
        found = read(workbook(rows, "A1:B1", "C1:D1"), "a.xlsx")
        assert list(found.frame) == ["sex", "age", "paid", "score"]

    @pytest.mark.parametrize("header", ["name,,", "name,,,"])
    def test_a_header_that_names_one_column_only_is_no_title(self, read: Reader, header: str) -> None:
        width = header.count(",") + 1
        found = read(f"{header}\n" + "\n".join(",".join([name, *"12345"[: width - 1]]) for name in ("ann", "bob")))
        assert list(found.frame) == ["name", *(f"column {place}" for place in range(2, width + 1))]
        assert len(found.frame) == 2

    def test_a_list_of_texts_with_commas_has_no_title(self, read: Reader) -> None:
        texts = "text\nShe is good, they say\nHe is not good\nWho knows, in the end, what is good\n"
        assert list(read(texts).frame) == ["text"]

    def test_cells_with_decimal_commas_make_no_title_of_the_header(self, read: Reader) -> None:
        found = read("x;y\n1,5;2,5\n3,5;4,25\n")
        assert found.frame.to_dict("list") == {"x": [1.5, 3.5], "y": [2.5, 4.25]}
        assert found.described.separator == ";"

    def test_the_declared_separator_is_obeyed(self, read: Reader) -> None:
        found = read('sep=;\r\nname;"a,b"\r\nx,y;1\r\nz,w;2\r\n')
        assert found.frame.to_dict("list") == {"name": ["x,y", "z,w"], "a,b": [1, 2]}
        assert found.told == ["The first line says that ';' separates fields."]
        assert read("sep=;\na;b\n1;2\n".encode("utf-16"), "a.csv").column("b") == [2]


class TestNoHeader:
    ADULT: ClassVar[list[str]] = [
        "39, State-gov, 77516, Bachelors, 13, Never-married, Sales, Husband, White, Male, 2174, 0, 40, Cuba, <=50K",
        "50, Private, 83311, Masters, 14, Divorced, Sales, Wife, Black, Female, 0, 0, 13, ?, >50K",
        "38, State-gov, 77516, Bachelors, 13, Never-married, Sales, Husband, White, Male, 0, 0, 40, Cuba, <=50K",
        "28, Private, 83311, Masters, 14, Divorced, Sales, Wife, Black, Female, 0, 0, 13, Cuba, >50K",
    ]

    def test_a_first_line_like_the_others_is_a_record(self, read: Reader) -> None:
        found = read("usual,1,good\nusual,2,bad\nodd,3,good\nodd,4,bad\n", "nursery.data")
        assert list(found.frame) == ["column 1", "column 2", "column 3"]
        assert len(found.frame) == 4
        assert "no names" in found.told[0]

    @pytest.mark.parametrize("dot", ["", "."])
    def test_adult_gets_its_published_names(self, read: Reader, dot: str) -> None:
        above = "|1x3 Cross validator\n" if dot else ""
        found = read(above + "".join(f"{line}{dot}\n" for line in self.ADULT) + "\n", "adult.test")
        assert list(found.frame)[8:10] == ["race", "sex"]
        assert found.column("income") == [f"{income}{dot}" for income in ("<=50K", ">50K", "<=50K", ">50K")]
        assert found.column("fnlwgt")[0] == 77516

    def test_years_above_numbers_are_a_header(self, read: Reader) -> None:
        assert list(read("group,2019,2020\na,1,2\nb,2,3\na,4,5\n").frame) == ["group", "2019", "2020"]

    def test_a_workbook_without_header(self, read: Reader) -> None:
        rows: list[list[Any]] = [["usual", 1, "good"], ["usual", 2, "bad"], ["odd", 3, "good"], ["odd", 4, "bad"]]
        found = read(workbook(rows), "a.xlsx")
        assert found.column("column 2") == [1, 2, 3, 4]


class TestMergedCells:
    def test_they_are_filled_and_told(self, read: Reader) -> None:
        rows: list[list[Any]] = [["sex", "paid", "score"]]
        rows += [["f" if row == 0 else "m" if row == 3 else "", "yes", row / 10] for row in range(6)]
        found = read(workbook(rows, "A2:A4", "A5:A7"), "a.xlsx")
        assert found.column("sex") == ["f"] * 3 + ["m"] * 3
        assert found.told == ["Filled 4 cells that belong to a merged cell with its value."]

    def test_blank_rows_between_and_a_table_away_from_the_corner(self, read: Reader) -> None:
        rows: list[list[Any]] = [[], ["", "sex", "paid"], ["", "f", 1], ["", "", 2], [], ["", "", 3], ["", "m", 4]]
        found = read(workbook(rows, "B3:B6"), "a.xlsx")
        assert found.frame.to_dict("list") == {"sex": ["f", "f", "f", "m"], "paid": [1, 2, 3, 4]}

    def test_a_merged_name_stands_over_each_of_its_columns(self, read: Reader) -> None:
        found = read(workbook([["sex", "score", ""], ["f", 1, 2], ["m", 3, 4]], "B1:C1"), "a.xlsx")
        assert list(found.frame) == ["sex", "score", "score.1"]

    def test_rectangles_that_reach_beyond_the_table_cost_nothing(self, read: Reader) -> None:
        found = read(workbook([["sex", "paid"], ["f", 1], ["", 2]], "A2:A30000"), "a.xlsx")
        assert found.column("sex") == ["f", "f"]

    def test_many_merged_cells_take_no_longer_than_few(self, read: Reader) -> None:
        rows: list[list[Any]] = [["sex", "paid"], *[["f" if row % 2 == 0 else "", row] for row in range(6000)]]
        content = workbook(rows, *(f"A{row}:A{row + 1}" for row in range(2, 6002, 2)))
        started = time.process_time()
        assert read(content, "a.xlsx").column("sex") == ["f"] * 6000
        assert time.process_time() - started < 10


class TestNumbers:
    @pytest.mark.parametrize(
        ("cells", "numbers"),
        [
            (["950", "1,200", "52,000", "310"], [950, 1200, 52000, 310]),
            (["1,200,300", "1,200"], [1200300, 1200]),
            (["1,234.50", "2,000"], [1234.5, 2000]),
            (["0,45", "1,200", "1,5"], [0.45, 1.2, 1.5]),
            (["0,125", "1,200"], [0.125, 1.2]),
            (["1,5", "12000"], [1.5, 12000]),
            (["1.234,5", "12.000"], [1234.5, 12000]),
            (["950", "1.200", "52.000"], [950, 1200, 52000]),
            (["1.200.300", "4.500"], [1200300, 4500]),
            (["1.125", "2.375"], [1.125, 2.375]),
            (["0.450", "1.200"], [0.45, 1.2]),
            (["1.234", "inf"], [1.234, np.inf]),
            (["1 200", "52\u202f000", "310"], [1200, 52000, 310]),
            (["1'200.50", "310"], [1200.5, 310]),
            (["45%", "7.5%", "100 %"], [0.45, 0.075, 1.0]),
            (["45,5%", "7 %"], [0.455, 0.07]),
            (["-1,200", "950"], [-1200, 950]),
        ],
    )
    def test_a_column_says_what_its_marks_mean(self, read: Reader, cells: list[str], numbers: list[float]) -> None:
        table = "x\tg\n" + "".join(f"{cell}\tf\n" for cell in cells)
        assert read(table).column("x") == pytest.approx(numbers)
        book = read(workbook([["x", "g"], *[[cell, "f"] for cell in cells]]), "a.xlsx")
        if "inf" not in cells and book.frame["x"].dtype.kind in "if":
            assert book.column("x") == pytest.approx(numbers)

    @pytest.mark.parametrize("other", ["", "\t0.5", "\t0,5"])
    def test_what_one_column_leaves_open_another_tells_or_it_is_asked(self, read: Reader, other: str) -> None:
        heading = "\ty" if other else ""
        found = read(f"x\tg{heading}\n1,250\tf{other}\n2,375\tm{other}\n")
        if not other:
            assert found.column("x") == ["1,250", "2,375"]
            assert found.described.caveats[0].level == "warning"
            assert "may be 1.25 or 1250" in found.told[0]
        else:
            assert found.column("x") == ([1250, 2375] if "." in other else [1.25, 2.375])

    @pytest.mark.parametrize(("mark", "numbers"), [(",", [1.25, 2.375]), (".", [1250, 2375])])
    def test_whoever_says_the_decimal_mark_is_obeyed(self, read: Reader, mark: str, numbers: list[float]) -> None:
        assert read("x\tg\n1,250\tf\n2,375\tm\n", decimal=mark).column("x") == numbers
        turned = {".": ",", ",": "."}[mark]
        assert read("x\tg\n1.250\tf\n2.375\tm\n", decimal=turned).column("x") == numbers

    def test_points_part_thousands_where_other_numbers_have_a_decimal_comma(self, read: Reader) -> None:
        found = read("wage;share\n1.250;0,5\n2.375;1,5\n")
        assert found.frame.to_dict("list") == {"wage": [1250, 2375], "share": [0.5, 1.5]}
        assert found.told == [
            "Read 2 cells of 'wage' as numbers with thousands parted: '1.250' is 1250.",
            "Read 2 cells of 'share' as numbers with a decimal comma: '0,5' is 0.5.",
        ]

    @pytest.mark.parametrize(
        "cells", [["1,200", "about 3"], ["1,2,3", "4"], ["12,34", "x"], ["45%", "12"], ["1,20", "1.5"]]
    )
    def test_a_column_that_no_reading_fits_stays_as_it_is(self, read: Reader, cells: list[str]) -> None:
        assert read("x\tg\n" + "".join(f"{cell}\tf\n" for cell in cells)).column("x") == cells

    def test_codes_with_commas_beside_decimal_points_stay_text_and_are_told(self, read: Reader) -> None:
        table = "answers\tscore\tg\n1,2\t0.5\tf\n2\t0.25\tm\n1,3\t0.1\tf\n"
        found = read(table)
        assert found.column("answers") == ["1,2", "2", "1,3"]
        assert "'1,2' have a comma, where other numbers have a decimal point" in found.told[0]
        assert read(table, decimal=",").column("answers") == [1.2, 2, 1.3]

    def test_gaps_stay_gaps(self, read: Reader) -> None:
        found = read("x\tg\n1,200\tf\n\tm\n950\tf\n")
        assert found.frame["x"].isna().tolist() == [False, True, False]
        assert found.frame["x"].dropna().tolist() == [1200, 950]

    def test_codes_with_a_leading_zero_stay_codes(self, read: Reader) -> None:
        assert read("x\tg\n01\tf\n1,200\tm\n").column("x") == ["01", "1,200"]

    def test_decimals_of_parquet_are_numbers(self, read: Reader) -> None:
        table = pa.table(
            {
                "score": pa.array([Decimal("0.50"), None, Decimal("0.25")], pa.decimal128(10, 2)),
                "age": pa.array([31, 40, 22], pa.decimal128(10, 0)),
                "sex": ["f", "m", "f"],
            }
        )
        stream = io.BytesIO()
        pq.write_table(table, stream)
        found = read(stream.getvalue(), "a.parquet")
        assert found.frame.dtypes.astype(str).to_dict() == {"score": "float64", "age": "int64", "sex": "str"}
        assert found.frame["score"].tolist()[::2] == [0.5, 0.25]
        assert found.told == ["Read the decimals of 'score', 'age' as numbers in 3 rows."]

    def test_no_cell_takes_the_square_of_its_length(self, read: Reader) -> None:
        cells = ["1," * 60_000, "1." * 60_000, "1 " * 60_000, "9" * 120_000 + "x", "%" * 120_000]
        started = time.perf_counter()
        read("x\tg\n" + "".join(f"{cell}\tf\n" for cell in cells))
        for cell in cells:
            read("x\tg\n" + f"{cell}\tf\n" * 2)
        assert time.perf_counter() - started < 20


def test_a_stop_at_the_end_is_a_look_alike() -> None:
    found = look_alikes({">50K": 30, ">50K.": 10, "<=50K": 5})
    assert [list(one.rows) for one in found] == [[">50K", ">50K."]]
    assert found[0].told == "a full stop at the end"
