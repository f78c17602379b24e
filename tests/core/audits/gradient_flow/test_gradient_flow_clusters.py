"""Rows that belong together in the gradient-flow test: sums by cluster, and how often their bounds err."""

import math
from dataclasses import replace
from operator import attrgetter
from typing import Any

import numpy as np
import pandas as pd
import pytest

from core.audits.gradient_flow import histogram
from core.audits.gradient_flow.cells import GroupCells
from core.audits.gradient_flow.cluster_sums import ClusterSums
from core.audits.gradient_flow.decision import GradientFlowDecision, Statistic
from core.audits.gradient_flow.engine import run
from core.audits.gradient_flow.result import GradientFlowDetail
from core.contracts.audit import Given
from core.data.dataset import Dataset
from core.inference.estimate import Verdict
from core.inference.moments import ratio_upper_by_clusters, ratio_upper_by_counts
from core.inference.several import Largest
from tests.builders import make_result
from tests.core.audits.gradient_flow import cases
from tests.findings import found

STATISTICS: tuple[Statistic, ...] = ("loss ratio", "error-rate ratio")


def test_sums_by_cluster_are_those_of_its_rows_in_the_marked_cells() -> None:
    clusters, cell = np.array([4, 9, 4, 4, 9, 7]), np.array([0, 0, 1, 0, 2, 2], dtype=np.int32)
    sums, place = ClusterSums.empty(clusters, cell, 2)
    excess = np.arange(12.0).reshape(2, 6)
    wrong = excess % 3 == 0
    for part in (slice(0, 2), slice(2, 6)):
        sums.add(place[part], excess[:, part], wrong[0, part], wrong[:, part])
    everywhere, some = np.ones(3, dtype=bool), np.array([True, False, True])
    assert sums.over(sums.rows, everywhere).tolist() == [3.0, 1.0, 2.0]
    assert sums.over(sums.excess[1], everywhere).tolist() == [6 + 8 + 9, 11, 7 + 10]
    assert sums.over(sums.excess[0], some).tolist() == [0 + 3, 5, 1 + 4]
    assert sums.over(sums.wrong_start, some).tolist() == [2.0, 0.0, 0.0]
    assert sums.over(sums.wrong_end[1], everywhere).tolist() == [2.0, 0.0, 0.0]


def searched(dataset: Dataset, thrice: bool) -> GradientFlowDetail:
    """What the search finds of 60 people, each once or three times, with a column that says so."""
    frame = dataset.frame.assign(person=np.arange(len(dataset)))
    frame = pd.concat([frame] * 3, ignore_index=True) if thrice else frame
    table = Dataset.build(frame, dataset.roles.model_copy(update={"belongs_to": "person"}))
    model = cases.model_of(cases.perceptron(4, 8, 2))
    data = model.encode(table)
    audit = cases.settings(steps=60, step_size=0.008, rotations=())
    metric = cases.metric_of(np.diag([0.0, 1.0, 1.0, 1.0]))
    detail, _ = run(audit, Given(model, data, np.random.default_rng(0), metric))
    return detail


def test_people_three_times_are_judged_as_people_once() -> None:
    dataset = cases.table(n=90)
    once, thrice = (searched(dataset, copied) for copied in (False, True))
    plain = replace(once, clusters=None)
    for statistic in STATISTICS:
        one, other, rows = (
            found(detail, GradientFlowDecision(statistic=statistic, delta=1.1)) for detail in (once, thrice, plain)
        )
        assert other.n == 3 * one.n
        for name in ("estimate", "lower_bound", "upper_bound", "p_value", "interval.low"):
            assert attrgetter(name)(other) == pytest.approx(attrgetter(name)(one), rel=1e-9)
        assert one.estimate == pytest.approx(rows.estimate)
        assert one.inference.standard_error == pytest.approx(rows.inference.standard_error, rel=0.05)
        for first, second, third in zip(other.parts["groups"], one.parts["groups"], rows.parts["groups"], strict=True):
            assert (first.low, first.high) == pytest.approx((second.low, second.high), rel=1e-6)
            assert (second.low, second.high) == pytest.approx((third.low, third.high), rel=0.1)
    assert once.clusters is not None
    assert once.clusters.excess[-1].sum() == pytest.approx((once.ratios - 1).sum())
    assert once.clusters.wrong_end.sum(axis=1).tolist() == once.wrong_end.sum(axis=1).tolist()


def test_the_bootstrap_t_by_cluster_is_about_that_of_rows_where_each_is_one() -> None:
    detail = make_result(excess=0.4).detail
    clusters = sums_of(detail.ratios, detail.ratios > 3, detail.ratios > 2, detail.cell, np.arange(len(detail.ratios)))
    by_rows = found(detail, GradientFlowDecision()).bootstrap_t(0.1)
    by_cluster = found(replace(detail, clusters=clusters), GradientFlowDecision())
    last = replace(by_cluster.detail, clusters=replace(clusters, excess=np.repeat(clusters.excess, 25, axis=0)))
    ends = found(last, GradientFlowDecision()).bootstrap_t(0.1)
    assert (ends.low, ends.high) == pytest.approx((by_rows.low, by_rows.high), abs=0.01)


def test_a_bound_of_changes_by_cluster_is_no_sharper_than_that_of_rows_and_grows_with_the_clusters() -> None:
    end, start = np.zeros(200), np.zeros(200)
    start[:40] = 1
    end[:44] = 1
    by_counts = ratio_upper_by_counts(44, 40, 40, 0.05)
    by_row = ratio_upper_by_clusters(end, start, 1.0, 0.05)
    sums = end.reshape(40, 5).sum(axis=1), start.reshape(40, 5).sum(axis=1)
    assert by_counts - 0.02 < by_row < by_counts + 0.15
    assert ratio_upper_by_clusters(*sums, 5.0, 0.05) > by_row + 0.1
    assert ratio_upper_by_clusters(end, 0 * start, 1.0, 0.05) == math.inf


