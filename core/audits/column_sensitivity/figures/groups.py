"""How far the answers move for people of each group, with intervals that hold together."""

from core.audits.column_sensitivity.summaries import GroupSummary
from core.audits.column_sensitivity.verdict import NAME, ColumnSensitivityFinding
from core.base.thresholds import FEWEST_ROWS
from core.figures import interval_rows
from core.figures.chart import Drawing
from core.figures.interval_rows import Line, Row, named
from core.language.phrases import count, lower_first
from core.language.told import retold, say
from core.language.units import POINTS


def draw(finding: ColumnSensitivityFinding) -> Drawing:
    """A row for each of people's own groups, beside the tolerance δ; small groups say so and show nothing."""
    delta, name = finding.decision.delta, retold(NAME[finding.decision.measure])
    return interval_rows.draw(
        [_row(finding.scores.attribute, group) for group in finding.groups],
        [Line(0.0, ""), Line.tolerance(POINTS.factor * delta, POINTS.plain_tolerance(delta))],
        POINTS.axis(lower_first(name)),
        what=say("{name}, by people's own group of {attribute}.", name=name, attribute=finding.scores.attribute),
        closing=say("The tolerance is {delta}.", delta=POINTS.tolerance(delta)),
    )


def _row(attribute: str, group: GroupSummary) -> Row:
    alt, name = f"{attribute} = {group.group}", named(attribute, group.group, 22)
    people = count(group.people, "person", "people")
    if group.people < FEWEST_ROWS:
        told = say("insufficient evidence ({people})", people=people)
        return Row.named(name, told, alt=f"{alt}: {told}", who=alt)
    told = f"{POINTS.number(group.mean)} ({POINTS.interval(group.low, group.high)}), {people}"
    value, low, high = (POINTS.factor * one for one in (group.mean, group.low, group.high))
    return Row.named(name, told, value=value, low=low, high=high, alt=f"{alt}: {told}", who=alt)
