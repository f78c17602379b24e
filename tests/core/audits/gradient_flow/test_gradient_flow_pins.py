"""Limits of the doubts of a gradient-flow audit, each pinned on both of its sides."""

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from pydantic import ValidationError

from core.audits.gradient_flow import doubts, engine
from core.audits.gradient_flow.cells import cells_of
from core.audits.gradient_flow.decision import GradientFlowDecision
from core.audits.gradient_flow.engine import SearchBench
from core.audits.gradient_flow.groups import group_estimates
from core.audits.gradient_flow.result import GradientFlowDetail
from core.audits.gradient_flow.tally import Totals
from core.base.progress import ignore_progress
from core.data.dataset import Dataset, Roles
from core.inference.estimate import Interval, Verdict
from core.inference.moments import mean_from_sums
from core.inference.studentised import bootstrap_t_interval
from tests.core.audits.gradient_flow.cases import all_but, ends, normal_rows, perceptron, settings
from tests.core.audits.gradient_flow.test_gradient_flow_clusters import of_templates
from tests.core.audits.gradient_flow.test_gradient_flow_verdicts import ERROR, LOSS, detail_of, judged, plain, relearned


def said(caveats: object) -> str:
    return "\n".join(f"{one.level}: {one.what}" for one in caveats)  # type: ignore[attr-defined]


def two_times(then: float, now: float) -> GradientFlowDetail:
    """400 rows with these ratios of half of them after five and after ten steps, the others the same."""
    early, late = (np.where(np.arange(400) % 2, 1.0, 2 * mean - 1) for mean in (then, now))
    found, before = (detail_of(ratios, np.arange(400) < 60, np.arange(400) < 60) for ratios in (late, early))
    both = {
        name: np.concatenate([getattr(one, name) for one in (before, found)])
        for name in ("excess", "excess_squares", "wrong_end", "wrong_both", "lost_ground", "histogram")
    }
    return replace(found, steps=np.array([5, 10]), flow_time=np.array([0.5, 1.0]), **both)


@pytest.mark.parametrize(("lost", "doubted"), [(4, False), (5, True)])
def test_one_row_in_a_hundred_may_lose_ground(lost: int, doubted: bool) -> None:
    found = judged(replace(plain(1.1), lost_ground=np.array([lost])), LOSS)
    assert (f"The search lost ground in {lost} of 400 rows" in said(doubts.search_falls_short(found))) is doubted


@pytest.mark.parametrize(("unmoved", "doubted"), [(20, False), (21, True)])
def test_one_row_in_twenty_may_stay_where_it_is(unmoved: int, doubted: bool) -> None:
    ratios = np.where(np.arange(400) < unmoved, 1.0, plain(1.1).ratios)
    found = judged(replace(plain(1.1), ratios=ratios), LOSS)
    assert ("the search changed nothing" in said(doubts.search_falls_short(found))) is doubted


@pytest.mark.parametrize(("time", "doubted"), [(0.3, False), (0.2999, True)])
def test_a_search_shorter_than_three_tenths_is_too_short(time: float, doubted: bool) -> None:
    found = judged(replace(plain(1.1), flow_time=np.array([time])), LOSS)
    assert ("too short to find much" in said(doubts.search_falls_short(found))) is doubted


@pytest.mark.parametrize(
    ("then", "now", "told"),
    [(1.1, 1.1225, True), (1.1, 1.1215, False), (0.9, 0.921, True), (0.9, 0.919, False)],
)
def test_a_rise_of_two_hundredths_is_told(then: float, now: float, told: bool) -> None:
    """Of the statistic before, and of 1 where that is less."""
    assert ("still rises" in said(doubts.rising(judged(two_times(then, now), LOSS)))) is told


def heavy(decision: GradientFlowDecision) -> Any:
    """A finding of a violation in which a few rows are said to carry the mean."""
    found = judged(plain(1.5), decision)
    found.__dict__["tail"] = replace(found.tail, doubtful=True)
    return found


def test_a_heavy_tail_is_told_of_the_mean_loss_alone() -> None:
    for decision, told in ((LOSS, True), (ERROR, False)):
        assert ("The largest 1% of rows" in said(doubts.tail_warning(heavy(decision)))) is told


