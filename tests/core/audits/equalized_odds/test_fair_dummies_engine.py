"""Whole fair-dummies audits: every question, classes and numbers, bad input, progress and cancelling."""

from typing import Any

import numpy as np
import pandas as pd
import pytest

from core.audits.equalized_odds.decision import EqualizedOddsDecision
from core.audits.equalized_odds.engine import split
from core.audits.equalized_odds.question import strata_of
from core.audits.equalized_odds.settings import EqualizedOdds
from core.audits.equalized_odds.verdict import EqualizedOddsFinding
from core.base.errors import AuditError, CancelledError
from core.base.files import FileStore
from core.base.progress import Progress
from core.data.attribute import attribute_of
from core.data.dataset import Dataset
from core.data.roles import Roles
from core.inference.estimate import Verdict
from core.models import PredictionColumns
from core.result import AuditResult
from core.run import find, run_audit


@pytest.fixture
def files(tmp_path) -> FileStore:
    return FileStore(tmp_path)


def people(n: int, seed: int = 0) -> pd.DataFrame:
    """Answers that follow the outcome, and sex beyond it."""
    rng = np.random.default_rng(seed)
    sex, age = rng.integers(2, size=n), rng.integers(18, 80, size=n)
    cost = 10 + 0.1 * age + 2 * rng.standard_normal(n)
    yes = rng.random(n) < 0.5
    return pd.DataFrame(
        {
            "sex": np.where(sex, "m", "f"),
            "age": age,
            "x": rng.standard_normal(n),
            "cost": cost,
            "hired": np.where(yes, "yes", "no"),
            "predicted": cost + 2 * sex + rng.standard_normal(n),
            "chance": np.clip(0.3 + 0.2 * yes + 0.2 * sex + 0.1 * rng.random(n), 0, 1),
        }
    )


def audited(
    files: FileStore, frame: pd.DataFrame, *, numbers: bool, on_progress: Any = None, roles: Any = None, **settings: Any
) -> AuditResult:
    outcome = {"outcome": "cost", "outcome_type": "number"} if numbers else {"outcome": "hired", "favourable": "yes"}
    column = "predicted" if numbers else "chance"
    table = Dataset.build(
        frame,
        Roles(
            **{**outcome, "protected": ("sex", "age"), "features": ("x",), "predictions": (column,), **(roles or {})}
        ),
    )
    model = PredictionColumns(columns=(column,), holds="number" if numbers else "probability").load(files, table)
    audit = EqualizedOdds(**{"learner": "linear", "dummies": 99, **settings})
    return run_audit(model, table, audit, seed=1, on_progress=on_progress)


@pytest.mark.parametrize(
    ("asks", "numbers"),
    [
        ("equalized odds", False),
        ("equalized odds", True),
        ("demographic parity", False),
        pytest.param("demographic parity", True, marks=pytest.mark.long),
        pytest.param("calibration", False, marks=pytest.mark.long),
        ("calibration", True),
    ],
)
def test_every_question_finds_what_follows_sex(files: FileStore, asks: str, numbers: bool) -> None:
    frame = people(400)
    detail = audited(files, frame, numbers=numbers, asks=asks).detail
    assert [test.attribute for test in detail.tests] == ["sex", "age"]
    sex, age = detail.tests
    assert sex.p_value <= 0.02
    exact = asks == "demographic parity" or (asks == "equalized odds" and not numbers)
    assert detail.strata.exact == exact
    assert age.tested == sex.tested == (400 if exact else 200)
    assert (sex.resampling == "permutation") == exact == (len(sex.other_null) == 0) == (sex.calibration is None)
    assert detail.attributes[1].continuous
    assert len(detail.attributes[1].groups) == 4
    assert detail.strata.codes.shape == (400,)


def test_an_attribute_more_changes_nothing_about_the_others(files: FileStore) -> None:
    frame = people(200)
    both = audited(files, frame, numbers=False).detail
    alone = audited(files, frame, numbers=False, roles={"protected": ("sex",)}).detail
    assert both.tests[0].null.tobytes() == alone.tests[0].null.tobytes()


def test_smallest_table_is_tested(files: FileStore) -> None:
    for numbers in (False, True):
        detail = audited(files, people(30), numbers=numbers).detail
        assert all(0 < test.p_value <= 1 for test in detail.tests)


def test_the_same_answer_for_everybody_is_told(files: FileStore) -> None:
    result = audited(files, people(100).assign(chance=0.4), numbers=False)
    assert [test.p_value for test in result.detail.tests] == [1.0, 1.0]
    assert any("Everybody gets the same answer" in one.what for one in find(result, EqualizedOddsDecision()).reasons)


def test_a_class_that_goes_with_one_group_leaves_nothing_to_test(files: FileStore) -> None:
    frame = people(100)
    frame["sex"] = np.where(frame["hired"] == "yes", "m", "f")
    with pytest.raises(AuditError, match="No row can be tested for 'sex'"):
        audited(files, frame, numbers=False, roles={"protected": ("sex",)})


