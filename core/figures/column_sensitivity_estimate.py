"""The mean change of the answer with its interval, against the tolerance."""

from __future__ import annotations

import plotly.graph_objects as go

from core.audits.column_sensitivity.reading import ColumnSensitivityReading
from core.figures import one_estimate
from core.figures.one_estimate import Shown
from core.result import ColumnSensitivityResult
from core.words_column_sensitivity import MEASURE_AXIS


def draw(result: ColumnSensitivityResult, reading: ColumnSensitivityReading) -> go.Figure:
    """Estimate, two-sided interval and the one-sided bound that decides, beside 0 and the tolerance δ."""
    return one_estimate.draw(result.detail.estimate(reading), result.detail.verdict(reading), _shown(reading))


def alt(result: ColumnSensitivityResult, reading: ColumnSensitivityReading) -> str:
    """The figure in words."""
    return one_estimate.alt(result.detail.estimate(reading), _shown(reading))


def _shown(reading: ColumnSensitivityReading) -> Shown:
    return Shown(
        name="Mean share of probability that moves"
        if reading.measure == "change"
        else "Mean share of probability promised by the slope",
        axis=MEASURE_AXIS[reading.measure],
        zero="the group changes nothing",
        unit="%",
        scale=lambda value: 100 * value,
        delta=reading.delta,
        alpha=reading.alpha,
        tolerance=f"{100 * reading.delta:.10g}",
    )
