"""Figures and tables of the fair-dummies test: they show what was found, in words too, and nobody in particular."""

import json
import re
from dataclasses import replace
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest

from core.audits.equalized_odds.decision import EqualizedOddsDecision
from core.audits.equalized_odds.figures import null
from core.audits.equalized_odds.result import EqualizedOddsResult
from core.audits.equalized_odds.spreads import given_of, is_share, score_of, spreads, together
from core.audits.equalized_odds.verdict import EqualizedOddsFinding as Finding
from core.figures import theme
from core.inference.estimate import Verdict
from core.language.phrases import p_value
from tests.builders_fair_dummies import CASES, make_fair_dummies_result
from tests.drawn import trace, words

SHAPES: dict[str, dict[str, Any]] = {
    **{case: {"case": case} for case in CASES},
    "parity of numbers": {"case": "numbers", "asks": "demographic parity"},
    "parity of classes": {"case": "four classes", "asks": "demographic parity", "small": True},
    "calibration of numbers": {"case": "numbers", "asks": "calibration"},
    "calibration of classes": {"case": "two classes", "asks": "calibration"},
    "a number that is protected": {"case": "numbers", "continuous": True},
    "a group of twelve": {"case": "four classes", "small": True},
    "hardly anybody": {"case": "numbers", "rows": 40, "attributes": 1},
    "hostile names": {"case": "four classes", "hostile": True},
}
READING = EqualizedOddsDecision()


def made(shape: str) -> EqualizedOddsResult:
    return make_fair_dummies_result(**{"rows": 600, **SHAPES[shape]})


class Results(dict[str, EqualizedOddsResult]):
    """Results by shape, each made when it is first asked for."""

    def __missing__(self, shape: str) -> EqualizedOddsResult:
        return made(shape)


@pytest.fixture(scope="module")
def results() -> dict[str, EqualizedOddsResult]:
    return Results()


READ = [
    pytest.param(
        shape,
        reading,
        marks=pytest.mark.long
        if (row + column) % 2 or shape in ("parity of classes", "calibration of classes")
        else (),
    )
    for row, shape in enumerate(SHAPES)
    for column, reading in enumerate(("the last attribute", "nothing tolerated"))
]
"""Most shapes at one reading; all at both where long tests are asked for."""


def applying(result: EqualizedOddsResult, decision: EqualizedOddsDecision) -> list[str]:
    return list(Finding(result, decision).charts)


def draw(name: str, result: EqualizedOddsResult, decision: EqualizedOddsDecision = READING) -> go.Figure:
    return Finding(result, decision).drawing(name).figure


def alt(name: str, result: EqualizedOddsResult, decision: EqualizedOddsDecision = READING) -> str:
    return Finding(result, decision).drawing(name).alt


@pytest.mark.parametrize(("shape", "reading"), READ)
def test_every_figure_that_applies_is_drawn_and_told_and_has_its_table(shape: str, reading: str) -> None:
    result, decision = made(shape), EqualizedOddsDecision(delta=0.0, alpha=0.001)
    if reading == "the last attribute":
        decision = EqualizedOddsDecision(attribute=result.detail.attributes[-1].name)
    finding = Finding(result, decision)
    told = finding.tables
    for name in finding.charts:
        figure, alt = finding.drawing(name).figure, finding.drawing(name).alt
        text = figure.to_json()
        json.loads(text)
        assert figure.layout.width is None
        assert figure.data or words(figure)
        assert "nan" not in " ".join([alt, *map(str, words(figure))]).lower()
        assert len(alt) > 40
        assert not re.search(r"<(script|b onclick|img|a )|\$1\$|\$x_1\$|\$M\$", text.replace("\\u003c", "<"))
        assert name in told
    for table in told.values():
        assert len(set(table.header)) == len(table.header)
        assert all(len(row) == len(table.header) for row in table.rows)


def test_what_does_not_apply_is_left_out(results: dict[str, EqualizedOddsResult]) -> None:
    exact = applying(results["four classes"], READING)
    assert "fair dummies attribute model" not in exact
    assert "fair dummies attribute model" not in Finding(results["four classes"], READING).tables
    assert "fair dummies attribute model" in applying(results["numbers"], READING)
    few = applying(results["hardly anybody"], READING)
    assert "fair dummies answers" not in few
    assert "fair dummies gap" not in few


