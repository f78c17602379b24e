"""How the measures go with what people found biased, exchanged words being the baseline to beat."""

import math
from collections.abc import Callable

import plotly.graph_objects as go

from core.audits.sensitivity.judgements import Judged
from core.audits.sensitivity.reading import SensitivityReading
from core.figures import sensitivity_rows as rows
from core.figures import theme
from core.figures.sensitivity_rows import Line, Row
from core.figures.sensitivity_units import measure_name
from core.result import SensitivityResult
from core.words import count, number


def applies(result: SensitivityResult, reading: SensitivityReading) -> bool:
    """Whether people judged enough texts for something to be said."""
    return any(not one.found.undefined for one in result.detail.judged(reading.signed, reading.alpha))


def draw_correlation(result: SensitivityResult, reading: SensitivityReading) -> go.Figure:
    """A row a measure: the point-biserial correlation with its interval; dotted lines at 0 and at that of CF."""
    return _draw(result, reading, _correlation, "correlation with people's judgement")


def alt_correlation(result: SensitivityResult, reading: SensitivityReading) -> str:
    """The figure in words."""
    return _alt(result, reading, _correlation, "Correlation of each measure with what people found biased")


def draw_information(result: SensitivityResult, reading: SensitivityReading) -> go.Figure:
    """A row a measure: the mutual information, in bins, with its interval; dotted lines at 0 and at that of CF."""
    return _draw(result, reading, _information, "mutual information with people's judgement, in nats")


def alt_information(result: SensitivityResult, reading: SensitivityReading) -> str:
    """The figure in words."""
    return _alt(result, reading, _information, "Mutual information of each measure with what people found biased, nats")


_Numbers = Callable[[Judged], tuple[float, float, float, int]]


def _correlation(one: Judged) -> tuple[float, float, float, int]:
    return one.found.correlation, one.found.correlation_low, one.found.correlation_high, 2


def _information(one: Judged) -> tuple[float, float, float, int]:
    return one.found.information, one.found.information_low, one.found.information_high, 3


def _draw(result: SensitivityResult, reading: SensitivityReading, numbers: _Numbers, title: str) -> go.Figure:
    judged = result.detail.judged(reading.signed, reading.alpha)
    baseline = next((numbers(one)[0] for one in judged if one.measure == "CF"), math.nan)
    lines = [Line(0.0, "")]
    if math.isfinite(baseline):
        lines.append(Line(baseline, "dotted: exchanged words (CF)"))
    return rows.draw([_row(one, reading, numbers) for one in judged], lines, title)


def _row(one: Judged, reading: SensitivityReading, numbers: _Numbers) -> Row:
    value, low, high, _ = numbers(one)
    name = theme.literal(measure_name(reading.model_copy(update={"measure": one.measure})))
    told = theme.literal(_told(one, numbers))
    return Row(
        words=f"<b>{one.measure}</b> {told}",
        value=value,
        low=low,
        high=high,
        told=f"{name}<br>{told}",
        colour=theme.GREY if one.measure == "CF" else theme.BLUE,
        symbol="square" if one.measure == "CF" else "diamond",
    )


def _alt(result: SensitivityResult, reading: SensitivityReading, numbers: _Numbers, what: str) -> str:
    told = "; ".join(
        f"{one.measure} {_told(one, numbers)}" for one in result.detail.judged(reading.signed, reading.alpha)
    )
    return f"{what}; CF (exchanged words) is the baseline. {told}."


def _told(one: Judged, numbers: _Numbers) -> str:
    if one.found.undefined:
        return f"nothing can be said ({count(one.found.n, 'judged text')})"
    value, low, high, decimals = numbers(one)
    ends = f"{number(low, decimals)} to {number(high, decimals)}"
    return f"{number(value, decimals)} ({ends}), {count(one.found.n, 'text')}"
