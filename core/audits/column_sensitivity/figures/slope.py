"""What the slope of the answer promises against what a change of group does."""

from dataclasses import dataclass

import numpy as np

from core.audits.column_sensitivity.verdict import ColumnSensitivityFinding
from core.base.thresholds import FEWEST_ROWS
from core.data.bins import equal_bins
from core.figures import marks, theme
from core.figures.chart import Drawing
from core.language.phrases import count, number
from core.language.told import retold, say
from core.language.units import POINTS

_MOST_BINS = 12


@dataclass(frozen=True)
class SlopeBins:
    """People sorted by slope, in bins of about equal size; b bins, shares of probability.

    Attributes:
        people: People in each, shape (b,), int.
        slope: Their mean slope, shape (b,).
        change: Their mean change, shape (b,).
        low: First quartile of their change, shape (b,).
        high: Third quartile, shape (b,).
    """

    people: np.ndarray
    slope: np.ndarray
    change: np.ndarray
    low: np.ndarray
    high: np.ndarray


def applies(finding: ColumnSensitivityFinding) -> bool:
    """Whether the model has gradients, and there are enough people that a bin is nobody in particular."""
    slope = finding.scores.slope
    return len(slope) >= FEWEST_ROWS and bool(np.isfinite(slope).all())


def bins(finding: ColumnSensitivityFinding) -> SlopeBins:
    """Up to a dozen bins of at least 30 people each; people of equal slope stay together."""
    one = finding.scores
    found = equal_bins(one.slope, _MOST_BINS)
    quartiles = np.array([np.quantile(one.change[members], (0.25, 0.75)) for members in found])
    return SlopeBins(
        people=np.array([len(members) for members in found]),
        slope=np.array([one.slope[members].mean() for members in found]),
        change=np.array([one.change[members].mean() for members in found]),
        low=quartiles[:, 0],
        high=quartiles[:, 1],
    )


def draw(finding: ColumnSensitivityFinding) -> Drawing:
    """Mean change by slope, with the middle half of the people; on the dotted line the slope keeps its promise."""
    found = bins(finding)
    x, y, low, high = (100 * one for one in (found.slope, found.change, found.low, found.high))
    end = max(1e-3, float(x.max()), float(high.max()))
    figure = theme.blank(400)
    kept = (0, min(end, 100.0))
    marks.line(figure, kept, kept, theme.GREY, "dot", layer="below")
    figure.add_scatter(
        name=say("mean change"),
        x=x,
        y=y,
        mode="markers",
        error_y=marks.whiskers(y, low, high),
        marker={"symbol": "diamond", "size": 11, "color": theme.BLUE},
        **marks.hover(
            [
                f"{count(int(n), 'person', 'people')}<br>"
                + say("slope {slope}, change {change}", slope=number(a), change=number(b))
                for n, a, b in zip(found.people, x, y, strict=True)
            ]
        ),
    )
    marks.note(figure, say("dotted: the answer moves as far as the slope promises"))
    figure.update_xaxes(
        title=POINTS.axis(say("promised by the slope")), range=theme.padded([0.0, float(x.max()) or 1.0])
    )
    figure.update_yaxes(
        title=POINTS.axis(say("change of the answer")),
        range=theme.padded([0.0, float(high.max()) or 1.0, float(y.max())]),
    )
    told = "; ".join(
        say(
            "slope {slope}: change {change} ({people})",
            slope=POINTS.number(float(a)),
            change=POINTS.number(float(b)),
            people=count(int(n), "person", "people"),
        )
        for n, a, b in zip(found.people, found.slope, found.change, strict=True)
    )
    return Drawing(
        figure,
        say(
            "Mean change of the answer for people sorted by the slope of the answer, in {unit}. {told}.",
            unit=retold(POINTS.name),
            told=told,
        ),
    )