def test_with_few_clusters_simultaneous_intervals_reach_as_far_as_students_t() -> None:
    from scipy.stats import t as student

    one = np.ones((2, 2))
    assert Largest.of_covariance(one, 0, degrees=9).critical(0.05) == pytest.approx(student.ppf(0.975, 9), rel=0.03)
    assert Largest.of_covariance(one, 0).critical(0.05) == pytest.approx(1.96, rel=0.03)


def test_rows_of_fewer_than_ten_clusters_settle_nothing_and_of_fewer_than_thirty_clear_nothing() -> None:
    violation, cleared, nothing = Verdict.VIOLATION, Verdict.NO_VIOLATION, Verdict.INSUFFICIENT
    for families, verdicts in ((9, (nothing, nothing)), (10, (violation, nothing)), (30, (violation, cleared))):
        detail = of_templates(0, families, 30, 0.0, 1.4)
        given = [found(detail, GradientFlowDecision(delta=delta)) for delta in (1.05, 5.0)]
        assert tuple(one.own_verdict for one in given) == verdicts
        if families < 30:
            assert f"belong to only {families} different" in given[1].own_caveats[0].what


def sums_of(
    ratios: np.ndarray, end: np.ndarray, start: np.ndarray, cell: np.ndarray, clusters: np.ndarray
) -> ClusterSums:
    sums, place = ClusterSums.empty(clusters, cell, 1)
    sums.add(place, ratios[None] - 1, start, end[None])
    return sums


def of_templates(seed: int, families: int, rows: int, together: float, mean: float) -> GradientFlowDetail:
    """Skewed ratios and error-rate ratio of the same mean; rows of a family are alike to this correlation (of logs)."""
    rng = np.random.default_rng(seed)
    codes = np.repeat(np.arange(families), rows)
    n = len(codes)
    shared = np.sqrt(together) * rng.standard_normal(families)[codes]
    severity = np.exp(0.5 * (shared + np.sqrt(1 - together) * rng.standard_normal(n)) - 0.125)
    ratios = 1 + (mean - 1) * severity
    start, end = (
        (rng.random((2, n)) < 0.2) if together == 0 else np.repeat(rng.random((2, families)) < 0.2, rows, axis=1)
    )
    cell = (np.arange(n) % 2).astype(np.int32)
    cells = GroupCells(("sex",), (("f", "m"),), np.array([[0], [1]]), np.bincount(cell))
    member = np.eye(2, dtype=int)[cell]
    base = make_result().detail
    return replace(
        base,
        steps=np.array([500]), flow_time=np.array([5.0]), cells=cells, cell=cell, ratios=ratios,
        excess=((ratios - 1) @ member)[None], excess_squares=((ratios - 1) ** 2 @ member)[None],
        wrong_start=start @ member, wrong_end=(end @ member)[None], wrong_both=((start & end) @ member)[None],
        lost_ground=np.zeros(1, dtype=np.int64), histogram=histogram.count((ratios - 1)[None]),
        relearned=None, rows=np.arange(n), loss_start=np.ones(n),
        clusters=sums_of(ratios, end, start, cell, codes),
    )  # fmt: skip


def errors(families: int, rows: int, together: float, repeats: int, first: int = 0) -> np.ndarray:
    """False violations and clearings at a mean ratio of the tolerance, 1.3, and intervals that miss; by rows and by
    cluster; shape (2, 3).
    """
    wrong = np.zeros((2, 3))
    for seed in range(first, first + repeats):
        detail = of_templates(seed, families, rows, together, 1.3)
        for k, one in enumerate((replace(detail, clusters=None), detail)):
            finding: Any = found(one, GradientFlowDecision(delta=1.3))
            cleared = finding.own_verdict is Verdict.NO_VIOLATION
            wrong[k] += (
                finding.own_verdict is Verdict.VIOLATION,
                cleared,
                not finding.interval.low <= 1.3 <= finding.interval.high,
            )
    return wrong / repeats


def test_templates_make_rows_err_and_clusters_not() -> None:
    rows, clusters = errors(35, 40, 0.8, 60)
    assert rows[:2].max() > 0.2
    assert (clusters[:2] <= 0.05 + 2 * np.sqrt(0.05 * 0.95 / 60)).all()


@pytest.mark.long
@pytest.mark.parametrize(
    ("families", "rows", "together"),
    [(100, 1, 0.0), (10, 30, 0.2), (20, 70, 0.8), (200, 5, 0.5), (300, 3, 1.0), (100, 10, 1.0)],
)
def test_error_rates_of_templates_and_copies(families: int, rows: int, together: float) -> None:
    """Of 7,000 tables of 100 people ten times 5.3% were falsely cleared, though 8.3% of the first 400.

    Skewness leaves up to half a point: of 300 people three times, 6.0% of 3,500 were.
    """
    repeats = 2_000
    wrong = errors(families, rows, together, repeats, first=100_000)[0 if rows == 1 else 1]
    chance = 2 * np.sqrt(0.05 * 0.95 / repeats)
    assert (wrong[:2] <= 0.055 + chance).all(), wrong
    assert wrong[2] <= 0.07 + chance, "a few rows carry the mean, which the two-sided interval does not heed"
