"""The candidates of a selection against each other (papers/faith.md, Fig. 3)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from core.audits.transport.decision import TransportDecision
from core.audits.transport.loss_units import LOSS_UNITS, tolerance
from core.base.settings import name_of_choice
from core.figures import marks, theme
from core.figures.chart import Chart, Drawing
from core.figures.series import Span, Spans, spread
from core.language.phrases import count, interval_text, number, percent, precision
from core.language.told import localized, retold, say
from core.workflows.selection.choice import Choice, choose, is_measured
from core.workflows.selection.result import SelectionResult
from core.workflows.selection.settings import Rule
from core.workflows.selection.wording import measured

STRENGTH = say("few columns used ← 1/λ → many columns used")
"""Title of the axis of a path: the weaker the penalty, the larger 1/λ."""


def draw_candidates(result: SelectionResult, rule: Rule, decision: TransportDecision) -> Drawing:
    """Accuracy above, unfairness with its lower bound and interval below, for every candidate (Fig. 3).

    A filled circle may be chosen, a cross may not, the chosen one is a star under a dotted line; δ is dashed.
    An unfairness is never below zero, so no bound is drawn there.
    """
    choice = choose(result.candidates, rule, decision)
    stand = _Stand.of(result, choice)
    level, unit = LOSS_UNITS[decision.loss].factor * decision.delta, LOSS_UNITS[decision.loss].unit
    figure = theme.blank(520)
    _regions(figure, stand.x, choice.admissible, fitted=stand.fitted)
    _draw_quality(figure, result, rule, stand)
    span = _draw_unfairness(figure, result, decision, stand)
    unfairness = f"{say('unfairness')}, {unit.strip()}" if unit else say("unfairness, rise of the loss")
    marks.two_plots(
        figure,
        (0.46, 0.58),
        across={"title": {"text": _axis_title(result)}, **_axis(result)},
        upper={"title": {"text": best_text(rule)}, "tickformat": ".0%"},
        lower={"title": {"text": unfairness, "standoff": 8}, "range": theme.padded([*span, level, 0.0])},
        level=(level, say("dashed: tolerance {level}; dotted: lower bound", level=number(level))),
        margin_t=48,
    )
    if choice.chosen is not None:
        _mark_chosen(figure, stand, choice.chosen)
    return Drawing(figure, _in_words(result, choice, rule, decision), _spans(result, choice, decision))


def _spans(result: SelectionResult, choice: Choice, decision: TransportDecision) -> Spans:
    """The unfairness of the chosen candidate and of others from first to last, as many as fit on a slide."""
    unit, known = LOSS_UNITS[decision.loss], [i for i, one in enumerate(result.candidates) if is_measured(one)]
    shown = spread(known, choice.chosen)
    rows = []
    for i in shown:
        unfair = result.candidates[i].unfairness
        ends = unfair.two_sided(decision.alpha)
        value, low, high = (unit.factor * max(end, 0.0) for end in (unfair.value, ends.low, ends.high))
        said = say("chosen") if i == choice.chosen else say("may be chosen") if choice.admissible[i] else say("may not")
        rows.append(
            Span(
                f"{result.candidates[i].name}: {said}",
                f"{number(value, precision(low, high))} ({interval_text(low, high)})",
                value,
                low,
                high,
                colour=theme.BLUE if choice.admissible[i] else theme.GREY,
                symbol="diamond" if i == choice.chosen else "circle" if choice.admissible[i] else "x",
            )
        )
    left_out = len(result.candidates) - len(shown)
    more = say("{candidates} in the report.", candidates=count(left_out, "more candidate")) if left_out else ""
    told = say("tolerance {delta}", delta=tolerance(decision))
    return Spans(
        tuple(rows), say("unfairness: {axis}", axis=unit.axis), (unit.factor * decision.delta,), told, 0.0, more
    )


@dataclass(frozen=True)
class _Stand:
    """Where candidates stand and how they are marked: places (m,), names, what may be done, marker and line."""

    x: np.ndarray
    names: tuple[str, ...]
    said: tuple[str, ...]
    marker: dict[str, list[object]]
    fitted: bool

    @classmethod
    def of(cls, result: SelectionResult, choice: Choice) -> _Stand:
        fitted = result.path is not None
        m = len(result.candidates)
        symbols = ["circle" if may else "x" for may in choice.admissible]
        sizes, colours = [8] * m, [theme.BLUE if may else theme.GREY for may in choice.admissible]
        if choice.chosen is not None:
            symbols[choice.chosen], sizes[choice.chosen] = "star", 16
        return cls(
            x=result.path.strengths if result.path is not None else np.arange(1, m + 1),
            names=tuple(theme.literal(one.name, 40) for one in result.candidates),
            said=tuple(say("may be chosen") if may else say("may not be chosen") for may in choice.admissible),
            marker={"symbol": [*symbols], "size": [*sizes], "color": [*colours]},
            fitted=fitted,
        )

    @property
    def mode(self) -> str:
        """Lines join models of a path only."""
        return "lines+markers" if self.fitted else "markers"

    def marks(self, kept: np.ndarray) -> dict[str, object]:
        """The looks of the candidates ``kept``, shape (m,), bool, in a trace."""
        chosen = np.flatnonzero(kept)
        return {
            "x": self.x[chosen],
            "mode": self.mode,
            "line": {"color": theme.BLUE, "width": 2},
            "marker": {name: [values[i] for i in chosen] for name, values in self.marker.items()},
            "customdata": [(self.names[i], self.said[i]) for i in chosen],
        }


def _draw_quality(figure: go.Figure, result: SelectionResult, rule: Rule, stand: _Stand) -> None:
    figure.add_scatter(
        name=best_text(rule),
        y=[one.quality(rule) for one in result.candidates],
        yaxis="y",
        hovertemplate="%{customdata[0]}: " + best_text(rule) + " %{y:.1%}, %{customdata[1]}<extra></extra>",
        **stand.marks(np.ones(len(stand.x), dtype=bool)),
    )


def _draw_unfairness(
    figure: go.Figure, result: SelectionResult, decision: TransportDecision, stand: _Stand
) -> list[float]:
    """Value, interval and lower bound of every candidate that has them; returns the heights that were drawn."""
    known = np.array([is_measured(one) for one in result.candidates], dtype=bool)
    unfair = [one.unfairness for one in result.candidates]
    limits = [one.two_sided(decision.alpha) for one in unfair]
    value, lower, low, high = (
        LOSS_UNITS[decision.loss].factor * np.maximum(found, 0.0)
        for found in (
            [one.value for one in unfair],
            [one.lower_bound(decision.alpha) for one in unfair],
            [one.low for one in limits],
            [one.high for one in limits],
        )
    )
    figure.add_scatter(
        name=say("interval"),
        x=stand.x[known],
        y=value[known],
        yaxis="y2",
        mode="markers",
        marker={"size": 1, "color": theme.GREY},
        error_y={
            "array": _finite(high - value)[known],
            "arrayminus": _finite(value - low)[known],
            "thickness": 1.5,
            "width": 0,
            "color": theme.GREY,
        },
        hoverinfo="skip",
    )
    figure.add_scatter(
        name=say("unfairness"),
        y=value[known],
        yaxis="y2",
        hovertemplate=f"%{{customdata[0]}}: {say('unfairness')} %{{y:.4g}}, %{{customdata[1]}}<extra></extra>",
        **stand.marks(known),
    )
    bounded = known & np.isfinite(lower)
    figure.add_scatter(
        name=say("lower bound"),
        x=stand.x[bounded],
        y=lower[bounded],
        yaxis="y2",
        mode=stand.mode,
        line={"color": theme.ORANGE, "width": 2, "dash": "dot"},
        marker={"symbol": "triangle-up", "size": 6, "color": theme.ORANGE},
        customdata=[stand.names[i] for i in np.flatnonzero(bounded)],
        hovertemplate=say("%{customdata}: at least %{y:.4g}<extra></extra>"),
    )
    return [float(end) for end in (*value[known], *lower[bounded], *high[known]) if np.isfinite(end)]


def _in_words(result: SelectionResult, choice: Choice, rule: Rule, decision: TransportDecision) -> str:
    known = [one for one in result.candidates if is_measured(one)]
    several = count(len(result.candidates), "candidate")
    if not known:
        return say("{candidates}, none of which could be measured.", candidates=several)
    quality, value = [one.quality(rule) for one in known], [one.unfairness.value for one in known]
    told = say(
        "{candidates}: {best} from {worst_quality} to {best_quality}, unfairness from {least} to {most}; the tolerance "
        "is {delta}. {admissible} may be chosen",
        candidates=several,
        best=best_text(rule),
        worst_quality=percent(round(min(quality), 3)),
        best_quality=percent(round(max(quality), 3)),
        least=measured(min(value), decision),
        most=measured(max(value), decision),
        delta=measured(decision.delta, decision),
        admissible=int(choice.admissible.sum()),
    )
    if choice.chosen is None:
        return f"{told}."
    chosen = result.candidates[choice.chosen]
    return say(
        "{told}; chosen: {name} with {best} {quality} and unfairness {unfairness}, at least {lower}.",
        told=told,
        name=chosen.name,
        best=best_text(rule),
        quality=percent(round(chosen.quality(rule), 3)),
        unfairness=measured(chosen.unfairness.value, decision),
        lower=measured(max(chosen.unfairness.lower_bound(decision.alpha), 0.0), decision),
    )


def best_text(rule: Rule) -> str:
    """What the rule wants to be highest, amid a sentence."""
    return name_of_choice(Rule, "best", rule.best)


def strength_axis(strengths: np.ndarray) -> dict[str, object]:
    """Settings of an axis of 1/λ, whose ticks are 1, 2 and 5 times powers of ten."""
    powers = np.arange(np.floor(np.log10(strengths.min())), np.ceil(np.log10(strengths.max())) + 1)
    ticks = np.ravel(np.outer(10.0**powers, [1, 2, 5]))
    return {"type": "log", "tickvals": ticks, "ticktext": [localized(f"{tick:g}") for tick in ticks]}


def _axis(result: SelectionResult) -> dict[str, object]:
    """Settings of the x axis."""
    if result.path is not None:
        return strength_axis(result.path.strengths)
    m = len(result.candidates)
    names = [theme.two_lines(one.name, 24) for one in result.candidates]
    return {"tickvals": np.arange(1, m + 1), "ticktext": names, "range": (0.5, m + 0.5), "showgrid": False}


def _axis_title(result: SelectionResult) -> str:
    return say("models") if result.path is None else retold(STRENGTH)


def _regions(figure: go.Figure, x: np.ndarray, admissible: np.ndarray, *, fitted: bool) -> None:
    """A band behind each run of candidates that may be chosen, up to halfway to the next that may not."""
    between = np.sqrt(x[:-1] * x[1:]) if fitted else (x[:-1] + x[1:]) / 2
    edges = np.concatenate([[x[0] if fitted else 0.5], between, [x[-1] if fitted else x[-1] + 0.5]])
    starts = np.flatnonzero(np.diff(np.concatenate([[0], admissible.astype(int), [0]])))
    for first, last in zip(starts[::2], starts[1::2], strict=True):
        figure.add_shape(
            type="rect",
            xref="x",
            x0=edges[first],
            x1=edges[last],
            yref="paper",
            y0=0,
            y1=1,
            fillcolor=theme.BLUE,
            opacity=0.08,
            line={"width": 0},
            layer="below",
        )


def _mark_chosen(figure: go.Figure, stand: _Stand, chosen: int) -> None:
    x = float(stand.x[chosen])
    marks.line(figure, (x, x), (0, 1), theme.GREY, "dot", xref="x", yref="paper")
    place = float(np.log10(x)) if stand.fitted else x
    text = say("chosen: {name}", name=stand.names[chosen])
    figure.add_annotation(x=place, y=1, yref="paper", yanchor="bottom", text=text, showarrow=False)


def _finite(values: np.ndarray) -> np.ndarray:
    """Lengths of bars, 0 where there is no end to draw to."""
    return np.where(np.isfinite(values), np.maximum(values, 0.0), 0.0)


CANDIDATES = Chart(
    say("Accuracy and unfairness of every candidate"),
    say(
        "Unfairness is the rise of the mean loss if people were judged like similar people on whom the "
        "model does worse. Circles may be chosen, crosses may not; the star is chosen. A candidate whose "
        "lower bound (dotted, triangles) lies above the dashed line was found to be more unfair than "
        "tolerated. Bars are two-sided intervals; the band holds those that may be chosen."
    ),
    draw_candidates,
    slide="sure",
)
