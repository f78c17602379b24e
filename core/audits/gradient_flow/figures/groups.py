"""Every protected group with an interval that holds for all of them together, against the tolerance."""

import math

from core.audits.gradient_flow.decision import name_of
from core.audits.gradient_flow.groups import GroupEstimate
from core.audits.gradient_flow.verdict import GradientFlowFinding
from core.figures import interval_rows, theme
from core.figures.chart import Drawing
from core.figures.interval_rows import Line, Row, named
from core.inference.estimate import Verdict
from core.language.phrases import count, interval, number, precision
from core.language.told import retold, say

_SAID = {
    Verdict.VIOLATION: say("violation"),
    Verdict.NO_VIOLATION: say("no violation"),
    Verdict.INSUFFICIENT: say("insufficient evidence"),
}


def draw(finding: GradientFlowFinding) -> Drawing:
    """A row per group under its attribute: estimate, simultaneous interval, verdict in words and by marker."""
    statistic, delta = name_of(finding.decision.statistic), finding.decision.delta
    return interval_rows.draw(
        [_row(one) for one in finding.groups],
        [Line(1.0, ""), Line.tolerance(delta, number(delta))],
        say("{statistic} (1: treated alike)", statistic=statistic),
        what=say(
            "The {statistic} of each protected group, tolerance {delta}.", statistic=statistic, delta=number(delta)
        ),
    )


def _row(one: GroupEstimate) -> Row:
    name, alt = named(one.attribute, one.group), f"{one.attribute} = {one.group}"
    said, people = retold(_SAID[one.verdict]), count(one.n, "person", "people")
    if not math.isfinite(one.high):
        return Row.named(name, f"{said} ({people})", alt=f"{alt}: {said} ({people})", who=alt)
    found = f"{number(one.estimate, precision(one.low, one.high))} ({interval(one.low, one.high)})"
    told = say("{found} over {people}, {said}", found=found, people=people, said=said)
    return Row.named(
        name,
        f"{found}, {said}",
        told,
        value=one.estimate,
        low=one.low,
        high=one.high,
        alt=f"{alt}: {told}",
        colour=theme.VERDICT_COLOUR[one.verdict],
        symbol=theme.VERDICT_MARKER[one.verdict],
        who=alt,
    )
