"""The verdict for every group of every protected attribute, with simultaneous intervals."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from core.audits.gradient_flow import histogram
from core.audits.gradient_flow.decision import GradientFlowDecision
from core.audits.gradient_flow.verdicts import FEW_MISTAKES, search_doubts, unpinned_metric
from core.data.dataset import MINIMUM_ROWS
from core.inference.bootstrap_t import bootstrap_t_interval
from core.inference.estimate import Estimate, Verdict
from core.inference.moments import ratio_upper_by_counts
from core.inference.simultaneous import critical_value, over_shared_cells
from core.inference.tails import SMALLEST_INDEX, tail_of

if TYPE_CHECKING:
    from core.audits.gradient_flow.result import GradientFlowDetail

_SEED = 0


@dataclass(frozen=True)
class GroupEstimate:
    """One group's part of the result.

    Attributes:
        attribute: The protected attribute.
        group: The group.
        n: Its audited rows.
        estimate: The decision's statistic on them.
        low: Lower end of its interval; all intervals hold together with probability 1 - alpha. 0 if nothing is claimed.
        high: Upper end; infinite if nothing is claimed.
        verdict: Violation if the whole interval lies above delta, no violation if none of it does; insufficient
            evidence otherwise, for every group below 30 rows, and in place of "no violation" where something speaks
            against it.
    """

    attribute: str
    group: str
    n: int
    estimate: Estimate
    low: float
    high: float
    verdict: Verdict


def group_estimates(detail: GradientFlowDetail, decision: GradientFlowDecision) -> tuple[GroupEstimate, ...]:
    """Every group of every protected attribute, in the order of the attributes and their groups."""
    index = detail.at(decision.stop_at)
    names = detail.cells.all_groups()
    members = np.array([detail.cells.members(*name) for name in names])
    of = detail.loss_ratio if decision.statistic == "loss ratio" else detail.error_ratio
    estimates = [of(index, inside) for inside in members]
    judged = np.array([found.n >= MINIMUM_ROWS and math.isfinite(found.standard_error) for found in estimates])
    judged &= np.isfinite(detail.excess_squares[index]).all()
    if decision.statistic == "error-rate ratio":
        judged &= members @ detail.wrong_start >= FEW_MISTAKES
    spread = np.array([found.standard_error > 0 for found in estimates]) & judged
    half = _critical(detail, index, decision, members[spread]) if spread.any() else 0.0
    claims = tuple(
        _claim(name, found, half if known else math.inf, decision.delta)
        for name, found, known in zip(names, estimates, judged, strict=True)
    )
    doubts = unpinned_metric(detail, decision) or search_doubts(detail, decision)
    doubted = np.full(len(claims), bool(doubts)) | _too_few_changes(detail, index, decision, members)
    if decision.statistic == "loss ratio":
        doubted |= [
            claim.verdict is Verdict.NO_VIOLATION and _heavy_tailed(detail, inside, decision, len(claims))
            for claim, inside in zip(claims, members, strict=True)
        ]
    return tuple(_without_clearance(claim) if doubt else claim for claim, doubt in zip(claims, doubted, strict=True))


def _heavy_tailed(detail: GradientFlowDetail, inside: np.ndarray, decision: GradientFlowDecision, groups: int) -> bool:
    """Whether the tail of a group's ratios, at the last stopping time, forbids to clear it: as for the whole table."""
    counts = histogram.count((detail.ratios[inside[detail.cell]] - 1.0)[None])[0]
    values = histogram.middles(detail.histogram_edges)
    tail = tail_of(values, counts)
    if not tail.doubtful or tail.index < SMALLEST_INDEX:
        return tail.doubtful
    whole = detail.loss_ratio(len(detail.steps) - 1, inside)
    interval = bootstrap_t_interval(whole, values, counts, 2 * decision.alpha / groups, np.random.default_rng(_SEED))
    return interval.high > decision.delta


def _critical(detail: GradientFlowDetail, index: int, decision: GradientFlowDecision, members: np.ndarray) -> float:
    """How many standard errors the simultaneous intervals reach."""
    of = _mean_covariance if decision.statistic == "loss ratio" else _error_covariance
    covariance = of(detail, index, members)
    spread = np.diag(covariance) > 0
    if not spread.any():
        return 0.0
    return critical_value(covariance[np.ix_(spread, spread)], decision.alpha, np.random.default_rng(_SEED))


def _mean_covariance(detail: GradientFlowDetail, index: int, members: np.ndarray) -> np.ndarray:
    """Covariance of the groups' mean ratios: a row with excess e moves group g's mean by (e - mean_g) / n_g."""
    rows = members @ detail.cells.count
    mean = members @ detail.excess[index] / rows
    first, second, count = (
        over_shared_cells(members, values)
        for values in (detail.excess[index], detail.excess_squares[index], detail.cells.count)
    )
    products = second - (mean[:, None] + mean[None, :]) * first + np.outer(mean, mean) * count
    return np.asarray(products / np.outer(rows, rows))


def _error_covariance(detail: GradientFlowDetail, index: int, members: np.ndarray) -> np.ndarray:
    """Covariance of the groups' ratios of error rates.

    A row moves group g's ratio R_g by (wrong_end - R_g wrong_start) / (rows wrong at the start), the linear part of
    the delta method (eq. 3.13); products over shared cells need only the counts of the four kinds of rows.
    """
    wrong = members @ detail.wrong_start
    ratio = members @ detail.wrong_end[index] / wrong
    end, start, both = (
        over_shared_cells(members, values)
        for values in (detail.wrong_end[index], detail.wrong_start, detail.wrong_both[index])
    )
    products = end - (ratio[:, None] + ratio[None, :]) * both + np.outer(ratio, ratio) * start
    return np.asarray(products / np.outer(wrong, wrong))


def _too_few_changes(
    detail: GradientFlowDetail, index: int, decision: GradientFlowDecision, members: np.ndarray
) -> np.ndarray:
    """Groups in which too few rows change sides for eq. 3.13, by exact counts at alpha over the number of groups."""
    if decision.statistic == "loss ratio":
        return np.zeros(len(members), dtype=bool)
    sums = members @ detail.wrong_end[index], members @ detail.wrong_start, members @ detail.wrong_both[index]
    alpha = decision.alpha / len(members)
    upper = [
        ratio_upper_by_counts(int(end), int(start), int(both), alpha) for end, start, both in zip(*sums, strict=True)
    ]
    return np.array(upper) > decision.delta


def _without_clearance(claim: GroupEstimate) -> GroupEstimate:
    """The same without a "no violation"."""
    return replace(claim, verdict=Verdict.INSUFFICIENT) if claim.verdict is Verdict.NO_VIOLATION else claim


def _claim(name: tuple[str, str], found: Estimate, half: float, delta: float) -> GroupEstimate:
    if not math.isfinite(half):
        return GroupEstimate(*name, found.n, found, 0.0, math.inf, Verdict.INSUFFICIENT)
    low, high = found.value - half * found.standard_error, found.value + half * found.standard_error
    verdict = Verdict.VIOLATION if low > delta else Verdict.NO_VIOLATION if high <= delta else Verdict.INSUFFICIENT
    return GroupEstimate(*name, found.n, found, low, high, verdict)
