"""The gradient-flow test in facts and tables, and what it assumes and cannot say."""

import math
from collections.abc import Callable

import numpy as np

from core.audits.gradient_flow.estimates import Sweep
from core.audits.gradient_flow.groups import GroupEstimate
from core.audits.gradient_flow.verdict import GradientFlowFinding
from core.audits.gradient_flow.wording import under_other_metrics
from core.limits import independent_rows, read_once
from core.metric import AbstractLearnedMetric
from core.phrases import count, interval, number, p_value, percent, precision, ratio
from core.tables import NOT_GIVEN, Fact, Table

EVIDENCE = {
    "comparable_pairs": "Squared differences of pairs over those of random pairs, by direction (free from 0.5 on)",
    "protected_status": "Response that two networks share over what chance reaches, by direction",
}
"""What the numbers that decide which directions are free are called, by the kind of metric."""

MOST_RATIOS = 6
MOST_SWEEP_ROWS = 12
"""Stopping times in the table, about evenly spaced; the record holds all of them."""


def similar(finding: GradientFlowFinding) -> tuple[Fact, ...]:
    """The fair metric and where it comes from."""
    metric = finding.result.metric
    learned = f"{count(metric.learned_on, 'row')}" if metric.learned_on else "declared, not learned"
    return (
        Fact("Fair metric", metric.name),
        Fact("Learned from", learned),
        Fact("Free directions", f"{len(metric.free)} of {len(metric.columns)} encoded columns"),
        *_evidence(finding),
    )


def _evidence(finding: GradientFlowFinding) -> tuple[Fact, ...]:
    """How strongly the rows speak for each direction that could be free, where they decide how many are."""
    metric, settings = finding.result.metric, finding.result.audit.metric
    meant = EVIDENCE.get(settings.kind)
    if meant is None or not len(metric.spectrum):
        return ()
    ratios = ", ".join(number(float(value)) for value in metric.spectrum[:MOST_RATIOS])
    return (Fact(meant, ratios),)


def statistics(finding: GradientFlowFinding) -> Table:
    """Both tests, a quantity a row."""
    delta, alpha, both = finding.decision.delta, finding.decision.alpha, finding.both
    confidence = percent(1 - alpha)

    def bound(one: GradientFlowFinding, value: float) -> str:
        return ratio(value, beside=delta, decimals=_decimals(one))

    published = " (T_n)" if finding.detail.relearned is None else ""
    lines = (
        ("Verdict", *(one.verdict.value for one in both)),
        ("Estimate", *(number(one.estimate, _decimals(one)) for one in both)),
        (f"{confidence} interval, two-sided", *map(_interval_text, both)),
        (f"Lower bound, {confidence}, one-sided{published}", *(bound(one, one.lower_bound) for one in both)),
        (f"Upper bound, {confidence}, one-sided", *(bound(one, one.upper_bound) for one in both)),
        *_given_metric(finding, bound),
        ("p-value", *(p_value(one.p_value, alpha=alpha) for one in both)),
        ("p-value, adjusted for both statistics (Holm)", *(p_value(one, alpha=alpha) for one in finding.adjusted)),
        ("Standard error", *(number(one.inference.standard_error) for one in both)),
        ("Rows n", *(f"{one.n:,}" for one in both)),
        (
            "Smallest ratio this many rows find four times in five",
            *(ratio(one.minimum_detectable, beside=delta) for one in both),
        ),
    )
    caption = f"Both tests at tolerance δ = {delta:g} and error rate α = {alpha:g}"
    return Table(caption, ("", "Loss ratio", "Error-rate ratio"), lines)


def _given_metric(
    finding: GradientFlowFinding, bound: Callable[[GradientFlowFinding, float], str]
) -> tuple[tuple[str, ...], ...]:
    """What the numbers would be were the learned metric known to be right; nothing for a declared one."""
    if finding.detail.relearned is None:
        return ()
    both, alpha = finding.both, finding.decision.alpha
    confidence, given = percent(1 - alpha), "given exactly this metric"
    intervals = [one.given_metric.two_sided(alpha) for one in both]
    return (
        (f"{confidence} interval, {given}", *(interval(one.low, one.high) for one in intervals)),
        (
            f"Lower bound, {given} (T_n)",
            *(bound(one, one.given_metric.lower_bound(alpha)) for one in both),
        ),
    )


def tables(finding: GradientFlowFinding) -> dict[str, Table]:
    """Groups and shorter searches."""
    return {"groups": _groups(finding), "sweep": _shorter(finding)}


