"""The bootstrap's draws of the error, beside the normal curve of the closed form (papers/faith.md, Fig. 1)."""

from math import pi, sqrt

import numpy as np

from core.audits.transport.loss_units import LOSS_UNITS
from core.audits.transport.verdict import TransportFinding
from core.figures import marks, theme
from core.figures.chart import Drawing
from core.inference.estimate import Estimate
from core.inference.resampled import Checked, ResampledEstimate
from core.language.phrases import number, percent, whole
from core.language.told import say

BINS = 40


def errors(finding: TransportFinding) -> np.ndarray:
    """Draws of the estimate less the truth by the decision's way, as told, shape (B,); empty where nothing is drawn."""
    found = finding.seen.estimate if isinstance(finding.seen, Checked) else finding.seen
    if not isinstance(found, ResampledEstimate) or found.undefined:
        return np.empty(0)
    return np.asarray(LOSS_UNITS[finding.loss].factor * found.roots / sqrt(found.n))


def draw(finding: TransportFinding) -> Drawing:
    """Draws as bars, the normal curve as a line, and the quantiles that the interval takes."""
    drawn, alpha = errors(finding), finding.decision.alpha
    spread = _normal(finding)
    figure = theme.blank(320)
    low, high = float(drawn.min()), float(drawn.max())
    if high - low < 1e-12:
        low, high = low - 1.0, high + 1.0
    counts, edges = np.histogram(drawn, BINS, (low, high))
    middle, width = (edges[:-1] + edges[1:]) / 2, edges[1] - edges[0]
    figure.add_bar(
        name=say("draws"),
        x=middle,
        y=counts,
        width=width,
        marker={"color": theme.BLUE, "opacity": 0.6, "line": {"width": 0}},
        **marks.hover(
            [
                say("{n} draws near {error}", n=whole(int(n)), error=number(x))
                for n, x in zip(counts, middle, strict=True)
            ]
        ),
    )
    if spread > 0:
        x = np.linspace(min(low, -3 * spread), max(high, 3 * spread), 121)
        figure.add_scatter(
            name=say("normal approximation"),
            x=x,
            y=len(drawn) * width * np.exp(-0.5 * (x / spread) ** 2) / (spread * sqrt(2 * pi)),
            mode="lines",
            line={"color": theme.ORANGE, "width": 2},
            hoverinfo="skip",
        )
    ends = np.quantile(drawn, [alpha / 2, 1 - alpha / 2])
    for end in ends:
        figure.add_vline(x=end, line={"color": theme.GREY, "width": 1.5, "dash": "dot"})
    title = LOSS_UNITS[finding.loss].told_in.axis(say("error of the estimate"))
    figure.update_xaxes(title=theme.in_lines(title, theme.LONGEST_TITLE))
    figure.update_yaxes(title=say("draws"), rangemode="tozero")
    told = say(
        "Histogram of {n} draws of the estimate's error: from {low} to {high}, {share} of them between {first} and "
        "{last}.",
        n=whole(len(drawn)),
        low=number(float(drawn.min())),
        high=number(float(drawn.max())),
        share=percent(1 - alpha),
        first=number(float(ends[0])),
        last=number(float(ends[1])),
    )
    return Drawing(figure, told)


def _normal(finding: TransportFinding) -> float:
    """Standard error of the closed form, as told; 0 where there is none."""
    way = finding.under(method="closed form").seen  # verbatim
    found = way.estimate if isinstance(way, Checked) else way
    if not isinstance(found, Estimate) or not np.isfinite(found.standard_error):
        return 0.0
    return LOSS_UNITS[finding.loss].factor * found.standard_error
