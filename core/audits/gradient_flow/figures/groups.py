"""Every protected group with an interval that holds for all of them together, against the tolerance."""

import math

from core.audits.gradient_flow.groups import GroupEstimate
from core.audits.gradient_flow.verdict import GradientFlowFinding
from core.figures import interval_rows, theme
from core.figures.chart import Drawing
from core.figures.interval_rows import Line, Row
from core.inference.estimate import Verdict
from core.phrases import count, interval, number, precision

_SAID = {
    Verdict.VIOLATION: "violation",
    Verdict.NO_VIOLATION: "no violation",
    Verdict.INSUFFICIENT: "insufficient evidence",
}


def draw(finding: GradientFlowFinding) -> Drawing:
    """A row per group under its attribute: estimate, simultaneous interval, verdict in words and by marker."""
    statistic, delta = finding.decision.statistic, finding.decision.delta
    lines = [Line(1.0, ""), Line(delta, f"tolerance {number(delta)}", "dash", theme.ORANGE)]
    figure = interval_rows.draw([_row(one) for one in finding.groups], lines, f"{statistic} (1: treated alike)")
    each = "; ".join(f"{one.attribute} {one.group}: {_told(one)}" for one in finding.groups)
    return Drawing(figure, f"The {statistic} of each protected group, tolerance {number(delta)}. {each}.")


def _row(one: GroupEstimate) -> Row:
    name = f"{theme.literal(one.attribute, 14)}: <b>{theme.literal(one.group, 18)}</b>"
    if not _claimed(one):
        return Row(f"{name} {_told(one)}", math.nan, math.nan, math.nan, "")
    return Row(
        f"{name} {_numbers(one)}, {_SAID[one.verdict]}",
        one.estimate,
        one.low,
        one.high,
        f"{name}<br>{theme.literal(_told(one))}",
        theme.VERDICT_COLOUR[one.verdict],
        theme.VERDICT_MARKER[one.verdict],
    )


def _claimed(one: GroupEstimate) -> bool:
    return math.isfinite(one.high)


def _told(one: GroupEstimate) -> str:
    people = count(one.n, "person", "people")
    if not _claimed(one):
        return f"{_SAID[one.verdict]} ({people})"
    return f"{_numbers(one)} over {people}, {_SAID[one.verdict]}"


def _numbers(one: GroupEstimate) -> str:
    return f"{number(one.estimate, precision(one.low, one.high))} ({interval(one.low, one.high)})"
