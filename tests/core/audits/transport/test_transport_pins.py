"""Small things of the transport test on which a verdict or a notice turns, each told apart from its neighbour."""

import numpy as np
import pandas as pd
import pytest

from core.audits.transport.decision import TransportDecision
from core.audits.transport.engine import _halved
from core.audits.transport.settings import CellColumn, MassLimit
from core.inference.estimate import Verdict
from core.inference.transport.constrained import LIMITED_SPLITS
from core.inference.transport.costs import ClassCost
from core.inference.transport.sample import CellSample
from core.thresholds import FEWEST_ROWS
from tests.core.audits.transport.cases import dataset_of, people, probabilities, run
from tests.findings import found

LIMIT = (MassLimit(attribute="sex", group="Male", at_most=0.1),)


def notices(detail: object, **decision: object) -> str:
    return " ".join(one.what for one in found(detail, TransportDecision(**decision)).reasons)


def test_each_half_has_the_mean_of_its_own_people_and_leaves_cells_without_them_alone() -> None:
    """Cells: in both halves; in the first only; with nobody but an answer of the model; with nobody and no answer."""
    nan = np.nan
    counts, totals = np.array([[2, 1, 0, 0], [4, 0, 0, 0]]), np.array([[1.0, 0.8, 0, 0], [3.0, 0, 0, 0]])
    sample = CellSample(counts, totals, totals, np.array([nan, nan, 0.9, nan]))
    first, second = _halved(sample, ClassCost(np.zeros(4, dtype=np.int64)))
    assert first.losses[:3].tolist() == [0.5, 0.8, 0.9]
    assert second.losses[[0, 2]].tolist() == [0.75, 0.9]
    assert {*first.source, *first.target} == {0, 1, 2}
    assert {*second.source, *second.target} == {0, 2}


def test_a_loss_that_differs_within_cells_is_split_whatever_the_others_do() -> None:
    """Within a cell the decision is always the same, and the probability behind it differs."""
    frame = people(300)
    rng = np.random.default_rng(1)
    frame["chance"] = np.where(frame["good"] == "yes", 0.7, 0.3) + rng.choice([0.0, 0.1], 300)
    data = dataset_of(frame)
    parts = {part.loss: part for part in run(data, probabilities(data))[0].parts}
    assert {loss: bool(part.splits) for loss, part in parts.items()} == {
        loss: bool(part.sample.variances.any()) for loss, part in parts.items()
    }
    assert not parts["0-1"].splits
    assert parts["squared"].splits


def test_with_limits_the_splits_are_few() -> None:
    constrained = run(dataset_of(people()), limits=LIMIT)[0].constrained
    assert constrained is not None
    assert [len(splits) for splits in constrained.splits] == [LIMITED_SPLITS]


@pytest.mark.parametrize(
    ("limits", "method", "told"),
    [
        (LIMIT, "closed form", True),
        (LIMIT, "directional derivative", False),
        (LIMIT, "m out of n", False),
        ((), "closed form", False),
    ],
)
def test_a_method_that_limits_do_not_offer_is_told(limits: tuple[MassLimit, ...], method: str, told: bool) -> None:
    detail = run(dataset_of(people()), limits=limits)[0]
    assert ("With limits this method is not offered" in notices(detail, method=method)) == told


def test_kinds_that_tell_every_value_apart_are_not_coarse() -> None:
    frame = people()
    frame["age"] = frame["age"] // 20
    whole = (CellColumn(name="age"), CellColumn(name="job"))
    assert not run(dataset_of(frame), columns=whole)[0].coarse
    assert run(dataset_of(frame), columns=whole[:1])[0].coarse


def test_a_verdict_needs_no_more_than_thirty_people() -> None:
    detail = run(dataset_of(people(400).sample(FEWEST_ROWS, random_state=0).reset_index(drop=True)))[0]
    assert "a verdict needs at least" not in notices(detail)


def test_a_group_is_called_covered_where_nothing_done_to_it_could_exceed_the_tolerance() -> None:
    """1.5% of the people, half of them judged wrongly already: the other half could add 0.75 points to the mean."""
    frame = pd.DataFrame({"age": 30, "job": "clerk", "race": ["Black"] * 60 + ["White"] * 3_940})
    frame["good"] = ["yes", "no"] * 2_000
    frame["says"] = ["yes", "yes", "no", "no"] * 1_000
    columns = (CellColumn(name="age"), CellColumn(name="job"))
    detail = run(dataset_of(frame, protected=("race",)), columns=columns)[0]
    found_at = {delta: found(detail, TransportDecision(delta=delta)) for delta in (0.02, 0.0076, 0.0074)}
    told = {delta: any("so small a part" in one.what for one in at.reasons) for delta, at in found_at.items()}
    cleared = {delta: at.by_bounds is Verdict.NO_VIOLATION for delta, at in found_at.items()}
    assert cleared[0.02]
    assert told == {0.02: True, 0.0076: cleared[0.0076], 0.0074: False}


def test_progress_rises_and_is_not_full_before_the_end() -> None:
    told: list[float] = []
    data = dataset_of(people())
    run(data, probabilities(data), on_progress=lambda progress: told.append(progress.done))
    assert told == sorted(told)
    assert told[len(told) // 2] < 0.95
