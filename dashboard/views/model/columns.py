"""What a column of predictions probably holds, by its values; the user has the last word."""

from typing import Any

from core.data.cells import ascending
from core.models.one_a_class import one_a_class
from dashboard.tables import ColumnSummary

_SURENESS = ("labels", "probability", "score")
"""What a column may hold, that about which nothing has to be asked first."""


def best_of(columns: tuple[ColumnSummary, ...], outcomes: tuple[str, ...], *, number: bool = False) -> dict[str, Any]:
    """Fields of ``PredictionColumns`` for the column about which least has to be asked, the first of equals.

    Of three outcomes or more, each with a column of shares that is named after it, all those columns; likewise as many
    columns of shares as there are outcomes, which are then taken in ascending order, where no column names outcomes. Of
    two, both that are named after them, where no column names outcomes; not after numbers, which number models too.

    Args:
        columns: Columns of answers, at least one.
        outcomes: The outcomes as text.
        number: Whether the outcome is a number, so that only a column of numbers answers.
    """
    if number:
        best = next((column for column in columns if column.lowest is not None), columns[0])
        return {"columns": (best.name,), "holds": "number"}
    outcomes = ascending(outcomes)
    held = {column.name: _holds(column, outcomes) for column in columns}
    shares = [column.name for column in columns if _holds(column, ()) == "probability"]
    worded = not any(one.isdecimal() for one in outcomes)
    each = one_a_class(shares, outcomes) if len(outcomes) > 2 or worded else None
    if each is not None and ((each.named and len(outcomes) > 2) or "labels" not in held.values()):
        return {"columns": each.columns, "holds": "class probabilities", "classes": outcomes}
    name = min(held, key=lambda name: _SURENESS.index(held[name]))
    return {"columns": (name,), "holds": held[name]}


def _holds(column: ColumnSummary, outcomes: tuple[str, ...]) -> str:
    """Labels where all values are outcomes, or text; else a probability where all lie between 0 and 1; else a score."""
    listed = column.distinct == len(column.values) and set(column.values) <= set(outcomes)
    if listed or column.lowest is None or column.highest is None:
        return "labels"
    return "probability" if column.lowest >= 0 and column.highest <= 1 else "score"
