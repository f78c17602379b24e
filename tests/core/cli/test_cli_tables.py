"""The command line reads tables of counts as the people they count, says how a file was read, and asks what is open."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from tests.command_line import Ran, command
from tests.core.data.counts import TITANIC, people_of

GIVEN = ("--no-outcome", "--predictions", "Survived", "--favourable", "Yes")
OF_THE_FILE = {"fingerprint", "result_fingerprint", "files", "seconds", "caveats", "copies", "rows_counted", "file"}


@pytest.fixture
def counts(tmp_path: Path) -> Path:
    """R's table Titanic as ``write.csv`` writes it, the names of the rows without a header."""
    table = TITANIC.set_axis(range(1, 33))
    path = tmp_path / "titanic.csv"
    table.to_csv(path, quoting=csv.QUOTE_NONNUMERIC, index_label="")
    assert path.read_text().startswith('"","Class"')
    return path


def audit(table: Path, out: Path, *more: object) -> Ran:
    return command("audit", "--table", table, "--out", out, *more)


def digits(record: Any) -> Any:
    """A record without what is said of the file itself."""
    if isinstance(record, dict):
        return {name: digits(value) for name, value in record.items() if name not in {*OF_THE_FILE, "counts"}}
    return [digits(one) for one in record] if isinstance(record, list) else record


def test_a_table_of_counts_gives_the_digits_of_its_people(counts: Path, tmp_path: Path) -> None:
    people = tmp_path / "people.csv"
    people_of(TITANIC).to_csv(people, index=False)
    counted = audit(counts, tmp_path / "counted", "--count", "Freq", *GIVEN)
    written_out = audit(people, tmp_path / "people", *GIVEN)
    assert counted.status == written_out.status == 0, counted.err
    assert "A column without a name was called 'column 1'." in counted.out
    assert "32 rows stand for 2,201 people" in counted.out
    assert "which stand for 2,201 people in the table" in counted.out
    assert "repeat an earlier one" not in counted.out
    first, second = (json.loads((tmp_path / out / "record.json").read_text()) for out in ("counted", "people"))
    assert digits(first) == digits(second)
    assert len(first["tests"]) >= 2
    assert "32 rows, which stand for 2,201 people" in (tmp_path / "counted" / "report.html").read_text()
    printed = command(
        "counting",
        tmp_path / "people" / "record.json",
        "--table",
        "ship.people",
        "--database",
        "bigquery",
        "--suppress",
        "5",
    )
    assert "FROM `ship`.`people`" in printed.out
    assert "COUNT(*) AS `people`" in printed.out
    assert "WHERE `people` >= 5" in printed.out
    wrong = command("counting", tmp_path / "people" / "record.json", "--table", "p", "--limits", "Age=old")
    assert (wrong.status, "are no numbers" in wrong.err) == (2, True)
    repeated = command("run", tmp_path / "counted" / "record.json", "--out", tmp_path / "again", "--file", counts)
    assert "the same as in the record, to the last digit" in repeated.out


def test_a_column_that_seems_to_count_people_is_asked_about(counts: Path, tmp_path: Path) -> None:
    ran = audit(counts, tmp_path, *GIVEN)
    assert ran.status == 2
    assert "'Freq' seems to say how many people each row stands for: its numbers come to 2,201" in ran.err
    assert "--count Freq" in ran.err
    assert "--no-count" in ran.err
    assert audit(counts, tmp_path / "rows", *GIVEN, "--no-count").status == 0


@pytest.mark.parametrize(("cell", "told"), [("-1", "negative"), ("2.5", "not whole"), ("", "not known")])
def test_a_wrong_count_ends_in_a_sentence_with_its_row(counts: Path, tmp_path: Path, cell: str, told: str) -> None:
    lines = counts.read_text().splitlines()
    lines[3] = lines[3].rpartition(",")[0] + f",{cell}"
    counts.write_text("\n".join(lines))
    ran = audit(counts, tmp_path, *GIVEN, "--count", "Freq")
    assert ran.status == 2
    assert told in ran.err
    assert "row 3" in ran.err


def test_weights_are_refused_as_such(counts: Path, tmp_path: Path) -> None:
    counts.write_text(counts.read_text().replace("Freq", "fnlwgt"))
    ran = audit(counts, tmp_path, *GIVEN, "--count", "fnlwgt")
    assert ran.status == 2
    assert "a weight is no count of people" in ran.err


def test_what_was_done_on_reading_is_said_and_the_decimal_mark_may_be_given(tmp_path: Path) -> None:
    table = tmp_path / "people.tsv"
    rows = [
        f"{1 + place % 7},{250 + place % 3}\t{'fm'[place % 2]}\t{('yes', 'no')[place % 3 > 0]}" for place in range(60)
    ]
    table.write_text("income\tsex\thired\n" + "\n".join(rows))
    given = ("--no-outcome", "--predictions", "hired", "--favourable", "yes", "--tests", "group_fairness")
    open_, told = audit(table, tmp_path / "a", *given), audit(table, tmp_path / "b", *given, "--decimal", ".")
    assert open_.status == told.status == 0, open_.err
    assert "may be 1.25 or 1250, so the column was left as text. Say which the decimal mark is" in open_.out
    assert "Read 60 cells of 'income' as numbers with thousands parted: '1,250' is 1250." in told.out
