"""The verdict for every group of every protected attribute, with simultaneous intervals."""

import math
from dataclasses import replace
from typing import Any

import numpy as np

from core.audits.gradient_flow import histogram
from core.audits.gradient_flow.doubts import (
    FEW_MISTAKES,
    forgives_everything,
    search_falls_short,
    unknown_metric_error,
    upper_by_counts,
)
from core.audits.gradient_flow.estimates import GradientFlowEstimates, by_clusters
from core.audits.gradient_flow.result import GradientFlowDetail
from core.base.thresholds import FEWEST_CLUSTERS, FEWEST_ROWS
from core.claims import Claim
from core.data.labels import condition
from core.inference.estimate import Estimate, Interval
from core.inference.evidence import AtLeast
from core.inference.several import Largest
from core.inference.several_means import over_shared_cells
from core.inference.studentised import bootstrap_t_interval
from core.inference.tails import SMALLEST_INDEX, tail_of

_SEED = 0


def told(found: GradientFlowEstimates) -> tuple[Claim, ...]:
    """Every group as people read it: below 30 rows without numbers, so that no person shows through."""
    nothing: dict[str, Any] = {"estimate": math.nan, "error": math.nan, "low": math.nan, "high": math.nan}
    return tuple(one if one.people >= FEWEST_ROWS else replace(one, **nothing) for one in group_estimates(found))


def group_estimates(found: GradientFlowEstimates) -> tuple[Claim, ...]:
    """A claim for every group of every protected attribute, in the order of the attributes and their groups.

    All intervals hold together with probability 1 - alpha. Nothing is judged of a group below 30 rows, and nobody is
    cleared where something speaks against it.
    """
    detail, index, statistic = found.detail, found.index, found.decision.statistic
    names = detail.cells.all_groups()
    members = np.array([detail.cells.members(*name) for name in names])
    estimates = [detail.estimate(statistic, index, inside) for inside in members]
    people = [found.of_people(place) for place in range(1, len(names) + 1)] if detail.people else estimates
    judged = np.array([one.n >= FEWEST_ROWS and math.isfinite(one.standard_error) for one in estimates])
    judged &= [one.degrees + 1 >= FEWEST_CLUSTERS for one in estimates]
    judged &= [one.n >= FEWEST_ROWS and not one.undefined for one in people]
    judged &= np.isfinite(detail.excess_squares[index]).all()
    if statistic == "error-rate ratio":
        judged &= members @ detail.wrong_start >= FEW_MISTAKES
        if detail.people is not None:
            judged &= [detail.people.mistakes(place) >= FEW_MISTAKES for place in range(1, len(names) + 1)]
    spread = np.array([one.standard_error > 0 for one in people]) & judged
    degrees = min(
        (both[place].degrees for both in (estimates, people) for place in np.flatnonzero(judged)), default=math.inf
    )
    level = _largest(found, members, spread, degrees).level(found.decision.alpha) if spread.any() else 1.0
    confidence = 1 - min(level, found.decision.alpha / 2)
    unknown, in_doubt = any(unknown_metric_error(found)), any(search_falls_short(found))
    forgives = any(forgives_everything(found))
    relearned = found.detail.relearned
    if relearned is not None and not unknown:
        judged &= [len(relearned.moved(statistic, index, inside)) > 0 for inside in members]
    claims = []
    for place, (name, given, inside, known) in enumerate(zip(names, estimates, members, judged, strict=True), 1):
        searched = found.with_metric_error(replace(given, degrees=degrees), index, inside)
        one = found.beside_people(searched, given, place, inside)
        claims.append(_claim(found, name, one, people[place - 1].n, confidence if known else 1.0))

    def heeding_doubts(claim: Claim, inside: np.ndarray, place: int) -> Claim:
        clears = claim.within
        few = clears and found.detail.estimate(statistic, index, inside).degrees + 1 < FEWEST_ROWS
        doubted = (
            unknown
            or (forgives and not clears)
            or (clears and (few or in_doubt or _doubtful(found, inside, place, len(names))))
        )
        return replace(claim, judged=False) if doubted else claim

    return tuple(map(heeding_doubts, claims, members, range(1, len(names) + 1)))


