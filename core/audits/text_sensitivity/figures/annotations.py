"""How the measures go with what people found biased, exchanged words being the baseline to beat."""

import math
from collections.abc import Callable

import plotly.graph_objects as go

from core.audits.text_sensitivity.decision import TextSensitivityDecision
from core.audits.text_sensitivity.figures.units import measure_name
from core.audits.text_sensitivity.judgements import Judged
from core.audits.text_sensitivity.result import TextSensitivityResult
from core.figures import interval_rows as rows
from core.figures import theme
from core.figures.interval_rows import Line, Row
from core.phrases import count, number


def applies(result: TextSensitivityResult, decision: TextSensitivityDecision) -> bool:
    """Whether people judged enough texts for something to be said."""
    return any(not one.found.undefined for one in result.detail.judged(decision.signed, decision.alpha))


def draw_correlation(result: TextSensitivityResult, decision: TextSensitivityDecision) -> go.Figure:
    """A row a measure: the point-biserial correlation with its interval; dotted lines at 0 and at that of CF."""
    return _draw(result, decision, _correlation, "correlation with people's judgement")


def alt_correlation(result: TextSensitivityResult, decision: TextSensitivityDecision) -> str:
    """The figure in words."""
    return _alt(result, decision, _correlation, "Correlation of each measure with what people found biased")


def draw_information(result: TextSensitivityResult, decision: TextSensitivityDecision) -> go.Figure:
    """A row a measure: the mutual information, in bins, with its interval; dotted lines at 0 and at that of CF."""
    return _draw(result, decision, _information, "mutual information with people's judgement, in nats")


def alt_information(result: TextSensitivityResult, decision: TextSensitivityDecision) -> str:
    """The figure in words."""
    return _alt(
        result, decision, _information, "Mutual information of each measure with what people found biased, nats"
    )


_Numbers = Callable[[Judged], tuple[float, float, float, int]]


def _correlation(one: Judged) -> tuple[float, float, float, int]:
    return one.found.correlation, one.found.correlation_low, one.found.correlation_high, 2


def _information(one: Judged) -> tuple[float, float, float, int]:
    return one.found.information, one.found.information_low, one.found.information_high, 3


def _draw(result: TextSensitivityResult, decision: TextSensitivityDecision, numbers: _Numbers, title: str) -> go.Figure:
    judged = result.detail.judged(decision.signed, decision.alpha)
    baseline = next((numbers(one)[0] for one in judged if one.measure == "CF"), math.nan)
    lines = [Line(0.0, "")]
    if math.isfinite(baseline):
        lines.append(Line(baseline, "dotted: exchanged words (CF)"))
    return rows.draw([_row(one, decision, numbers) for one in judged], lines, title)


def _row(one: Judged, decision: TextSensitivityDecision, numbers: _Numbers) -> Row:
    value, low, high, _ = numbers(one)
    name = theme.literal(measure_name(decision.model_copy(update={"measure": one.measure})))
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


def _alt(result: TextSensitivityResult, decision: TextSensitivityDecision, numbers: _Numbers, what: str) -> str:
    told = "; ".join(
        f"{one.measure} {_told(one, numbers)}" for one in result.detail.judged(decision.signed, decision.alpha)
    )
    return f"{what}; CF (exchanged words) is the baseline. {told}."


def _told(one: Judged, numbers: _Numbers) -> str:
    if one.found.undefined:
        return f"nothing can be said ({count(one.found.n, 'judged text')})"
    value, low, high, decimals = numbers(one)
    ends = f"{number(low, decimals)} to {number(high, decimals)}"
    return f"{number(value, decimals)} ({ends}), {count(one.found.n, 'text')}"
