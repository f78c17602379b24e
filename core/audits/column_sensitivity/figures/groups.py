"""How far the answers move for people of each group, with intervals that hold together."""

from core.audits.column_sensitivity.summaries import GroupSummary
from core.audits.column_sensitivity.verdict import ColumnSensitivityFinding
from core.audits.column_sensitivity.wording import MEASURE_AXIS
from core.figures import interval_rows
from core.figures.chart import Drawing
from core.figures.interval_rows import Line, Row, named
from core.phrases import count, share_interval, share_text
from core.thresholds import FEWEST_ROWS


def draw(finding: ColumnSensitivityFinding) -> Drawing:
    """A row for each of people's own groups, beside the tolerance δ; small groups say so and show nothing."""
    delta = 100 * finding.decision.delta
    return interval_rows.draw(
        [_row(group) for group in finding.groups],
        [Line(0.0, ""), Line.tolerance(delta, f"{delta:.10g}")],
        MEASURE_AXIS[finding.decision.measure],
        what=f"Mean share of probability that moves, by people's own group of {finding.attribute}.",
        closing=f"The tolerance is {delta:.10g}%.",
    )


def _row(group: GroupSummary) -> Row:
    name, people = named("", group.group, 22), count(group.people, "person", "people")
    if group.people < FEWEST_ROWS:
        told = f"insufficient evidence ({people})"
        return Row.named(name, told, alt=f"{group.group}: {told}")
    told = f"{share_text(group.mean)} ({share_interval(group.low, group.high)}), {people}"
    value, low, high = (100 * one for one in (group.mean, group.low, group.high))
    return Row.named(name, told, value=value, low=low, high=high, alt=f"{group.group}: {told}")
