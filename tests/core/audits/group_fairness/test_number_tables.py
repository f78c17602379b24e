"""Predicted numbers by group: four people counted by hand, fairlearn's frame, and laws."""

import fairlearn.metrics as fl
import numpy as np
import pytest
from sklearn.metrics import mean_absolute_error, root_mean_squared_error

from core.audits.group_fairness.numbers import number_tables
from core.audits.group_fairness.table import GroupTable
from core.models.answered import Answered
from tests.core.audits.group_fairness.cases import attribute, random_people


def people(rows: int = 900, seed: int = 0) -> tuple[np.ndarray, np.ndarray, tuple[object, ...]]:
    _, _, _, attributes = random_people(rows, 2, seed)
    rng = np.random.default_rng(seed)
    outcome = rng.gamma(2.0, 10.0, rows)
    return outcome, outcome + rng.normal(0, 2 + attributes[0].codes, rows), attributes


def numbers(outcome: np.ndarray, predicted: np.ndarray) -> Answered:
    return Answered((), -1, outcome, predicted[:, None])


def values(table: GroupTable) -> dict[str, np.ndarray]:
    return {one.name: one.values for one in table.measures}


def test_errors_are_those_counted_by_hand() -> None:
    """a: outcomes 1, 3, predictions 2, 5: errors 1, 2; b: outcomes 4, 8, predictions 4, 5: errors 0, -3.

    RMSE: a sqrt((1 + 4) / 2), b sqrt((0 + 9) / 2). The median prediction is 4.5: 1 of 2 lie above it in each.
    """
    outcome, predicted = np.tile([1.0, 3.0, 4.0, 8.0], 30), np.tile([2.0, 5.0, 4.0, 5.0], 30)
    group = attribute("g", ("a", "b"), np.tile([0, 0, 1, 1], 30))
    table = number_tables(numbers(outcome, predicted), (group,), 0.05, "high")[0]
    found = values(table)
    assert found["mean prediction"] == pytest.approx([3.5, 4.5])
    assert found["mean outcome"] == pytest.approx([2, 6])
    assert found["mean error"] == pytest.approx([1.5, -1.5])
    assert found["RMSE"] == pytest.approx([np.sqrt(2.5), np.sqrt(4.5)])
    assert found["mean absolute error"] == pytest.approx([1.5, 1.5])
    assert found["scoring rate"] == pytest.approx([0.5, 0.5])
    gaps = {one.name: one.value for one in table.differences}
    assert gaps == pytest.approx(
        {
            "mean prediction": 1,
            "mean error": 3,
            "RMSE": np.sqrt(4.5) - np.sqrt(2.5),
            "mean absolute error": 0,
            "scoring rate": 0,
        },
        abs=1e-12,
    )


def test_values_are_those_of_fairlearns_frame() -> None:
    outcome, predicted, attributes = people()
    frame = fl.MetricFrame(
        metrics={
            "mean prediction": fl.mean_prediction,
            "RMSE": root_mean_squared_error,
            "mean absolute error": mean_absolute_error,
        },
        y_true=outcome,
        y_pred=predicted,
        sensitive_features=attributes[1].codes,
    )
    table = number_tables(numbers(outcome, predicted), attributes, 0.05, "high")[1]
    for name in frame.by_group:
        assert list(values(table)[name]) == list(frame.by_group[name])
        found = table.difference(name)
        assert found is not None
        assert found.value == frame.difference()[name]


def test_every_number_lies_in_its_interval_and_small_groups_have_none() -> None:
    outcome, predicted, attributes = people(400, 1)
    seen = 0
    for table in number_tables(numbers(outcome, predicted), attributes, 0.05, "low"):
        for one in table.measures:
            judged = table.family.judged
            assert np.isnan([one.values[~judged], one.low[~judged], one.high[~judged]]).all()
            assert (one.low[judged] < one.values[judged]).all()
            assert (one.values[judged] < one.high[judged]).all()
            seen += int((~judged).sum())
    assert seen > 0


def test_another_unit_changes_errors_by_its_factor_and_ratios_not_at_all() -> None:
    outcome, predicted, attributes = people(600, 2)
    one, other = (
        number_tables(numbers(k * outcome, k * predicted), attributes, 0.05, "high")[0] for k in (1.0, 1000.0)
    )
    for mine, theirs in zip(one.measures, other.measures, strict=True):
        factor = 1 if mine.name == "scoring rate" else 1000
        assert factor * mine.high == pytest.approx(theirs.high)
    assert one.impacts[0].low == pytest.approx(other.impacts[0].low)


def test_impact_ratios_are_of_the_good_side_of_the_median_and_without_a_good_end_there_are_none() -> None:
    """Of four different numbers a has 1, 2 and 4, b has 3: of a 1 in 3 lie above the median and 2 in 3 below it."""
    predicted = np.tile([1.0, 2.0, 4.0, 3.0], 40)
    group = attribute("g", ("a", "b"), np.tile([0, 0, 0, 1], 40))
    found = {
        good: number_tables(numbers(predicted, predicted), (group,), 0.05, good)[0]
        for good in ("not said", "high", "low")
    }
    assert values(found["high"])["scoring rate"] == pytest.approx([1 / 3, 1])
    assert found["high"].impacts[0].values == pytest.approx([1 / 3, 1])
    assert values(found["low"])["scoring rate"] == pytest.approx([2 / 3, 0])
    assert found["low"].impacts[0].values == pytest.approx([1, 0])
    unsaid = found["not said"]
    assert unsaid.impacts == ()
    assert unsaid.measure("scoring rate") is None
    assert unsaid.difference("scoring rate") is None
    assert values(found["low"])["mean error"] == pytest.approx(values(unsaid)["mean error"])