def _doubtful(found: GradientFlowEstimates, inside: np.ndarray, place: int, groups: int) -> bool:
    """Whether the rows of a group forbid to clear it, by the rules for the whole table."""
    people, decision = found.detail.people, found.decision
    if people and people.upper_bound(decision.statistic, decision.alpha / groups, place) > decision.delta:
        return True
    of = _heavy_tailed if decision.statistic == "loss ratio" else _too_few_changes
    return of(found, inside, groups)


def _heavy_tailed(found: GradientFlowEstimates, inside: np.ndarray, groups: int) -> bool:
    """The tail of the group's ratios at the last stopping time is too heavy, or the bootstrap-t reaches above delta."""
    detail = found.detail
    if len(detail.rows) < detail.rows_of() and inside[detail.cell].sum() < FEWEST_ROWS:
        return True
    counts = histogram.count((detail.ratios[inside[detail.cell]] - 1.0)[None])[0]
    values = histogram.middles(detail.histogram_edges)
    tail = tail_of(values, counts)
    alpha, last = 2 * found.decision.alpha / groups, len(detail.steps) - 1
    if tail.doubtful and tail.index_low < SMALLEST_INDEX:
        return True
    if detail.clusters is not None:
        return by_clusters(detail, last, inside, alpha).high > found.decision.delta
    whole = detail.loss_ratio(last, inside)
    interval = bootstrap_t_interval(whole, values, counts, alpha, np.random.default_rng(_SEED))
    return interval.high > found.decision.delta


def _too_few_changes(found: GradientFlowEstimates, inside: np.ndarray, groups: int) -> bool:
    """Too few rows change sides for eq. 3.13, by exact counts at alpha over the number of groups."""
    return upper_by_counts(found.detail, found.index, inside, found.decision.alpha / groups) > found.decision.delta


def _largest(found: GradientFlowEstimates, members: np.ndarray, judged: np.ndarray, degrees: float) -> Largest:
    """The largest of the judged groups' statistics where nothing differs: those of the estimates that are told."""
    of = _mean_covariance if found.decision.statistic == "loss ratio" else _error_covariance
    if found.detail.people is not None:
        covariance = found.detail.people.covariance(found.decision.statistic, 1 + np.flatnonzero(judged))
    elif found.detail.clusters is None:
        covariance = of(found.detail, found.index, members[judged])
    else:
        covariance = _cluster_covariance(found, members[judged])
    spread = np.diag(covariance) > 0
    return Largest.of_covariance(covariance[np.ix_(spread, spread)], _SEED, degrees=degrees)


def _cluster_covariance(found: GradientFlowEstimates, members: np.ndarray) -> np.ndarray:
    """Covariance of the groups' ratios by cluster, from how each cluster's sums leave each group's ratio."""
    sums = [found.detail.by_cluster(found.decision.statistic, found.index, inside) for inside in members]
    left = np.array([(above - above.sum() / below.sum() * below) / below.sum() for above, below in sums])
    return np.asarray(left @ left.T)


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


def _claim(
    found: GradientFlowEstimates, name: tuple[str, str], one: AtLeast | Estimate, people: int, confidence: float
) -> Claim:
    """What is known of a group, with bounds at this one-sided confidence each; 1 says that nothing is claimed."""
    known, level = confidence < 1, 1 - confidence
    low, high = (max(0.0, one.lower_bound(level)), one.upper_bound(level)) if known else (0.0, math.inf)
    return Claim(
        who=condition(*name),
        what=found.what,
        people=people,
        estimate=one.value,
        error=one.standard_error,
        low=low,
        high=high,
        tolerance=found.decision.delta,
        judged=known,
        interval=Interval(low, high, 1 - found.decision.alpha) if known else None,
        unit=found.unit,
    )
