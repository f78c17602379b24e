"""What the verdict rests on, with its interval, against the tolerance."""

from __future__ import annotations

import plotly.graph_objects as go

from core.audits.sensitivity.reading import SensitivityReading
from core.figures import one_estimate
from core.figures.one_estimate import Shown
from core.figures.sensitivity_units import SHARE, SMALL_TICKS, measure_name, unit_of
from core.result import SensitivityResult


def draw(result: SensitivityResult, reading: SensitivityReading) -> go.Figure:
    """Estimate, two-sided interval and the one-sided bound that decides, beside 0 and the tolerance δ."""
    figure = one_estimate.draw(result.detail.estimate(reading), result.detail.verdict(reading), _shown(reading))
    return figure.update_xaxes(SMALL_TICKS)


def alt(result: SensitivityResult, reading: SensitivityReading) -> str:
    """The figure in words."""
    return one_estimate.alt(result.detail.estimate(reading), _shown(reading))


def _shown(reading: SensitivityReading) -> Shown:
    swaps = reading.judged == "swaps"
    unit = SHARE if swaps else unit_of(reading)
    return Shown(
        name="Mean share of probability that moves" if swaps else f"Difference of {measure_name(reading)}",
        axis="mean share of probability that moves, in %"
        if swaps
        else unit.axis(f"{reading.measure}, audited less second model"),
        zero="exchanged words change nothing" if swaps else "both alike",
        unit="%" if swaps else unit.points,
        scale=lambda value: unit.factor * value,
        delta=reading.delta,
        alpha=reading.alpha,
        tolerance=f"{unit.factor * reading.delta:.10g}",
    )
