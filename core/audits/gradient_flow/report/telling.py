"""The gradient-flow test as report, record and pages tell it."""

import numpy as np

from core.audits.gradient_flow.decision import GradientFlowDecision
from core.audits.gradient_flow.report.limits import limits
from core.audits.gradient_flow.report.numbers import (
    GradientFlowNumbers,
    GroupNumbers,
    StatisticNumbers,
    SweepNumbers,
    collect,
)
from core.audits.gradient_flow.result import GradientFlowResult
from core.audits.gradient_flow.wording import resampled
from core.phrases import count, interval, number, p_value, percent, precision, ratio
from core.plan import AuditPlan
from core.report.tables import Fact, Table
from core.report.telling import AbstractTelling

MOST_SWEEP_ROWS = 12
"""Stopping times in the table, about evenly spaced; the record holds all of them."""
NOT_GIVEN = "–"


class GradientFlowTelling(AbstractTelling[GradientFlowResult, GradientFlowDecision, GradientFlowNumbers]):
    """See the base class."""

    numbers = GradientFlowNumbers
    name = "Search for worse-treated twins (gradient-flow test)"
    about = (
        "For every audited person the test searches for a similar person, as the fair metric understands it, whom the "
        "model treats worse. It then compares the model's loss on the two. An average ratio of 1 means that no worse "
        "treatment was found."
    )
    citation = "Maity, Xue, Yurochkin and Sun, “Statistical inference for individual fairness”, ICLR 2021"
    topics = ("statistic", "search", "metric", "data")

    def collect(self, result: GradientFlowResult, decision: GradientFlowDecision) -> GradientFlowNumbers:
        """See the base class."""
        return collect(result, decision)

    def similar(self, result: GradientFlowResult) -> tuple[Fact, ...]:
        """See the base class."""
        metric = result.metric
        learned = f"{count(metric.learned_on, 'row')}" if metric.learned_on else "declared, not learned"
        return (
            Fact("Fair metric", metric.name),
            Fact("Learned from", learned),
            Fact("Free directions", f"{len(metric.free)} of {len(metric.columns)} encoded columns"),
        )

    def statistics(self, decision: GradientFlowDecision, numbers: GradientFlowNumbers) -> Table:
        """See the base class."""
        return _statistics(decision, numbers)

    def tables(
        self, result: GradientFlowResult, decision: GradientFlowDecision, numbers: GradientFlowNumbers
    ) -> dict[str, Table]:
        """Groups and shorter searches."""
        sweep = next(one for one in numbers.sweeps if one.statistic == decision.statistic)
        return {"groups": _groups(decision, numbers), "sweep": _sweep(decision, sweep)}

    def diagnostics(
        self, result: GradientFlowResult, decision: GradientFlowDecision, numbers: GradientFlowNumbers
    ) -> tuple[Fact, ...]:
        """See the base class."""
        return _diagnostics(result, decision, numbers)

    def limits(self, plan: AuditPlan, result: GradientFlowResult, decision: GradientFlowDecision) -> tuple[str, ...]:
        """See the base class."""
        return limits(result, decision)


def _statistics(decision: GradientFlowDecision, numbers: GradientFlowNumbers) -> Table:
    confidence = percent(1 - decision.alpha)
    first, second = numbers.statistics
    lines = (
        ("Verdict", *(found.verdict.value for found in numbers.statistics)),
        ("Estimate", *(number(found.estimate, _decimals(found)) for found in numbers.statistics)),
        (f"{confidence} interval, two-sided", *map(_interval_text, numbers.statistics)),
        (
            f"Lower bound, {confidence}, one-sided (T_n)",
            *(_bound(found, decision, upper=False) for found in (first, second)),
        ),
        (f"Upper bound, {confidence}, one-sided", *(_bound(found, decision, upper=True) for found in (first, second))),
        ("p-value", *(p_value(found.p_value, alpha=decision.alpha) for found in numbers.statistics)),
        ("Standard error", *(number(found.standard_error) for found in numbers.statistics)),
        ("Rows n", *(f"{found.n:,}" for found in numbers.statistics)),
        (
            "Smallest ratio this many rows find four times in five",
            *(ratio(found.minimum_detectable, beside=decision.delta) for found in numbers.statistics),
        ),
    )
    caption = f"Both tests at tolerance δ = {decision.delta:g} and error rate α = {decision.alpha:g}"
    return Table(caption, ("", "Loss ratio", "Error-rate ratio"), lines)


