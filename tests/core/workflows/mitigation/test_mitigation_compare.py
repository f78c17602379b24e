"""A comparison from the plan to the files: the same bytes again, numbers that the models' own files give too."""

import json
import math
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from pydantic import ValidationError

from core.base.errors import CancelledError, DataError, RecordError, SettingsError
from core.base.files import FileStore
from core.base.progress import Progress
from core.data.dataset import Dataset
from core.data.roles import Roles
from core.models.formats.safetensors.source import TorchMLP
from core.records.codec import load_result, save_result
from core.records.repeat import repeat, write
from core.register.summary import summarise
from core.sources.simulated.two_slopes import TwoSlopes
from core.sources.upload.uploaded import UploadedTable
from core.workflows.mitigation.bench import prepare
from core.workflows.mitigation.record import MITIGATION
from core.workflows.mitigation.result import MitigationResult
from core.workflows.mitigation.settings import (
    Base,
    FairDummiesPenalty,
    HGRPenalty,
    MitigationParts,
    MitigationPlan,
    Reductions,
    Smoothing,
)
from core.workflows.mitigation.splits import compare
from core.workflows.mitigation.wording import cost, headline

PEOPLE = TwoSlopes(rows=1_500, seed=3)
QUICK = FairDummiesPenalty(epochs=30, batch=300, learning_rate=0.02)


def plan(**changes: object) -> MitigationPlan:
    given = {
        "data": PEOPLE,
        "roles": PEOPLE.roles(pd.DataFrame()),
        "methods": (QUICK,),
        "strengths": (0.9,),
        "dummies": 199,
        "seed": 4,
    }
    return MitigationPlan.model_validate({**given, **changes})


def of_frame(frame: pd.DataFrame, files: FileStore, roles: Roles, **changes: object) -> MitigationPlan:
    table = UploadedTable(file=files.put(frame.to_csv(index=False).encode(), "people.csv"))
    return plan(data=table, roles=roles, **changes)


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> FileStore:
    return FileStore(tmp_path_factory.mktemp("files"))


@pytest.fixture(scope="module")
def found(files: FileStore) -> MitigationResult:
    return compare(plan(), files)


def test_the_fairer_model_pays_with_accuracy_and_is_less_unfair(found: MitigationResult) -> None:
    baseline, fair = found.fits
    assert baseline.is_baseline
    assert fair.strength == 0.9
    assert found.groups == ("majority", "minority")
    errors, fairer = found.errors(baseline)[2], found.errors(fair)[2]
    assert fairer[0] > errors[0]
    assert fairer[2] - fairer[1] < 0.5 * (errors[2] - errors[1])
    assert baseline.p_value == 1 / 200
    extra, error = found.cost(fair)
    assert extra == pytest.approx(fairer[0] ** 2 - errors[0] ** 2)
    squares = [one.each for one in found.fits]
    assert error == pytest.approx(np.std(squares[1] - squares[0], ddof=1) / math.sqrt(300))
    assert found.cost(baseline) == (0.0, 0.0)


def test_the_rows_are_parted_as_the_plan_says(found: MitigationResult) -> None:
    assert found.rows[:, 0].tolist() == [900, 300, 300]
    np.testing.assert_array_equal(found.rows[:, 1:].sum(axis=1), found.rows[:, 0])


def test_models_are_tried_on_one_row_of_each_person(files: FileStore) -> None:
    frame = PEOPLE.load(files).head(300)
    people = pd.concat([frame.assign(person=np.arange(300))] * 3, ignore_index=True)
    wanted = plan(roles=plan().roles.model_copy(update={"belongs_to": "person"}))
    parts = [people["person"].to_numpy()[part] for part in prepare(wanted, Dataset.build(people, wanted.roles)).places]
    assert [len(part) for part in parts] == [540, 60, 60]
    assert [len(np.unique(part)) for part in parts] == [180, 60, 60]
    assert len(np.unique(np.concatenate(parts))) == 300


def test_the_models_files_answer_as_the_result_says(found: MitigationResult, files: FileStore) -> None:
    """Read from safetensors and asked about the test part, in the table's own units."""
    bench = prepare(plan(), Dataset.build(PEOPLE.load(files), plan().roles))
    tested = Dataset.build(PEOPLE.load(files), plan().roles).take(bench.places[2])
    for fit in found.fits:
        assert fit.model is not None
        model = TorchMLP(file=fit.model).load(files, tested)
        answers = model.predict(model.encode(tested))
        assert math.sqrt(np.mean((answers - tested.numbers) ** 2)) == pytest.approx(found.errors(fit)[2, 0])


def test_the_same_plan_gives_the_same_record_and_another_seed_another(
    found: MitigationResult, files: FileStore, tmp_path: Path
) -> None:
    again = compare(plan(), files)
    assert MITIGATION.numbers(plan(), again) == MITIGATION.numbers(plan(), found)
    assert MITIGATION.numbers(plan(), compare(plan(seed=5), files)) != MITIGATION.numbers(plan(), found)
    save_result(found, tmp_path / "result")
    kept = load_result(tmp_path / "result", MitigationResult)
    assert MITIGATION.numbers(plan(), kept) == MITIGATION.numbers(plan(), found)
    assert kept.caveats == found.caveats


