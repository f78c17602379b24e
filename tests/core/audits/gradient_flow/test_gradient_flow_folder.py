"""The gradient-flow test of a folder: rows drawn teach, all others are gone through, and sums are those in memory."""

import importlib
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import torch

from core import audit, load_table
from core.api.audited import Audit
from core.audits.column_sensitivity.settings import ColumnSensitivity
from core.audits.gradient_flow.cells import GroupCells
from core.audits.gradient_flow.result import GradientFlowDetail
from core.audits.gradient_flow.settings import GradientFlow
from core.base import apart
from core.base.apart import AbstractCarrier, Apart, OnAnswer, carried_by
from core.base.errors import EvenhandError
from core.base.parts import PARTS
from core.base.progress import OnProgress
from core.data.encoder import Encoder
from core.metrics.expert import Expert
from core.records.codec import encode, to_bytes
from core.records.codec_frames import Arrays
from tests.command_line import command

READ = 12
GIVEN: dict[str, Any] = {
    "model": "sample_models/hiring_baseline.onnx",
    "outcome": "hired",
    "favourable": "yes",
    "protected": ["gender", "ethnicity"],
    "progress": False,
}
DECLARED = GradientFlow(metric=Expert(free=("referred by staff", "district")), steps=5)
COUNTS = ("wrong_start", "wrong_end", "wrong_both", "lost_ground", "histogram")
SUMS = ("excess", "excess_squares")


@pytest.fixture(scope="module")
def rows() -> pd.DataFrame:
    """Applicants, with gaps in a column that the model reads, and one of a group that nobody else has."""
    found = load_table("hiring")
    found.loc[found.index[::97], "interview rating"] = np.nan
    found.loc[3_999, "ethnicity"] = "Roma"
    return found


@pytest.fixture(scope="module")
def encoder(rows: pd.DataFrame) -> Encoder:
    return Encoder.fit(rows.dropna(), tuple(rows.columns[:READ])).one_hot


@pytest.fixture(scope="module")
def gone_through(rows: pd.DataFrame, encoder: Encoder, tmp_path_factory: pytest.TempPathFactory) -> Audit:
    """The audit of the same rows in four files, of which few are drawn."""
    place = tmp_path_factory.mktemp("tables") / "people"
    place.mkdir()
    for part in range(4):
        rows.iloc[1_000 * part : 1_000 * (part + 1)].to_parquet(place / f"{part}.parquet", row_group_size=450)
    with pytest.MonkeyPatch.context() as patch:
        few_drawn(patch)
        return audit(place, encoder=encoder, tests=DECLARED, **GIVEN)


def detail_of(audited: Audit) -> GradientFlowDetail:
    found: GradientFlowDetail = audited["gradient_flow"].result.detail
    return found


def bytes_of(detail: GradientFlowDetail) -> tuple[Any, list[Any]]:
    """A detail as it is saved."""
    arrays = Arrays()
    tree = encode(detail, GradientFlowDetail, arrays)
    return tree, [(array.dtype.str, array.shape, array.tobytes()) for array in arrays]


def few_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.api.folder.TEACHING", 400)
    monkeypatch.setattr("core.sources.folder.sampling.PASSED_AT_ONCE", 300)


def test_a_folder_whose_rows_are_all_drawn_gives_the_bytes_of_its_rows_in_memory(
    rows: pd.DataFrame, tmp_path: Path
) -> None:
    rows.head(1_000).to_parquet(tmp_path / "all.parquet", row_group_size=300)
    settings: dict[str, Any] = {"numbers": "standardised", "tests": "gradient_flow", "steps": 5, "metric_resamples": 2}
    found, in_memory = (detail_of(audit(table, **GIVEN, **settings)) for table in (tmp_path, rows.head(1_000)))
    assert bytes_of(found) == bytes_of(in_memory)


def test_rows_beyond_memory_add_up_to_the_sums_of_the_rows_in_memory(
    rows: pd.DataFrame, encoder: Encoder, gone_through: Audit
) -> None:
    """Counts are the same; sums are of the same rows in other blocks, which float32 tells in the seventh digit."""
    in_memory = audit(rows, encoder=encoder, tests=DECLARED, **GIVEN)
    found, expected = detail_of(gone_through), detail_of(in_memory)
    assert found.cells.groups == expected.cells.groups
    np.testing.assert_array_equal(found.cells.codes, expected.cells.codes)
    np.testing.assert_array_equal(found.cells.count, expected.cells.count)
    assert len(found.rows) < 400 < found.rows_of() == expected.rows_of() == len(rows.dropna())
    for name in COUNTS:
        np.testing.assert_array_equal(getattr(found, name), getattr(expected, name))
    for name in SUMS:
        np.testing.assert_allclose(getattr(found, name), getattr(expected, name), rtol=1e-6, atol=1e-6)
    assert (found.floored_start, found.floored_end) == (expected.floored_start, expected.floored_end)
    one, other = (each["gradient_flow"].result for each in (gone_through, in_memory))
    for name in ("rows_read", "rows_left_out", "rows_audited", "gaps"):
        assert getattr(one.data, name) == getattr(other.data, name)
    np.testing.assert_array_equal(one.model.confusion, other.model.confusion)
    assert any("All others were then gone through in blocks." in line for line in gone_through.caveats)


