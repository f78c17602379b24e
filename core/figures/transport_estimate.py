"""The rise of the mean loss with its interval, against the tolerance."""

from __future__ import annotations

import plotly.graph_objects as go

from core.audits.transport.reading import TransportReading
from core.figures import one_estimate
from core.figures.one_estimate import Shown
from core.result import TransportResult
from core.words_transport import MEASURES, tolerance


def draw(result: TransportResult, reading: TransportReading) -> go.Figure:
    """Estimate, two-sided interval and the one-sided bound that decides, beside 0 and the tolerance δ."""
    return one_estimate.draw(result.detail.estimate(reading), result.detail.verdict(reading), _shown(reading))


def alt(result: TransportResult, reading: TransportReading) -> str:
    """The figure in words."""
    return one_estimate.alt(result.detail.estimate(reading), _shown(reading))


def _shown(reading: TransportReading) -> Shown:
    measure = MEASURES[reading.loss]
    return Shown(
        name=f"Rise of {measure.name}",
        axis=measure.axis,
        zero="treated alike",
        unit=measure.unit,
        scale=measure.shown,
        delta=reading.delta,
        alpha=reading.alpha,
        tolerance=tolerance(reading),
    )
