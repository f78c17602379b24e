"""Proposing the columns that tell people apart, so coarse that most people share their cell with others.

The rule, the same for the same table: numbers with more than three values are cut into three bins of about equally
many people, at round numbers; of categories the frequent ones are kept, at most six, and the others become "Other".
If a quarter of the people or more then share their cell with fewer than four others, numbers get two bins and
categories at most three kinds; if that is not enough, columns are taken up one by one, those that say most about the
outcome first, as long as it stays enough. Protected attributes always stay, with all their frequent groups.
"""

from collections.abc import Iterable
from math import floor, log10

import numpy as np
import pandas as pd

from core.audits.transport.binning import Binned, bin_column
from core.audits.transport.cells import Space
from core.audits.transport.settings import CellColumn
from core.cells import as_numbers, as_text, is_number_column
from core.dataset import Dataset
from core.roles import Roles

WELL_FILLED = 5
"""People a cell should hold at least."""
ENOUGH = 0.75
"""Share of the people who should be in such cells."""
KEPT_NUMBERS = 3
"""A column of numbers with at most this many values keeps them all."""
RARE = 0.02
"""A category of fewer people than this share is rare."""
_REST = "Other"
_FINE, _COARSE = (3, 6), (2, 3)
"""Bins of a column of numbers, kinds of a category."""


def proposed_space(model_reads: tuple[str, ...], roles: Roles, can_be_asked: bool) -> Space:
    """With whom to compare people, as a proposal: the settings themselves start with people in the table.

    The same people in every group where the model can be asked and its answers could depend on a protected attribute.
    Elsewhere asking is impossible, or gives the same answers by construction.

    Args:
        model_reads: The columns the model reads.
        roles: The table's roles.
        can_be_asked: Whether the model can be asked about people who are not in the table.
    """
    return "all groups" if can_be_asked and set(model_reads) & set(roles.protected) else "observed"


def propose(dataset: Dataset) -> tuple[CellColumn, ...]:
    """The columns that tell people apart, binned; features first, then protected attributes."""
    protected = dataset.roles.protected
    features = [name for name in dataset.roles.features if name not in protected]
    outcome = pd.factorize(as_text(dataset.frame[dataset.roles.outcome]))[0]

    def columns(names: Iterable[str], fineness: tuple[int, int]) -> list[Binned]:
        return [_binned(dataset.frame[name], name, *fineness) for name in names]

    groups = columns(protected, _FINE)
    for fineness in (_FINE, _COARSE):
        found = columns(features, fineness)
        if _enough([*found, *groups], outcome):
            return tuple(one.column for one in (*found, *groups))
    informative = {one.column.name: _information(one.codes, outcome) for one in found}
    kept: list[Binned] = []
    for one in sorted(found, key=lambda one: -informative[one.column.name]):
        if _enough([*kept, one, *groups], outcome):
            kept.append(one)
    kept.sort(key=lambda one: features.index(one.column.name))
    return tuple(one.column for one in (*kept, *groups))


def _binned(values: pd.Series, name: str, bins: int, kinds: int) -> Binned:
    if is_number_column(values):
        numbers = as_numbers(values)
        if len(np.unique(numbers)) > KEPT_NUMBERS:
            return bin_column(CellColumn(name=name, edges=round_limits(numbers, bins)), values)
        return bin_column(CellColumn(name=name), values)
    return bin_column(CellColumn(name=name, merged=_rare(values, kinds)), values)


def round_limits(numbers: np.ndarray, bins: int) -> tuple[float, ...]:
    """At most ``bins`` - 1 limits, ascending, that cut numbers, shape (n,), into about equal parts at round numbers.

    Limits are multiples of 1, 2 or 5 times a power of ten, about a sixth of the distance between the tenth and the
    ninetieth percentile apart, or the number after the most frequent whole number (so that many zeros stay together).
    """
    ordered = np.sort(numbers)
    low, high = np.quantile(ordered, (0.1, 0.9))
    spread = float(high - low) or float(ordered[-1] - ordered[0])
    whole = bool((ordered == np.rint(ordered)).all())
    step = _round_down(spread / 6)
    step = max(step, 1.0) if whole else step
    candidates = step * np.arange(floor(low / step), floor(high / step) + 2)
    values, counts = np.unique(ordered, return_counts=True)
    commonest = float(values[counts.argmax()])
    if whole:
        candidates = np.append(candidates, (commonest, commonest + 1))
    candidates = np.unique(candidates[(candidates > ordered[0]) & (candidates <= ordered[-1])])
    if not len(candidates):
        return (float(values[len(values) // 2]),)
    below = np.searchsorted(ordered, candidates) / len(ordered)
    limits = {float(candidates[np.abs(below - part / bins).argmin()]) for part in range(1, bins)}
    return tuple(sorted(round(limit, 12) for limit in limits))


def _round_down(number: float) -> float:
    power = 10.0 ** floor(log10(number))
    return next(float(factor * power) for factor in (5, 2, 1) if factor * power <= number * (1 + 1e-9))


def _rare(values: pd.Series, kinds: int) -> tuple[tuple[str, str], ...]:
    """Pairs that merge all values but the most frequent, if there is more than one to merge."""
    counts = as_text(values).value_counts()
    ranked = sorted(counts.index, key=lambda value: (-int(counts[value]), str(value)))
    frequent = [value for value in ranked if counts[value] >= RARE * len(values) or value == _REST]
    kept = frequent if len(frequent) == len(ranked) <= kinds else frequent[: kinds - 1]
    others = sorted(str(value) for value in ranked if value not in kept and value != _REST)
    joined = len(others) + (_REST in ranked and _REST not in kept) > 1 or (_REST in kept and others)
    return tuple((value, _REST) for value in others) if joined else ()


def _enough(columns: list[Binned], outcome: np.ndarray) -> bool:
    key = outcome.astype(np.int64)
    for one in columns:
        key = np.unique(key * len(one.names) + one.codes, return_inverse=True)[1]
    people = np.bincount(key)
    return float(people[people >= WELL_FILLED].sum() / people.sum()) > ENOUGH


def _information(codes: np.ndarray, outcome: np.ndarray) -> float:
    """Mutual information of two columns of codes, in nats."""
    table = np.zeros((int(codes.max()) + 1, int(outcome.max()) + 1))
    np.add.at(table, (codes, outcome), 1.0)
    joint = table / table.sum()
    independent = joint.sum(axis=1, keepdims=True) * joint.sum(axis=0, keepdims=True)
    seen = joint > 0
    return float((joint[seen] * np.log(joint[seen] / independent[seen])).sum())
