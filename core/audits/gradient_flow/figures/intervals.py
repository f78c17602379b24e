"""Both statistics with their intervals, against the tolerance."""

import math

import plotly.graph_objects as go

from core.audits.gradient_flow.decision import heading_of, name_of
from core.audits.gradient_flow.verdict import GradientFlowFinding
from core.figures import marks, theme
from core.figures.chart import Drawing
from core.figures.estimate import confidence, one_span
from core.figures.series import Spans
from core.language.phrases import interval_text, number, percent, precision, ratio
from core.language.told import say


def draw(finding: GradientFlowFinding) -> Drawing:
    """A row for each statistic: the estimate, the two-sided interval, the one-sided bound that decides, and δ.

    The row that gives the verdict is marked; a statistic without a value says why in its row.
    """
    delta = finding.decision.delta
    ends = [end for one in finding.both if not one.undefined for end in (one.interval_low, one.interval_high)]
    span = theme.padded([1.0, delta, *filter(math.isfinite, ends)], 0.12)
    figure = theme.blank(290)
    theme.line_label(figure, delta, span, say("tolerance {delta}", delta=number(delta)))
    for y, one in zip((1.0, 0.0), finding.both, strict=True):
        _row(figure, y, one, span[1], decides=one is finding)
    figure.update_xaxes(range=span, title=say("ratio (1: treated alike)"), nticks=7)
    figure.update_yaxes(range=(-0.55, 1.75), visible=False)
    told = " ".join([*map(_told, finding.both), say("The tolerance is {delta}.", delta=number(delta))])
    return Drawing(figure, told, None if finding.undefined else _spans(finding))


def _spans(one: GradientFlowFinding) -> Spans:
    """The statistic that decides."""
    delta, numbers = one.decision.delta, (one.estimate, one.interval_low, one.interval_high)
    span = one_span(_title(one), numbers, (one.lower_bound, one.upper_bound), one.verdict, delta)
    told = confidence(one.decision.alpha, one.verdict)
    return Spans(
        (span,), say("ratio (1: treated alike)"), (delta,), say("tolerance {delta}", delta=number(delta)), 1.0, told
    )


def _row(figure: go.Figure, y: float, one: GradientFlowFinding, edge: float, *, decides: bool) -> None:
    name, delta = name_of(one.decision.statistic), one.decision.delta
    if one.undefined:
        marks.words(figure, y + 0.3, say("{statistic}: no value", statistic=_title(one)))
        return
    colour = theme.VERDICT_COLOUR[one.verdict]
    marks.line(figure, (1.0, 1.0), (y - 0.42, y + 0.24), theme.GREY, "dot")
    marks.line(figure, (delta, delta), (y - 0.42, y + 0.24), theme.ORANGE, "dash")
    marks.words(figure, y + 0.42, ("<b>%s</b>" if decides else "%s") % _heading(one))
    marks.interval(
        figure,
        say("{name}: {confidence} interval", name=name, confidence=percent(one.interval.confidence)),
        (one.interval_low, min(one.interval_high, edge)),
        y,
        say("end of the two-sided interval: %{x:.4g}")
        if math.isfinite(one.interval_high)
        else say("the two-sided interval has no upper end"),
        colour=colour,
        width=4 if decides else 2,
    )
    text = say("at least {lower_bound}", lower_bound=ratio(one.lower_bound, beside=delta, decimals=_decimals(one)))
    marks.lower_bound(figure, say("{name}: one-sided bound", name=name), (one.lower_bound, y), text, colour)
    marks.point(figure, say("{name}: estimate", name=name), (one.estimate, y), say("estimate: %{x:.4g}"), colour=colour)


def _told(one: GradientFlowFinding) -> str:
    if one.undefined:
        name = name_of(one.decision.statistic)
        return say("{statistic}: no value. {undefined}", statistic=name, undefined=one.undefined)
    confidence = percent(1 - one.decision.alpha)
    return say(
        "{estimate}; with {confidence} confidence at least {lower_bound}.",
        estimate=_heading(one),
        confidence=confidence,
        lower_bound=number(one.lower_bound, _decimals(one)),
    )


def _heading(one: GradientFlowFinding) -> str:
    ends = say(
        "{confidence} interval {interval}",
        confidence=percent(one.interval.confidence),
        interval=interval_text(one.interval_low, one.interval_high),
    )
    return f"{_title(one)} {number(one.estimate, _decimals(one))} ({ends})"


def _title(one: GradientFlowFinding) -> str:
    return heading_of(one.decision.statistic)


def _decimals(one: GradientFlowFinding) -> int | None:
    return precision(one.interval_low, one.interval_high)
