"""The statistic against the stopping time T, all of it from one search."""

import math

import numpy as np
import plotly.graph_objects as go

from core.audits.gradient_flow.decision import name_of
from core.audits.gradient_flow.verdict import GradientFlowFinding
from core.figures import marks, theme
from core.figures.chart import Drawing
from core.language.phrases import number, percent, whole
from core.language.told import localized, say


def draw(finding: GradientFlowFinding) -> Drawing:
    """Estimate and both one-sided bounds against T in steps (below) and as flow time (above), with δ and the T read.

    Where the verdict is about possible people, its estimate of them stands at the T read.
    """
    sweep, decision = finding.sweep, finding.decision
    steps, flow_time = np.array(sweep.steps), np.array(sweep.flow_time)
    estimate, lower, upper = np.array(sweep.estimate), np.array(sweep.lower_bound), np.array(sweep.upper_bound)
    known = np.isfinite(estimate)
    x, now = steps[known], sweep.steps[finding.index]
    figure = theme.blank(360)
    possible = [finding.of_people().value] if finding.detail.people is not None else []
    span = theme.padded([*lower[known], *upper[known], *filter(math.isfinite, possible), decision.delta, 1.0])
    marks.band(figure, x, lower[known], np.minimum(upper[known], span[1]))
    for name, values, dash, width in (
        (say("estimate"), estimate[known], "solid", 2.5),
        (say("lower bound"), lower[known], "dot", 2),
    ):
        figure.add_scatter(
            name=name,
            x=x,
            y=values,
            mode="lines+markers",
            line={"color": theme.BLUE, "dash": dash, "width": width},
            marker={"size": 6 if len(x) == 1 else 1},
            customdata=flow_time[known],
            hovertemplate=f"{name} %{{y:.4g}}<br>"
            + say("after %{x:,} steps, flow time %{customdata:.3g}")
            + "<extra></extra>",
        )
    _flow_time(figure, steps, flow_time)
    theme.tolerance_level(figure, decision.delta, rise=40)
    figure.add_vline(x=now, line={"color": theme.GREY, "width": 1.5, "dash": "dot"})
    if known.any():
        _label_ends(figure, x, estimate[known], lower[known])
        _mark_possible(figure, now, possible)
    else:
        marks.instead(figure, say("no value at any T"))
    figure.update_yaxes(title=name_of(decision.statistic), range=span)
    figure.update_xaxes(
        title=say("length of the search, steps (read at {now})", now=whole(now)),
        selector={"overlaying": None},
    )
    figure.update_layout(margin_t=68)
    return Drawing(figure, _told(finding))


def _told(finding: GradientFlowFinding) -> str:
    """The first, the middle and the last stopping time with a value."""
    sweep, decision = finding.sweep, finding.decision
    known = np.flatnonzero(np.isfinite(sweep.estimate))
    if not len(known):
        return say("The {statistic} has no value at any stopping time.", statistic=name_of(decision.statistic))
    told = ", ".join(
        say(
            "{steps} steps {estimate} (at least {lower_bound})",
            steps=whole(sweep.steps[i]),
            estimate=number(sweep.estimate[i]),
            lower_bound=number(sweep.lower_bound[i]),
        )
        for i in dict.fromkeys((known[0], known[len(known) // 2], known[-1]))
    )
    searched = say(
        "The {statistic} against the length of the search, with {alpha} bounds: {told}; the tolerance is {delta}.",
        statistic=name_of(decision.statistic),
        alpha=percent(1 - decision.alpha),
        told=told,
        delta=number(decision.delta),
    )
    if finding.detail.people is None:
        return searched
    possible = number(finding.of_people().value)
    return say("{searched} Of people who could exist it is {possible}.", searched=searched, possible=possible)


def _label_ends(figure: go.Figure, x: np.ndarray, estimate: np.ndarray, lower: np.ndarray) -> None:
    """Names at the lines themselves, above and below them, where they run apart."""
    for text, y, anchor in ((say("estimate"), estimate[-1], "bottom"), (say("lower bound"), lower[-1], "top")):
        figure.add_annotation(
            x=x[-1],
            y=y,
            xanchor="right",
            xshift=-14,
            yanchor=anchor,
            yshift=8 if anchor == "bottom" else -14,
            text=text,
            showarrow=False,
        )


def _mark_possible(figure: go.Figure, now: int, possible: list[float]) -> None:
    """The estimate of the verdict, of people who could exist, with its name."""
    for value in possible:
        name = say("verdict, of people who could exist: {value}", value=number(value))
        figure.add_scatter(
            x=[now],
            y=[value],
            mode="markers",
            marker={"symbol": "diamond", "size": 11, "color": theme.ORANGE},
            **marks.hover([name]),
        )
        figure.add_annotation(
            x=now, y=value, xanchor="right", xshift=-14, yanchor="bottom", yshift=8, text=name, showarrow=False
        )


def _flow_time(figure: go.Figure, steps: np.ndarray, flow_time: np.ndarray) -> None:
    """A second axis above the plot: the same ticks in flow time."""
    wanted = np.linspace(steps[0], steps[-1], 5)
    chosen = np.unique(np.abs(steps[:, None] - wanted).argmin(axis=0))
    room = 0.03 * max(int(steps[-1] - steps[0]), 1)
    span = (steps[0] - room, steps[-1] + room)
    figure.add_scatter(x=[None], y=[None], xaxis="x2", hoverinfo="skip", name=say("flow time"))
    figure.update_layout(
        xaxis={"range": span, "tickvals": steps[chosen], "ticktext": [whole(int(value)) for value in steps[chosen]]},
        xaxis2={
            "overlaying": "x",
            "side": "top",
            "range": span,
            "tickvals": steps[chosen],
            "ticktext": [localized(f"{value:.3g}") for value in flow_time[chosen]],
            "title": {"text": say("flow time"), "standoff": 4},
            "showgrid": False,
        },
    )
