"""Every number of a gradient-flow test that a report shows, collected once."""

import math
from dataclasses import dataclass
from typing import get_args

from core.audits.gradient_flow.decision import GradientFlowDecision, Statistic
from core.audits.gradient_flow.groups import GroupEstimate
from core.audits.gradient_flow.result import GradientFlowResult
from core.audits.gradient_flow.wording import verdict_headline, verdict_sentence
from core.data.dataset import MINIMUM_ROWS
from core.errors import Notice
from core.inference.estimate import Verdict
from core.report.numbers import Numbers

STATISTICS: tuple[Statistic, ...] = get_args(Statistic)


@dataclass(frozen=True)
class StatisticNumbers:
    """One of the two tests under decision settings; every number is NaN when the statistic is undefined.

    Attributes:
        statistic: Which test.
        estimate: S_n (eq. 3.4) or the ratio of error rates (eq. 3.12).
        standard_error: Its standard error.
        n: Audited rows.
        interval_low: Lower end of the two-sided interval (eq. 3.6).
        interval_high: Upper end.
        lower_bound: One-sided lower bound T_n (eq. 3.10, 3.13).
        upper_bound: One-sided upper bound.
        p_value: One-sided p-value at delta.
        minimum_detectable: Smallest true value found with probability 0.8 by a test of this size.
        verdict: The verdict at delta and alpha.
        reasons: What speaks against taking it at its word.
        undefined: Why there is no value; empty when there is one.
    """

    statistic: Statistic
    estimate: float
    standard_error: float
    n: int
    interval_low: float
    interval_high: float
    lower_bound: float
    upper_bound: float
    p_value: float
    minimum_detectable: float
    verdict: Verdict
    reasons: tuple[Notice, ...]
    undefined: str


@dataclass(frozen=True)
class GroupNumbers:
    """One group under decision settings; below 30 rows the numbers are withheld (NaN), so that no person shows through.

    Attributes:
        attribute: The protected attribute.
        group: The group.
        n: Its audited rows.
        estimate: The decision's statistic on them.
        standard_error: Its standard error.
        low: Lower end of its simultaneous interval.
        high: Upper end.
        verdict: The verdict by that interval.
    """

    attribute: str
    group: str
    n: int
    estimate: float
    standard_error: float
    low: float
    high: float
    verdict: Verdict


@dataclass(frozen=True)
class SweepNumbers:
    """One test at every recorded stopping time; all tuples have one entry a stopping time."""

    statistic: Statistic
    steps: tuple[int, ...]
    flow_time: tuple[float, ...]
    estimate: tuple[float, ...]
    lower_bound: tuple[float, ...]
    upper_bound: tuple[float, ...]


@dataclass(frozen=True)
class Diagnostics:
    """What tells whether the numbers can be trusted.

    Attributes:
        top_rows: Rows in the largest 1% of loss ratios.
        top_share: Share of the sum of loss ratios they carry.
        largest_share: Share carried by the largest alone.
        tail_index: Hill's estimate of the tail index; NaN below 50 rows.
        tail_doubtful: Whether the normal approximation is doubtful.
        bootstrap_t_low: Lower end of the two-sided bootstrap-t interval of the loss ratio.
        bootstrap_t_high: Upper end.
        floored_start: Rows whose starting loss was lifted to the floor c.
        floored_end: Rows whose final loss was lifted to the floor c.
        lost_ground: Rows whose penalised loss fell in the search.
        halving_rows: Rows of the step-halving check.
        halving_lower_bound: T_n on those rows.
        halving_lower_bound_halved: T_n on those rows with half the step size.
        stability: kappa = 2 λ ε σ_max(Σ) of the first step.
        gradient_evaluations: Gradient evaluations per row.
        rotations: Degrees, estimate and standard error of each rotated metric.
        resampled: Under each metric learned from resampled rows: the decision's estimate, its standard error, and the
            angle in degrees from the audit's own metric.
        resampled_rows: Rows each of them was tried on.
        metric_lower: One-sided lower bound with the metric's bootstrap standard error added; NaN if not known.
        metric_upper: One-sided upper bound with it.
    """

    top_rows: int
    top_share: float
    largest_share: float
    tail_index: float
    tail_doubtful: bool
    bootstrap_t_low: float
    bootstrap_t_high: float
    floored_start: int
    floored_end: int
    lost_ground: int
    halving_rows: int
    halving_lower_bound: float
    halving_lower_bound_halved: float
    stability: float
    gradient_evaluations: int
    rotations: tuple[tuple[float, float, float], ...]
    resampled: tuple[tuple[float, float, float], ...]
    resampled_rows: int
    metric_lower: float
    metric_upper: float