def diagnostics(finding: GradientFlowFinding) -> tuple[Fact, ...]:
    """The tail of the ratios, the steps of the search, and other metrics."""
    found = finding.checks
    largest = count(found.top_rows, "row with the largest ratio", "rows with the largest ratios")
    carried = f"{percent(round(found.top_share, 4))} by {largest}"
    doubt = "doubtful" if found.tail_doubtful else "no cause for doubt"
    moved = found.halving_lower_bound - found.halving_lower_bound_halved
    unused = "" if finding.result.audit.integrator == "euler" else "; the exponential integrator does not depend on it"
    return (
        Fact("Share of the average loss ratio carried", carried),
        Fact("Tail of the loss ratios (Hill estimate)", number(found.tail_index)),
        Fact("Normal approximation of the loss ratio", doubt),
        Fact(
            f"Bootstrap-t {percent(1 - finding.decision.alpha)} interval of the loss ratio",
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
        Fact("Metrics learned again from half of the rows", under_other_metrics(finding)),
        Fact("Gradient evaluations per row", f"{found.gradient_evaluations:,}"),
    )


def limits(finding: GradientFlowFinding) -> tuple[str, ...]:
    """One plain sentence or two for each limit that applies to this audit."""
    return (
        "The verdict holds for one definition of similar. Another fair metric is another question and may have another "
        "answer.",
        "The search looks for similar people who are treated worse; it need not find the worst. What it reports it has "
        "found, but a longer search may find more.",
        independent_rows(finding.result.data.independent),
        _independence(finding),
        "The interval treats the average of the ratios as normally distributed. With many rows that is right; where a "
        "few rows carry much of the average it is doubtful. The diagnostics say which is the case here.",
        f"The tolerance of {finding.decision.delta:g} was chosen by the reader. The customary 1.25 is a screening "
        "convention derived from the four-fifths rule, not a legal threshold.",
        read_once(finding.decision.alpha, "settings"),
        "The similar twins are points in the space of features. Not every one of them need be a person who exists.",
        "A ratio compares losses: how far the model is from the recorded outcome. If the outcomes were themselves "
        "recorded with prejudice, this test does not see it.",
    )


def _independence(finding: GradientFlowFinding) -> str:
    """Whether the metric depends on the audited rows, and what that means for the stated confidence."""
    metric = finding.result.audit.metric
    if not isinstance(metric, AbstractLearnedMetric):
        return "The fair metric was declared or given with the settings, not learned from the audited rows at random."
    if metric.learn_on == "audited rows":
        return (
            "The fair metric was learned on the audited rows themselves, as in the paper. The theory asks for a metric "
            "that does not depend on them, so the stated confidence is approximate. "
            f"{_metric_error(finding)}"
        )
    return (
        f"The fair metric was learned from {finding.result.metric.learned_on:,} rows that were not audited. "
        f"{_metric_error(finding)}"
    )


def _metric_error(finding: GradientFlowFinding) -> str:
    """What the interval says of the error of a learned metric."""
    values = [one.value for one in finding.relearned_estimates]
    if not values:
        return (
            "Other rows would have taught another, and by how much the result would then differ was not tried: all "
            "numbers are given exactly this metric, and no verdict is claimed."
        )
    return (
        f"Other rows would have taught another. It was learned again {count(len(values), 'time')}, each time from half "
        f"of these rows, and the {finding.decision.statistic} ran from {number(min(values))} to "
        f"{number(max(values))}. The interval and the verdict include this: they are wider than they would be were it "
        "known who counts as similar. How many directions may differ freely was decided once."
    )


def _decimals(finding: GradientFlowFinding) -> int | None:
    return precision(finding.interval_low, finding.interval_high)


def _interval_text(finding: GradientFlowFinding) -> str:
    if finding.undefined:
        return number(finding.estimate)
    return interval(finding.interval_low, finding.interval_high)


def _groups(finding: GradientFlowFinding) -> Table:
    statistic, confidence = finding.decision.statistic.capitalize(), percent(1 - finding.decision.alpha)
    caption = f"{statistic} by group; all intervals hold together with {confidence} confidence"
    header = ("Group", "Attribute", "Rows", "Estimate", "Interval", "Verdict")
    return Table(caption, header, tuple(_group(one) for one in finding.groups))


def _group(one: GroupEstimate) -> tuple[str, ...]:
    head = (one.group, one.attribute, f"{one.n:,}")
    if math.isnan(one.estimate):
        return (*head, NOT_GIVEN, NOT_GIVEN, f"{one.verdict.value} (too few rows to judge)")
    return (*head, number(one.estimate), interval(one.low, one.high), one.verdict.value)


def _shorter(finding: GradientFlowFinding) -> Table:
    sweep, delta = finding.sweep, finding.decision.delta
    rows = tuple(
        (
            f"{sweep.steps[i]:,}",
            number(sweep.flow_time[i]),
            number(sweep.estimate[i]),
            ratio(sweep.lower_bound[i], beside=delta),
            ratio(sweep.upper_bound[i], beside=delta),
        )
        for i in _evenly_spaced(sweep)
    )
    header = ("Steps T", "Flow time τ", "Estimate", "Lower bound", "Upper bound")
    return Table(f"{finding.decision.statistic.capitalize()} had the search stopped earlier", header, rows)


def _evenly_spaced(sweep: Sweep) -> list[int]:
    """Positions of the stopping times to show."""
    wanted = np.linspace(0, sweep.steps[-1], MOST_SWEEP_ROWS + 1)[1:]
    shown: list[int] = np.unique(np.abs(np.array(sweep.steps)[:, None] - wanted).argmin(axis=0)).tolist()
    return shown
