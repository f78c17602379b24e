"""Which column may say what a row stands for, by its name and its values: one of several that belong together, or many
people.
"""

# ruff: noqa: SIM905 - lists of words read best as words

import pandas as pd

from core.base.thresholds import FEWEST_CLUSTERS
from core.data.column_look import IDENTIFIERS, UNITS, Column, holds_dates, why_ignored
from core.data.counted import MOST_CELLS, MOST_PEOPLE, is_weight
from core.language.phrases import whole
from core.language.told import say, say_count

_NAMES = frozenset(
    "freq frequency frequencies frq count counts cnt n nn num number total headcount people persons individuals cases "
    "ncases npeople npersons nobs numberofpeople anzahl haufigkeit personen effectif frecuencia frequenza frequencia "
    "antal aantal".split()
)
_SURELY = frozenset("freq frequency frequencies haufigkeit frecuencia frequenza frequencia headcount".split())
_MOST_ROWS = 100_000
_FEWEST_ROWS_OF_ONE = 1.1
"""Rows to a value on average, below which hardly any belong together."""


def propose_counts(frame: pd.DataFrame, columns: list[Column]) -> tuple[str, str] | None:
    """The first column that is named like a count and counts rows that would be alike without it, with why.

    It holds whole numbers, none negative, which come to more people than rows; what the other columns say occurs in no
    two rows. Beside a column that is measured only a frequency is one. None where no column is such.
    """
    if len(frame) > _MOST_ROWS:
        return None
    most = min(MOST_PEOPLE, MOST_CELLS // max(frame.shape[1], 1))
    for column in columns:
        named = column.squeezed in _NAMES and not is_weight(column.name)
        if not named or not _counts(frame[column.name], most):
            continue
        others = [one for one in columns if one is not column and not why_ignored(one)]
        if any(one.quantity for one in others) and column.squeezed not in _SURELY:
            continue
        if len(others) > 1 and not frame[[one.name for one in others]].duplicated().any():
            people = int(frame[column.name].sum())
            return column.name, say(
                "its numbers come to {people}, and no two of the {rows} rows say the same in the other columns",
                people=whole(people),
                rows=whole(len(frame)),
            )
    return None


def _counts(values: pd.Series, most: int) -> bool:
    """Whether it holds whole numbers, none negative or missing, which come to more than there are rows."""
    number = pd.api.types.is_integer_dtype(values) or (
        pd.api.types.is_float_dtype(values) and bool((values % 1 == 0).all())
    )
    return bool(number and values.notna().all() and (values >= 0).all() and len(values) < values.sum() <= most)


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
