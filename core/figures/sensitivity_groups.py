"""The chosen measure in every protected group: how it is spread over texts, and its mean with its interval."""

from __future__ import annotations

import math

import numpy as np
import plotly.graph_objects as go

from core.audits.sensitivity.answers import GroupMeans, column
from core.audits.sensitivity.reading import SensitivityReading
from core.dataset import MINIMUM_ROWS
from core.figures import sensitivity_rows as rows
from core.figures import theme
from core.figures.sensitivity_rows import Line, Row
from core.figures.sensitivity_units import SMALL_TICKS, Unit, measure_name, unit_of
from core.result import SensitivityResult
from core.words import count, number, precision


def applies(result: SensitivityResult, reading: SensitivityReading) -> bool:
    """Whether some text has the measure."""
    return bool(np.isfinite(column(result.detail.audited, reading.measure, reading.signed)).any())


def draw(result: SensitivityResult, reading: SensitivityReading) -> go.Figure:
    """All texts, then a row a group; grey bars say how texts are spread, the diamond is the mean with its interval.

    The intervals hold together for the groups of one attribute. Groups with few texts show nothing of single ones.
    """
    unit = unit_of(reading)
    found = _everybody(result, reading, unit)
    for membership, means in zip(
        result.detail.memberships,
        result.detail.group_estimates(reading.measure, reading.signed, reading.alpha),
        strict=True,
    ):
        values = column(result.detail.audited, reading.measure, reading.signed)
        for g, group in enumerate(means.groups):
            name = f"{theme.literal(means.attribute, 14)}: <b>{theme.literal(group, 18)}</b>"
            inside = values[(membership.codes == g) & np.isfinite(values)]
            found.append(_row(name, _numbers(means, g), inside, unit))
    zero = [Line(0.0, "")]
    mean = found[0].value
    lines = [*zero, Line(mean, "dotted: all texts")] if math.isfinite(mean) and len(found) > 1 else zero
    return rows.draw(found, lines, unit.axis(reading.measure)).update_xaxes(SMALL_TICKS)


def alt(result: SensitivityResult, reading: SensitivityReading) -> str:
    """The figure in words."""
    unit = unit_of(reading)
    told = [
        f"{means.attribute} {group}: {_said(*_numbers(means, g), unit)}"
        for means in result.detail.group_estimates(reading.measure, reading.signed, reading.alpha)
        for g, group in enumerate(means.groups)
    ]
    everybody = _said(*_overall(result, reading), unit)
    return f"Mean of {measure_name(reading)}{_in(unit)}. {'; '.join([f'All texts: {everybody}', *told])}."


def _in(unit: Unit) -> str:
    return f", in {unit.name}" if unit.name else ""


def _overall(result: SensitivityResult, reading: SensitivityReading) -> tuple[float, float, float, int]:
    estimate = result.detail.measure_estimate(reading.measure, reading.signed)
    ends = estimate.two_sided(reading.alpha)
    return estimate.value, ends.low, ends.high, estimate.n


def _numbers(means: GroupMeans, g: int) -> tuple[float, float, float, int]:
    found = means.found
    return float(found.means[g]), float(found.low[g]), float(found.high[g]), int(found.rows[g])


def _everybody(result: SensitivityResult, reading: SensitivityReading, unit: Unit) -> list[Row]:
    values = column(result.detail.audited, reading.measure, reading.signed)
    return [_row("<b>all texts</b>", _overall(result, reading), values[np.isfinite(values)], unit, theme.GREY)]


def _row(
    name: str, found: tuple[float, float, float, int], values: np.ndarray, unit: Unit, colour: str = theme.BLUE
) -> Row:
    mean, low, high, texts = found
    enough = texts >= MINIMUM_ROWS
    spread = np.quantile(values, (0.05, 0.25, 0.75, 0.95)) if enough else np.empty(0)
    told = f"{name}<br>mean {_said(mean, low, high, texts, unit)}"
    if enough:
        told += f"<br>middle half {unit.text(float(spread[1]))} to {unit.text(float(spread[2]))}"
        told += f"<br>nine in ten {unit.text(float(spread[0]))} to {unit.text(float(spread[3]))}"
    return Row(
        words=f"{name} {_said(mean, low, high, texts, unit)}",
        value=unit.factor * mean if enough else math.nan,
        low=unit.factor * low,
        high=unit.factor * high,
        told=told,
        colour=colour,
        box=tuple(float(unit.factor * end) for end in spread),
    )


def _said(mean: float, low: float, high: float, texts: int, unit: Unit) -> str:
    if texts < MINIMUM_ROWS:
        return f"insufficient evidence ({count(texts, 'text')})"
    low, high = unit.factor * low, unit.factor * high
    decimals = precision(low, high)
    ends = f" ({number(low, decimals)} to {number(high, decimals)})" if math.isfinite(low + high) else ""
    return f"{number(unit.factor * mean, decimals)}{ends}, {count(texts, 'text')}"
