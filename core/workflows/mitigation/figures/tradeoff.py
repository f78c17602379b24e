"""What fairness costs: error and evidence of a violation over λ (papers/fair-dummies.md, Fig. 3)."""

import math

import numpy as np
import plotly.graph_objects as go

from core.base.thresholds import FEWEST_ROWS
from core.figures import marks, theme
from core.figures.chart import Chart, Drawing
from core.figures.series import Span, Spans, spread
from core.language.phrases import count, p_value, percent
from core.language.told import localized, retold, say
from core.slides.deck import NO_PROOF
from core.workflows.mitigation.evidence import rise, violates
from core.workflows.mitigation.result import MitigationResult, TriedModel
from core.workflows.mitigation.wording import error_text, measure_text, name, rise_text

MOST_GROUPS = 3
"""Groups with a line of their own, the largest ones; all of them stand in the table."""
MOST_TICKS = 6
_LINES = ((theme.ORANGE, "dash", "triangle-up"), (theme.GREEN, "dot", "diamond"), (theme.GREY, "dashdot", "pentagon"))
_TICKS = (1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1.0)


def draw(result: MitigationResult, alpha: float) -> Drawing:
    """Errors on the test part above, p-values below, of the baseline (left of the dotted line) and over λ.

    The places of λ are evenly spaced. A circle is a model without evidence of a violation, a cross one with it.

    Args:
        result: What was found.
        alpha: The error rate, dashed.
    """
    figure = theme.blank(560)
    heights, lowest = _draw_errors(figure, result, alpha), _draw_p_values(figure, result, alpha)
    last = len(result.fits) - 1
    shown = np.unique(np.linspace(1, last, min(MOST_TICKS, last)).round().astype(int))
    names = [say("baseline"), *(localized(f"{result.fits[i].strength:.3g}") for i in shown)]
    scale = 100 if result.classes else 1
    marks.two_plots(
        figure,
        (0.4, 0.56),
        upper={
            "title": {"text": say("wrong answers, in %") if result.classes else "RMSE"},
            "range": theme.padded([scale * height for height in heights], 0.12),
            "nticks": 6,
        },
        lower={
            "title": {"text": say("p-value of the test"), "standoff": 8},
            "type": "log",
            "showline": False,
            "range": (math.log10(min(lowest, alpha)) - 0.3, 0.15),
            "tickvals": _TICKS,
            "ticktext": [localized(f"{tick:g}" if tick >= 1e-4 else "0.00001") for tick in _TICKS],
        },
        across={
            "title": {"text": say("accuracy only ← weight of fairness λ → fairness only")},
            "tickvals": [0, *shown],
            "ticktext": names,
            "range": (-0.4, len(result.fits) - 0.6),
            "showgrid": False,
        },
        level=(alpha, say("dashed: risk of a wrong verdict {alpha}; crosses: violation found", alpha=percent(alpha))),
        showlegend=True,
        legend={"orientation": "h", "x": 0, "y": 1.02, "xanchor": "left", "yanchor": "bottom"},
        margin_t=76,
    )
    for domain in ("y domain", "y2 domain"):
        marks.line(figure, (0.5, 0.5), (0, 1), theme.GREY, "dot", xref="x", yref=domain, width=1.5)
    return Drawing(figure, _in_words(result, alpha), _spans(result, alpha))


def _spans(result: MitigationResult, alpha: float) -> Spans:
    """How much larger the error of fairer models is than the baseline's, from little fairness to much."""
    shown, scale = spread(list(range(1, len(result.fits)))), 100.0 if result.classes else 1.0
    rows = []
    for i in shown:
        value, interval = rise(result, result.fits[i], alpha)
        bad = violates(result.fits[i], alpha)
        rows.append(
            Span(
                f"{name(result.fits[i])}: {say('violation found') if bad else say('no violation found')}",
                rise_text(result, value, interval, bare=True),
                scale * value,
                scale * interval.low,
                scale * interval.high,
                colour=theme.ORANGE if bad else theme.BLUE,
                symbol="x" if bad else "circle",
            )
        )
    left_out = len(result.fits) - 1 - len(shown)
    axis = (
        say("share of wrong answers, more than the baseline, percentage points")
        if result.classes
        else say("RMSE, more than the baseline")
    )
    more = retold(NO_PROOF)
    if left_out:
        weight = say("λ is the weight of fairness. {models} in the report.", models=count(left_out, "more model"))
        more = f"{weight} {more}"
    return Spans(
        tuple(rows),
        axis,
        level=0.0,
        more=more,
    )


