"""What there is to say about a table and its other columns, as notices with counts and advice."""

from collections.abc import Iterator

import numpy as np
import pandas as pd

from core.data.cells import Coded, as_numbers, counted, find_non_numeric, is_number_column, record_number
from core.data.problems import non_numeric, other_judgements
from core.data.quality.proxies import is_proxy_of
from core.data.roles import Missing, Roles
from core.errors import Notice
from core.phrases import quoted
from core.thresholds import FEWEST_ROWS

MANY_CATEGORIES = 50

_WORD = r"\w+(?:['’]\w+)?"

_NOTABLE_SHARE = 0.05


def about_column(
    values: pd.Series, coded: Coded, roles: Roles, outcome: Coded, protected: list[Coded]
) -> Iterator[Notice]:
    """What speaks against one column with a role: missing and non-numeric cells, infinities, constants, leaks,
    width.
    """
    name = coded.name
    if coded.missing.all() and not (name == roles.outcome and roles.outcome_type == "number"):
        yield Notice("serious", f"{quoted(name)} is entirely empty.", "Ignore the column.")
        return
    yield from _about_numbers(values, name, roles)
    if name in roles.features:
        yield from _about_feature(values, coded, roles)
        if is_proxy_of(coded, outcome):
            yield Notice(
                "serious",
                f"{quoted(name)} says the outcome in other words: each of its values belongs to one outcome.",
                "Ignore the column unless the model really reads it.",
            )
        for attribute in protected:
            if attribute.name != name and is_proxy_of(coded, attribute):
                yield Notice(
                    "warning",
                    f"{quoted(name)} says {quoted(attribute.name)} in other words: each of its values belongs to one "
                    f"group.",
                    "Treat it as protected too, unless the model really reads it.",
                )
    if name in roles.predictions and _all_right(coded, outcome, roles):
        yield Notice(
            "warning",
            f"The predictions in {quoted(name)} are right in every row.",
            "Check that the column does not hold the outcome itself.",
        )


def _all_right(predictions: Coded, outcome: Coded, roles: Roles) -> bool:
    """Whether predictions tell every outcome: classes in whatever words, numbers by themselves."""
    if roles.outcome_type == "classes":
        return is_proxy_of(predictions, outcome)
    numbers = [
        np.append(as_numbers(coded.distinct.to_series()), np.nan)[coded.codes] for coded in (predictions, outcome)
    ]
    both = np.isfinite(numbers[0]) & np.isfinite(numbers[1])
    return bool(both.any()) and np.allclose(numbers[0][both], numbers[1][both], rtol=1e-9, atol=0.0)


def _about_numbers(values: pd.Series, name: str, roles: Roles) -> Iterator[Notice]:
    if is_number_column(values):
        infinite = np.isinf(as_numbers(values))
        if infinite.any():
            first = record_number(values.index, int(infinite.argmax()))
            yield Notice(
                "serious",
                f"{counted(int(infinite.sum()), 'value')} of {quoted(name)} {'is' if infinite.sum() == 1 else 'are'} "
                f"infinite, the "
                f"first in row {first}.",
                "Correct the values, or ignore the column.",
            )
        return
    found = find_non_numeric(values) if name in roles.features and name not in roles.categorical else None
    if found is None:
        return
    if found.count:
        yield non_numeric(values, found).notice("serious")
    else:
        yield Notice(
            "info",
            f"{quoted(name)} holds numbers stored as text and is read as categories.",
            "Read it as numbers if its values are quantities.",
        )


def _about_feature(values: pd.Series, coded: Coded, roles: Roles) -> Iterator[Notice]:
    name = coded.name
    if len(coded.distinct) == 1:
        yield Notice("info", f"{quoted(name)} has the same value in every row.", "Ignore it unless the model reads it.")
    if name in roles.protected:
        yield Notice(
            "warning",
            f"The model reads the protected attribute {quoted(name)}.",
            "Take it out of the features unless the model really reads it.",
        )
    if name in roles.predictions:
        yield Notice("warning", f"{quoted(name)} is a feature and a prediction.", "Keep one of the two roles.")
    if not is_number_column(values) and len(coded.distinct) > MANY_CATEGORIES:
        yield Notice(
            "warning",
            f"{quoted(name)} has {len(coded.distinct):,} categories, each of which becomes a column.",
            "Group rare values, or ignore the column.",
        )


