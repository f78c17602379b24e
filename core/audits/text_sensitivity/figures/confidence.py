"""The measure against the model's confidence, with which it goes: an unsure model is sensitive to every word."""

from dataclasses import dataclass

import numpy as np

from core.audits.text_sensitivity.decision import measure_name
from core.audits.text_sensitivity.measures import unit_of
from core.audits.text_sensitivity.verdict import TextSensitivityFinding
from core.base.thresholds import FEWEST_ROWS
from core.figures import marks, theme
from core.figures.chart import Drawing
from core.language.phrases import count, number, percent
from core.language.told import say, say_as
from core.language.units import Unit

MOST_BINS = 8


@dataclass(frozen=True)
class Bins:
    """Texts in bins of about equal size by the confidence of their predicted class; b bins.

    Attributes:
        edges: Smallest and largest confidence of each, shape (b, 2).
        texts: Texts in each, shape (b,), int.
        centre: Median confidence, shape (b,).
        mean: Mean measure, shape (b,).
        low: First quartile of the measure, shape (b,).
        high: Third quartile, shape (b,).
        correlation: Spearman's rank correlation over all texts; NaN where one of the two is constant.
    """

    edges: np.ndarray
    texts: np.ndarray
    centre: np.ndarray
    mean: np.ndarray
    low: np.ndarray
    high: np.ndarray
    correlation: float


def bins(finding: TextSensitivityFinding) -> Bins:
    """As many bins as hold 30 texts each, at most eight; a confidence that many texts share falls into one of them."""
    from scipy.stats import spearmanr

    scores = finding.detail.audited
    values = scores.values(finding.decision.measure, signed=finding.decision.signed)
    known = np.isfinite(values)
    values, confidence = values[known], scores.confidence[known]
    wanted = int(np.clip(len(values) // FEWEST_ROWS, 1, MOST_BINS))
    inner = np.unique(np.quantile(confidence, np.arange(1, wanted) / wanted))
    place = np.searchsorted(inner, confidence, side="right")
    members = [place == i for i in range(len(inner) + 1) if (place == i).any()]
    constant = np.ptp(values) == 0 or np.ptp(confidence) == 0
    return Bins(
        edges=np.array([(confidence[one].min(), confidence[one].max()) for one in members]),
        texts=np.array([one.sum() for one in members]),
        centre=np.array([np.median(confidence[one]) for one in members]),
        mean=np.array([values[one].mean() for one in members]),
        low=np.array([np.quantile(values[one], 0.25) for one in members]),
        high=np.array([np.quantile(values[one], 0.75) for one in members]),
        correlation=float("nan") if constant else float(spearmanr(confidence, values).statistic),
    )


def applies(finding: TextSensitivityFinding) -> bool:
    """Whether enough texts have the measure for two bins."""
    return int(np.isfinite(finding.detail.audited.values(finding.decision.measure)).sum()) >= 2 * FEWEST_ROWS


def draw(finding: TextSensitivityFinding) -> Drawing:
    """Mean of each bin as a dot on a line, the middle half of its texts as a bar."""
    decision = finding.decision
    found, unit = bins(finding), unit_of(decision.measure)
    x = 100 * found.centre
    told = [_told(found, i, unit) for i in range(len(x))]
    figure = theme.blank(320)
    for i in range(len(x)):
        figure.add_scatter(
            name=say("middle half {i}", i=i + 1),
            x=[x[i], x[i]],
            y=[unit.factor * found.low[i], unit.factor * found.high[i]],
            mode="lines",
            line={"color": theme.GREY, "width": 9},
            opacity=0.55,
            **marks.hover([told[i]] * 2),
        )
    figure.add_scatter(
        name=say("mean"),
        x=x,
        y=unit.factor * found.mean,
        mode="lines+markers",
        line={"color": theme.BLUE, "width": 2},
        marker={"symbol": "diamond", "size": 11, "color": theme.BLUE},
        **marks.hover(told),
    )
    marks.note(figure, say("rank correlation {value}", value=_correlation(found)), right=True)
    top = unit.factor * float(max(found.high.max(), found.mean.max()))
    bottom = unit.factor * float(min(found.low.min(), found.mean.min(), 0.0))
    room = 0.08 * (top - bottom) or 1.0
    figure.update_xaxes(
        title=say("confidence of the predicted class"), ticksuffix=say_as("a share", "{number}%", number=""), nticks=7
    )
    span = (bottom - room if bottom < 0 else 0, top + room)
    figure.update_yaxes(title=unit.axis(decision.measure), range=span, nticks=6, **theme.SMALL_TICKS)
    words = "; ".join(one.replace("<br>", ", ") for one in told)
    name = measure_name(decision.measure, decision)
    return Drawing(
        figure,
        say(
            "{measure} by confidence, rank correlation {value}. {parts}.",
            measure=name,
            value=_correlation(found),
            parts=words,
        ),
    )


def _correlation(found: Bins) -> str:
    return number(found.correlation) if np.isfinite(found.correlation) else say("not defined")


def _told(found: Bins, i: int, unit: Unit) -> str:
    low, high = (percent(round(float(edge), 3)) for edge in found.edges[i])
    name = f" {unit.name}" if unit.name else ""
    first, last = unit.number(float(found.low[i])), unit.number(float(found.high[i]))
    return "<br>".join(
        (
            say("confidence {low} to {high}", low=low, high=high),
            say("mean {value}", value=unit.number(float(found.mean[i]))) + name,
            say("middle half {low} to {high}", low=first, high=last) + name,
            count(int(found.texts[i]), "text"),
        )
    )
