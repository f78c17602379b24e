"""How decision settings becomes a verdict, and what its reader has to know.

A lower bound above delta is a violation. "No violation" is claimed only if the upper bound lies at or below delta and
nothing is known that makes the bound doubtful; everything else is insufficient evidence.

The bounds take the fair metric as given, and keep their error rate for that metric. A learned metric is itself an
estimate: other rows teach another, under which the same model may be found in violation (on Adult T_n ran from 1.11 to
2.89 with 2,714 learning rows, at delta = 1.25). So where a metric was learned again from resampled rows, "no
violation" is claimed only if both hold at the decision's stopping time, for the decision's statistic:

* fewer than one in ten relearned metrics, and none of up to ten, has a lower bound above delta;
* the upper bound stays at or below delta with the bootstrap's standard error for the metric added to that of the rows.

The first sees rare and extreme metrics, the second what a handful of resamples is too small to hit. A violation stands
without this: it is a violation under the metric that was used. But its reader is warned where some relearned metrics
put the ratio at or below delta; estimates are compared here and not lower bounds, because relearned metrics are tried
on up to 2,000 rows and would miss small violations by that alone. Where a learned metric was not learned again, a "no
violation" says so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.audits.gradient_flow.decision import GradientFlowDecision
from core.data.dataset import MINIMUM_ROWS
from core.errors import Notice, most_serious_first
from core.inference.estimate import Verdict
from core.inference.moments import ratio_upper_by_counts
from core.inference.tails import SMALLEST_INDEX

if TYPE_CHECKING:
    from core.audits.gradient_flow.result import GradientFlowDetail

FEW_MISTAKES = 10
"""Below this many rows in error at the start the ratio of error rates is far from normal."""
LOST_GROUND_LIMIT = 0.01
METRICS_IN_VIOLATION = 0.1
"""From this share of relearned metrics on that find a violation, "no violation" is not claimed."""
RISING = 0.02
SHORTEST_FLOW_TIME = 0.3
"""The steps of the published studies add up to 0.39 (simulation), 1 (COMPAS, as run) and 5 (Adult)."""
UNMOVED_LIMIT = 0.05
"""Rows whose ratio is exactly 1 were not tested; a fair model's still move a little against the penalty."""


def verdict(detail: GradientFlowDetail, decision: GradientFlowDecision) -> Verdict:
    """The verdict of decision settings."""
    found = detail.estimate(decision).verdict(decision.delta, decision.alpha)
    if found is Verdict.NO_VIOLATION and _doubts(detail, decision):
        return Verdict.INSUFFICIENT
    if found is Verdict.VIOLATION and _too_few(detail, decision):
        return Verdict.INSUFFICIENT
    return found


def reasons(detail: GradientFlowDetail, decision: GradientFlowDecision) -> tuple[Notice, ...]:
    """Everything that speaks against taking the verdict at its word, most serious first."""
    estimate = detail.estimate(decision)
    if estimate.undefined:
        return (Notice("serious", estimate.undefined, "Read the loss ratio instead, or bring more rows."),)
    found = estimate.verdict(decision.delta, decision.alpha)
    doubts = _doubts(detail, decision) if found is Verdict.NO_VIOLATION else _too_few(detail, decision)
    notices = (
        *doubts,
        *_metric_warning(detail, decision, found),
        *_tail_warning(detail, decision, found),
        *_rising(detail, decision),
        *_step_error(detail, decision),
    )
    unique = {notice.what: notice for notice in notices}
    return most_serious_first(unique.values())


def _too_few(detail: GradientFlowDetail, decision: GradientFlowDecision) -> tuple[Notice, ...]:
    """Sample sizes below which neither claim is made."""
    estimate = detail.estimate(decision)
    if estimate.n < MINIMUM_ROWS:
        return (
            Notice(
                "serious",
                f"Only {estimate.n} rows were audited; a verdict needs at least {MINIMUM_ROWS}.",
                "Bring more rows, or hold fewer of them out for the metric.",
            ),
        )
    wrong = int(detail.wrong_start.sum())
    if decision.statistic == "error-rate ratio" and wrong < FEW_MISTAKES:
        return (
            Notice(
                "serious",
                f"The model is wrong on only {wrong} rows before the search; "
                f"the ratio of error rates needs at least {FEW_MISTAKES}.",
                "Bring more rows, or read the loss ratio instead.",
            ),
        )
    return ()


