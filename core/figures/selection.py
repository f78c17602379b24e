"""The candidates of a selection against each other (papers/faith.md, Fig. 3)."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from core.audits.transport import TransportReading
from core.figures import theme
from core.figures.chart import InputChart
from core.selection.choice import choose, is_measured
from core.selection.result import SelectionResult
from core.selection.settings import Rule
from core.selection.words import measured
from core.words import count, number, percent
from core.words_transport import MEASURES


def draw_candidates(result: SelectionResult, rule: Rule, reading: TransportReading) -> go.Figure:
    """Accuracy above, unfairness with its lower bound and interval below, for every candidate (Fig. 3).

    A filled circle may be chosen, a cross may not, the chosen one is a star under a dotted line; δ is dashed.
    An unfairness is never below zero, so no bound is drawn there.
    """
    choice = choose(result.candidates, rule, reading)
    x, labels = _places(result)
    known = np.array([is_measured(one) for one in result.candidates])
    factor = MEASURES[reading.loss].factor
    unfair = [one.unfairness for one in result.candidates]
    value, lower, low, high = (
        factor * np.maximum(found, 0.0)
        for found in (
            [one.value for one in unfair],
            [one.lower_bound(reading.alpha) for one in unfair],
            [one.two_sided(reading.alpha).low for one in unfair],
            [one.two_sided(reading.alpha).high for one in unfair],
        )
    )
    figure = theme.blank(520)
    _regions(figure, x, choice.admissible, fitted=result.path is not None)
    quality = np.array([one.quality(rule) for one in result.candidates])
    names = [theme.literal(one.name, 40) for one in result.candidates]
    line = "lines+markers" if result.path is not None else "markers"
    marks = {
        "symbol": _symbols(choice.admissible, choice.chosen),
        "size": np.where(np.arange(len(x)) == choice.chosen, 16, 8).tolist(),
        "color": np.where(choice.admissible, theme.BLUE, theme.GREY).tolist(),
    }
    said = np.where(choice.admissible, "may be chosen", "may not be chosen")
    figure.add_scatter(
        name=rule.best,
        x=x,
        y=quality,
        yaxis="y",
        mode=line,
        line={"color": theme.BLUE, "width": 2},
        marker=marks,
        customdata=np.column_stack([names, said]),
        hovertemplate="%{customdata[0]}: " + rule.best + " %{y:.1%}, %{customdata[1]}<extra></extra>",
    )
    figure.add_scatter(
        name="interval",
        x=x[known],
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
        name="unfairness",
        x=x[known],
        y=value[known],
        yaxis="y2",
        mode=line,
        line={"color": theme.BLUE, "width": 2},
        marker={key: np.array(kept)[known].tolist() for key, kept in marks.items()},
        customdata=np.column_stack([names, said])[known],
        hovertemplate="%{customdata[0]}: unfairness %{y:.4g}, %{customdata[1]}<extra></extra>",
    )
    bounded = known & np.isfinite(lower)
    figure.add_scatter(
        name="lower bound",
        x=x[bounded],
        y=lower[bounded],
        yaxis="y2",
        mode=line,
        line={"color": theme.ORANGE, "width": 2, "dash": "dot"},
        marker={"symbol": "triangle-up", "size": 6, "color": theme.ORANGE},
        customdata=np.array(names)[bounded],
        hovertemplate="%{customdata}: at least %{y:.4g}<extra></extra>",
    )
    ends = [*value[known], *lower[bounded], *high[known], factor * reading.delta, 0.0]
    figure.update_layout(
        yaxis={"domain": (0.58, 1.0), "title": {"text": rule.best}, "tickformat": ".0%"},
        yaxis2={
            **theme.TEMPLATE.layout.yaxis.to_plotly_json(),
            "domain": (0.0, 0.46),
            "anchor": "x",
            "title": {"text": "unfairness," + (MEASURES[reading.loss].unit or " rise of the loss"), "standoff": 8},
            "range": theme.padded([end for end in ends if np.isfinite(end)]),
        },
        xaxis={"anchor": "y2", "title": {"text": _axis_title(result)}, **labels},
        margin_t=48,
    )
    _tolerance(figure, factor * reading.delta)
    if choice.chosen is not None:
        _mark_chosen(figure, x[choice.chosen], result, names[choice.chosen])
    return figure


def alt_candidates(result: SelectionResult, rule: Rule, reading: TransportReading) -> str:
    """The figure in words."""
    choice = choose(result.candidates, rule, reading)
    known = [one for one in result.candidates if is_measured(one)]
    told = f"{count(len(result.candidates), 'candidate')}"
    if not known:
        return f"{told}, none of which could be measured."
    quality, value = [one.quality(rule) for one in known], [one.unfairness.value for one in known]
    told += (
        f": {rule.best} from {percent(round(min(quality), 3))} to {percent(round(max(quality), 3))}, unfairness from "
        f"{measured(min(value), reading)} to {measured(max(value), reading)}; the tolerance is "
        f"{measured(reading.delta, reading)}. {int(choice.admissible.sum())} may be chosen"
    )
    if choice.chosen is None:
        return f"{told}."
    chosen = result.candidates[choice.chosen]
    return (
        f"{told}; chosen: {chosen.name} with {rule.best} {percent(round(chosen.quality(rule), 3))} and unfairness "
        f"{measured(chosen.unfairness.value, reading)}, at least "
        f"{measured(max(chosen.unfairness.lower_bound(reading.alpha), 0.0), reading)}."
    )


def _places(result: SelectionResult) -> tuple[np.ndarray, dict[str, object]]:
    """Where each candidate stands on the x axis, shape (m,), and the axis' own settings."""
    if result.path is not None:
        return result.path.strengths, {"type": "log"}
    places = np.arange(1, len(result.candidates) + 1)
    names = [theme.two_lines(one.name, 24) for one in result.candidates]
    return places, {"tickvals": places, "ticktext": names, "range": (0.5, len(places) + 0.5), "showgrid": False}


