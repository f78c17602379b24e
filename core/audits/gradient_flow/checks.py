"""What tells whether the numbers of a gradient-flow test can be trusted: nothing that is claimed of anybody."""

from dataclasses import dataclass

from core.audits.gradient_flow.estimates import GradientFlowEstimates
from core.audits.gradient_flow.stability import kappa, taken_under


@dataclass(frozen=True)
class Checks:
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
        halving_apart: How far half the step size moves a row's loss ratio on average, as a share of the mean ratio.
        integrator: How each step was computed.
        steps_taken: Steps of the whole search; more than asked for where they were halved.
        stability: kappa = 2 λ ε σ_max(Σ) of the first step asked for.
        gradient_evaluations: Gradient evaluations per row.
        resampled: Under each metric learned from another half of the rows: the decision's estimate, the standard error
            of the audit's own, and the angle in degrees from the audit's own metric.
        resampled_rows: Rows each of them was tried on.
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
    halving_apart: float
    integrator: str
    steps_taken: int
    stability: float
    gradient_evaluations: int
    resampled: tuple[tuple[float, float, float], ...]
    resampled_rows: int


def checks(found: GradientFlowEstimates) -> Checks:
    """See :class:`Checks`."""
    result, detail, tail, alpha = found.result, found.detail, found.tail, found.decision.alpha
    bootstrap = found.bootstrap_t(alpha)
    return Checks(
        top_rows=tail.rows,
        top_share=tail.share,
        largest_share=tail.largest_share,
        tail_index=tail.index,
        tail_doubtful=tail.doubtful,
        bootstrap_t_low=bootstrap.low,
        bootstrap_t_high=bootstrap.high,
        floored_start=detail.floored_start,
        floored_end=detail.floored_end,
        lost_ground=int(detail.lost_ground[found.index]),
        halving_rows=detail.halving.rows,
        halving_lower_bound=detail.halving.lower_bound,
        halving_lower_bound_halved=detail.halving.lower_bound_halved,
        halving_apart=detail.halving.apart,
        integrator=taken_under(result.audit, result.metric).integrator,
        steps_taken=detail.halving.times * int(detail.steps[-1]),
        stability=kappa(result.audit, result.metric.largest_eigenvalue),
        gradient_evaluations=detail.gradient_evaluations,
        resampled=_resampled(found),
        resampled_rows=0 if detail.relearned is None else detail.relearned.rows,
    )


def _resampled(found: GradientFlowEstimates) -> tuple[tuple[float, float, float], ...]:
    relearned, estimates = found.detail.relearned, found.relearned_estimates
    if relearned is None or not estimates:
        return ()
    return tuple(
        (one.value, one.standard_error, float(angle)) for one, angle in zip(estimates, relearned.angles, strict=True)
    )
