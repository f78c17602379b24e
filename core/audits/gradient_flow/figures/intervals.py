"""Both statistics with their intervals, against the tolerance."""

import math

import plotly.graph_objects as go

from core.audits.gradient_flow.decision import GradientFlowDecision
from core.audits.gradient_flow.result import GradientFlowResult
from core.figures import theme
from core.inference.estimate import Estimate, Verdict
from core.phrases import interval, number, percent, precision, ratio

STATISTICS = ("loss ratio", "error-rate ratio")


def draw(result: GradientFlowResult, decision: GradientFlowDecision) -> go.Figure:
    """A row for each statistic: the estimate, the two-sided interval, the one-sided bound that decides, and δ.

    The row that gives the verdict is marked; a statistic without a value says why in its row.
    """
    estimates = both(result, decision)
    span = theme.padded(
        [1.0, decision.delta, *(end for e in estimates.values() if not e.undefined for end in _ends(e, decision))], 0.12
    )
    figure = theme.blank(290)
    theme.line_label(figure, decision.delta, span, f"tolerance {number(decision.delta)}")
    for y, (name, estimate) in zip((1.0, 0.0), estimates.items(), strict=True):
        verdict = result.detail.verdict(decision.model_copy(update={"statistic": name}))
        _row(figure, name, estimate, decision, y=y, verdict=verdict)
    figure.update_xaxes(range=span, title="ratio (1: treated alike)", nticks=7)
    figure.update_yaxes(range=(-0.55, 1.75), visible=False)
    return figure


def alt(result: GradientFlowResult, decision: GradientFlowDecision) -> str:
    """The figure in words."""
    told = []
    for name, estimate in both(result, decision).items():
        if estimate.undefined:
            told.append(f"{name}: no value. {estimate.undefined}")
        else:
            told.append(f"{_heading(name, estimate, decision)}; {_bound(estimate, decision)}.")
    return " ".join([*told, f"The tolerance is {number(decision.delta)}."])


def both(result: GradientFlowResult, decision: GradientFlowDecision) -> dict[str, Estimate]:
    """Each statistic's estimate at the stopping time read."""
    return {name: result.detail.estimate(decision.model_copy(update={"statistic": name})) for name in STATISTICS}


def _row(
    figure: go.Figure, name: str, estimate: Estimate, decision: GradientFlowDecision, *, y: float, verdict: Verdict
) -> None:
    decides = name == decision.statistic
    if estimate.undefined:
        _write(figure, y + 0.3, f"{_title(name)}: no value")
        return
    colour = theme.VERDICT_COLOUR[verdict]
    theme.row_marks(figure, y, decision.delta, below=0.42, above=0.24)
    limits, bound = estimate.two_sided(decision.alpha), estimate.lower_bound(decision.alpha)
    _write(figure, y + 0.42, ("<b>%s</b>" if decides else "%s") % _heading(name, estimate, decision))
    figure.add_scatter(
        name=f"{name}: {percent(limits.confidence)} interval",
        x=[limits.low, limits.high],
        y=[y, y],
        mode="lines+markers",
        line={"color": colour, "width": 4 if decides else 2},
        marker={"symbol": "line-ns-open", "size": 14, "color": colour, "line": {"width": 2}},
        hovertemplate="end of the two-sided interval: %{x:.4g}<extra></extra>",
    )
    figure.add_scatter(
        name=f"{name}: one-sided bound",
        x=[bound],
        y=[y],
        mode="markers+text",
        marker={"symbol": "triangle-right", "size": 13, "color": colour},
        text=[f"at least {ratio(bound, beside=decision.delta, decimals=precision(limits.low, limits.high))}"],
        textposition="bottom center",
        hovertemplate="one-sided lower bound: %{x:.4g}<extra></extra>",
    )
    figure.add_scatter(
        name=f"{name}: estimate",
        x=[estimate.value],
        y=[y],
        mode="markers",
        marker={"symbol": "diamond", "size": 12, "color": colour},
        hovertemplate="estimate: %{x:.4g}<extra></extra>",
    )


def _write(figure: go.Figure, y: float, text: str) -> None:
    figure.add_annotation(x=0, xref="paper", xanchor="left", y=y, text=text, showarrow=False, align="left")


def _heading(name: str, estimate: Estimate, decision: GradientFlowDecision) -> str:
    limits = estimate.two_sided(decision.alpha)
    ends = interval(limits.low, limits.high)
    value = number(estimate.value, precision(limits.low, limits.high))
    return f"{_title(name)} {value} ({percent(limits.confidence)} interval {ends})"


def _bound(estimate: Estimate, decision: GradientFlowDecision) -> str:
    limits = estimate.two_sided(decision.alpha)
    bound = number(estimate.lower_bound(decision.alpha), precision(limits.low, limits.high))
    return f"with {percent(1 - decision.alpha)} confidence at least {bound}"


def _title(name: str) -> str:
    return name[0].upper() + name[1:]


def _ends(estimate: Estimate, decision: GradientFlowDecision) -> list[float]:
    limits = estimate.two_sided(decision.alpha)
    return [end for end in (limits.low, limits.high) if math.isfinite(end)]