def _bound(found: StatisticNumbers, decision: GradientFlowDecision, *, upper: bool) -> str:
    bound = found.upper_bound if upper else found.lower_bound
    return ratio(bound, beside=decision.delta, decimals=_decimals(found))


def _decimals(found: StatisticNumbers) -> int | None:
    return precision(found.interval_low, found.interval_high)


def _interval_text(found: StatisticNumbers) -> str:
    if found.undefined:
        return number(found.estimate)
    return interval(found.interval_low, found.interval_high)


def _groups(decision: GradientFlowDecision, numbers: GradientFlowNumbers) -> Table:
    confidence = percent(1 - decision.alpha)
    caption = f"{decision.statistic.capitalize()} by group; all intervals hold together with {confidence} confidence"
    header = ("Group", "Attribute", "Rows", "Estimate", "Interval", "Verdict")
    return Table(caption, header, tuple(_group(found) for found in numbers.groups))


def _group(found: GroupNumbers) -> tuple[str, ...]:
    head = (found.group, found.attribute, f"{found.n:,}")
    if found.estimate != found.estimate:
        return (*head, NOT_GIVEN, NOT_GIVEN, f"{found.verdict.value} (too few rows to judge)")
    return (
        *head,
        number(found.estimate),
        interval(found.low, found.high),
        found.verdict.value,
    )


def _sweep(decision: GradientFlowDecision, sweep: SweepNumbers) -> Table:
    wanted = np.linspace(0, sweep.steps[-1], MOST_SWEEP_ROWS + 1)[1:]
    shown = np.unique(np.abs(np.array(sweep.steps)[:, None] - wanted).argmin(axis=0)).tolist()
    rows = tuple(
        (
            f"{sweep.steps[i]:,}",
            number(sweep.flow_time[i]),
            number(sweep.estimate[i]),
            ratio(sweep.lower_bound[i], beside=decision.delta),
            ratio(sweep.upper_bound[i], beside=decision.delta),
        )
        for i in shown
    )
    header = ("Steps T", "Flow time τ", "Estimate", "Lower bound", "Upper bound")
    return Table(f"{decision.statistic.capitalize()} had the search stopped earlier", header, rows)


def _diagnostics(
    result: GradientFlowResult, decision: GradientFlowDecision, numbers: GradientFlowNumbers
) -> tuple[Fact, ...]:
    found = numbers.diagnostics
    largest = count(found.top_rows, "row with the largest ratio", "rows with the largest ratios")
    carried = f"{percent(round(found.top_share, 4))} by {largest}"
    doubt = "doubtful" if found.tail_doubtful else "no cause for doubt"
    moved = found.halving_lower_bound - found.halving_lower_bound_halved
    unused = "" if result.audit.integrator == "euler" else "; the exponential integrator does not depend on it"
    return (
        Fact("Share of the average loss ratio carried", carried),
        Fact("Tail of the loss ratios (Hill estimate)", number(found.tail_index)),
        Fact("Normal approximation of the loss ratio", doubt),
        Fact(
            f"Bootstrap-t {percent(1 - decision.alpha)} interval of the loss ratio",
            interval(found.bootstrap_t_low, found.bootstrap_t_high),
        ),
        Fact(
            "Rows lifted to the smallest loss c",
            f"{found.floored_start:,} before the search, {found.floored_end:,} after it",
        ),
        Fact("Rows in which the search lost ground", f"{found.lost_ground:,}"),
        Fact(
            "Halving the step size",
            f"moves the lower bound by {number(moved)} on {count(found.halving_rows, 'row')}",
        ),
        Fact("Stability number κ", f"{number(found.stability)} (unstable from 2 on{unused})"),
        Fact("Metrics learned from resampled rows", resampled(result, decision)),
        Fact("Gradient evaluations per row", f"{found.gradient_evaluations:,}"),
    )