def test_a_record_is_read_again_and_other_files_are_not(found: MitigationResult) -> None:
    kept = summarise(MITIGATION, plan(), found)
    assert (kept.headline, kept.verdict) == (headline(plan(), found), ""), "models are compared, none is judged"
    text = MITIGATION.to_json(plan(), found)
    read = MITIGATION.read(text)
    assert read.plan == plan()
    assert read.numbers == MITIGATION.numbers(plan(), found)
    assert MITIGATION.read(plan().model_dump_json()).plan == plan()
    for wrong in ({**json.loads(text), "version": 9}, {**json.loads(text), "format": "evenhand-selection"}, {"a": 1}):
        with pytest.raises(RecordError):
            MITIGATION.read(json.dumps(wrong))


def test_a_comparison_is_repeated_from_its_record(found: MitigationResult, tmp_path: Path) -> None:
    repeated = repeat(MITIGATION.read(MITIGATION.to_json(plan(), found)), tmp_path)
    assert repeated.differences == ()
    written = write(repeated, tmp_path / "out")
    assert written == ("record.json", "report.html", "plain.safetensors", "fair-dummies-0.9.safetensors", "result")
    assert all((tmp_path / "out" / name).exists() for name in written)


def test_the_lines_of_a_terminal_are_the_table_and_the_costs(found: MitigationResult) -> None:
    lines = MITIGATION.lines(plan(), found)
    assert len(lines) == 1 + len(found.fits) + len(found.fits[1:]) + len(found.caveats)
    assert lines[1].startswith("baseline ")
    assert "more squared error per person" in cost(found, found.fits[1])


def test_two_classes_and_reductions_end_in_a_lottery_without_a_file(files: FileStore) -> None:
    rng = np.random.default_rng(0)
    group = rng.integers(0, 2, 500)
    frame = pd.DataFrame({"x": rng.standard_normal(500) + group, "group": np.where(group, "b", "a")})
    frame["good"] = np.where(frame["x"] + rng.standard_normal(500) > 0.5, "yes", "no")
    roles = Roles(outcome="good", favourable="yes", protected=("group",), features=("x",))
    found = compare(of_frame(frame, files, roles, methods=(Reductions(iterations=5),)), files)
    lottery = found.fits[1]
    assert (lottery.model, bool(lottery.why_not)) == (None, True)
    assert found.measure == "share of wrong answers"
    assert lottery.losses[2, 0] == pytest.approx(lottery.each.mean())
    assert set(np.unique(lottery.answers)) == {0.0, 1.0}, "what was drawn is what people got"
    wrong = lottery.answers[-len(found.outcome) :].argmax(axis=1) != found.outcome
    np.testing.assert_array_equal(wrong, lottery.each)
    assert found.exact


def test_what_speaks_against_a_comparison_is_said(files: FileStore) -> None:
    """A group of a dozen people in the test part; reductions of numbers; choosing by what was tried here."""
    frame = PEOPLE.load(files)
    frame.loc[frame.index[:60], "group"] = "third"
    found = compare(of_frame(frame, files, PEOPLE.roles(frame), methods=(Reductions(iterations=3),)), files)
    said = " ".join(caveat.what for caveat in found.caveats)
    assert "Insufficient evidence about 1 group" in said
    assert "not equalized odds" in said
    assert "tried on the same rows" in said


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"strengths": (1.01,)}, "less than or equal to 1"),
        ({"strengths": (1.0,), "methods": (QUICK, Smoothing())}, "less than 1"),
        ({"methods": (QUICK, FairDummiesPenalty())}, "each method"),
        ({"strengths": (0.5, 0.5)}, "named once"),
        ({"attribute": "age"}, "protected attributes"),
        ({"methods": (Reductions(),), "base": Base(kind="network")}, "linear"),
        ({"roles": Roles(outcome="y", outcome_type="number", protected=("group",))}, "No column is a feature"),
    ],
)
def test_plans_that_make_no_sense_are_refused(change: dict[str, object], said: str) -> None:
    with pytest.raises((ValidationError, SettingsError), match=said):
        plan(**change)


def test_a_part_without_enough_rows_or_with_one_group_is_refused(files: FileStore) -> None:
    with pytest.raises(DataError, match="Too few rows are left for the part 'test'"):
        compare(plan(parts=MitigationParts(test=0.01)), files)
    frame = PEOPLE.load(files)
    frame["group"] = np.where(np.arange(len(frame)) == 7, "b", "a")
    with pytest.raises(DataError, match="of one group"):
        compare(of_frame(frame, files, PEOPLE.roles(frame)), files)


def test_a_comparison_can_be_cancelled_between_models(files: FileStore) -> None:
    seen: list[float] = []

    def stop(told: Progress) -> None:
        seen.append(told.done)
        if told.done > 0.5:
            raise CancelledError("Stopped.")

    with pytest.raises(CancelledError):
        compare(plan(methods=(HGRPenalty(epochs=3),)), files, stop)
    assert seen == sorted(seen)
