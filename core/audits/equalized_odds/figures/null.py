"""Where the losses lie if the group makes no difference, and where it lies with people's own groups."""

import numpy as np

from core.audits.equalized_odds.result import AttributeTest
from core.audits.equalized_odds.verdict import EqualizedOddsFinding
from core.figures import marks, theme
from core.figures.chart import Drawing
from core.language.phrases import count, number, p_value, precision, whole
from core.language.told import say

_BINS = 36
MOST_BARS = 400
"""Bars that fit across the axis at most, where the statistic lies far outside."""


def applies(finding: EqualizedOddsFinding) -> bool:
    """Whether groups were drawn anew at all."""
    test = finding.test
    return len(test.null) > 0 and bool(np.isfinite(test.null).all() and np.isfinite(test.statistic))


def draw(finding: EqualizedOddsFinding) -> Drawing:
    """Bars of the losses with drawn groups, hatched where no larger than the statistic; the statistic as a line."""
    test = finding.test
    counts, edges = histogram(test)
    shares = 100 * counts / counts.sum()
    figure = theme.blank(356, bargap=0.04)
    told = [
        say(
            "{draws}: loss {low} to {high}",
            draws=count(int(n), "draw"),
            low=number(low, _decimals(edges)),
            high=number(high, _decimals(edges)),
        )
        for n, low, high in zip(counts, edges[:-1], edges[1:], strict=True)
    ]
    marks.bars(figure, edges, shares, told, hatched=edges[1:] <= test.statistic, name=say("drawn groups"))
    figure.add_scatter(
        name=say("own groups"),
        x=[test.statistic] * 2,
        y=[0, 1.02 * float(shares.max())],
        mode="lines+markers",
        line={"color": theme.ORANGE, "width": 3},
        marker={"symbol": ["diamond", "diamond"], "size": [10, 10], "color": theme.ORANGE},
        **marks.hover(
            [say("loss with people's own groups: {statistic}", statistic=number(test.statistic, _decimals(edges)))] * 2
        ),
    )
    span = theme.padded([float(edges[0]), float(edges[-1]), test.statistic], 0.06)
    theme.line_label(figure, test.statistic, span, say("people's own groups"))
    chance = say("p-value {p}", p=p_value(test.p_value))
    head = f"<b>{theme.literal(test.attribute, theme.LONGEST_LINE)}</b>: {chance}<br>{_counted(test)}"
    marks.note(figure, theme.in_lines(head, theme.LONGEST_TITLE), yshift=30, align="left")
    of = say("how far off answers are if guessed from the group")
    across = f"{of}<br>{say('(further left: the group tells more)')}"
    figure.update_xaxes(title=theme.in_lines(across, theme.LONGEST_TITLE), range=span)
    figure.update_xaxes(nticks=5)
    figure.update_yaxes(title=say("draws, in %"), rangemode="tozero", nticks=5)
    figure.update_layout(margin={"t": 84})
    return Drawing(figure, _words(test))


def _words(test: AttributeTest) -> str:
    """The figure in words."""
    low, middle, high = np.quantile(test.null, (0.025, 0.5, 0.975))
    decimals = precision(float(low), float(high))
    return say(
        "Histogram of the loss with {sets} of drawn groups of {attribute}: half lie below {middle}, 95% "
        "between {low} and {high}. With people's own groups the loss is {statistic}: {counted}, p-value {p}.",
        sets=count(len(test.null), "set"),
        attribute=test.attribute,
        middle=number(float(middle), decimals),
        low=number(float(low), decimals),
        high=number(float(high), decimals),
        statistic=number(test.statistic, decimals),
        counted=_counted(test),
        p=p_value(test.p_value),
    )


def histogram(test: AttributeTest) -> tuple[np.ndarray, np.ndarray]:
    """Counts and edges of bars of one width; the statistic is an edge where it lies among the losses.

    A bar holds its upper edge, so that bars up to the statistic count exactly the draws that are no larger.
    """
    low, high = float(test.null.min()), float(test.null.max())
    reach = max(high, test.statistic) - min(low, test.statistic)
    width = max((high - low) / _BINS, reach / MOST_BARS) or max(abs(high), 1.0) * 1e-3
    start = low - width / 2
    steps = int(np.floor((test.statistic - low) / width)) + 1 if test.statistic >= low else 0
    if steps:
        start = test.statistic - steps * width
    edges = start + width * np.arange(max(1, int(np.ceil((high - start) / width - 1e-9))) + 1)
    if 0 < steps < len(edges):
        edges[steps] = test.statistic
    place = np.clip(np.searchsorted(edges, test.null, side="left") - 1, 0, len(edges) - 2)
    return np.bincount(place, minlength=len(edges) - 1), edges


def _counted(test: AttributeTest) -> str:
    as_low = int(np.count_nonzero(test.null <= test.statistic))
    draws = count(len(test.null), "draw")
    if not len(test.by_split):
        return say("{as_low} of {draws} as low", as_low=whole(as_low), draws=draws)
    return say(
        "{as_low} of {draws} as low in the first of {splits}",
        as_low=whole(as_low),
        draws=draws,
        splits=count(len(test.by_split), "split"),
    )


def _decimals(edges: np.ndarray) -> int | None:
    return precision(float(edges[0]), float(edges[1]))
