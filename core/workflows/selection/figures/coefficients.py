"""The coefficients of fitted candidates along the path (papers/faith.md, Fig. 4)."""

import numpy as np

from core.figures import marks, theme
from core.figures.chart import Chart, Drawing
from core.language.phrases import count, number
from core.language.told import retold, say
from core.workflows.selection.figures.tradeoff import STRENGTH, strength_axis
from core.workflows.selection.path import FittedPath
from core.workflows.selection.result import SelectionResult

_MARKERS = ("circle", "square", "diamond", "triangle-up", "x", "cross", "star")
MOST_NAMED = 9
"""Coefficients named at their line's end; the others show their name under the pointer."""


def draw_coefficients(result: SelectionResult, chosen: int | None, output: int = -1) -> Drawing:
    """The coefficients along the path (Fig. 4), a line for each column that is ever used; dotted: the chosen model.

    Args:
        result: Of a selection among fitted models.
        chosen: Index of the model to mark; None for none.
        output: Which output of models with several; the last stands for the favourable one of two outcomes.
    """
    if (path := result.path) is None:
        raise ValueError("These models were brought, not fitted here.")
    figure = theme.blank(520)
    used = np.flatnonzero(path.used.any(axis=0))
    size = np.abs(path.coefficients[:, output]).max(axis=0)
    named = set(used[np.argsort(-size[used], kind="stable")][:MOST_NAMED].tolist())
    labels = column_labels(path)
    for place, column in enumerate(used):
        line = path.coefficients[:, output, column]
        text = theme.literal(labels[column], 40)
        figure.add_scatter(
            name=text,
            x=path.strengths,
            y=line,
            mode="lines+markers",
            line=marks.one_of_several(place),
            marker={"symbol": _MARKERS[place % len(_MARKERS)], "size": 5},
            customdata=line / path.spreads[column],
            hovertemplate=f"{text}<br>1/λ = %{{x:.3g}}: %{{y:.3f}} ({say('%{customdata:.4g} a unit')})<extra></extra>",
            showlegend=bool(column in named),
        )
    if not len(used):
        marks.instead(figure, say("every coefficient is zero"))
    if chosen is not None:
        figure.add_vline(x=path.strengths[chosen], line={"color": theme.GREY, "width": 2, "dash": "dot"})
        words = say("chosen: {name}", name=theme.literal(result.candidates[chosen].name, 40))
        figure.add_annotation(
            x=np.log10(path.strengths[chosen]), y=1, yref="paper", yanchor="bottom", text=words, showarrow=False
        )
    outcome = path.classes[output] if path.coefficients.shape[1] > 1 else path.classes[-1]
    figure.update_xaxes(title=retold(STRENGTH), **strength_axis(path.strengths))
    figure.update_yaxes(
        title=say("change of the log-odds of {outcome}", outcome=theme.literal(outcome, 24)), zeroline=True
    )
    marks.names_below(figure, 150)
    return Drawing(figure, _in_words(path, labels, chosen, output))


def _in_words(path: FittedPath, labels: tuple[str, ...], chosen: int | None, output: int) -> str:
    entered = sorted((int(path.used[:, column].argmax()), column) for column in np.flatnonzero(path.used.any(axis=0)))
    if not entered:
        return say("{models}, in all of which every coefficient is zero.", models=count(len(path), "model"))
    order = ", ".join(
        say("{column} at 1/λ = {strength}", column=labels[column], strength=number(path.strengths[first]))
        for first, column in entered[:8]
    )
    told = say(
        "Columns in the order in which they are first used: {order}.",
        order=say("{order} and others", order=order) if len(entered) > 8 else order,
    )
    if chosen is None:
        return told
    kept = ", ".join(
        f"{labels[column]} {number(path.coefficients[chosen, output, column])}"
        for column in np.flatnonzero(path.used[chosen])
    )
    return f"{told} {say('The chosen model uses {columns}.', columns=kept or say('no column'))}"


def column_labels(path: FittedPath) -> tuple[str, ...]:
    """Encoded columns as people read them: ``age (each 12.5)`` for a standardised number, ``sex = Male`` otherwise."""
    return tuple(
        name if spread == 1 else say("{name} (each {spread})", name=name, spread=number(spread))
        for name, spread in zip(path.encoder.names, path.spreads, strict=True)
    )


COEFFICIENTS = Chart(
    say("What the models go by"),
    say(
        "Each line is a column's coefficient: how much it moves the log-odds of the outcome. At zero the "
        "model does not use the column. The penalty becomes weaker to the right."
    ),
    draw_coefficients,
    lambda result, *which: result.path is not None,
)