def about_texts(values: pd.Series, coded: Coded) -> Iterator[Notice]:
    """How long the texts are, how many are empty, and how many repeat an earlier one."""
    empty, rows = int(coded.missing.sum()), len(values)
    if empty == rows:
        return
    words = values.dropna().str.count(_WORD).to_numpy()
    yield Notice(
        "info",
        f"Half of the texts have {np.median(words):,.0f} words or more; the longest has "
        f"{counted(int(words.max()), 'word')}.",
    )
    if empty:
        yield Notice(
            "warning" if empty > _NOTABLE_SHARE * rows else "info",
            f"Empty, or nothing but blanks: {counted(empty, 'text')} of {rows:,}; always left out.",
        )
    if repeated := rows - empty - len(coded.distinct):
        yield Notice(
            "warning" if repeated > _NOTABLE_SHARE * rows else "info",
            f"The same as an earlier one: {counted(repeated, 'text')} of {rows:,}.",
            "Remove repeated texts, unless people really wrote them: the test counts each row.",
        )


def about_judgements(values: pd.Series, other: np.ndarray) -> Iterator[Notice]:
    """Judgements of people that are neither 0 nor 1 (``other``, shape (n,), bool)."""
    if other.any():
        yield other_judgements(values, other).notice("serious")


def about_table(
    rows: int, with_missing: int, missing: Missing, duplicates: int, without_outcome: int
) -> Iterator[Notice]:
    """Too few rows, missing values, which are treated as ``missing`` says, and repeated rows."""
    if rows < FEWEST_ROWS:
        yield Notice(
            "serious", f"The table has {counted(rows, 'row')}; a test needs at least {FEWEST_ROWS}.", "Bring more rows."
        )
    if with_missing:
        told = f"Empty cells in {with_missing:,} of {counted(rows, 'row')} ({with_missing / rows:.1%})"
        if missing == "leave out":
            yield Notice(
                "warning" if with_missing > _NOTABLE_SHARE * rows else "info",
                f"{told}, which would be left out.",
                "Choose how missing values are treated.",
            )
        else:
            yield Notice("info", f"{told}; what is missing of features and groups is treated as chosen: {missing}.")
    if without_outcome:
        yield Notice("info", f"{counted(without_outcome, 'row')} without an outcome will always be left out.")
    if duplicates:
        yield Notice(
            "warning" if duplicates > _NOTABLE_SHARE * rows else "info",
            f"{counted(duplicates, 'repeated row')}: the same as an earlier one in every column with a role.",
            "If the same people occur twice, remove them, or say which column names them: each row counts as a person.",
        )


def about_bins(attributes: list[Coded]) -> Iterator[Notice]:
    """Protected attributes that are numbers and so have no groups of their own."""
    if not attributes:
        return
    named = ", ".join(
        f"{quoted(attribute.name)} ({len(attribute.distinct):,} different values)" for attribute in attributes
    )
    yield Notice(
        "info",
        f"Protected and a number: {named}. They are shown in bins of about equal size.",
        "Read a column as categories if its values are codes.",
    )


def about_unknown(attribute: Coded, roles: Roles) -> Iterator[Notice]:
    """People whose group is not known; New York's Local Law 144 asks how many there are."""
    unknown, rows = int(attribute.missing.sum()), len(attribute.codes)
    if not 0 < unknown < rows:
        return
    yield Notice(
        "warning" if unknown > _NOTABLE_SHARE * rows else "info",
        f"Without {quoted(attribute.name)}: {counted(unknown, 'row')} of {rows:,}. No group counts them, and they are "
        f"left "
        "out.",
        "Treat missing values as a category of their own to show them as a group."
        if roles.missing != "own category"
        else "",
    )


def about_groups(attribute: Coded) -> Iterator[Notice]:
    """One group only, or groups too small to judge."""
    size = np.bincount(attribute.codes[~attribute.missing], minlength=len(attribute.distinct))
    if len(size) == 1:
        yield Notice(
            "serious",
            f"Everybody belongs to the same group of {quoted(attribute.name)}.",
            "Choose another protected attribute, or bring rows of other groups.",
        )
    small = [str(group) for group in attribute.distinct[size < FEWEST_ROWS]]
    if small:
        named = ", ".join(small[:5]) + (f" and {len(small) - 5:,} more" if len(small) > 5 else "")
        yield Notice(
            "warning",
            f"{len(small):,} of {len(size):,} groups of {quoted(attribute.name)} have fewer than {FEWEST_ROWS} rows, "
            f"too "
            "few to "
            f"judge: {named}.",
            "Group rare values, or bring more rows.",
        )
