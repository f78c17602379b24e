"""One estimate with its two-sided interval and the one-sided bound that decides, beside 0 and the tolerance."""

import math
from dataclasses import dataclass

import plotly.graph_objects as go

from core.claims import Claim
from core.figures import marks, theme
from core.figures.chart import Drawing
from core.figures.series import Span, Spans
from core.inference.estimate import Verdict
from core.language.phrases import interval_text, number, percent, precision, ratio
from core.language.told import retold, say

_REACH = 4.0
"""An interval is drawn to so many times as far from estimate, tolerance and level as these lie apart."""


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
    """The estimate of a claim, its interval, the bound that decides and the tolerance."""
    return Drawing(_figure(claim, verdict, shown), _words(claim, shown), _spans(claim, verdict, shown))


def _shown_numbers(claim: Claim) -> tuple[float, float, float, float]:
    """Estimate, both ends of the interval and the tolerance, in the unit shown."""
    value, low, high, delta = (claim.unit.shown(one) for one in (claim.estimate, *claim.ends, claim.tolerance))
    return value, low, high, delta


def _in_view(claim: Claim, level: float) -> tuple[float, float]:
    """From where to where an interval is drawn: one that is far longer would leave nothing else to be seen."""
    value, _, _, delta = _shown_numbers(claim)
    near, far = min(level, delta, value), max(level, delta, value)
    reach = _REACH * (far - near) or math.inf
    return near - reach, far + reach


def _name(claim: Claim) -> str:
    return f"{claim.what}, {claim.who}" if claim.who else claim.what


def _spans(claim: Claim, verdict: Verdict, shown: Shown) -> Spans | None:
    if not claim.defined:
        return None
    value, low, high, delta = _shown_numbers(claim)
    decimals, below = precision(low, high), verdict is Verdict.NO_VIOLATION
    bound, sure = claim.unit.shown(claim.high if below else claim.low), percent(1 - shown.alpha)
    told = ratio(bound, beside=delta, decimals=decimals) if math.isfinite(bound) else ""
    least, most = _in_view(claim, shown.level)
    whole = told and least <= low and high <= most
    span = Span(
        _name(claim),
        number(value, decimals) if whole else f"{number(value, decimals)} ({interval_text(low, high)})",
        value,
        max(low, least),
        min(high, most),
        max(min(bound, most), least),
        _bounded(told, below) if told else "",
        theme.VERDICT_COLOUR[verdict],
    )
    return Spans(
        (span,),
        f"{shown.axis} {shown.meant}",
        (delta,),
        say("tolerance {tolerance}", tolerance=claim.unit.plain_tolerance(claim.tolerance)),
        shown.level,
        say(
            "“At most”: the one-sided bound that decides. Bar: the two-sided interval. Confidence: {alpha}.", alpha=sure
        )
        if below
        else say(
            "“At least”: the one-sided bound that decides. Bar: the two-sided interval. Confidence: {alpha}.",
            alpha=sure,
        ),
    )


def _bounded(told: str, below: bool) -> str:
    return say("at most {bound}", bound=told) if below else say("at least {bound}", bound=told)


def _figure(claim: Claim, verdict: Verdict, shown: Shown) -> go.Figure:
    """The figure; a claim without a value says so."""
    if not claim.defined:
        return marks.only_words(say("no value"), 120)
    value, low, high, delta = _shown_numbers(claim)
    bound = claim.unit.shown(claim.low)
    least, most = _in_view(claim, shown.level)
    drawn = max(low, least), min(high, most)
    span = theme.padded([shown.level, delta, value, *drawn, max(bound, least)], 0.12)
    colour = theme.VERDICT_COLOUR[verdict]
    figure = theme.blank(210)
    tolerance = claim.unit.plain_tolerance(claim.tolerance)
    theme.line_label(figure, delta, span, say("tolerance {tolerance}", tolerance=tolerance))
    marks.line(figure, (shown.level,) * 2, (-0.5, 0.3), theme.GREY, "dot")
    marks.line(figure, (delta, delta), (-0.5, 0.3), theme.ORANGE, "dash")
    marks.words(figure, 0.62, _heading(claim, shown))
    figure.add_scatter(
        name="interval",
        x=[low if low >= least else span[0], high if high <= most else span[1]],
        y=[0, 0],
        mode="lines+markers",
        line={"color": colour, "width": 4},
        marker={"symbol": "line-ns-open", "size": 14, "color": colour, "line": {"width": 2}},
        customdata=[number(low), number(high)],
        hovertemplate=say("end of the two-sided interval: %{customdata}") + "<extra></extra>",
    )
    if math.isfinite(bound):
        text = say("at least {bound}", bound=ratio(bound, beside=delta, decimals=precision(low, high)))
        marks.lower_bound(figure, "one-sided bound", (bound, 0), text, colour, cliponaxis=False)  # verbatim
    marks.point(figure, "estimate", (value, 0), say("estimate: %{x:.4g}"), colour=colour)
    figure.update_xaxes(range=span, title=f"{shown.axis}<br>{shown.meant}", nticks=7)
    return figure.update_yaxes(range=(-0.75, 0.9), visible=False)


def _words(claim: Claim, shown: Shown) -> str:
    """The figure in words."""
    tolerance = claim.unit.plain_tolerance(claim.tolerance)
    beside = say("The tolerance is {tolerance}{unit}.", tolerance=tolerance, unit=_unit(claim))
    if not claim.defined:
        undefined = retold(claim.why)
        return say("{name} has no value. {undefined} {beside}", name=_name(claim), undefined=undefined, beside=beside)
    _, low, high, _ = _shown_numbers(claim)
    bound = claim.unit.shown(claim.low)
    least = (
        say("at least {bound}", bound=number(bound, precision(low, high)))
        if math.isfinite(bound)
        else say("nothing excluded from below")
    )
    return say(
        "{name}: {estimate}; with {alpha} confidence {least}. {beside}",
        name=_name(claim),
        estimate=_heading(claim, shown),
        alpha=percent(1 - shown.alpha),
        least=least,
        beside=beside,
    )


def _heading(claim: Claim, shown: Shown) -> str:
    value, low, high, _ = _shown_numbers(claim)
    return say(
        "{value}{unit} ({alpha} interval {interval})",
        value=number(value, precision(low, high)),
        unit=_unit(claim),
        alpha=percent(1 - shown.alpha),
        interval=interval_text(low, high),
    )


def _unit(claim: Claim) -> str:
    """What stands behind a number, with the blank before it."""
    return f" {claim.unit.name}".rstrip()