def test_other_threads_repeat_the_record_to_the_last_digit(
    gone_through: Audit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    few_drawn(monkeypatch)
    gone_through.write(tmp_path / "out")
    threads = torch.get_num_threads()
    torch.set_num_threads(2 if threads == 1 else 1)
    try:
        ran = command("run", tmp_path / "out" / "record.json", "--out", tmp_path / "again")
    finally:
        torch.set_num_threads(threads)
    assert "The numbers are the same as in the record, to the last digit." in ran.out, ran.err


class Anew(AbstractCarrier):
    """Does each piece here as another machine would: from JSON and the files that it needs; the last first."""

    def __init__(self, root: Path) -> None:
        self.root, self.asked = root, list[list[int]]()

    def carry(
        self, module: str, pieces: Sequence[Any], on_progress: OnProgress, on_answer: OnAnswer
    ) -> dict[int, Any | EvenhandError]:
        found: dict[int, Any | EvenhandError] = {}
        for place, piece in reversed(list(enumerate(pieces))):
            told = json.loads(json.dumps(piece))
            if PARTS in piece:
                self.asked.append(piece[PARTS])
                for name in piece["needs"]:
                    (self.root / name).write_bytes((Path(piece["files"]) / name).read_bytes())
                told["files"] = str(self.root)
            with carried_by(None):
                answer = importlib.import_module(module).work(told, on_progress)
            found[place] = json.loads(json.dumps(answer))
        return found


@pytest.mark.parametrize(
    "tests",
    [DECLARED, pytest.param(ColumnSensitivity(through=("career gap (months)",)), marks=pytest.mark.long)],
)
def test_parts_of_the_rows_beyond_memory_are_gone_through_elsewhere_with_the_same_bytes(
    rows: pd.DataFrame, encoder: Encoder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tests: Any
) -> None:
    few_drawn(monkeypatch)
    monkeypatch.setattr("core.sources.folder.sampling.WORTH_A_PIECE", 1_000)
    (table := tmp_path / "people").mkdir()
    (elsewhere := tmp_path / "elsewhere").mkdir()
    rows.head(3_000).to_parquet(table / "all.parquet", row_group_size=450)
    found, carrier = list[dict[str, bytes]](), Anew(elsewhere)
    for one in (None, carrier):
        with carried_by(one):
            (result,) = audit(table, encoder=encoder, tests=tests, **GIVEN)._repeated.result
        found.append(to_bytes(replace(result, seconds=0.0)))
    assert carrier.asked == [[2], [1], [0]]
    assert found[0] == found[1]
    assert {path.suffix for path in elsewhere.iterdir() if path.is_symlink()} == {"", ".kinds", ".seen"}


@pytest.mark.long
def test_two_processes_go_through_the_rows_with_the_same_bytes(
    rows: pd.DataFrame, encoder: Encoder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    few_drawn(monkeypatch)
    monkeypatch.setattr("core.sources.folder.sampling.WORTH_A_PIECE", 1_000)
    rows.head(3_000).to_parquet(tmp_path / "all.parquet", row_group_size=450)
    found, processes = list[dict[str, bytes]](), list[Apart]()

    def started(module: str) -> Apart:
        processes.append(Apart(module, program=("tests.core.audits.gradient_flow.small_parts",)))
        return processes[-1]

    monkeypatch.setattr(apart, "Apart", started)
    for number in ("1", "2"):
        monkeypatch.setenv("OMP_NUM_THREADS", number)
        (result,) = audit(tmp_path, encoder=encoder, tests=DECLARED, **GIVEN)._repeated.result
        found.append(to_bytes(replace(result, seconds=0.0)))
    assert len(processes) == 2
    assert found[0] == found[1]


def test_rows_beyond_memory_that_the_model_cannot_read_are_named(
    rows: pd.DataFrame, encoder: Encoder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    few_drawn(monkeypatch)
    monkeypatch.setattr("core.sources.folder.looking.ROWS", 300)
    education = rows["education"].where(rows.index != 2_751, "guild")
    rows.assign(education=education).to_parquet(tmp_path / "all.parquet", row_group_size=1_000)
    with pytest.raises(EvenhandError, match="1 rows hold a category that the model does not know") as caught:
        audit(tmp_path, encoder=encoder, tests=DECLARED, **GIVEN)
    told = "column 'education', row 152, file 'all.parquet', row group 3, after its first 600 rows"
    assert caught.value.where == told


def test_tests_of_counts_and_of_rows_are_audits_of_their_own(rows: pd.DataFrame, tmp_path: Path) -> None:
    rows.to_parquet(tmp_path / "all.parquet")
    with pytest.raises(EvenhandError, match="Some of these tests take counts") as caught:
        audit(tmp_path, tests=["gradient_flow", "group_fairness"], numbers="standardised", **GIVEN)
    assert "Name gradient_flow in an audit without the others." in caught.value.advice


def test_combinations_of_other_rows_are_put_among_those_there_are() -> None:
    one = GroupCells(("a", "b"), (("x", "z"), ("m",)), np.array([[0, 0], [1, 0]]), np.array([5, 7]))
    other = GroupCells(("a", "b"), (("x", "y"), ("l", "m")), np.array([[0, 1], [1, 0]]), np.array([2, 3]))
    both, own, more = one.with_others(other)
    assert both.groups == (("x", "y", "z"), ("l", "m"))
    assert both.codes.tolist() == [[0, 1], [1, 0], [2, 1]]
    assert (both.count.tolist(), own.tolist(), more.tolist()) == ([7, 3, 7], [0, 2], [0, 1])
