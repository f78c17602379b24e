"""How far the answers move for people of each group, with intervals that hold together."""

import math

from core.audits.column_sensitivity.verdict import ColumnSensitivityFinding, GroupSummary
from core.audits.column_sensitivity.wording import MEASURE_AXIS
from core.data.dataset import MINIMUM_ROWS
from core.figures import interval_rows, theme
from core.figures.chart import Drawing
from core.figures.interval_rows import Line, Row
from core.phrases import count, share_interval, share_text


def draw(finding: ColumnSensitivityFinding) -> Drawing:
    """A row for each of people's own groups, beside the tolerance δ; small groups say so and show nothing."""
    delta = 100 * finding.decision.delta
    told = [_told(group) for group in finding.groups]
    rows = [_row(group, words) for group, words in zip(finding.groups, told, strict=True)]
    lines = [Line(0.0, ""), Line(delta, f"tolerance {delta:.10g}", "dash", theme.ORANGE)]
    each = "; ".join(f"{group.group}: {words}" for group, words in zip(finding.groups, told, strict=True))
    return Drawing(
        interval_rows.draw(rows, lines, MEASURE_AXIS[finding.decision.measure]),
        f"Mean share of probability that moves, by people's own group of {finding.attribute}. {each}. The tolerance "
        f"is {delta:.10g}%.",
    )


def _row(group: GroupSummary, told: str) -> Row:
    name = f"<b>{theme.literal(group.group, 22)}</b>"
    if group.people < MINIMUM_ROWS:
        return Row(f"{name} {told}", math.nan, math.nan, math.nan, told)
    return Row(f"{name} {told}", 100 * group.mean, 100 * group.low, 100 * group.high, f"{name}<br>{told}")


def _told(group: GroupSummary) -> str:
    people = count(group.people, "person", "people")
    if group.people < MINIMUM_ROWS:
        return f"insufficient evidence ({people})"
    return f"{share_text(group.mean)} ({share_interval(group.low, group.high)}), {people}"
