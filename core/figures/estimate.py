"""One estimate with both of its one-sided bounds, of which one decides, beside 0 and the tolerance."""

from dataclasses import dataclass

import plotly.graph_objects as go

from core.claims import Claim
from core.figures import marks, theme
from core.figures.chart import Drawing
from core.figures.series import Span, Spans, in_view
from core.inference.estimate import Verdict
from core.language.phrases import number, percent, precision
from core.language.told import retold, say

_LINE = 20
"""Pixels of a further line."""


@dataclass(frozen=True)
class Shown:
    """How a claim is shown.

    Attributes:
        axis: Title of the axis.
        zero: What a value at the level means, in a few words.
        alpha: The error rate.
        level: Where nobody is treated otherwise, in the unit shown.
    """

    axis: str
    zero: str
    alpha: float
    level: float = 0.0

    @property
    def meant(self) -> str:
        """What the level means, as it stands below the axis."""
        return f"({self.level:g}: {self.zero})"


def draw(claim: Claim, verdict: Verdict, shown: Shown) -> Drawing:
    """The estimate of a claim, both bounds and the tolerance."""
    return Drawing(_figure(claim, verdict, shown), _words(claim, shown), _spans(claim, verdict, shown))


def _shown_numbers(claim: Claim) -> tuple[float, float, float, float]:
    """Estimate, both bounds and the tolerance, in the unit shown."""
    value, low, high, delta = (
        claim.unit.shown(one) for one in (claim.estimate, claim.low, claim.high, claim.tolerance)
    )
    return value, low, high, delta


def _name(claim: Claim) -> str:
    return f"{claim.what}, {claim.who}" if claim.who else claim.what


def _spans(claim: Claim, verdict: Verdict, shown: Shown) -> Spans | None:
    if not claim.defined:
        return None
    value, low, high, delta = _shown_numbers(claim)
    least, most = in_view(value, delta, shown.level)
    span = Span(
        _name(claim),
        f"{number(value, precision(low, high))} ({_bounds(claim)})",
        value,
        max(low, least),
        min(high, most),
        theme.VERDICT_COLOUR[verdict],
        goes_on=(low < least, high > most),
    )
    return Spans(
        (span,),
        f"{shown.axis} {shown.meant}",
        (delta,),
        say("tolerance {tolerance}", tolerance=claim.unit.plain_tolerance(claim.tolerance)),
        shown.level,
        say("Each bound holds with {alpha} confidence.", alpha=percent(1 - shown.alpha)),
    )


def _figure(claim: Claim, verdict: Verdict, shown: Shown) -> go.Figure:
    """The figure, in which a bar whose bound lies out of view ends in an arrow; a claim without a value says so."""
    if not claim.defined:
        return marks.only_words(say("no value"), 120)
    value, low, high, delta = _shown_numbers(claim)
    least, most = in_view(value, delta, shown.level)
    span = theme.padded([shown.level, delta, value, max(low, least), min(high, most)], 0.12)
    colour = theme.VERDICT_COLOUR[verdict]
    title = theme.in_lines(f"{shown.axis}<br>{shown.meant}")
    heading = theme.in_lines(_heading(claim, shown))
    further = heading.count("<br>")
    figure = theme.blank(190 + _LINE * (title.count("<br>") + further))
    tolerance = claim.unit.plain_tolerance(claim.tolerance)
    theme.line_label(figure, delta, span, say("tolerance {tolerance}", tolerance=tolerance))
    marks.line(figure, (shown.level,) * 2, (-0.5, 0.3), theme.GREY, "dot")
    marks.line(figure, (delta, delta), (-0.5, 0.3), theme.ORANGE, "dash")
    marks.words(figure, 0.62 + 0.15 * further, heading)
    ends = [
        "line-ns-open" if low >= least else "triangle-left",
        "line-ns-open" if high <= most else "triangle-right",
    ]
    figure.add_scatter(
        name="bounds",
        x=[low if low >= least else span[0], high if high <= most else span[1]],
        y=[0, 0],
        mode="lines+markers",
        line={"color": colour, "width": 4},
        cliponaxis=False,
        marker={"symbol": ends, "size": 14, "color": colour, "line": {"width": 2}},
        customdata=[number(low), number(high)],
        hovertemplate=say("one-sided bound: %{customdata}") + "<extra></extra>",
    )
    marks.point(figure, "estimate", (value, 0), say("estimate: %{x:.4g}"), colour=colour)
    figure.update_xaxes(range=span, title=title, nticks=7, **theme.SMALL_TICKS)
    return figure.update_yaxes(range=(-0.75, 0.9 + 0.3 * further), visible=False)


def _words(claim: Claim, shown: Shown) -> str:
    """The figure in words."""
    tolerance = claim.unit.plain_tolerance(claim.tolerance)
    beside = say("The tolerance is {tolerance}{unit}.", tolerance=tolerance, unit=_unit(claim))
    if not claim.defined:
        undefined = retold(claim.why)
        return say("{name} has no value. {undefined} {beside}", name=_name(claim), undefined=undefined, beside=beside)
    return say("{name}: {estimate}. {beside}", name=_name(claim), estimate=_heading(claim, shown), beside=beside)


def _bounds(claim: Claim) -> str:
    return claim.unit.interval(claim.low, claim.high, beside=claim.tolerance)


def _heading(claim: Claim, shown: Shown) -> str:
    """The estimate with both bounds, and with what confidence each of them holds."""
    value, low, high, _ = _shown_numbers(claim)
    return say(
        "{value}{unit} ({bounds}, each bound with {alpha} confidence)",
        value=number(value, precision(low, high)),
        unit=_unit(claim),
        bounds=_bounds(claim),
        alpha=percent(1 - shown.alpha),
    )


def _unit(claim: Claim) -> str:
    """What stands behind a number, with the blank before it."""
    return f" {claim.unit.name}".rstrip()
