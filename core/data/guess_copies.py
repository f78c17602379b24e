"""Columns that say the same as the outcome, so that a model that reads them has read the answer."""

import numpy as np
import pandas as pd

from core.data.cells import as_numbers, code_column, one_to_one
from core.data.column_look import MOST_OUTCOMES, Column
from core.language.told import say

_SAME_ORDER = 0.9999
"""Rank correlation from which one number tells the other."""
_SAME_ROWS = 0.98
"""Share of rows from which a gap, or a class, tells the outcome."""
_FEWEST_GAPS = 0.02
_FEWEST_OF_A_VALUE = 10


def says_the_outcome(frame: pd.DataFrame, column: Column, outcome: Column) -> str:
    """Why the column all but repeats the outcome, as what follows its name in a sentence; empty if it does not."""
    values, true = frame[column.name], frame[outcome.name]
    if outcome.quantity:
        same = column.quantity and _same_order(values, true)
        return say("puts everybody in the same order as the outcome, as its logarithm would") if same else ""
    if len(outcome.distinct) > MOST_OUTCOMES:
        return ""
    reasons = {
        say("is the number from which the outcome follows at a threshold"): column.quantity
        and _cut(as_numbers(values), true),
        say("says the same as the outcome in other words"): one_to_one(
            code_column(column.name, values), code_column(outcome.name, true)
        ),
        say("is filled for one outcome only, so it was written down afterwards"): _filled_for_one(values, true),
        say("has values of which each goes with one outcome only"): _each_tells(column, values, true),
        say("is the outcome in nearly every row"): len(column.distinct) == len(outcome.distinct)
        and float(np.mean(values == true)) >= _SAME_ROWS,
    }
    return next((reason for reason, holds in reasons.items() if holds), "")


def _same_order(values: pd.Series, true: pd.Series) -> bool:
    first, second = (pd.Series(as_numbers(one)).rank() for one in (values, true))
    both = first.notna() & second.notna()
    return bool(both.sum() > 2 and abs(first[both].corr(second[both])) >= _SAME_ORDER)


def _filled_for_one(values: pd.Series, true: pd.Series) -> bool:
    gaps = values.isna().to_numpy()
    codes, distinct = pd.factorize(true)
    if len(distinct) != 2 or not _FEWEST_GAPS < gaps.mean() < 1 - _FEWEST_GAPS:
        return False
    same = float((gaps == (codes == 0)).mean())
    return max(same, 1 - same) >= _SAME_ROWS


def _each_tells(column: Column, values: pd.Series, true: pd.Series) -> bool:
    """Whether each of a few values, all of them frequent, goes with one outcome only."""
    if not 2 < len(column.distinct) <= MOST_OUTCOMES or values.value_counts().min() < _FEWEST_OF_A_VALUE:
        return False
    return bool((true.groupby(values, observed=True).nunique() <= 1).all())


def _cut(numbers: np.ndarray, true: pd.Series) -> bool:
    """Whether all numbers of one class exceed all of the other."""
    codes, distinct = pd.factorize(true)
    if len(distinct) != 2:
        return False
    first, second = (numbers[(codes == code) & np.isfinite(numbers)] for code in (0, 1))
    return bool(len(first) and len(second) and (first.min() > second.max() or second.min() > first.max()))
