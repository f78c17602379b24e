"""Which column may say how many people each row stands for, guessed from its name and from what the others repeat."""

# ruff: noqa: SIM905 - lists of words read best as words

import pandas as pd

from core.data.column_look import Column, why_ignored
from core.data.counted import MOST_CELLS, MOST_PEOPLE, is_weight
from core.language.phrases import whole
from core.language.told import say

_NAMES = frozenset(
    "freq frequency frequencies frq count counts cnt n nn num number total headcount people persons individuals cases "
    "ncases npeople npersons nobs numberofpeople anzahl haufigkeit personen effectif frecuencia frequenza frequencia "
    "antal aantal".split()
)
_SURELY = frozenset("freq frequency frequencies haufigkeit frecuencia frequenza frequencia headcount".split())
_MOST_ROWS = 100_000


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
