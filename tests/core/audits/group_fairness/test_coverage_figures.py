"""Prediction sets as they are drawn and tabulated, by their specification."""

import math
from dataclasses import replace
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest

from core.audits.group_fairness.decision import GroupFairnessDecision
from core.audits.group_fairness.result import GroupFairnessResult
from core.audits.group_fairness.verdict import GroupFairnessFinding as Finding
from tests.builders_fair_dummies import make_groups_result
from tests.drawn import words

SHAPES: dict[str, dict[str, Any]] = {
    "numbers": {"case": "numbers"},
    "two classes": {"case": "two classes"},
    "four classes": {"case": "four classes"},
    "a group of twelve": {"case": "four classes", "small": True},
    "hardly anybody": {"case": "numbers", "rows": 40, "attributes": 1},
}
READING = GroupFairnessDecision()


@pytest.fixture(scope="module")
def results() -> dict[str, GroupFairnessResult]:
    return {shape: make_groups_result(**{"rows": 600, **changes}) for shape, changes in SHAPES.items()}


def draw(name: str, result: GroupFairnessResult, decision: GroupFairnessDecision) -> go.Figure:
    return Finding(result, decision).drawing(name).figure


def alt(name: str, result: GroupFairnessResult, decision: GroupFairnessDecision) -> str:
    return Finding(result, decision).drawing(name).alt


def test_charts_and_tables_stand_where_there_are_sets(results: dict[str, GroupFairnessResult]) -> None:
    names = ("fair dummies coverage", "fair dummies set sizes")
    there = Finding(results["two classes"], READING)
    assert set(names) <= set(there.charts) & set(there.tables)
    unset = Finding(
        replace(results["two classes"], detail=replace(results["two classes"].detail, coverage=())), READING
    )
    assert not set(names) & (set(unset.charts) | set(unset.tables))
    assert "fair dummies set sizes" not in Finding(results["hardly anybody"], READING).charts


def test_sets_of_answers_without_probabilities_say_nothing_and_are_not_shown(
    results: dict[str, GroupFairnessResult],
) -> None:
    result = results["two classes"]
    decided = replace(result, detail=replace(result.detail, answers=np.eye(2)[result.detail.decisions]))
    finding = Finding(decided, READING)
    assert not {"fair dummies coverage", "fair dummies set sizes"} & (set(finding.charts) | set(finding.tables))
    assert "Prediction sets" not in {fact.label for fact in finding.diagnostics}


def test_small_groups_show_nothing_of_their_sets(results: dict[str, GroupFairnessResult]) -> None:
    finding = Finding(results["a group of twelve"], GroupFairnessDecision(attribute="race"))
    assert finding.tables["fair dummies coverage"].rows[0][3].startswith("insufficient evidence")
    assert "Asian, calibrated in the group: insufficient evidence" in finding.drawing("fair dummies coverage").alt


def test_both_ways_of_calibrating_stand_beside_the_target(results: dict[str, GroupFairnessResult]) -> None:
    result, decision = results["four classes"], GroupFairnessDecision(attribute="sex")
    sets = result.detail.coverage[0]
    own = sets.by_group(decision.alpha, seed=result.detail.seed)
    common = sets.by_group(decision.alpha, seed=result.detail.seed, common=True)
    figure = draw("fair dummies coverage", result, decision)
    shown = [(float(one.x[0]), one.marker.symbol) for one in figure.data if one.name.startswith("estimate")]
    expected = [
        (pytest.approx(100 * one.covered[g]), symbol)
        for g in range(2)
        for one, symbol in ((own, "diamond"), (common, "circle-open"))
    ]
    assert shown == expected
    assert "asked for: 90%" in words(figure)
    sizes = draw("fair dummies set sizes", result, decision)
    ends = [tuple(one.x) for one in sizes.data if one.name.startswith("interval")]
    assert ends[0] == pytest.approx((own.size_low[0], own.size_high[0]))


def test_a_group_nobody_could_calibrate_has_no_mark(results: dict[str, GroupFairnessResult]) -> None:
    result, decision = results["numbers"], GroupFairnessDecision(attribute="sex")
    sets = result.detail.coverage[0]
    first = sets.codes == 0
    unbounded = replace(
        sets,
        thresholds=np.array([math.inf, sets.thresholds[1]]),
        covered=sets.covered | first,
        sizes=np.where(first, math.inf, sets.sizes),
    )
    detail = replace(result.detail, coverage=(unbounded, *result.detail.coverage[1:]))
    for name in ("fair dummies coverage", "fair dummies set sizes"):
        figure = draw(name, replace(result, detail=detail), decision)
        assert len([one for one in figure.data if one.name.startswith("estimate")]) == 3
        assert "too few people to calibrate on" in alt(name, replace(result, detail=detail), decision)
