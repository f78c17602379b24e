"""A folder of Parquet files through the door and the command line: the digits of the same rows in memory."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from core import audit, compare, load_table
from core.api.audited import Audit
from core.api.bringing import brought_model
from core.api.choices import Choices
from core.api.folder import brought_folder
from core.api.planning import plan, read
from core.audits.equalized_odds.settings import EqualizedOdds
from core.base.errors import EvenhandError
from core.base.files import FileStore
from core.base.progress import ignore_progress
from core.data.dataset import Dataset
from core.language.options import in_python
from core.records.codec import encode
from core.records.codec_frames import Arrays
from core.sources.folder import counting
from core.sources.folder.asking import ToBeAsked
from core.sources.folder.counting import count_kinds
from core.sources.folder.listing import list_folder
from core.sources.folder.looking import as_frame, first_rows
from core.sources.folder.table import FolderTable
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
    counted = audit(folder, dummies=99, **GIVEN)
    kinds = [plan.audit.kind for plan in counted.study.plans]
    in_memory = audit(rows.sample(frac=1, random_state=1), tests=kinds, features=["band"], dummies=99, **GIVEN)
    assert kinds == ["equalized_odds", "group_fairness"]
    assert bytes_of(counted) == bytes_of(in_memory)
    columns = ["band", "sex", "region", "approved", "repaid"]
    sizes = rows.groupby(columns, dropna=False).size().rename("n").reset_index()
    assert bytes_of(audit(sizes, tests=kinds, counts="n", features=["band"], dummies=99, **GIVEN)) == bytes_of(counted)
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
    assert "rows that were looked at 0 repeat an earlier one." in ran.out
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


@pytest.fixture(scope="module")
def applicants(tmp_path_factory: pytest.TempPathFactory) -> tuple[pd.DataFrame, Path]:
    """Applicants with gaps in what the model reads, and the same in three files of three row groups each."""
    found = load_table("hiring").head(2_100)
    found.loc[found.index[::97], "interview rating"] = np.nan
    place = tmp_path_factory.mktemp("applicants") / "people"
    place.mkdir()
    for part in range(3):
        found.iloc[700 * part : 700 * (part + 1)].to_parquet(place / f"{part}.parquet", row_group_size=300)
    return found, place


HIRED: dict[str, Any] = {"outcome": "hired", "favourable": "yes", "protected": ["gender"], "progress": False}
NETWORK: dict[str, Any] = {"model": "sample_models/hiring_baseline.onnx", "numbers": "standardised"}


def test_a_model_file_is_asked_about_each_row_and_gives_the_digits_of_its_decisions_in_memory(
    applicants: tuple[pd.DataFrame, Path], tmp_path: Path
) -> None:
    rows, place = applicants
    kinds = ["equalized_odds", "group_fairness"]
    asked = audit(place, tests=kinds, **HIRED, **NETWORK)
    source = asked.study.plans[0].data
    assert isinstance(source, FolderTable)
    assert source.asked is not None
    model = source.asked.model.load(asked._files, source.asked.model.dataset(rows, source.asked.roles))
    whole = rows.dropna().reset_index(drop=True)
    answers = model.predict_proba(model.encode(Dataset.build(whole, source.asked.roles)))
    labels = pd.Series(np.array(model.classes)[answers.argmax(axis=1)], rows.dropna().index)
    beside = rows.assign(answer=labels)[[*source.columns[:-2], "answer", "hired"]]
    in_memory = audit(beside, tests=kinds, predictions="answer", **HIRED)
    assert bytes_of(asked) == bytes_of(in_memory)
    assert any("asked about each row" in line for line in asked.guesses)
    assert any("What is judged is its decision" in line for line in asked.caveats)
    assert any("Of 2,100 rows that were compared with all others 0 repeat an earlier one." in c for c in asked.caveats)
    assert "Empty cells among all rows: 'interview rating' (22)." in asked.caveats
    asked.write(tmp_path)
    ran = command("run", tmp_path / "record.json", "--out", tmp_path / "again")
    assert "The numbers are the same as in the record, to the last digit." in ran.out, ran.err


@pytest.mark.parametrize("processes", [1, pytest.param(2, marks=pytest.mark.long)])
def test_neither_the_order_of_files_nor_the_number_of_processes_changes_what_a_model_is_counted_to_answer(
    applicants: tuple[pd.DataFrame, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, processes: int
) -> None:
    monkeypatch.setattr(counting, "_WORTH_A_MODEL", 1_000)
    _, place = applicants
    files = FileStore(tmp_path / "files")
    with in_python():
        told = {name: value for name, value in HIRED.items() if name != "progress"}
        chosen = Choices.of({**told, "tests": "group_fairness", "numbers": "standardised"})
        source = brought_folder(place, chosen, files)
        model = brought_model(NETWORK["model"], files)
        (first,) = plan(chosen, read(chosen, source, files), model, files).study.plans
    assert isinstance(first.data, FolderTable)
    counted = FolderTable(**dict(first.data)).load(files)
    kept = [path for path in files.root.iterdir() if len(path.name) == 64 and path.is_file()]
    assert not any(path.read_bytes()[:4] == b"PAR1" for path in kept)
    other = tmp_path / "turned"
    other.mkdir()
    for name, came in zip("cab", sorted(place.iterdir()), strict=True):
        (other / f"{name}.parquet").write_bytes(came.read_bytes())
    assert first.data.asked is not None
    question = ToBeAsked.of(first.data.asked, first_rows(list_folder(place), {}), files)
    again = count_kinds(list_folder(other), first.data.columns, {}, ignore_progress, processes, question=question)
    pd.testing.assert_frame_equal(as_frame(again), counted)


def test_rows_that_a_model_cannot_read_are_named_with_their_file(
    applicants: tuple[pd.DataFrame, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows, _ = applicants
    rows.assign(education=rows["education"].where(rows.index != 1_234, "guild")).to_parquet(
        tmp_path / "all.parquet", row_group_size=700
    )
    monkeypatch.setattr("core.sources.folder.looking.ROWS", 1_500)
    monkeypatch.setattr("core.sources.folder.counting.ASKED_AT_ONCE", 500)
    with pytest.raises(EvenhandError, match="1 rows hold a category that the model does not know: 'guild'") as caught:
        audit(tmp_path, tests="group_fairness", **HIRED, **NETWORK)
    told = "column 'education', row 35, file 'all.parquet', row group 2, after its first 500 rows"
    assert caught.value.where == told


def test_a_model_that_reads_what_cannot_be_read_block_by_block_is_refused(
    applicants: tuple[pd.DataFrame, Path], tmp_path: Path
) -> None:
    rows, place = applicants
    with pytest.raises(EvenhandError, match="no gap can be filled"):
        audit(place, tests="group_fairness", missing="own category", **HIRED, **NETWORK)
    whole = rows.dropna()
    written = {"interview rating": whole["interview rating"].map("{:.1f}".format).str.replace(".", ",")}
    whole.assign(**written).to_parquet(tmp_path / "all.parquet")
    with pytest.raises(EvenhandError, match="'interview rating' holds numbers that are written as text"):
        audit(tmp_path, tests="group_fairness", **HIRED, **NETWORK)


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
    given |= {"tests": ["group_fairness", "equalized_odds"], "dummies": 99, "features": ["band"], "protected": ["sex"]}
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
        line.startswith("Left out: Transport test. It reads 'income', which has too many values") for line in told
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


def test_copies_beyond_the_rows_that_were_looked_at_are_refused_before_anything_is_counted(
    rows: pd.DataFrame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.sources.folder.looking.ROWS", 3_000)
    pd.concat([rows.head(4_600), rows.iloc[600:1_000]]).to_parquet(tmp_path / "all.parquet", row_group_size=1_000)
    with pytest.raises(EvenhandError, match="Of 5,000 rows that were compared with all others 400 are exact copies"):
        audit(tmp_path, tests="group_fairness", **GIVEN)


def test_a_test_that_needs_a_row_for_each_person_says_how_rows_are_drawn(folder: Path) -> None:
    with pytest.raises(EvenhandError, match=r"needs a row for each person, .* add sample=1000000"):
        audit(folder, tests=EqualizedOdds(asks="calibration"), **GIVEN)


def test_ranges_are_of_parquet_files_and_one_such_file_is_a_folder_of_itself(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("a,b\n1,2\n")
    with pytest.raises(EvenhandError, match="Only the rows of Parquet files are counted in ranges or drawn"):
        audit(tmp_path / "a.csv", ranges={"a": [1]}, **GIVEN)
    found = audit(folder / "0.parquet", ranges="income=30000", tests="group_fairness", **GIVEN)
    assert found.study.plans[0].data.title == "0.parquet"