def _doubts(detail: GradientFlowDetail, decision: GradientFlowDecision) -> tuple[Notice, ...]:
    """Why a "no violation" by the normal bound is not claimed."""
    notices = list(_too_few(detail, decision))
    if detail.of_texts:
        notices.append(
            Notice(
                "serious",
                "The search moved the model's embedding, whose scale is its own: that it found little within its "
                "length clears no texts.",
                "Let the sensitivity test judge exchanged words; it can find that there is no violation.",
            )
        )
    index = detail.at(decision.stop_at)
    if decision.statistic == "loss ratio":
        tail = detail.tail(decision.stop_at)
        if tail.index < SMALLEST_INDEX:
            notices.append(
                Notice(
                    "serious",
                    f"The largest ratios fall off so slowly (tail index {tail.index:.2g}, below {SMALLEST_INDEX:g}) "
                    "that no number of rows like these bounds their mean.",
                    "Set a smallest loss, or read the error-rate ratio instead.",
                )
            )
        elif tail.doubtful:
            upper = detail.bootstrap_t(2 * decision.alpha, stop_at=decision.stop_at).high
            if upper > decision.delta:
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
            decision.alpha,
        )
        if upper > decision.delta:
            notices.append(
                Notice(
                    "serious",
                    "Too few rows changed sides to exclude a violation: "
                    f"counted exactly, the upper bound is {upper:.3g}.",
                    "Bring more rows.",
                )
            )
    notices += unpinned_metric(detail, decision)
    return (*notices, *search_doubts(detail, decision))


def search_doubts(detail: GradientFlowDetail, decision: GradientFlowDecision) -> tuple[Notice, ...]:
    """Why this search could not have found a violation that is there, or has found one later on."""
    notices = []
    if detail.free_directions == 0:
        notices.append(
            Notice(
                "serious",
                "The fair metric holds people back in every direction, so the search had nowhere to look.",
                "Say which columns may differ freely, learn the metric, or lower the weight of similarity.",
            )
        )
    index = detail.at(decision.stop_at)
    lost, rows = int(detail.lost_ground[index]), int(detail.cells.count.sum())
    if lost > LOST_GROUND_LIMIT * rows:
        notices.append(
            Notice(
                "serious",
                f"The search lost ground in {lost} of {rows} rows, which an exact search never does (eq. 3.1).",
                "Choose a smaller step size or an exponential integrator.",
            )
        )
    unmoved = int((detail.ratios == 1.0).sum())
    if unmoved > UNMOVED_LIMIT * len(detail.ratios):
        notices.append(
            Notice(
                "serious",
                f"In {unmoved:,} of {len(detail.ratios):,} rows the search changed nothing: the model's answers do not "
                "react to small changes there, or the smallest loss hides it.",
                "Check that the model file is the right one, search in float64, or lower the smallest loss.",
            )
        )
    flow_time = float(detail.flow_time[index])
    if flow_time < SHORTEST_FLOW_TIME:
        notices.append(
            Notice(
                "serious",
                f"The search is too short to find much: its steps add up to {flow_time:.2g}, those of the published "
                "studies to 0.39 to 5.",
                "Take more or larger steps, or read a longer search.",
            )
        )
    whole = detail.estimate(decision.model_copy(update={"stop_at": None}))
    if whole.verdict(decision.delta, decision.alpha) is Verdict.VIOLATION:
        notices.append(
            Notice(
                "serious",
                f"The same search finds a violation when it is read to its end, {detail.steps[-1]:,} steps: "
                f"{whole.value:.3g}.",
                "Read the whole search.",
            )
        )
    return tuple(notices)