@pytest.mark.parametrize("places", [-3.0, -0.5, 0.0, 0.5, 3.0])
def test_hatched_bars_hold_exactly_the_draws_that_are_as_low(
    results: dict[str, EqualizedOddsResult], places: float
) -> None:
    result = results["two classes"]
    test = result.detail.tests[0]
    value = float(np.median(test.null) + places * test.null.std())
    moved = replace(test, statistic=value)
    detail = replace(result.detail, tests=(moved, *result.detail.tests[1:]))
    figure = draw("fair dummies null", replace(result, detail=detail), EqualizedOddsDecision(attribute="sex"))
    bars = trace(figure, "drawn groups")
    hatched = np.array(bars.marker.pattern.shape) == "/"
    assert sum(bars.y) == pytest.approx(100)
    assert np.sum(np.array(bars.y)[hatched]) == pytest.approx(100 * np.mean(test.null <= value))
    assert trace(figure, "own groups").x[0] == value
    low, high = figure.layout.xaxis.range
    assert low < value < high
    assert f"p-value {p_value(moved.p_value)}" in " ".join(words(figure))


def test_draws_that_are_one_of_the_losses_count_as_low(results: dict[str, EqualizedOddsResult]) -> None:
    test = results["two classes"].detail.tests[0]
    for value in (test.null.min(), np.sort(test.null)[17], test.null.max()):
        counts, edges = null.histogram(replace(test, statistic=float(value)))
        assert counts.sum() == len(test.null)
        assert counts[edges[1:] <= value].sum() == np.count_nonzero(test.null <= value)


def test_losses_that_are_all_the_same_are_drawn(results: dict[str, EqualizedOddsResult]) -> None:
    test = replace(results["two classes"].detail.tests[0], statistic=0.25, null=np.full(199, 0.25))
    counts, edges = null.histogram(test)
    assert counts.sum() == 199
    assert counts[edges[1:] <= 0.25].sum() == 199


def test_the_gap_stands_beside_the_tolerance_and_says_on_which_side(results: dict[str, EqualizedOddsResult]) -> None:
    result = results["four classes"]
    gap = Finding(result, READING).gaps[0]
    figure = draw("fair dummies gap", result)
    assert tuple(trace(figure, "interval 1").x) == pytest.approx((100 * gap.low, 100 * gap.high))
    assert trace(figure, "estimate 1").x[0] == pytest.approx(100 * gap.value)
    assert "tolerance 10" in words(figure)
    beyond = draw("fair dummies gap", result, EqualizedOddsDecision(delta=0.9 * gap.low))
    within = draw("fair dummies gap", result, EqualizedOddsDecision(delta=min(1.0, 1.01 * gap.high)))
    for figure, verdict, said in (
        (beyond, Verdict.VIOLATION, "beyond the tolerance"),
        (within, Verdict.NO_VIOLATION, "within the tolerance"),
    ):
        assert trace(figure, "estimate 1").marker.symbol == theme.VERDICT_MARKER[verdict]
        assert said in words(figure)[1]


def test_a_gap_with_small_groups_is_never_within_the_tolerance(results: dict[str, EqualizedOddsResult]) -> None:
    result, decision = results["a group of twelve"], EqualizedOddsDecision(delta=1.0)
    assert len(Finding(result, decision).gaps[1].small)
    figure = draw("fair dummies gap", result, decision)
    assert trace(figure, "estimate 1").marker.symbol == theme.VERDICT_MARKER[Verdict.NO_VIOLATION]
    assert trace(figure, "estimate 2").marker.symbol == theme.VERDICT_MARKER[Verdict.INSUFFICIENT]
    assert "within the tolerance, but some groups are too small" in alt("fair dummies gap", result, decision)
    assert words(figure)[2].replace("<br>", " ").endswith("within the tolerance, but some groups are too small")


