"""How far the answers move for people of each group, with intervals that hold together."""

from __future__ import annotations

import math

import plotly.graph_objects as go

from core.audits.column_sensitivity.reading import ColumnSensitivityReading
from core.dataset import MINIMUM_ROWS
from core.figures import sensitivity_rows as rows
from core.figures import theme
from core.figures.sensitivity_rows import Line, Row
from core.result import ColumnSensitivityResult
from core.words import count, share_interval, share_text
from core.words_column_sensitivity import MEASURE_AXIS


def applies(result: ColumnSensitivityResult, reading: ColumnSensitivityReading) -> bool:
    """Whether the measure has a value."""
    return not result.detail.estimate(reading).undefined


def draw(result: ColumnSensitivityResult, reading: ColumnSensitivityReading) -> go.Figure:
    """A row for each of people's own groups, beside the tolerance δ; small groups say so and show nothing."""
    found = result.detail.group_means(reading)
    drawn = []
    for g, group in enumerate(result.detail.of(reading).groups):
        told = _told(result, reading, g)
        name = f"<b>{theme.literal(group, 22)}</b>"
        if found.rows[g] < MINIMUM_ROWS:
            drawn.append(Row(f"{name} {told}", math.nan, math.nan, math.nan, told))
            continue
        mean, low, high = (100 * float(one[g]) for one in (found.means, found.low, found.high))
        drawn.append(Row(f"{name} {told}", mean, low, high, f"{name}<br>{told}"))
    lines = [
        Line(0.0, ""),
        Line(100 * reading.delta, f"tolerance {100 * reading.delta:.10g}", "dash", theme.ORANGE),
    ]
    return rows.draw(drawn, lines, MEASURE_AXIS[reading.measure])


def alt(result: ColumnSensitivityResult, reading: ColumnSensitivityReading) -> str:
    """The figure in words."""
    one = result.detail.of(reading)
    told = "; ".join(f"{group}: {_told(result, reading, g)}" for g, group in enumerate(one.groups))
    return (
        f"Mean share of probability that moves, by people's own group of {one.attribute}. {told}. The tolerance is "
        f"{100 * reading.delta:.10g}%."
    )


def _told(result: ColumnSensitivityResult, reading: ColumnSensitivityReading, g: int) -> str:
    found = result.detail.group_means(reading)
    people = count(int(found.rows[g]), "person", "people")
    if found.rows[g] < MINIMUM_ROWS:
        return f"insufficient evidence ({people})"
    ends = share_interval(float(found.low[g]), float(found.high[g]))
    return f"{share_text(float(found.means[g]))} ({ends}), {people}"