def _axis_title(result: SelectionResult) -> str:
    return "models" if result.path is None else "1/λ (strong penalty on the left)"


def _symbols(admissible: np.ndarray, chosen: int | None) -> list[str]:
    symbols = ["circle" if may else "x" for may in admissible]
    if chosen is not None:
        symbols[chosen] = "star"
    return symbols


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


def _tolerance(figure: go.Figure, level: float) -> None:
    figure.add_shape(
        type="line",
        xref="paper",
        x0=0,
        x1=1,
        yref="y2",
        y0=level,
        y1=level,
        line={"color": theme.ORANGE, "width": 2, "dash": "dash"},
    )
    figure.add_annotation(
        xref="paper",
        x=1,
        xanchor="right",
        yref="paper",
        y=0.47,
        yanchor="bottom",
        text=f"dashed: tolerance {number(level)}; dotted: lower bound",
        showarrow=False,
    )


def _mark_chosen(figure: go.Figure, x: float, result: SelectionResult, name: str) -> None:
    place = float(np.log10(x)) if result.path is not None else float(x)
    figure.add_shape(
        type="line",
        xref="x",
        x0=x,
        x1=x,
        yref="paper",
        y0=0,
        y1=1,
        line={"color": theme.GREY, "width": 2, "dash": "dot"},
    )
    figure.add_annotation(x=place, y=1, yref="paper", yanchor="bottom", text=f"chosen: {name}", showarrow=False)


def _finite(values: np.ndarray) -> np.ndarray:
    """Lengths of bars, 0 where there is no end to draw to."""
    return np.where(np.isfinite(values), np.maximum(values, 0.0), 0.0)


CANDIDATES = InputChart(
    "Accuracy and unfairness of every candidate",
    "Circles may be chosen, crosses may not; the star is chosen. A candidate whose lower bound (dotted, triangles) "
    "lies above the dashed line was found to be more unfair than tolerated. Bars are two-sided intervals; the band "
    "holds those that may be chosen.",
    draw_candidates,
    alt_candidates,
)