def test_answers_to_classes_are_quartiles_by_outcome_and_group(results: dict[str, EqualizedOddsResult]) -> None:
    detail = results["four classes"].detail
    found = spreads(detail, 0)
    assert sum(one.people for one in found) == len(detail.outcome)
    for one in found:
        inside = (detail.strata.codes == one.stratum) & (detail.attributes[0].codes == one.group)
        own = detail.answers[inside, one.stratum]
        assert one.people == len(own)
        expected = np.quantile(own, (0.05, 0.25, 0.5, 0.75, 0.95))
        assert (one.least, one.low, one.middle, one.high, one.most) == pytest.approx(tuple(expected))
    figure = draw("fair dummies answers", results["four classes"], EqualizedOddsDecision(attribute="sex"))
    drawn = [float(found.x[0]) for found in figure.data if found.name.startswith("estimate")]
    assert drawn == pytest.approx([100 * one.middle for one in found])


@pytest.mark.parametrize("shape", ["numbers", "calibration of numbers", "calibration of classes"])
def test_answers_by_a_number_are_bins_that_hold_everybody_once(
    results: dict[str, EqualizedOddsResult], shape: str
) -> None:
    detail = results[shape].detail
    score, given = score_of(detail), given_of(detail)
    for g in range(2):
        inside = detail.attributes[0].codes == g
        own = [one for one in spreads(detail, 0) if one.group == g]
        assert sum(one.people for one in own) == inside.sum()
        assert min(one.people for one in own) >= 30
        middle = np.mean if is_share(detail) else np.median
        assert sum(one.people * one.given for one in own) == pytest.approx(given[inside].sum())
        first = np.argsort(given[inside])[: own[0].people]
        assert own[0].middle == pytest.approx(float(middle(score[inside][first])))
    assert sum(one.people for one in together(detail)) == len(score)


def test_decisions_are_shares_with_intervals(results: dict[str, EqualizedOddsResult]) -> None:
    result = results["two classes"]
    decided = np.eye(2)[result.detail.decisions]
    sure = replace(result, detail=replace(result.detail, answers=decided))
    for one in spreads(sure.detail, 0):
        inside = (sure.detail.strata.codes == one.stratum) & (sure.detail.attributes[0].codes == one.group)
        assert one.middle == decided[inside, one.stratum].mean()
        assert one.low <= one.middle <= one.high
        assert one.low < one.high
    assert "Share answered with their own outcome" in alt("fair dummies answers", sure, READING)


def test_small_groups_show_nothing_of_their_people(results: dict[str, EqualizedOddsResult]) -> None:
    result, decision = results["a group of twelve"], EqualizedOddsDecision(attribute="race")
    assert not any(one.known for one in spreads(result.detail, 1) if one.group == 0)
    assert "Asian: insufficient evidence" in alt("fair dummies answers", result, decision)
    rows = [row for row in Finding(result, decision).tables["fair dummies answers"].rows if row[1] == "Asian"]
    assert all(row[3] == "insufficient evidence" for row in rows)
    few = results["hardly anybody"]
    assert {row[0] for row in Finding(few, READING).tables["fair dummies answers"].rows} == {"–"}


def test_the_model_of_groups_is_drawn_against_what_was_found(results: dict[str, EqualizedOddsResult]) -> None:
    result, decision = results["numbers"], EqualizedOddsDecision(attribute="sex")
    found = result.detail.tests[0].calibration
    assert found is not None
    figure = draw("fair dummies attribute model", result, decision)
    shown = np.concatenate([one.x for one in figure.data if one.name.startswith("points")])
    assert sorted(shown) == pytest.approx(sorted(100 * found.expected))
    assert "Not contradicted" in words(figure)[-1]
    doubted = replace(result.detail.tests[0], calibration=replace(found, p_value=0.001))
    detail = replace(result.detail, tests=(doubted, *result.detail.tests[1:]))
    assert "Contradicted by the rows" in alt("fair dummies attribute model", replace(result, detail=detail), decision)


def test_no_figure_holds_as_many_points_as_there_are_people(results: dict[str, EqualizedOddsResult]) -> None:
    for shape in ("numbers", "four classes", "calibration of numbers"):
        for name in applying(results[shape], READING):
            assert max(len(found.x) for found in draw(name, results[shape]).data) <= null.MOST_BARS + 1
