"""Which column may say that rows belong together, guessed from its name and how its values repeat."""

from core.base.thresholds import FEWEST_CLUSTERS
from core.data.column_look import IDENTIFIERS, UNITS, Column, holds_dates
from core.language.phrases import whole
from core.language.told import say_count

_FEWEST_ROWS_OF_ONE = 1.1
"""Rows to a value on average, below which hardly any belong together."""


def propose_belongs_to(columns: list[Column]) -> tuple[str, str] | None:
    """The first column whose name names a person, household, template or document and whose values repeat, with why.

    None where no column does.
    """
    for column in columns:
        distinct, words = len(column.distinct), set(column.words)
        named = bool((UNITS | IDENTIFIERS) & words) and (column.whole or not column.number)
        repeats = distinct >= FEWEST_CLUSTERS and column.filled >= _FEWEST_ROWS_OF_ONE * distinct
        if named and repeats and not holds_dates(column):
            return column.name, (
                say_count(
                    "its {n} cell holds {values} different values, so several rows seem to belong to one",
                    "its {n} cells hold {values} different values, so several rows seem to belong to one",
                    column.filled,
                    values=whole(distinct),
                )
            )
    return None
