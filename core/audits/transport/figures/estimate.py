"""The rise of the mean loss with its interval, against the tolerance."""

from __future__ import annotations

import plotly.graph_objects as go

from core.audits.transport.decision import TransportDecision
from core.audits.transport.result import TransportResult
from core.audits.transport.wording import MEASURES, tolerance
from core.figures import estimate as one_estimate
from core.figures.estimate import Shown


def draw(result: TransportResult, decision: TransportDecision) -> go.Figure:
    """Estimate, two-sided interval and the one-sided bound that decides, beside 0 and the tolerance δ."""
    return one_estimate.draw(result.detail.estimate(decision), result.detail.verdict(decision), _shown(decision))


def alt(result: TransportResult, decision: TransportDecision) -> str:
    """The figure in words."""
    return one_estimate.alt(result.detail.estimate(decision), _shown(decision))


def _shown(decision: TransportDecision) -> Shown:
    measure = MEASURES[decision.loss]
    return Shown(
        name=f"Rise of {measure.name}",
        axis=measure.axis,
        zero="treated alike",
        unit=measure.unit,
        scale=measure.shown,
        delta=decision.delta,
        alpha=decision.alpha,
        tolerance=tolerance(decision),
    )
