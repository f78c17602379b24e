"""How the loss ratios of the audited people are spread: of possible people, of texts at the stopping time read."""

import numpy as np
import plotly.graph_objects as go

from core.audits.gradient_flow.verdict import GradientFlowFinding
from core.figures import marks, theme
from core.figures.chart import Drawing
from core.language.phrases import count, number, percent
from core.language.told import localized, say

_TICKS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 1.25, 1.5, 2, 3, 4, 6, 10, 20, 50, 100, 1e3, 1e4, 1e5, 1e6, 1e9, 1e12)


def draw(finding: GradientFlowFinding) -> Drawing:
    """People by their ratio on a logarithmic axis, so that area is people; δ and the mean are marked.

    The height is the people in a bar of the usual width; a bar of another width has as much area a person.
    Two step-shaped areas meet at δ; the one beyond it is hatched.
    """
    counts, edges = finding.distribution
    delta, mean = finding.decision.delta, finding.under(statistic="loss ratio").estimate
    width = np.diff(np.log(edges))
    density = counts / width * np.median(width)
    span = tuple(np.log10(edges[[0, -1]]) + np.array([-0.02, 0.02]))
    figure = theme.blank(330)
    for beyond, name, colour in (
        (False, say("within tolerance"), theme.BLUE),
        (True, say("beyond tolerance"), theme.ORANGE),
    ):
        x, y = _side(edges, density, delta, beyond=beyond)
        bins = np.clip(np.searchsorted(edges, x, side="right") - 1, 0, len(counts) - 1)
        figure.add_scatter(
            x=x,
            y=y,
            name=name,
            mode="lines",
            line={"shape": "hv", "color": colour, "width": 1.5},
            fill="tozeroy",
            fillpattern={"shape": "/" if beyond else "", "fgcolor": colour, "size": 7, "solidity": 0.4},
            **marks.hover(
                [
                    say(
                        "{people} from {low} to {high}",
                        people=count(int(counts[i]), "person", "people"),
                        low=localized(f"{edges[i]:.3g}"),
                        high=localized(f"{edges[i + 1]:.3g}"),
                    )
                    for i in bins
                ]
            ),
        )
    _mark(figure, delta, say("tolerance {delta}", delta=number(delta)), span, level=0)
    _mark(figure, mean, say("mean {value}", value=number(mean)), span, level=1)
    ticks = [value for value in _TICKS if edges[0] <= value <= edges[-1]]
    figure.update_xaxes(
        type="log",
        range=span,
        tickvals=ticks if len(ticks) > 2 else None,
        ticktext=[localized(f"{value:,g}") for value in ticks] if len(ticks) > 2 else None,
        title=say("loss of the similar one ÷ own loss"),
    )
    figure.update_yaxes(title=say("people"), rangemode="tozero", nticks=5)
    figure.update_layout(margin_t=54)
    low, high = np.log(edges[:-1]), np.log(edges[1:])
    share = float(counts @ np.clip((high - np.log(delta)) / (high - low), 0, 1)) / counts.sum()
    return Drawing(
        figure,
        say(
            "Histogram of the loss ratios of {n}, from {low} to {high}; the mean is {mean}; about "
            "{share} lie beyond the tolerance of {delta}.",
            n=count(int(counts.sum()), "person", "people"),
            low=number(edges[0]),
            high=number(edges[-1]),
            mean=number(mean),
            share=percent(round(share, 2)),
            delta=number(delta),
        ),
    )


def _mark(figure: go.Figure, x: float, text: str, span: tuple[float, float], *, level: int) -> None:
    """A vertical line with its label above the plot, on line ``level``; nothing where it lies off the axis."""
    if not (x > 0 and span[0] <= np.log10(x) <= span[1]):
        return
    is_delta = level == 0
    colour = theme.ORANGE if is_delta else theme.GREY
    figure.add_vline(x=x, line={"color": colour, "width": 2, "dash": "dash" if is_delta else "solid"})
    theme.line_label(figure, float(np.log10(x)), span, text, yshift=18 * level)


def _side(edges: np.ndarray, height: np.ndarray, delta: float, *, beyond: bool) -> tuple[np.ndarray, np.ndarray]:
    """The part of the step function on one side of ``delta``, closed at both ends; steps go right, then up."""
    cut = float(np.clip(delta, edges[0], edges[-1]))
    heights = np.append(height, 0.0)
    at_cut = heights[np.searchsorted(edges, cut, side="right") - 1]
    if beyond:
        inside = edges > cut
        return np.append(cut, edges[inside]), np.append(at_cut, heights[inside])
    inside = edges < cut
    return np.append(edges[inside], cut), np.append(heights[inside], 0.0)
