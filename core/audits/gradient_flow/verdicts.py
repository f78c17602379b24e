"""How a reading becomes a verdict, and what its reader has to know.

A lower bound above delta is a violation. "No violation" is claimed only if the upper bound lies at or below delta and
nothing is known that makes the bound doubtful; everything else is insufficient evidence.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.dataset import MINIMUM_ROWS
from core.errors import Notice
from core.inference.estimate import Verdict
from core.inference.moments import ratio_upper_by_counts
from core.reading import Reading

if TYPE_CHECKING:
    from core.audits.gradient_flow.detail import GradientFlowDetail

FEW_MISTAKES = 10
"""Below this many rows in error at the start the ratio of error rates is far from normal."""
LOST_GROUND_LIMIT = 0.01
RISING = 0.02
_SEVERITY = {"serious": 0, "warning": 1, "info": 2}


def verdict(detail: GradientFlowDetail, reading: Reading) -> Verdict:
    """The verdict of a reading."""
    found = detail.estimate(reading).verdict(reading.delta, reading.alpha)
    if found is Verdict.NO_VIOLATION and _doubts(detail, reading):
        return Verdict.INSUFFICIENT
    if found is Verdict.VIOLATION and _too_few(detail, reading):
        return Verdict.INSUFFICIENT
    return found


def reasons(detail: GradientFlowDetail, reading: Reading) -> tuple[Notice, ...]:
    """Everything that speaks against taking the verdict at its word, most serious first."""
    estimate = detail.estimate(reading)
    if estimate.undefined:
        return (Notice("serious", estimate.undefined, "Read the loss ratio instead, or bring more rows."),)
    found = estimate.verdict(reading.delta, reading.alpha)
    doubts = _doubts(detail, reading) if found is Verdict.NO_VIOLATION else _too_few(detail, reading)
    notices = (
        *doubts,
        *_tail_warning(detail, reading, found),
        *_rising(detail, reading),
        *_step_error(detail, reading),
    )
    unique = {notice.what: notice for notice in notices}
    return tuple(sorted(unique.values(), key=lambda notice: _SEVERITY[notice.level]))


def _too_few(detail: GradientFlowDetail, reading: Reading) -> tuple[Notice, ...]:
    """Sample sizes below which neither claim is made."""
    estimate = detail.estimate(reading)
    if estimate.n < MINIMUM_ROWS:
        return (
            Notice(
                "serious",
                f"Only {estimate.n} rows were audited; a verdict needs at least {MINIMUM_ROWS}.",
                "Bring more rows, or hold fewer of them out for the metric.",
            ),
        )
    wrong = int(detail.wrong_start.sum())
    if reading.statistic == "error-rate ratio" and wrong < FEW_MISTAKES:
        return (
            Notice(
                "serious",
                f"The model is wrong on only {wrong} rows before the search; "
                f"the ratio of error rates needs at least {FEW_MISTAKES}.",
                "Bring more rows, or read the loss ratio instead.",
            ),
        )
    return ()


def _doubts(detail: GradientFlowDetail, reading: Reading) -> tuple[Notice, ...]:
    """Why a "no violation" by the normal bound is not claimed."""
    notices = list(_too_few(detail, reading))
    index = detail.at(reading.stop_at)
    if reading.statistic == "loss ratio":
        if detail.tail(reading.stop_at).doubtful:
            upper = detail.bootstrap_t(2 * reading.alpha, stop_at=reading.stop_at).high
            if upper > reading.delta:
                notices.append(
                    Notice(
                        "serious",
                        "A few rows carry much of the mean, so the normal interval is doubtful; "
                        f"the bootstrap-t upper bound is {upper:.3g}, above the tolerance.",
                        "Bring more rows, or set a smallest loss.",
                    )
                )
    else:
        upper = ratio_upper_by_counts(
            int(detail.wrong_end[index].sum()),
            int(detail.wrong_start.sum()),
            int(detail.wrong_both[index].sum()),
            reading.alpha,
        )
        if upper > reading.delta:
            notices.append(
                Notice(
                    "serious",
                    "Too few rows changed sides to exclude a violation: "
                    f"counted exactly, the upper bound is {upper:.3g}.",
                    "Bring more rows.",
                )
            )
    lost, rows = int(detail.lost_ground[index]), int(detail.cells.count.sum())
    if lost > LOST_GROUND_LIMIT * rows:
        notices.append(
            Notice(
                "serious",
                f"The search lost ground in {lost} of {rows} rows, which an exact search never does (eq. 3.1).",
                "Choose a smaller step size or an exponential integrator.",
            )
        )
    return tuple(notices)


def _tail_warning(detail: GradientFlowDetail, reading: Reading, found: Verdict) -> tuple[Notice, ...]:
    tail = detail.tail(reading.stop_at)
    if reading.statistic != "loss ratio" or not tail.doubtful:
        return ()
    interval = detail.bootstrap_t(2 * reading.alpha, stop_at=reading.stop_at)
    contradicted = found is Verdict.VIOLATION and interval.low <= reading.delta
    return (
        Notice(
            "serious" if contradicted else "warning",
            f"The largest 1% of rows carry {tail.share:.0%} of the mean loss ratio, so the normal interval is "
            f"doubtful; the bootstrap-t bounds are {interval.low:.3g} and {interval.high:.3g}.",
            "Bring more rows, or set a smallest loss.",
        ),
    )


def _rising(detail: GradientFlowDetail, reading: Reading) -> tuple[Notice, ...]:
    """The statistic still grows at the stopping time, so that a longer search may find more."""
    index = detail.at(reading.stop_at)
    half = detail.at(int(detail.steps[index]) // 2)
    if half >= index or detail.verdict(reading) is Verdict.VIOLATION:
        return ()
    now = detail.estimate(reading).value
    then = detail.estimate(reading.model_copy(update={"stop_at": int(detail.steps[half])})).value
    if not now - then > RISING * max(then, 1.0):
        return ()
    return (
        Notice(
            "warning",
            f"The {reading.statistic} still rises: {then:.3g} after {detail.steps[half]} steps, "
            f"{now:.3g} after {detail.steps[index]}.",
            "A longer search may find more; it never makes a fair model look unfair by more than the error rate.",
        ),
    )


def _step_error(detail: GradientFlowDetail, reading: Reading) -> tuple[Notice, ...]:
    """The step size moves T_n by a good part of its distance to delta."""
    error = abs(detail.halving.error)
    distance = abs(detail.halving.lower_bound - reading.delta)
    if reading.statistic != "loss ratio" or detail.at(reading.stop_at) != len(detail.steps) - 1:
        return ()
    if error <= 0.25 * distance:
        return ()
    return (
        Notice(
            "warning",
            f"Halving the step size moves the lower bound by {error:.2g}, "
            f"a good part of its distance {distance:.2g} to the tolerance.",
            "Choose a smaller step size, or the integrator ETD2RK.",
        ),
    )