@pytest.mark.parametrize(("low", "level"), [(1.25, "serious"), (1.2501, "warning")])
def test_a_violation_that_the_bootstrap_t_contradicts_is_serious(
    low: float, level: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = heavy(LOSS)
    monkeypatch.setattr(type(found), "bootstrap_t", lambda self, alpha: Interval(low, 1.6, 1 - alpha))
    assert said(doubts.tail_warning(found)).startswith(level)


def test_half_the_step_size_takes_twice_the_steps() -> None:
    bench = SearchBench.of(settings(steps=4, step_size=0.1), perceptron(2, 3, 2))
    halved = bench.halved()
    assert halved.sizes.tolist() == [0.05] * 8
    assert halved.recorded.tolist() == [2 * step for step in bench.recorded]


def test_a_coarse_search_stops_at_every_recorded_time_in_the_fewest_steps_of_a_25th() -> None:
    bench = SearchBench.of(settings(steps=300, schedule="decreasing"), perceptron(2, 3, 2))
    coarse, whole = bench.coarse(), bench.sizes.sum()
    ends = np.cumsum(bench.sizes)[bench.recorded - 1]
    assert np.cumsum(coarse.sizes)[coarse.recorded - 1] == pytest.approx(ends)
    lengths = np.diff(ends, prepend=0.0)
    assert np.diff(coarse.recorded, prepend=0).tolist() == np.ceil(25 * lengths / whole).tolist()
    assert (bench.gradients, coarse.gradients) == (300, 2 * len(coarse.sizes))
    assert coarse.coarse() is coarse


def test_a_coarse_search_is_one_of_fewer_gradients_and_no_step_more_than_it_needs() -> None:
    """Of 64 steps, 30 of two gradients each are fewer; of 100, a 25th is 4, which rounding must not split."""
    assert len(SearchBench.of(settings(steps=64), perceptron(2, 3, 2)).coarse().sizes) == 30
    bench = SearchBench.of(settings(steps=100), perceptron(2, 3, 2))
    lengths = np.diff(bench.recorded, prepend=0)
    assert len(bench.coarse().sizes) == sum(-(-int(length) // 4) for length in lengths)


@pytest.mark.parametrize(("stuck", "told"), [(1, False), (2, True), (100, True)])
def test_one_row_in_a_hundred_may_be_stuck(stuck: int, told: bool) -> None:
    detail = detail_of(np.ones(100), np.arange(100) < 9, np.arange(100) < 9)
    detail = replace(detail, rows=np.arange(100), floored_start=0, floored_end=0)
    caveats = engine._caveats(detail, _totals(stuck), 0)
    assert ("could not move" in said(caveats)) is told
    assert ("single row" in said(caveats)) is (stuck == 100)


@pytest.mark.parametrize(("lost", "told"), [([9, 0, 1], False), ([0, 0, 2], True)])
def test_ground_lost_at_the_end_is_told(lost: list[int], told: bool) -> None:
    detail = detail_of(np.ones(100), np.arange(100) < 9, np.arange(100) < 9)
    detail = replace(detail, rows=np.arange(100), lost_ground=np.array(lost), floored_start=0, floored_end=0)
    assert ("lost ground" in said(engine._caveats(detail, _totals(0), 0))) is told


@pytest.mark.parametrize(("before", "after"), [(3, 0), (0, 2)])
def test_smallest_losses_on_either_side_are_told(before: int, after: int) -> None:
    detail = detail_of(np.ones(100), np.arange(100) < 9, np.arange(100) < 9)
    detail = replace(detail, rows=np.arange(100), floored_start=before, floored_end=after)
    assert f"replaced {before} losses before the search and {after} after" in said(
        engine._caveats(detail, _totals(0), 0)
    )


def test_a_metric_that_frees_nothing_has_not_turned() -> None:
    nothing = all_but(np.eye(2)[:1])
    one = replace(nothing, free=np.eye(2)[:1])
    assert [engine._turned(*pair).tolist() for pair in ((nothing, one), (one, nothing))] == [[0.0], [0.0]]


def test_moves_are_multiplied_as_far_as_rows_have_moved() -> None:
    rows, metric = normal_rows(20, 3), all_but(np.eye(3)[:2])
    totals = SearchBench.of(settings(steps=5), perceptron(3, 4, 2)).search(rows, metric, ignore_progress)
    moves = ends(perceptron(3, 4, 2), rows, metric, steps=5) - rows.x
    assert np.abs(moves).max() > 0.01
    assert totals.sums["moved_together"] == pytest.approx(moves.T @ moves)


def test_a_metric_has_turned_from_where_the_search_went_and_not_from_what_it_left_alone() -> None:
    """Rows moved along the first column, and half as far along the second; the other metric frees the second alone."""
    moves, other = np.diag([4.0, 1.0, 0.0]), replace(all_but(np.eye(3)[1:2]), free=np.eye(3)[1:])
    assert engine._along(moves, other) == pytest.approx(np.degrees(np.arcsin(np.sqrt(0.8))))
    assert engine._along(moves, replace(other, free=np.eye(3)[:2])) == 0.0
    assert engine._along(np.zeros((3, 3)), other) == 0.0


def _totals(stuck: int) -> Totals:
    totals = SearchBench.of(settings(steps=1), perceptron(2, 3, 2)).search(
        normal_rows(10, 2), all_but(np.eye(2)[:1]), ignore_progress
    )
    totals.sums["stuck"] = np.array([stuck])
    return totals


def test_a_ratio_of_one_is_the_smallest_tolerance_and_one_step_the_shortest_search() -> None:
    assert GradientFlowDecision(delta=1.0, stop_at=1).stop_at == 1
    for wrong in ({"delta": 0.999}, {"stop_at": 0}):
        with pytest.raises(ValidationError):
            GradientFlowDecision(**wrong)


def test_a_group_is_cleared_from_its_own_bootstrap_t_bound_on_at_a_fourth_of_the_error_rate() -> None:
    """Four groups of skewed ratios, whose normal bound lies lower."""
    ratios, none = 1 + np.random.default_rng(2).lognormal(-1.5, 0.9, 400), np.zeros(400, dtype=bool)
    own = ratios[np.arange(400) % 4 < 2]
    mean = mean_from_sums(float((own - 1).sum()), float(((own - 1) ** 2).sum()), 200)
    ones = np.ones(200, dtype=np.int64)
    bound = bootstrap_t_interval(mean, own, ones, 2 * 0.05 / 4, np.random.default_rng(0)).high
    for delta, verdict in ((bound - 0.002, Verdict.INSUFFICIENT), (bound + 0.002, Verdict.NO_VIOLATION)):
        first = group_estimates(judged(detail_of(ratios, none, none), GradientFlowDecision(delta=delta)))[0]
        assert (first.who, first.verdict) == ("sex = F", verdict)
        assert first.high < bound - 0.002


def test_a_group_is_cleared_at_its_exact_bound_of_changes() -> None:
    """12 of its rows are in error and none more: at 0.05 / 4 the bound is 0.0125^(-1/12)."""
    cell = np.arange(800) % 4
    start = (cell % 2 == 0) & (np.arange(800) < 480)
    start[np.flatnonzero(cell % 2 == 1)[:12]] = True
    detail = detail_of(np.full(800, 1.05), start, start, cell)
    bound = doubts.upper_by_counts(detail, 0, np.array([False, True, False, True]), 0.05 / 4)
    assert bound == pytest.approx(0.0125 ** (-1 / 12))
    for delta, verdict in ((bound, Verdict.NO_VIOLATION), (np.nextafter(bound, 0), Verdict.INSUFFICIENT)):
        decision = GradientFlowDecision(statistic="error-rate ratio", delta=delta)
        assert {one.who: one.verdict for one in group_estimates(judged(detail, decision))}["race = B"] is verdict


def test_a_group_is_not_cleared_where_its_own_ratios_fall_off_too_slowly() -> None:
    """Lower limits of the index in bins: 2.16 and 1.85; of values one less 2.00 and of values one more 2.06."""
    uniform = (np.arange(200) + 0.5) / 200
    for power, verdict in ((2.6, Verdict.NO_VIOLATION), (2.5, Verdict.INSUFFICIENT)):
        ratios = np.full(400, 1.01)
        ratios[np.arange(400) % 4 < 2] = 1 + 2 * uniform ** (-1 / power)
        none = np.zeros(400, dtype=bool)
        found = judged(detail_of(ratios, none, none), GradientFlowDecision(delta=100.0))
        assert group_estimates(found)[0].verdict is verdict


@pytest.mark.parametrize(("index", "doubtful", "told"), [(2.74, True, False), (2.73, True, True), (2.73, False, False)])
def test_ratios_whose_tail_index_may_be_below_two_have_no_bound(index: float, doubtful: bool, told: bool) -> None:
    """From twenty values: 2 (1 + 1.645 / sqrt(20)) = 2.736."""
    found = judged(plain(1.1), LOSS)
    found.__dict__["tail"] = replace(found.tail, index=index, index_rows=20, doubtful=doubtful)
    assert ("fall off so slowly" in said(doubts.against_clearing(found))) is told


def test_cells_are_the_combinations_of_groups_by_name() -> None:
    frame = pd.DataFrame({"sex": ["m", "f", "m", "f"], "race": ["b", "c", "a", "a"], "y": ["0", "1", "1", "0"]})
    frame = pd.concat([frame] * 10, ignore_index=True)
    dataset = Dataset.build(frame, Roles(outcome="y", favourable="1", protected=("sex", "race"), features=("sex",)))
    cells, cell = cells_of(dataset, binned=True)
    told = [tuple(cells.groups[k][code] for k, code in enumerate(cells.codes[one])) for one in cell]
    assert told == list(zip(frame["sex"], frame["race"], strict=True))
    assert cells.count.tolist() == [10, 10, 10, 10]


def test_a_protected_number_is_cut_at_its_quartiles_but_not_among_some_of_the_rows() -> None:
    frame = pd.DataFrame({"age": np.arange(20, 60), "y": ["0", "1"] * 20})
    dataset = Dataset.build(frame, Roles(outcome="y", favourable="1", protected=("age",), features=("age",)))
    cells, cell = cells_of(dataset, binned=True)
    assert cells.groups == (("20 to 29", "30 to 39", "40 to 49", "50 to 59"),)
    assert cells.count.tolist() == [10] * 4
    assert cell[[0, 39]].tolist() == [0, 3]
    assert len(cells_of(dataset, binned=False)[0].groups[0]) == 40


@pytest.mark.parametrize(("clusters", "known"), [(9, False), (10, True)])
def test_a_group_of_fewer_than_ten_clusters_has_no_interval(clusters: int, known: bool) -> None:
    detail = of_templates(0, clusters, 20, 0.0, 1.4)
    found = group_estimates(judged(detail, LOSS))
    assert [np.isfinite(one.high) for one in found] == [known] * 2


def test_a_group_whose_interval_ends_at_the_tolerance_is_cleared() -> None:
    ratios, none = np.full(400, 1.125), np.zeros(400, dtype=bool)
    for delta, verdict in ((1.125, Verdict.NO_VIOLATION), (1.124, Verdict.VIOLATION)):
        found = group_estimates(judged(detail_of(ratios, none, none), GradientFlowDecision(delta=delta)))
        assert {(one.high, one.verdict) for one in found} == {(1.125, verdict)}


def test_metrics_learned_again_move_the_loss_ratio_where_nothing_was_wrong_and_no_ratio_of_errors() -> None:
    again = replace(relearned(1.15, [1.05, 1.45]), wrong_start=np.zeros(4, dtype=np.int64))
    assert again.moved("loss ratio", 0).tolist() == pytest.approx([-0.1, 0.3])
    assert not len(again.moved("error-rate ratio", 0))


def test_a_summary_holds_both_ends_of_the_interval_given_exactly_this_metric() -> None:
    found = judged(plain(1.3), LOSS)
    assert found.searched == ()
    again = judged(replace(plain(1.3), relearned=relearned(1.3, [1.2, 1.25, 1.35, 1.4] * 6)), LOSS)
    one, ends = again.searched[0], again.given_metric.two_sided(0.05)
    assert one.interval == ends
    assert again.interval.low < ends.low < again.estimate < ends.high < again.interval.high


def test_groups_of_equal_ratios_have_the_interval_that_the_metrics_error_leaves() -> None:
    none, moved = np.zeros(400, dtype=bool), np.linspace(-0.05, 0.05, 11)
    again = relearned(1.125, (1.125 + moved).tolist())
    found = judged(detail_of(np.full(400, 1.125), none, none, relearned=again), LOSS)
    ends = found.with_metric_error(found.detail.loss_ratio(0), 0).two_sided(0.05)
    for one in group_estimates(found):
        assert (one.low, one.high) == pytest.approx((ends.low, ends.high))


@pytest.mark.parametrize(("rows", "known"), [(29, False), (30, True)])
def test_a_group_of_fewer_than_thirty_rows_has_no_interval(rows: int, known: bool) -> None:
    cell = np.where(np.arange(400) < rows, 0, 3)
    ratios, none = plain(1.1).ratios, np.zeros(400, dtype=bool)
    found = {one.who: one for one in group_estimates(judged(detail_of(ratios, none, none, cell), LOSS))}
    assert np.isfinite([found["sex = F"].high, found["sex = M"].high]).tolist() == [known, True]


def test_several_directions_turn_by_the_angle_whose_squared_sine_is_the_mean_of_theirs() -> None:
    """A quarter and three quarters are a half on average, 45 degrees."""
    assert engine._on_average(np.array([30.0, 60.0]), 2) == pytest.approx(45.0)
    assert engine._on_average(np.array([30.0]), 1) == pytest.approx(30.0)
    assert engine._on_average(np.array([80.0, 80.0]), 1) == pytest.approx(90.0), "no direction turns further"
