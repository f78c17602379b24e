"""The chosen measure in every protected group: how it is spread over texts, and its mean with its interval."""

from __future__ import annotations

import math

import numpy as np
import plotly.graph_objects as go

from core.audits.text_sensitivity.answers import GroupMeans, column
from core.audits.text_sensitivity.decision import TextSensitivityDecision
from core.audits.text_sensitivity.figures.units import SMALL_TICKS, Unit, measure_name, unit_of
from core.audits.text_sensitivity.result import TextSensitivityResult
from core.data.dataset import MINIMUM_ROWS
from core.figures import interval_rows as rows
from core.figures import theme
from core.figures.interval_rows import Line, Row
from core.phrases import count, number, precision


def applies(result: TextSensitivityResult, decision: TextSensitivityDecision) -> bool:
    """Whether some text has the measure."""
    return bool(np.isfinite(column(result.detail.audited, decision.measure, decision.signed)).any())


def draw(result: TextSensitivityResult, decision: TextSensitivityDecision) -> go.Figure:
    """All texts, then a row a group; grey bars say how texts are spread, the diamond is the mean with its interval.

    The intervals hold together for the groups of one attribute. Groups with few texts show nothing of single ones.
    """
    unit = unit_of(decision)
    found = _everybody(result, decision, unit)
    for membership, means in zip(
        result.detail.memberships,
        result.detail.group_estimates(decision.measure, decision.signed, decision.alpha),
        strict=True,
    ):
        values = column(result.detail.audited, decision.measure, decision.signed)
        for g, group in enumerate(means.groups):
            name = f"{theme.literal(means.attribute, 14)}: <b>{theme.literal(group, 18)}</b>"
            inside = values[(membership.codes == g) & np.isfinite(values)]
            found.append(_row(name, _numbers(means, g), inside, unit))
    zero = [Line(0.0, "")]
    mean = found[0].value
    lines = [*zero, Line(mean, "dotted: all texts")] if math.isfinite(mean) and len(found) > 1 else zero
    return rows.draw(found, lines, unit.axis(decision.measure)).update_xaxes(SMALL_TICKS)


def alt(result: TextSensitivityResult, decision: TextSensitivityDecision) -> str:
    """The figure in words."""
    unit = unit_of(decision)
    told = [
        f"{means.attribute} {group}: {_said(*_numbers(means, g), unit)}"
        for means in result.detail.group_estimates(decision.measure, decision.signed, decision.alpha)
        for g, group in enumerate(means.groups)
    ]
    everybody = _said(*_overall(result, decision), unit)
    return f"Mean of {measure_name(decision)}{_in(unit)}. {'; '.join([f'All texts: {everybody}', *told])}."


def _in(unit: Unit) -> str:
    return f", in {unit.name}" if unit.name else ""


def _overall(result: TextSensitivityResult, decision: TextSensitivityDecision) -> tuple[float, float, float, int]:
    estimate = result.detail.measure_estimate(decision.measure, decision.signed)
    ends = estimate.two_sided(decision.alpha)
    return estimate.value, ends.low, ends.high, estimate.n


def _numbers(means: GroupMeans, g: int) -> tuple[float, float, float, int]:
    found = means.found
    return float(found.means[g]), float(found.low[g]), float(found.high[g]), int(found.rows[g])


def _everybody(result: TextSensitivityResult, decision: TextSensitivityDecision, unit: Unit) -> list[Row]:
    values = column(result.detail.audited, decision.measure, decision.signed)
    return [_row("<b>all texts</b>", _overall(result, decision), values[np.isfinite(values)], unit, theme.GREY)]


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
