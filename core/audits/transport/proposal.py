"""Proposing the columns that tell people apart, so coarse that most people share their kind with others.

With a model's answers, few columns are chosen that explain them, with limits where they change
(:mod:`core.audits.transport.explaining`), so that few people are of a kind in which answers differ. A table whose
features all have few values keeps them as they are, if kinds are well filled then.

Without answers, or where nothing explains them, the rule is: numbers with more than three values are cut into three
bins of about equally many people, at round numbers; of categories the frequent ones are kept, at most six, and the
others become "Other". If a quarter of the people or more then share their cell with fewer than four others, numbers get
two bins and categories at most three kinds; if that is not enough, columns are taken up one by one, those that say most
about the outcome first, as long as it stays enough.

Protected attributes always stay, with all their frequent groups. They are never chosen or binned by the answers.
Where rows belong together, one of each cluster counts.
"""

from collections.abc import Iterable

import numpy as np
import pandas as pd

from core.audits.transport.binning import Binned, bin_column, combined, round_limits
from core.audits.transport.candidates import KEPT, RARE, REST, fine_column
from core.audits.transport.explaining import Search
from core.audits.transport.settings import CellColumn
from core.audits.transport.strata import Space
from core.data.cells import as_numbers, as_text, is_number_column
from core.data.dataset import Dataset
from core.data.roles import Roles

WELL_FILLED = 5
"""People a cell should hold at least."""
ENOUGH = 0.75
"""Share of the people who should be in such cells."""
NOTHING_TO_CHOOSE = 0.9
"""From this share on, a table whose features all have few values keeps them as they are."""
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
    return "all groups" if can_be_asked and set(model_reads) & set(roles.protected) else "observed"  # verbatim


def propose(dataset: Dataset, answers: np.ndarray | None = None) -> tuple[CellColumn, ...]:
    """The columns that tell people apart, binned; features first, then protected attributes.

    Args:
        dataset: The people.
        answers: A model's probability of the favourable outcome for each of them, or its decision as 0 or 1; shape
            (n,). Where both decisions (at one half) occur they are what is explained, otherwise the probabilities.
    """
    dataset, answers = _independent(dataset, answers)
    protected = dataset.roles.protected
    features = [name for name in dataset.roles.features if name not in protected]
    groups = _all_binned(dataset, protected, _FINE)
    outcome = pd.factorize(as_text(dataset.frame[dataset.roles.outcome]))[0]
    fine = _all_binned(dataset, features, _FINE)
    if answers is None:
        return _by_outcome(dataset, fine, groups, outcome)
    if all(_is_as_it_is(one) for one in fine) and _enough([*fine, *groups], outcome, NOTHING_TO_CHOOSE):
        return tuple(one.column for one in (*fine, *groups))
    found = [one for one in (fine_column(name, dataset.frame[name]) for name in features) if one is not None]
    decisions = (answers >= 0.5).astype(np.float64)
    search = Search(
        columns=tuple(one.candidate for one in found),
        group=combined(groups),
        label=outcome,
        answers=decisions if 0 < decisions.mean() < 1 else np.asarray(answers, dtype=np.float64),
        filled=WELL_FILLED,
        enough=ENOUGH,
    )
    chosen = [one.binned(cuts) for one, cuts in zip(found, search.run(), strict=True) if cuts.at]
    return (*chosen, *(one.column for one in groups)) if chosen else _by_outcome(dataset, fine, groups, outcome)


def _independent(dataset: Dataset, answers: np.ndarray | None) -> tuple[Dataset, np.ndarray | None]:
    """One row of each cluster, where rows belong together: copies of a few people fill no kind and explain nothing."""
    if dataset.clusters is None:
        return dataset, answers
    first = np.sort(np.unique(dataset.clusters, return_index=True)[1])
    return dataset.take(first), None if answers is None else answers[first]


def _is_as_it_is(one: Binned) -> bool:
    return not one.column.edges and not one.column.merged


def propose_each(dataset: Dataset) -> tuple[CellColumn, ...]:
    """Each feature as it is binned if it alone tells people apart beside the protected attributes.

    A feature that would make the kinds too small even alone is left out.
    """
    dataset, _ = _independent(dataset, None)
    protected = dataset.roles.protected
    groups = _all_binned(dataset, protected, _FINE)
    outcome = pd.factorize(as_text(dataset.frame[dataset.roles.outcome]))[0]
    found: list[CellColumn] = []
    for name in dataset.roles.features:
        fine = [] if name in protected else _all_binned(dataset, [name], _FINE)
        found += [column for column in _by_outcome(dataset, fine, groups, outcome) if column.name == name]
    return tuple(found)


def _by_outcome(
    dataset: Dataset, fine: list[Binned], groups: list[Binned], outcome: np.ndarray
) -> tuple[CellColumn, ...]:
    """All features as fine as the people allow, or those that say most about the outcome."""
    features = [one.column.name for one in fine]
    if _enough([*fine, *groups], outcome):
        return tuple(one.column for one in (*fine, *groups))
    coarse = _all_binned(dataset, features, _COARSE)
    if _enough([*coarse, *groups], outcome):
        return tuple(one.column for one in (*coarse, *groups))
    informative = {one.column.name: _information(one.codes, outcome) for one in coarse}
    kept: list[Binned] = []
    for one in sorted(coarse, key=lambda one: -informative[one.column.name]):
        if _enough([*kept, one, *groups], outcome):
            kept.append(one)
    kept.sort(key=lambda one: features.index(one.column.name))
    return tuple(one.column for one in (*kept, *groups))


def _all_binned(dataset: Dataset, names: Iterable[str], fineness: tuple[int, int]) -> list[Binned]:
    return [_binned(dataset.frame[name], name, *fineness) for name in names]


def _binned(values: pd.Series, name: str, bins: int, kinds: int) -> Binned:
    if is_number_column(values):
        numbers = as_numbers(values)
        if len(np.unique(numbers)) > KEPT:
            return bin_column(CellColumn(name=name, edges=round_limits(numbers, bins)), values)
        return bin_column(CellColumn(name=name), values)
    return bin_column(CellColumn(name=name, merged=_rare(values, kinds)), values)


def _rare(values: pd.Series, kinds: int) -> tuple[tuple[str, str], ...]:
    """Pairs that merge all values but the most frequent, if there is more than one to merge."""
    counts = as_text(values).value_counts()
    ranked = sorted(counts.index, key=lambda value: (-int(counts[value]), str(value)))
    frequent = [value for value in ranked if counts[value] >= RARE * len(values) or value == REST]
    kept = frequent if len(frequent) == len(ranked) <= kinds else frequent[: kinds - 1]
    others = sorted(str(value) for value in ranked if value not in kept and value != REST)
    joined = len(others) + (REST in ranked and REST not in kept) > 1 or (REST in kept and others)
    return tuple((value, REST) for value in others) if joined else ()


def _enough(columns: list[Binned], outcome: np.ndarray, share: float = ENOUGH) -> bool:
    people = np.bincount(combined(columns, outcome))
    return float(people[people >= WELL_FILLED].sum() / people.sum()) > share


def _information(codes: np.ndarray, outcome: np.ndarray) -> float:
    """Mutual information of two columns of codes, in nats."""
    table = np.zeros((int(codes.max()) + 1, int(outcome.max()) + 1))
    np.add.at(table, (codes, outcome), 1.0)
    joint = table / table.sum()
    independent = joint.sum(axis=1, keepdims=True) * joint.sum(axis=0, keepdims=True)
    seen = joint > 0
    return float((joint[seen] * np.log(joint[seen] / independent[seen])).sum())
