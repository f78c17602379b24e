"""A folder of Parquet files through the door and the command line: the digits of the same rows in memory."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from core import audit, compare
from core.api.audited import Audit
from core.audits.equalized_odds.settings import EqualizedOdds
from core.base.errors import EvenhandError
from core.records.codec import encode
from core.records.codec_frames import Arrays
from core.workflows.examples import SAMPLE_MODELS
from tests.command_line import command

GIVEN: dict[str, Any] = {
    "outcome": "repaid",
    "favourable": "yes",
    "protected": ["sex", "region"],
    "predictions": "approved",
    "progress": False,
}
TWO = ("--predictions", "approved", "--predictions", "newer")
OPTIONS = ("--outcome", "repaid", "--favourable", "yes", "--protected", "sex", "--predictions", "approved")


@pytest.fixture(scope="module")
def rows() -> pd.DataFrame:
    """Applicants, of whom some gave no sex."""
    rng = np.random.default_rng(0)
    n = 6_000
    sex, repaid = rng.choice(np.array(["f", "m", None]), n, p=[0.49, 0.49, 0.02]), rng.random(n) < 0.6
    approved = rng.random(n) < 0.3 + 0.4 * repaid - 0.2 * (sex == "f")
    answers = {"repaid": np.where(repaid, "yes", "no"), "approved": np.where(approved, "yes", "no")}
    columns = {"sex": sex, "region": rng.choice([*"wxyz"], n), "age": rng.integers(18, 80, n)}
    return pd.DataFrame(
        {**columns, "income": rng.normal(30_000, 9_000, n), "band": rng.choice([1, 2, 3], n), **answers}
    )


@pytest.fixture(scope="module")
def folder(rows: pd.DataFrame, tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("tables") / "loans"
    found.mkdir()
    for place in range(3):
        rows.iloc[2_000 * place : 2_000 * (place + 1)].to_parquet(found / f"{place}.parquet", row_group_size=700)
    return found


def bytes_of(audited: Audit) -> list[Any]:
    """What was found by each test and what is claimed of it, as a record keeps it."""
    found = []
    for name, one in zip(audited, audited._repeated.result, strict=True):
        arrays = Arrays()
        tree = encode(one.detail, type(one.detail), arrays)
        kept = [(array.dtype.str, array.shape, array.tobytes()) for array in arrays]
        found.append((name, tree, kept, repr(audited[name].claims), one.data.rows_read, one.data.rows_left_out))
    return found


def test_a_folder_gives_the_digits_of_its_rows_in_memory_and_of_their_counts(rows: pd.DataFrame, folder: Path) -> None:
    counted = audit(folder, dummies=199, **GIVEN)
    kinds = [plan.audit.kind for plan in counted.study.plans]
    in_memory = audit(rows.sample(frac=1, random_state=1), tests=kinds, features=["band"], dummies=199, **GIVEN)
    assert kinds == ["equalized_odds", "group_fairness"]
    assert bytes_of(counted) == bytes_of(in_memory)
    columns = ["band", "sex", "region", "approved", "repaid"]
    sizes = rows.groupby(columns, dropna=False).size().rename("n").reset_index()
    assert bytes_of(audit(sizes, tests=kinds, counts="n", features=["band"], dummies=199, **GIVEN)) == bytes_of(counted)
    assert counted.study.plans[0].data.columns == tuple(columns)  # type: ignore[union-attr]


def test_features_are_counted_in_ranges_for_the_tests_that_read_them(rows: pd.DataFrame, folder: Path) -> None:
    limits = {"age": [30, 45], "income": [20_000, 40_000]}
    counted = audit(folder, ranges=limits, tests="transport", draws=200, **GIVEN)
    told = {
        name: np.array([f"under {a}", f"{a} to under {b}", f"{b} and over"])[
            np.searchsorted([a, b], rows[name], "right")
        ]
        for name, (a, b) in limits.items()
    }
    assert bytes_of(counted) == bytes_of(audit(rows.assign(**told), tests="transport", draws=200, **GIVEN))


def test_the_command_counts_says_so_and_repeats_from_the_folder(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    ran = command("audit", "--table", folder, "--out", out, "--tests", "group_fairness", *OPTIONS)
    assert ran.status == 0, ran.err
    assert "6,000 rows of 3 files are counted in 'region', 'band', 'sex', 'approved' and 'repaid'" in ran.out
    assert "MB of memory, in one process." in ran.out
    assert "rows that were looked at 0 repeat an earlier one; others were not." in ran.out
    (test,) = json.loads((out / "record.json").read_text())["tests"]
    assert (test["plan"]["data"]["kind"], test["plan"]["roles"]["counts"]) == ("folder", "people")
    assert (out / "loans").is_symlink()
    repeated = command("run", out / "record.json", "--out", tmp_path / "again")
    assert "The numbers are the same as in the record, to the last digit." in repeated.out, repeated.err
    (out / "loans").unlink()
    missing = command("run", out / "record.json", "--out", tmp_path / "again")
    assert (missing.status, "The folder loans was not found" in missing.err) == (2, True)
    named = command("run", out / "record.json", "--out", tmp_path / "again", "--file", folder)
    assert "The numbers are the same as in the record, to the last digit." in named.out, named.err


def test_rows_drawn_at_random_are_audited_as_they_are_and_what_that_costs_is_said(folder: Path) -> None:
    found = audit(folder, sample=1_500, seed=4, tests="transport", draws=200, **GIVEN)
    assert any(
        line.startswith("1,500 of 6,000 rows are drawn at random: intervals are about 2.0 times")
        and "percentage points is found four times in five with these rows" in line
        for line in found.guesses
    )
    (plan,) = found.study.plans
    rows = plan.data.load(found._files)
    assert (len(rows), plan.roles.counts, rows["income"].nunique()) == (1_500, "", 1_500)
    in_memory = audit(rows, seed=4, tests="transport", draws=200, **GIVEN)
    assert bytes_of(in_memory) == bytes_of(found)


@pytest.mark.parametrize(
    ("given", "what"),
    [
        (("--tests", "column_sensitivity"), "This test asks the model about changed rows"),
        (("--tests", "group_fairness", "--count", "age"), "Each row of a folder is one person by themselves"),
        (("--sample", "900", "--belongs-to", "income"), "Each row of a folder is one person by themselves"),
        (("--sample", "20"), "usable rows are left; a test needs at least 30"),
        (("--tests", "transport"), "the column 'income' has"),
        (("--ranges", "age=x"), "are no numbers"),
        (("--ranges", "wage=3"), "no column 'wage'"),
    ],
)
def test_what_cannot_be_counted_is_said(
    given: tuple[str, ...], what: str, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.sources.folder.counting.MOST_KINDS", 2_000)
    ran = command("audit", "--table", folder, "--out", tmp_path, *OPTIONS, *given)
    assert ran.status == 2
    assert what in ran.err


def test_models_are_compared_on_the_counts_of_a_folder_as_on_its_rows(rows: pd.DataFrame, tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    agrees = np.where(rng.random(len(rows)) < 0.9, rows["approved"], np.where(rows["approved"] == "yes", "no", "yes"))
    (folder := tmp_path / "loans").mkdir()
    rows = rows.assign(newer=agrees)
    for place in range(2):
        rows.iloc[3_000 * place : 3_000 * (place + 1)].to_parquet(folder / f"{place}.parquet")
    given = {name: value for name, value in GIVEN.items() if name != "predictions"}
    given |= {"tests": ["group_fairness", "equalized_odds"], "dummies": 99, "features": ["band"]}
    models = {"old": "approved", "new": "newer"}
    counted, in_memory = (compare(table, models, **given) for table in (folder, rows))
    assert counted._repeated.result.answers.shape[1] < 200
    assert any("are read once, in up to" in line for line in counted.guesses["old"])
    for one, other in ((counted.differences, in_memory.differences), (counted.rates, in_memory.rates)):
        assert len(one) > 3
        pd.testing.assert_frame_equal(one, other, rtol=1e-9)
    assert counted.verdicts == in_memory.verdicts
    for name in models:
        assert bytes_of(counted[name]) == bytes_of(in_memory[name])
    ran = command(
        "compare", "--table", folder, "--out", tmp_path / "out", *OPTIONS[:6], *TWO, "--tests", "group_fairness"
    )
    assert ran.status == 0, ran.err
    again = command("run", tmp_path / "out" / "record.json", "--out", tmp_path / "again")
    assert "the same as in the record, to the last digit" in again.out, again.err


def test_tests_that_read_too_much_are_not_proposed_and_model_files_are_not_compared(
    folder: Path, tmp_path: Path
) -> None:
    told = audit(folder, tests=(), **GIVEN).guesses
    assert any(
        line.startswith("Not proposed: Transport test. It reads 'income', which has too many values") for line in told
    )
    file = SAMPLE_MODELS / "hiring_baseline.safetensors"
    ran = command("compare", "--table", folder, "--out", tmp_path, *OPTIONS, "--model", file)
    assert (ran.status, "models are compared by columns that hold their answers" in ran.err) == (2, True)


def test_copies_are_refused_whether_rows_are_counted_or_drawn(rows: pd.DataFrame, tmp_path: Path) -> None:
    for place in range(2):
        rows.to_parquet(tmp_path / f"{place}.parquet")
    for sample in (0, 500):
        with pytest.raises(EvenhandError, match=r"Of 11,766 rows that were looked at 5,883 are exact copies"):
            audit(tmp_path, tests="group_fairness", sample=sample, **GIVEN)


def test_a_test_that_needs_a_row_for_each_person_says_how_rows_are_drawn(folder: Path) -> None:
    with pytest.raises(EvenhandError, match=r"needs a row for each person, .* add sample=1000000"):
        audit(folder, tests=EqualizedOdds(asks="calibration"), **GIVEN)


def test_ranges_are_of_parquet_files_and_one_such_file_is_a_folder_of_itself(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("a,b\n1,2\n")
    with pytest.raises(EvenhandError, match="Only the rows of Parquet files are counted in ranges or drawn"):
        audit(tmp_path / "a.csv", ranges={"a": [1]}, **GIVEN)
    found = audit(folder / "0.parquet", ranges="income=30000", tests="group_fairness", **GIVEN)
    assert found.study.plans[0].data.title == "0.parquet"
