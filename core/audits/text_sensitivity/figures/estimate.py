"""What the verdict rests on, with its interval, against the tolerance."""

from __future__ import annotations

import plotly.graph_objects as go

from core.audits.text_sensitivity.decision import TextSensitivityDecision
from core.audits.text_sensitivity.figures.units import SHARE, SMALL_TICKS, measure_name, unit_of
from core.audits.text_sensitivity.result import TextSensitivityResult
from core.figures import estimate as one_estimate
from core.figures.estimate import Shown


def draw(result: TextSensitivityResult, decision: TextSensitivityDecision) -> go.Figure:
    """Estimate, two-sided interval and the one-sided bound that decides, beside 0 and the tolerance δ."""
    figure = one_estimate.draw(result.detail.estimate(decision), result.detail.verdict(decision), _shown(decision))
    return figure.update_xaxes(SMALL_TICKS)


def alt(result: TextSensitivityResult, decision: TextSensitivityDecision) -> str:
    """The figure in words."""
    return one_estimate.alt(result.detail.estimate(decision), _shown(decision))


def _shown(decision: TextSensitivityDecision) -> Shown:
    swaps = decision.judged == "swaps"
    unit = SHARE if swaps else unit_of(decision)
    return Shown(
        name="Mean share of probability that moves" if swaps else f"Difference of {measure_name(decision)}",
        axis="mean share of probability that moves, in %"
        if swaps
        else unit.axis(f"{decision.measure}, audited less second model"),
        zero="exchanged words change nothing" if swaps else "both alike",
        unit="%" if swaps else unit.points,
        scale=lambda value: unit.factor * value,
        delta=decision.delta,
        alpha=decision.alpha,
        tolerance=f"{unit.factor * decision.delta:.10g}",
    )
