"""How cells are read and missing values are treated when a table becomes a dataset: by choice, counted, never in
silence.
"""

import numpy as np
import pandas as pd

from core.base.errors import DataError
from core.data.bins import is_continuous
from core.data.cells import as_numbers, as_text, find_non_numeric, is_number_column, record_number
from core.data.problems import non_numeric, other_judgements
from core.data.roles import Roles
from core.inference.counted import median
from core.language.phrases import quoted, several
from core.language.told import say

MISSING_GROUP = "(missing)"
"""The category, or protected group, of a missing cell under "own category"."""

_VISIBLE = r"[^\s\u200b-\u200d\u2060\ufeff]"
"""A sign that can be seen; a text without one is empty."""

Counts = tuple[tuple[str, int], ...]


def read_cells(frame: pd.DataFrame, roles: Roles) -> tuple[pd.DataFrame, Counts]:
    """Give every column a plain type: float64, int64, bool or str.

    Returns:
        The table, and how many cells of columns to be read as numbers are no number and so became missing, by column.

    Raises:
        DataError: A feature is mostly numbers, and the user has not said how to read it; no cell of an
            outcome that is to be a number is one; or a judgement of people is something else than 0, 1 or 2.
    """
    plain: dict[str, pd.Series] = {}
    counts = []
    for column in frame.columns:
        name, values = str(column), frame[column]
        plain[column] = read_column(values, name, roles)
        if name in roles.read_as_numbers and (lost := int((plain[column].isna() & values.notna()).sum())):
            counts.append((name, lost))
        if name in roles.features and name not in roles.categorical:
            found = find_non_numeric(plain[column])
            if found is not None and found.count:
                raise non_numeric(plain[column], found).error()
        if name in roles.annotation:
            other = read_judgements(values)[1]
            if other.any():
                raise other_judgements(values, other).error()
        if name == roles.outcome and roles.outcome_type == "number":
            _refuse_words(values, plain[column], name)
    return pd.DataFrame(plain, index=frame.index), tuple(counts)


def read_column(values: pd.Series, name: str, roles: Roles) -> pd.Series:
    """One column as float64, int64, bool or str, missing cells as NaN; texts stay text, an empty text is missing."""
    if name == roles.text:
        return _texts(values)
    if name in roles.annotation:
        return read_judgements(values)[0]
    if name in roles.categorical or name == roles.belongs_to:
        return as_text(values)
    if name in roles.read_as_numbers:
        return pd.Series(as_numbers(values), index=values.index, name=values.name)
    return _plain_numbers(values) if is_number_column(values) else as_text(values)


def fill_missing(frame: pd.DataFrame, roles: Roles, times: np.ndarray | None = None) -> tuple[pd.DataFrame, Counts]:
    """Fill what may be filled, leave out the rows with any other missing value, and count the filled cells by column.

    Features are filled as ``roles.missing`` says. An outcome or a prediction is never filled. A protected attribute
    is filled only under "own category", by the group "(missing)", unless it is a number that the model reads or that
    is tested as such. A judgement of people may be missing: nobody was asked about this text. So may what a row
    belongs to: it then belongs to nobody else.

    Args:
        frame: The rows, each column of a plain type.
        roles: What the columns are for.
        times: People that each row stands for, shape (n,), int64; one each if None.

    Raises:
        DataError: A column is entirely empty, so nothing can be filled and every row would go.
    """
    _refuse_empty(frame)
    people = pd.Series(1 if times is None else times, index=frame.index)
    needed = [name for name in frame.columns if name not in (*roles.annotation, roles.belongs_to)]
    never = [name for name in needed if name not in roles.features and name not in roles.protected]
    kept = frame.dropna(subset=never)
    _refuse_empty(kept)
    if roles.missing == "leave out":  # verbatim
        return kept.dropna(subset=needed), ()
    fillable = [
        name
        for name in kept.columns
        if name in roles.features or (name in roles.protected and roles.missing == "own category")  # verbatim
    ]
    filled = {
        name: _fill(kept[name], name, roles, None if times is None else people[kept.index])
        for name in fillable
        if kept[name].isna().any()
    }
    complete = kept.assign(**{str(name): values for name, values in filled.items()}).dropna(subset=needed)
    counts = ((str(name), int(people[complete.index][kept.loc[complete.index, name].isna()].sum())) for name in filled)
    return complete, tuple((name, count) for name, count in counts if count)


def read_judgements(values: pd.Series) -> tuple[pd.Series, np.ndarray]:
    """A person's judgements: 1.0 biased, 0.0 not, 2.0 cannot tell, NaN where not asked; and which cells say something
    else, shape (n,), bool.

    Numbers and the words true and false are understood; those that say something else become NaN.
    """
    written = as_text(values).str.strip().str.lower().replace({"true": "1", "false": "0"})
    written = written.where(written != "")
    numbers = as_numbers(written)
    known = np.isin(numbers, (0.0, 1.0, 2.0))
    read = pd.Series(np.where(known, numbers, np.nan), index=values.index, name=values.name)
    return read, written.notna().to_numpy() & ~known


def _texts(values: pd.Series) -> pd.Series:
    written = as_text(values)
    return written.where(written.str.contains(_VISIBLE, na=False))


def _refuse_words(values: pd.Series, numbers: pd.Series, name: str) -> None:
    words = values.notna().to_numpy()
    if words.any() and numbers.isna().all():
        row = int(words.argmax())
        raise DataError(
            say("No outcome is a number; {cell} is the first.", cell=quoted(str(values.iloc[row]))),
            where=say("column {name}, row {row}", name=quoted(name), row=record_number(values.index, row)),
            advice=say("Say that the outcome holds classes, or choose a column of numbers."),
        )


def _refuse_empty(frame: pd.DataFrame) -> None:
    empty = [str(name) for name in frame.columns if len(frame) and frame[name].isna().all()]
    if empty:
        raise DataError(
            say("A column is entirely empty in the rows that can be used."),
            where=say("column {name}", name=several(empty)),
            advice=say("Give it no role, or bring a table that fills it."),
        )


def _fill(values: pd.Series, name: str, roles: Roles, people: pd.Series | None) -> pd.Series:
    if name in roles.protected:
        stays_number = is_continuous(values) or (name in roles.features and is_number_column(values))
        if roles.missing != "own category" or stays_number:  # verbatim
            return values
        return as_text(values).fillna(MISSING_GROUP)
    if is_number_column(values):
        known = values.dropna().astype(np.float64)
        own = None if people is None else people[known.index].to_numpy()
        return values.fillna(median(known.to_numpy(), own))
    if roles.missing == "own category":  # verbatim
        return values.fillna(MISSING_GROUP)
    if people is None:
        return values.fillna(values.mode().iloc[0])
    codes, distinct = pd.factorize(values, sort=True)
    often = np.bincount(codes[codes >= 0], people.to_numpy()[codes >= 0])
    return values.fillna(distinct[int(often.argmax())])


def _plain_numbers(values: pd.Series) -> pd.Series:
    if values.dtype.kind == "b" and not values.isna().any():
        return values.astype("bool")
    if values.dtype.kind in "iu" and not values.isna().any() and (values <= np.iinfo(np.int64).max).all():
        return values.astype("int64")
    return pd.Series(as_numbers(values), index=values.index, name=values.name)
