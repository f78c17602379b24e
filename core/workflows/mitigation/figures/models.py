"""How right every fairer model is against how differently it decides about groups, method by method."""

from collections.abc import Iterable, Sequence

import numpy as np
import plotly.graph_objects as go

from core.figures import marks, theme
from core.figures.chart import Chart, Drawing
from core.language.told import say
from core.workflows.comparison.figures.tradeoff import applies, blank, in_words, places, undominated
from core.workflows.mitigation.beside import beside
from core.workflows.mitigation.evidence import told_first
from core.workflows.mitigation.result import MitigationResult
from core.workflows.mitigation.settings import MitigationPlan, name_of_method

_SHAPES = ("square", "diamond", "triangle-up", "triangle-down", "pentagon", "hexagon", "star", "cross", "x")  # verbatim
_WIDTHS = (270.0, 850.0)
"""Pixels between the ends of the x-axis on a phone and on a laptop."""
_HEIGHT = 220.0
"""Pixels between the ends of the y-axis, where the legend takes some lines."""
_POSITIONS = ("top right", "bottom right", "top left", "bottom left", "top center", "bottom center")  # verbatim
_LETTER, _LINE, _MARK = 7.5, 18.0, 8.0
"""Pixels of a letter, of a line and from the middle of a mark to its name."""


def draw(plan: MitigationPlan, result: MitigationResult) -> Drawing:
    """Accuracy against the largest difference of two groups, models of a method joined by rising λ.

    Named are the baseline, the model told first, and the last of each method, unless the name would run into another.
    """
    models, first = beside(result), told_first(plan, result)
    key, x, y = places(plan, models)
    best = undominated(x[:, 0], y[:, 0])
    figure = blank(key, x, y)
    last = [result.of_method(method)[-1:] for method in result.methods]
    wanted = [0, *_places(result, [first]), *_places(result, [fit for each in last for fit in each])]
    names = [theme.literal(text, 30) for text in models.names]
    written = _written(figure, names, list(dict.fromkeys(wanted)), x[:, 0], y[:, 0])
    for shape, method in zip(("circle", *_SHAPES), ("", *result.methods), strict=False):  # verbatim
        at = [0] if not method else [i for i, fit in enumerate(result.fits) if fit.method == method and i]
        joined = at if not method else [0, *at]
        figure.add_scatter(
            x=x[joined, 0],
            y=y[joined, 0],
            mode="lines",
            line={"color": theme.GREY, "width": 1.5, "dash": "dot"},
            hoverinfo="skip",
            showlegend=False,
        )
        figure.add_scatter(
            name=name_of_method(method) if method else say("baseline"),
            x=x[at, 0],
            y=y[at, 0],
            mode="markers+text",
            text=[names[i] if i in written else "" for i in at],
            textposition=[written.get(i, "top right") for i in at],  # verbatim
            marker={"symbol": shape, "size": 11, "color": [theme.BLUE if best[i] else theme.GREY for i in at]},
            error_x=marks.whiskers(x[at, 0], x[at, 1], x[at, 2], color=theme.FAINT, thickness=1.5, width=0),
            error_y=marks.whiskers(y[at, 0], y[at, 1], y[at, 2], color=theme.FAINT, thickness=1.5, width=0),
            **marks.hover([f"{names[i]}: {x[i, 0]:.1f}, {y[i, 0]:.1f}" for i in at]),
        )
    figure.update_layout(
        showlegend=True, legend={"orientation": "h", "x": 0, "y": 1.02, "xanchor": "left", "yanchor": "bottom"}
    )
    return Drawing(figure, f"{'; '.join(in_words(models.names, key, x[:, 0], y[:, 0]))}.")


def _places(result: MitigationResult, fits: Iterable[object]) -> list[int]:
    return [next(i for i, fit in enumerate(result.fits) if fit is one) for one in fits]


def _written(
    figure: go.Figure, names: Sequence[str], wanted: Sequence[int], x: np.ndarray, y: np.ndarray
) -> dict[int, str]:
    """Where the names stand that fit in beside their marks, at the width of a phone and of a laptop, by model.

    No name runs into another one or, but for the first two, over the mark of another model.
    """
    found: dict[int, str] = {}
    taken: list[list[tuple[float, ...]]] = []
    marked = [_boxes(figure, "", "", *at) for at in zip(x, y, strict=True)]
    for place, i in enumerate(wanted):
        others = [box for j, box in enumerate(marked) if j != i]
        tried = [
            (position, _boxes(figure, names[i], position, float(x[i]), float(y[i])), avoided)
            for avoided in (([*taken, *others], taken) if place < 2 else ([*taken, *others],))
            for position in _POSITIONS
        ]
        free = [(position, box) for position, box, avoided in tried if _fits(box, avoided)]
        if free:
            found[i] = free[0][0]
            taken.append(free[0][1])
    return found


def _boxes(figure: go.Figure, text: str, position: str, x: float, y: float) -> list[tuple[float, ...]]:
    """Left, right, bottom and top of a name, or of a mark without one, in pixels of a plot, and how wide that is.

    There is one for each width of a page.
    """
    found: list[tuple[float, ...]] = []
    for width in _WIDTHS:
        low, high = figure.layout.xaxis.range
        left, (bottom, top) = (x - low) / (high - low) * width, figure.layout.yaxis.range
        up, long = (y - bottom) / (top - bottom) * _HEIGHT, _LETTER * len(text)
        if not text:
            found.append((left - _MARK, left + _MARK, up - _MARK, up + _MARK, width))
            continue
        start = left + _MARK if "right" in position else left - _MARK - long if "left" in position else left - long / 2
        floor = up + _MARK if "top" in position else up - _MARK - _LINE
        found.append((start, start + long, floor, floor + _LINE, width))
    return found


def _fits(boxes: Sequence[tuple[float, ...]], taken: Sequence[Sequence[tuple[float, ...]]]) -> bool:
    crossed = any(_cross(mine, one) for other in taken for mine, one in zip(boxes, other, strict=True))
    return all(map(_inside, boxes)) and not crossed


def _inside(box: tuple[float, ...]) -> bool:
    left, right, bottom, top, width = box
    return left >= 0 and right <= width and bottom >= 0 and top <= _HEIGHT


def _cross(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    return one[0] < other[1] and other[0] < one[1] and one[2] < other[3] and other[2] < one[3]


def _applies(plan: MitigationPlan, result: MitigationResult) -> bool:
    return applies(plan, beside(result))


MODELS = Chart(
    say("Accuracy against fairness"),
    say(
        "To the right models are right more often, further down they treat groups more alike. A dotted line joins the "
        "models of a method, from the baseline on with rising λ. No other model beats a blue one in one without losing "
        "in the other. Names that are not written show at their mark, and stand in the table. Bars are intervals, each "
        "by itself."
    ),
    draw,
    _applies,
)
