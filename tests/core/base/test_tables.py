"""A table as a file that spreadsheets show and never obey."""

import csv
import io

from core.base.tables import Table

CELLS = (
    "=1+1",
    "@x",
    "+cmd|' /C calc'!A0",
    "\uff1d1",
    "-1.5",
    "+3%",
    "12,000",
    "-1 (−2 to 0)",
    'a "quoted" cell',
    "سن",
    "",
)


def test_a_csv_gives_back_every_cell_and_no_formula() -> None:
    table = Table("Of cells", ("Name", "Value"), tuple((cell, "x") for cell in CELLS))
    head, *rows = csv.reader(io.StringIO(table.csv.decode("utf-8-sig")))
    assert head == ["Name", "Value"]
    for (cell, _), given in zip(rows, CELLS, strict=True):
        assert cell.removeprefix("'") == given
        assert not cell.startswith(("=", "@", "\uff1d"))
    assert [row[0] for row in rows if row[0].startswith("'")] == [f"'{CELLS[i]}" for i in (0, 1, 2, 3, 7)]