@dataclass(frozen=True)
class GradientFlowNumbers(Numbers):
    """Everything that follows from a result under decision settings.

    Attributes:
        statistics: Both tests.
        groups: Every group of every protected attribute, by the decision's statistic.
        sweeps: Both tests at every recorded stopping time.
        diagnostics: What tells whether the numbers can be trusted.
    """

    statistics: tuple[StatisticNumbers, ...]
    groups: tuple[GroupNumbers, ...]
    sweeps: tuple[SweepNumbers, ...]
    diagnostics: Diagnostics

    def of(self, statistic: Statistic) -> StatisticNumbers:
        """The numbers of one test."""
        return self.statistics[STATISTICS.index(statistic)]


def collect(result: GradientFlowResult, decision: GradientFlowDecision) -> GradientFlowNumbers:
    """All numbers of ``result`` under ``decision``."""
    statistics = tuple(_statistic(result, decision, statistic) for statistic in STATISTICS)
    chosen = statistics[STATISTICS.index(decision.statistic)]
    return GradientFlowNumbers(
        headline=verdict_headline(result, decision),
        sentence=verdict_sentence(result, decision),
        verdict=chosen.verdict,
        reasons=chosen.reasons,
        p_value=chosen.p_value,
        statistics=statistics,
        groups=tuple(_group(found) for found in result.detail.group_estimates(decision)),
        sweeps=tuple(_sweep(result, statistic, decision.alpha) for statistic in STATISTICS),
        diagnostics=_diagnostics(result, decision),
    )


def stability(result: GradientFlowResult) -> float:
    """Kappa of the first step: 2 λ ε σ_max(Σ); Euler steps diverge from 2 on."""
    return 2 * result.audit.regularisation * result.audit.step_size * result.metric.largest_eigenvalue


def _statistic(result: GradientFlowResult, decision: GradientFlowDecision, statistic: Statistic) -> StatisticNumbers:
    read = decision.model_copy(update={"statistic": statistic})
    found = result.detail.estimate(read)
    interval = found.two_sided(decision.alpha)
    return StatisticNumbers(
        statistic=statistic,
        estimate=found.value,
        standard_error=found.standard_error,
        n=found.n,
        interval_low=interval.low,
        interval_high=interval.high,
        lower_bound=found.lower_bound(decision.alpha),
        upper_bound=found.upper_bound(decision.alpha),
        p_value=found.p_value(decision.delta),
        minimum_detectable=result.detail.minimum_detectable(read),
        verdict=result.detail.verdict(read),
        reasons=result.detail.reasons(read),
        undefined=found.undefined,
    )


def _group(found: GroupEstimate) -> GroupNumbers:
    withheld = found.n < MINIMUM_ROWS
    values = (found.estimate.value, found.estimate.standard_error, found.low, found.high)
    shown = (math.nan,) * 4 if withheld else values
    return GroupNumbers(found.attribute, found.group, found.n, *shown, found.verdict)


def _sweep(result: GradientFlowResult, statistic: Statistic, alpha: float) -> SweepNumbers:
    sweep = result.detail.sweep(statistic, alpha)
    return SweepNumbers(
        statistic=statistic,
        steps=tuple(sweep.steps.tolist()),
        flow_time=tuple(sweep.flow_time.tolist()),
        estimate=tuple(sweep.estimate.tolist()),
        lower_bound=tuple(sweep.lower.tolist()),
        upper_bound=tuple(sweep.upper.tolist()),
    )


def _diagnostics(result: GradientFlowResult, decision: GradientFlowDecision) -> Diagnostics:
    detail = result.detail
    tail = detail.tail(decision.stop_at)
    bootstrap = detail.bootstrap_t(decision.alpha, stop_at=decision.stop_at)
    return Diagnostics(
        top_rows=tail.rows,
        top_share=tail.share,
        largest_share=tail.largest_share,
        tail_index=tail.index,
        tail_doubtful=tail.doubtful,
        bootstrap_t_low=bootstrap.low,
        bootstrap_t_high=bootstrap.high,
        floored_start=detail.floored_start,
        floored_end=detail.floored_end,
        lost_ground=int(detail.lost_ground[detail.at(decision.stop_at)]),
        halving_rows=detail.halving.rows,
        halving_lower_bound=detail.halving.lower_bound,
        halving_lower_bound_halved=detail.halving.lower_bound_halved,
        stability=stability(result),
        gradient_evaluations=detail.gradient_evaluations,
        rotations=tuple((float(a), float(b), float(c)) for a, b, c in detail.rotations),
        resampled=_resampled(result, decision),
        resampled_rows=0 if detail.relearned is None else detail.relearned.rows,
        metric_lower=detail.with_metric_error(decision).lower_bound(decision.alpha),
        metric_upper=detail.with_metric_error(decision).upper_bound(decision.alpha),
    )


def _resampled(result: GradientFlowResult, decision: GradientFlowDecision) -> tuple[tuple[float, float, float], ...]:
    relearned = result.detail.relearned
    if relearned is None:
        return ()
    found = relearned.estimates(result.detail.at(decision.stop_at), decision.statistic)
    return tuple(
        (one.value, one.standard_error, float(angle)) for one, angle in zip(found, relearned.angles, strict=True)
    )