def _in_words(result: MitigationResult, alpha: float) -> str:
    """The figure in words."""
    told = []
    for fit in result.fits:
        error = error_text(result, float(result.errors(fit)[2, 0]))
        told.append(
            say(
                "{model}: {error}, p-value {p_value}, {evidence}",
                model=name(fit),
                error=error,
                p_value=p_value(fit.p_value, alpha=alpha),
                evidence=_evidence(fit, alpha),
            )
        )
    groups = []
    for g in _drawn(result):
        ends = [float(result.errors(fit)[2, 1 + g]) for fit in (result.fits[0], result.fits[-1])]
        groups.append(
            say(
                "{group}: from {low} to {high}.",
                group=result.groups[g],
                low=error_text(result, ends[0]),
                high=error_text(result, ends[1]),
            )
        )
    groups = groups or [say("no group is large enough.")]
    if left := len(result.groups) - len(_drawn(result)):
        groups.append(say("{groups} not drawn.", groups=count(left, "group")))
    return say(
        "The {measure} and the p-value of no difference over the weight λ of fairness, with an error "
        "rate of {alpha}. {told}. By {attribute}, from the baseline to the largest λ: {groups}",
        measure=measure_text(result),
        alpha=percent(alpha),
        told="; ".join(told),
        attribute=result.attribute,
        groups=" ".join(groups),
    )


def _evidence(fit: TriedModel, alpha: float) -> str:
    return say("evidence of a violation") if violates(fit, alpha) else say("no evidence of a violation")


def _drawn(result: MitigationResult) -> list[int]:
    """The largest groups with at least 30 people in the test part, in their own order."""
    rows = result.rows[2, 1:]
    largest = np.argsort(-rows, kind="stable")[:MOST_GROUPS]
    return sorted(int(g) for g in largest if rows[g] >= FEWEST_ROWS)


def _draw_errors(figure: go.Figure, result: MitigationResult, alpha: float) -> list[float]:
    """A line for everybody, with bars for the difference from the baseline, and one for each group drawn."""
    errors = np.array([result.errors(fit)[2] for fit in result.fits])
    scale = 100 if result.classes else 1
    heights = list(errors[:, 0])
    low, high = errors[:, 0].copy(), errors[:, 0].copy()
    for place, fit in enumerate(result.fits[1:], 1):
        value, interval = rise(result, fit, alpha)
        low[place] += interval.low - value
        high[place] += interval.high - value
        heights += [errors[0, 0] + interval.low, errors[0, 0] + interval.high]
    for line, g in zip(_LINES, _drawn(result), strict=False):
        text = theme.literal(result.groups[g], 24)
        heights += list(errors[:, 1 + g])
        _line(figure, result, text, errors[:, 1 + g], look=line)
    ends = marks.whiskers(scale * errors[:, 0], scale * low, scale * high, thickness=1.5, width=4, color=theme.BLUE)
    _line(figure, result, say("everybody"), errors[:, 0], look=(theme.BLUE, "solid", "circle"), error_y=ends)
    return [float(height) for height in heights]


def _line(
    figure: go.Figure,
    result: MitigationResult,
    text: str,
    errors: np.ndarray,
    *,
    look: tuple[str, str, str],
    **more: object,
) -> None:
    colour, dash, symbol = look
    figure.add_scatter(
        name=text,
        x=np.arange(len(result.fits)),
        y=(100 if result.classes else 1) * errors,
        mode="lines+markers",
        line={"color": colour, "dash": dash, "width": 2},
        marker={"symbol": symbol, "size": 8, "color": colour},
        **marks.hover(
            [f"{text}, {name(fit)}: {error_text(result, float(e))}" for fit, e in zip(result.fits, errors, strict=True)]
        ),
        **more,
    )


def _draw_p_values(figure: go.Figure, result: MitigationResult, alpha: float) -> float:
    """p-values on a logarithmic axis; returns the smallest."""
    values = np.array([fit.p_value for fit in result.fits])
    unfair = [violates(fit, alpha) for fit in result.fits]
    figure.add_scatter(
        name=say("p-value"),
        x=np.arange(len(result.fits)),
        y=values,
        yaxis="y2",
        mode="lines+markers",
        line={"color": theme.GREY, "width": 1.5},
        marker={
            "symbol": ["x" if bad else "circle" for bad in unfair],
            "size": 10,
            "color": [theme.ORANGE if bad else theme.BLUE for bad in unfair],
        },
        customdata=[
            say(
                "{model}: p-value {p_value}, {evidence}",
                model=name(fit),
                p_value=p_value(fit.p_value, alpha=alpha),
                evidence=_evidence(fit, alpha),
            )
            for fit in result.fits
        ],
        hovertemplate="%{customdata}<extra></extra>",
        showlegend=False,
    )
    return float(values.min())


TRADE_OFF = Chart(
    say("Error and evidence of a violation"),
    say(
        "The baseline, fitted without a fairness constraint, stands at the left; to the right fairness "
        "weighs more. Above: errors on rows that no model was fitted to; bars hold the difference of "
        "everybody's error from the baseline's, which is judged on the same people. Below: the p-value "
        "of the test; above the dashed line it finds no violation, which is no proof that there is none. "
        "A cross above it marks a difference that the test does not see and the bounds of the gap prove."
    ),
    draw,
    slide="sure",
)
