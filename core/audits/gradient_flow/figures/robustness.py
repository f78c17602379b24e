"""How much the estimate depends on the weight of similarity and the fair metric: turned, or learned otherwise."""

import math
from collections.abc import Callable

import numpy as np
import plotly.graph_objects as go

from core.audits.gradient_flow.decision import name_of
from core.audits.gradient_flow.verdict import GradientFlowFinding
from core.claims_shown import state
from core.figures import marks, theme
from core.figures.chart import Drawing
from core.language.phrases import count, number
from core.language.told import localized, retold, say

AXES = {
    "rotations": say("degrees that the free direction is turned"),
    "other_weights": say("weight of similarity λ"),
    "other_penalties": say("strength of the ridge"),
}
CROWDED = 0.06
"""Ticks nearer to each other than this share of the axis would overlap."""


def draw_varied(setting: str) -> Callable[[GradientFlowFinding], Drawing]:
    """The chart of what the search finds under other values of a setting."""

    def draw(finding: GradientFlowFinding) -> Drawing:
        """The statistic with its two-sided interval at each value; the marker says what its bounds say of δ."""
        (repeated,) = [one for one in finding.detail.repeated if one.setting == setting]
        delta, claims = finding.decision.delta, finding.parts[setting]
        known = np.array([one.defined for one in claims])
        x = repeated.at[known]
        found = [one for one in claims if one.defined]
        y = np.array([[one.estimate, *one.ends] for one in found]).reshape(-1, 3)
        figure = _against_delta([*y.ravel()], delta)
        figure.add_scatter(
            name=say("estimate"),
            x=x,
            y=y[:, 0],
            mode="lines+markers",
            line={"color": theme.GREY, "width": 1.5},
            marker={
                "size": 10,
                "color": [theme.VERDICT_COLOUR[one.verdict] for one in found],
                "symbol": [theme.VERDICT_MARKER[one.verdict] for one in found],
            },
            error_y=marks.whiskers(y[:, 0], y[:, 1], y[:, 2], thickness=1.5, width=4, color=theme.GREY),
            **marks.hover([f"{one.who}: {number(one.estimate)}, {state(one)}" for one in found]),
        )
        if not found:
            marks.instead(figure, say("no value"))
        wide = len(x) > 1 and x.min() > 0 and setting != "rotations"
        shown = _apart(np.log10(x) if wide else x)
        figure.add_vline(x=repeated.own, line={"color": theme.GREY, "width": 1.5, "dash": "dot"})
        figure.update_xaxes(
            title=retold(AXES[setting]),
            type="log" if wide else "linear",
            tickvals=x[shown],
            ticktext=[localized(f"{value:g}") for value in x[shown]],
        )
        figure.update_yaxes(title=name_of(finding.decision.statistic))
        told = "; ".join(f"{one.who}: {number(one.estimate)}, {state(one)}" for one in claims)
        return Drawing(
            figure,
            say(
                "Estimated {statistic} under other values: {told}; tolerance {delta}.",
                statistic=name_of(finding.decision.statistic),
                told=told,
                delta=number(delta),
            ),
        )

    return draw


def draw_resampled(finding: GradientFlowFinding) -> Drawing:
    """The decision's statistic under metrics learned from other halves of the metric's rows, in ascending order.

    The band is the interval of what the search finds, which includes how far they lie apart.
    """
    statistic, delta, own = (
        name_of(finding.decision.statistic),
        finding.decision.delta,
        finding.inference.two_sided(finding.decision.alpha),
    )
    found = sorted(finding.relearned_estimates, key=lambda one: one.value)
    value = np.array([one.value for one in found])
    ends = [own.low, own.high] if math.isfinite(own.low + own.high) else []
    figure = _against_delta([*value, *ends], delta)
    if ends:
        figure.add_hrect(*ends, fillcolor=theme.BLUE, opacity=0.15, line_width=0, layer="below")
    figure.add_scatter(
        name=say("estimate"),
        x=np.arange(1, len(value) + 1),
        y=value,
        mode="markers",
        marker={"size": 8, "symbol": "circle", "color": theme.BLUE},
        hovertemplate=say("metric learned again: %{y:.4g}<extra></extra>"),
    )
    figure.update_xaxes(title=say("metrics learned again, the lowest first"))
    figure.update_yaxes(title=statistic)
    if not found:
        return Drawing(
            figure,
            say("Under metrics learned again from half of the rows the {statistic} has no value.", statistic=statistic),
        )
    return Drawing(
        figure,
        say(
            "Estimated {statistic} under {metrics} learned again from half of the rows: from {lowest} to "
            "{highest}; under the audit's own metric {estimate}; tolerance {delta}.",
            statistic=statistic,
            metrics=count(len(value), "metric"),
            lowest=number(value[0]),
            highest=number(value[-1]),
            estimate=number(finding.inference.value),
            delta=number(delta),
        ),
    )


def _against_delta(values: list[float], delta: float) -> go.Figure:
    """An empty figure with the horizontal line at δ, wide enough for ``values``."""
    span = theme.padded([1.0, delta, *values])
    figure = theme.blank(300)
    theme.tolerance_level(figure, delta)
    figure.update_yaxes(title=say("loss ratio"), range=span)
    return figure


def _apart(x: np.ndarray) -> list[int]:
    """Positions of ascending values whose ticks do not overlap."""
    kept: list[int] = []
    for place in np.argsort(x, kind="stable").tolist():
        if not kept or x[place] - x[kept[-1]] > CROWDED * np.ptp(x):
            kept.append(place)
    return kept
