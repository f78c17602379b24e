"""What a column of predictions probably holds, by its values; the user has the last word."""

from typing import Any

from dashboard.tables import ColumnSummary


def guess(column: ColumnSummary, outcomes: tuple[str, ...]) -> dict[str, Any]:
    """Fields of ``PredictionColumns`` for one column of answers.

    Args:
        column: The column.
        outcomes: The outcomes as text.
    """
    held = {"columns": (column.name,)}
    if column.distinct == len(column.values) and set(column.values) <= set(outcomes):
        return held | {"holds": "labels"}
    if column.lowest is None or column.highest is None:
        return held | {"holds": "labels"}
    return held | {"holds": "probability" if column.lowest >= 0 and column.highest <= 1 else "score"}