def test_an_attribute_that_cannot_be_tested_is_told_and_the_others_are_tested(files: FileStore) -> None:
    frame = people(100)
    frame["sex"] = np.where(frame["hired"] == "yes", "m", "f")
    result = audited(files, frame, numbers=False)
    detail, finding = result.detail, EqualizedOddsFinding(result, EqualizedOddsDecision(delta=1.0))
    sex, age = detail.tests
    assert (sex.untested, sex.tested, age.untested) == (True, 0, False)
    assert np.isnan([sex.p_value, sex.p_error, sex.other_p_value]).all()
    assert finding.p_different == min(1.0, 2 * age.p_value)
    assert finding.attribute == "age"
    assert finding.verdict is not Verdict.NO_VIOLATION
    told = [one for one in finding.reasons if "could not be tested" in one.what]
    assert [one.level for one in told] == ["serious"]
    assert "'sex'" in told[0].what


def test_many_small_groups_are_taken_together_and_told(files: FileStore) -> None:
    frame = people(200)
    frame["sex"] = [f"born {place // 4}" if place < 90 else "elsewhere" for place in range(200)]
    result = audited(files, frame, numbers=False, roles={"protected": ("sex",)})
    assert any("groups of 'sex' are too small" in one.what for one in result.caveats)


def test_numbers_with_few_values_are_taken_value_by_value() -> None:
    often, rare = np.arange(200) % 5 / 10, np.arange(200) / 7
    assert strata_of(often).exact
    assert strata_of(often).names == ("0.00", "0.10", "0.20", "0.30", "0.40")
    assert not strata_of(rare).exact


@pytest.mark.parametrize(("rows", "parts"), [(60, 3), (310, 3), (450, 4), (1_000, 10), (5_000, 10)])
def test_numbers_with_many_values_are_cut_into_fewer_parts_where_rows_are_few(rows: int, parts: int) -> None:
    strata = strata_of(np.arange(rows) / 7)
    assert not strata.exact
    assert len(strata.names) == parts
    assert np.ptp(np.bincount(strata.codes)) <= 1


def test_a_number_of_few_values_or_read_as_categories_is_discrete() -> None:
    frame = people(100).assign(kind=np.arange(100) % 7)
    roles = Roles(outcome="hired", favourable="yes", protected=("kind", "age"), categorical=("age",))
    dataset = Dataset.build(frame, roles)
    assert not attribute_of(dataset, "kind").continuous
    assert not attribute_of(dataset, "age").continuous


def test_each_stratum_is_split_alike() -> None:
    strata = np.repeat([0, 1, 2], [100, 50, 10])
    learning, tested = split(strata, 0.3, np.random.default_rng(0))
    assert sorted([*learning, *tested]) == list(range(160))
    assert np.abs(np.bincount(strata[learning]) - [30, 15, 3]).max() <= 1


def test_it_stops_when_asked_and_says_how_far_it_is(files: FileStore) -> None:
    seen: list[Progress] = []
    audited(files, people(100), numbers=True, on_progress=seen.append)
    done = [one.done for one in seen]
    assert done == sorted(done)
    assert {"Asking the model", "Drawing the groups anew"} <= {one.phase for one in seen}

    def stop(progress: Progress) -> None:
        if progress.phase == "Drawing the groups anew":
            raise CancelledError("Stopped.")

    with pytest.raises(CancelledError):
        audited(files, people(100), numbers=True, on_progress=stop)


def test_of_many_people_compared_by_a_number_the_dummies_look_at_some(
    files: FileStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Means rest on everybody; which rows the dummies look at differs from split to split."""
    monkeypatch.setattr("core.audits.equalized_odds.engine.MOST_ROWS", 200)
    found = audited(files, people(600), numbers=True, dummies=499, learner="linear")
    for test in found.detail.tests:
        assert test.learned + test.tested == 200
    assert any("200 random rows of 600 in each of 5 random splits" in one.what for one in found.caveats)
    assert len(found.detail.outcome) == 600


@pytest.mark.parametrize(("learner", "scale"), [pytest.param("forest", 1e-9, marks=pytest.mark.long), ("linear", 1e12)])
def test_units_of_the_outcome_change_no_p_value(files: FileStore, learner: str, scale: float) -> None:
    frame = people(300)
    other = frame.assign(cost=frame["cost"] * scale, predicted=frame["predicted"] * scale)
    own, scaled = (audited(files, one, numbers=True, learner=learner) for one in (frame, other))
    for one, two in zip(own.detail.tests, scaled.detail.tests, strict=True):
        assert two.p_value == pytest.approx(one.p_value, abs=0.021), "draws next to each other may change places"
    assert own.detail.tests[0].p_value <= 0.02
    findings = [find(result, EqualizedOddsDecision()) for result in (own, scaled)]
    assert findings[0].verdict is findings[1].verdict