def unpinned_metric(detail: GradientFlowDetail, decision: GradientFlowDecision) -> tuple[Notice, ...]:
    """Why relearned metrics contradict a "no violation"; see the module's text for the rule."""
    found = [each.verdict(decision.delta, decision.alpha) for each in detail.resampled(decision)]
    violations = found.count(Verdict.VIOLATION)
    upper = detail.with_metric_error(decision).upper_bound(decision.alpha)
    if violations and violations >= METRICS_IN_VIOLATION * len(found):
        what = (
            f"{violations} of {len(found)} metrics learned from resampled rows "
            f"{'find' if violations > 1 else 'finds'} a violation: who counts as similar is not pinned down by these "
            "rows."
        )
    elif upper > decision.delta:
        what = (
            f"With the uncertainty of the learned metric the upper bound is {upper:.3g}, above the tolerance: who "
            "counts as similar is not pinned down by these rows."
        )
    else:
        return ()
    advice = "Bring more rows to learn the metric from, learn it on the audited rows as the paper does, or declare it."
    return (Notice("serious", what, advice),)


def _metric_warning(detail: GradientFlowDetail, decision: GradientFlowDecision, found: Verdict) -> tuple[Notice, ...]:
    """What a reader has to know about a learned metric that does not change the verdict."""
    again = detail.resampled(decision)
    if found is Verdict.NO_VIOLATION and detail.relearned is not None and len(again) < 2:
        what = "The metric was not learned again from other rows, so it is not known how much this verdict hangs on it."
        return (Notice("warning", what, "Run the audit again with metric resamples, 8 or more."),)
    tolerated = sum(each.value <= decision.delta for each in again)
    if found is Verdict.VIOLATION and tolerated:
        what = (
            f"{tolerated} of {len(again)} metrics learned from resampled rows "
            f"{'put' if tolerated > 1 else 'puts'} the {decision.statistic} at or below the tolerance: the violation "
            "hangs on which rows taught the metric."
        )
        return (Notice("warning", what, "Bring more rows to learn the metric from, or declare it."),)
    return ()


def _tail_warning(detail: GradientFlowDetail, decision: GradientFlowDecision, found: Verdict) -> tuple[Notice, ...]:
    tail = detail.tail(decision.stop_at)
    if decision.statistic != "loss ratio" or not tail.doubtful:
        return ()
    interval = detail.bootstrap_t(2 * decision.alpha, stop_at=decision.stop_at)
    contradicted = found is Verdict.VIOLATION and interval.low <= decision.delta
    return (
        Notice(
            "serious" if contradicted else "warning",
            f"The largest 1% of rows carry {tail.share:.0%} of the mean loss ratio, so the normal interval is "
            f"doubtful; the bootstrap-t bounds are {interval.low:.3g} and {interval.high:.3g}.",
            "Bring more rows, or set a smallest loss.",
        ),
    )


def _rising(detail: GradientFlowDetail, decision: GradientFlowDecision) -> tuple[Notice, ...]:
    """The statistic still grows at the stopping time, so that a longer search may find more."""
    index = detail.at(decision.stop_at)
    half = detail.at(int(detail.steps[index]) // 2)
    if half >= index or detail.verdict(decision) is Verdict.VIOLATION:
        return ()
    now = detail.estimate(decision).value
    then = detail.estimate(decision.model_copy(update={"stop_at": int(detail.steps[half])})).value
    if not now - then > RISING * max(then, 1.0):
        return ()
    return (
        Notice(
            "warning",
            f"The {decision.statistic} still rises: {then:.3g} after {detail.steps[half]} steps, "
            f"{now:.3g} after {detail.steps[index]}.",
            "A longer search may find more; it never makes a fair model look unfair by more than the error rate.",
        ),
    )


def _step_error(detail: GradientFlowDetail, decision: GradientFlowDecision) -> tuple[Notice, ...]:
    """The step size moves T_n by a good part of its distance to delta."""
    error = abs(detail.halving.error)
    distance = abs(detail.halving.lower_bound - decision.delta)
    if decision.statistic != "loss ratio" or detail.at(decision.stop_at) != len(detail.steps) - 1:
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
