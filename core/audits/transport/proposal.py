"""Proposing the columns that tell people apart, so coarse that most people have somebody of every group beside them.

Kinds are proposed only where at least four people in five have somebody of every group of 30 or more of the same kind
and outcome, and three in four are of a cell of five or more; where no column leaves so many, none but the protected
ones is proposed, and the test is not.

Columns are chosen without looking at a model's answers: by how much they say about the outcome, numbers in two bins of
about equally many people at round numbers, of categories the most frequent values, and where enough people stay
comparable in three bins and six values. Of a scale, a column of few whole numbers such as grades from 1 to 6, only
neighbours count as alike, two at most; it comes in two bins where that leaves too few comparable. A column that is
named as a model's answer is no reason to treat people differently, so it is never proposed.

Answers are looked at in one case: where a few columns and limits (:mod:`core.audits.transport.explaining`) tell apart
all that a model tells apart, as those of a program of rules do, these are proposed; on a scale, limits of pairs beside
them where enough people stay comparable. A table whose features all have few values keeps them as they are, if kinds
are well filled then.

Protected attributes always stay, with all their frequent groups. They are never chosen or binned by the answers.
Where rows belong together, one of each cluster counts.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

import numpy as np
import pandas as pd

from core.audits.transport.binning import Binned, bin_column, combined, is_scale, limits_of_pairs, round_limits
from core.audits.transport.candidates import KEPT, RARE, REST, fine_column
from core.audits.transport.explaining import CutSearch
from core.audits.transport.settings import CellColumn, Space
from core.base.thresholds import FEWEST_ROWS
from core.data.cells import as_numbers, as_text, is_number_column
from core.data.column_look import look
from core.data.dataset import Dataset
from core.data.prediction_names import strength
from core.data.roles import Roles
from core.language.told import say

COMPARED = 0.8
"""Share of the people who should have somebody of every group of FEWEST_ROWS or more to be compared with."""
WELL_FILLED, ENOUGH = 5, 0.75
"""People that a cell should hold, and the share of the people who should be in such cells."""
NOTHING_TO_CHOOSE = 0.9
"""From this share of people in such cells on, a table whose features all have few values keeps them as they are."""
OUTCOME_ITSELF = 0.4
"""A column that says more than this share of all there is to say about the outcome comes last: it was probably written
down afterwards, and of people with the same outcome it tells few apart."""
EXPLAINED = 0.8
"""Share of the people in cells of one answer from which on the answers are explained."""
_FINE, _COARSE = (3, 6), (2, 3)
"""Bins of a column of numbers, kinds of a category."""
_A_MODEL_S = 2
"""What the strength of a name that alone says "a model's answer" is."""


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
    found = _Table.of(dataset)
    apart = found.by_outcome()
    if not apart or answers is None:
        return found.columns(apart)
    kept = found.binned(_FINE)
    if not any(one.column.edges or one.column.merged for one in kept) and found.filled(kept) > NOTHING_TO_CHOOSE:
        return found.columns(kept if found.fits(kept) else apart)
    return found.columns(found.by_answers(answers) or apart)


def _independent(dataset: Dataset, answers: np.ndarray | None) -> tuple[Dataset, np.ndarray | None]:
    """One row of each cluster, where rows belong together: copies of a few people fill no kind and explain nothing."""
    if dataset.clusters is None:
        return dataset, answers
    first = np.sort(np.unique(dataset.clusters, return_index=True)[1])
    return dataset.take(first), None if answers is None else answers[first]


def telling_apart(dataset: Dataset, cell: np.ndarray, answers: np.ndarray) -> str:
    """The feature that best tells apart people of one cell whose answers differ; "" where none does beyond chance.

    Args:
        dataset: The people.
        cell: Cell of each person, shape (n,), int.
        answers: A model's answers, shape (n,).
    """
    if dataset.clusters is not None:
        first = np.sort(np.unique(dataset.clusters, return_index=True)[1])
        dataset, cell, answers = dataset.take(first), cell[first], answers[first]
    features = [name for name in dataset.roles.features if name not in dataset.roles.protected]
    tried = [fine_column(name, dataset.frame[name]) for name in features]
    found = [one for one in tried if one is not None]
    search = CutSearch(tuple(one.candidate for one in found), cell, np.zeros(len(cell), np.int64), answers, 1, 0.0)
    best = search.best() if found else None
    return "" if best is None else found[best].name


def propose_each(dataset: Dataset) -> tuple[CellColumn, ...]:
    """Each feature as it is binned if it alone tells people apart beside the protected attributes.

    A feature with which too few people could be compared even alone is left out.
    """
    dataset, _ = _independent(dataset, None)
    found: list[CellColumn] = []
    for name in dataset.roles.features:
        alone = _Table.of(dataset, () if name in dataset.roles.protected else (name,))
        found += [column for column in alone.columns(alone.by_outcome()) if column.name == name]
    return tuple(found)


def left_out(dataset: Dataset, proposed: tuple[CellColumn, ...]) -> tuple[tuple[str, str], ...]:
    """The features that are not among the columns proposed, each with the reason, the end of a sentence about it."""
    dataset, _ = _independent(dataset, None)
    found, taken = _Table.of(dataset), {one.name for one in proposed}
    free = [bin_column(one, found.frame[one.name]) for one in proposed if one.name not in dataset.roles.protected]
    told = []
    for name in (name for name in dataset.roles.features if name not in taken):
        if name not in found.features:
            why = say("named like a model's answers")
        elif found.fits([*free, _binned(found.frame[name], name, *_COARSE)]):
            why = say("what the model decides is mostly explained by the columns taken")
        else:
            why = say("too few people would then have somebody like them in every group")
        told.append((name, why))
    return tuple(told)


@dataclass(frozen=True)
class _Table:
    """A table whose columns are to be chosen.

    Attributes:
        frame: The people.
        features: Names of the columns that may be chosen.
        groups: The protected attributes, binned.
        outcome: True outcome of each person; shape (n,), int.
    """

    frame: pd.DataFrame
    features: tuple[str, ...]
    groups: tuple[Binned, ...]
    outcome: np.ndarray

    @classmethod
    def of(cls, dataset: Dataset, features: tuple[str, ...] | None = None) -> Self:
        """The features that may be chosen: all but those named as a model's answers, or these."""
        frame, protected = dataset.frame, dataset.roles.protected
        if features is None:
            free = [name for name in dataset.roles.features if name not in protected]
            features = tuple(name for name in free if strength(look(name, frame[name])) < _A_MODEL_S)
        groups = tuple(_binned(frame[name], name, *_FINE) for name in protected)
        return cls(frame, features, groups, pd.factorize(as_text(frame[dataset.roles.outcome]))[0])

    def columns(self, free: Iterable[Binned]) -> tuple[CellColumn, ...]:
        """These and the protected attributes, as settings hold them."""
        return tuple(one.column for one in (*free, *self.groups))

    def binned(self, fineness: tuple[int, int]) -> list[Binned]:
        """All features in so many bins and kinds at most."""
        return [_binned(self.frame[name], name, *fineness) for name in self.features]

    def scales(self, names: Iterable[str]) -> list[Binned | None]:
        """Each column that is a scale in pairs of neighbours; None for the others and for those of a few values."""
        columns = [(name, self.frame[name]) for name in names]
        return [
            bin_column(CellColumn(name=name, edges=limits_of_pairs(as_numbers(values))), values)
            if is_scale(values) and values.nunique() > KEPT
            else None
            for name, values in columns
        ]

    def compared(self, free: list[Binned]) -> float:
        """Share of the people who have somebody of every group of FEWEST_ROWS or more of their kind and outcome.

        In a small table it is the two largest groups that count.
        """
        group = np.unique(combined(self.groups), return_inverse=True)[1]
        kind = np.unique(combined(free, self.outcome), return_inverse=True)[1]
        people = np.zeros((int(kind.max()) + 1, int(group.max()) + 1), dtype=np.int64)
        np.add.at(people, (kind, group), 1)
        sizes = people.sum(axis=0)
        large = sizes >= min(FEWEST_ROWS, np.sort(sizes)[-2:].min())
        everybody = (people[:, large] > 0).all(axis=1)
        return float(people[everybody].sum() / len(kind))

    def filled(self, free: list[Binned]) -> float:
        """Share of the people in cells of WELL_FILLED or more."""
        people = np.bincount(combined([*free, *self.groups], self.outcome))
        return float(people[people >= WELL_FILLED].sum() / people.sum())

    def fits(self, free: list[Binned]) -> bool:
        """Whether enough people can be compared, and enough share their cell with others."""
        return self.compared(free) >= COMPARED and self.filled(free) >= ENOUGH

    def by_outcome(self) -> list[Binned]:
        """The columns that say most about the outcome, as many and as fine as people stay comparable."""
        scales = self.scales(self.features)
        fine = [scale or one for scale, one in zip(scales, self.binned(_FINE), strict=True)]
        if self.fits(fine):
            return fine
        coarse = self.binned(_COARSE)
        informative = [_information(one.codes, self.outcome) for one in coarse]
        most = OUTCOME_ITSELF * _information(self.outcome, self.outcome)
        order = sorted(range(len(coarse)), key=lambda place: (informative[place] > most, -informative[place]))
        kept: dict[int, Binned] = {}

        def first_that_fits(place: int, *tried: Binned | None) -> None:
            for one in tried:
                if one is not None and self.fits([*{**kept, place: one}.values()]):
                    kept[place] = one
                    return

        for place in order:
            first_that_fits(place, scales[place], coarse[place])
        for place in [one for one in order if one in kept]:
            first_that_fits(place, fine[place])
        return [kept[place] for place in sorted(kept)]

    def by_answers(self, answers: np.ndarray) -> list[Binned]:
        """A few columns and limits that explain a model's answers, shape (n,); none where there are no such ones."""
        tried = [fine_column(name, self.frame[name]) for name in self.features]
        found = [one for one in tried if one is not None]
        decisions = (answers >= 0.5).astype(np.float64)
        search = CutSearch(
            columns=tuple(one.candidate for one in found),
            group=combined(self.groups),
            label=self.outcome,
            answers=decisions if 0 < decisions.mean() < 1 else np.asarray(answers, dtype=np.float64),
            filled=WELL_FILLED,
            enough=ENOUGH,
        )
        cut = [one.binned(cuts) for one, cuts in zip(found, search.run(), strict=True) if cuts.at]
        chosen = self._with_pairs([bin_column(column, self.frame[column.name]) for column in cut])
        if not chosen or self.compared(chosen) < COMPARED:
            return []
        cell = combined([*chosen, *self.groups], self.outcome)
        alike = pd.Series(search.answers).groupby(cell).transform("nunique") == 1
        return chosen if float(alike.mean()) >= EXPLAINED else []

    def _with_pairs(self, chosen: list[Binned]) -> list[Binned]:
        """The same columns, a scale cut by the limits of pairs too where enough people stay comparable."""
        for place, scale in enumerate(self.scales([one.column.name for one in chosen])):
            edges = chosen[place].column.edges
            if scale is None or not edges:
                continue
            both = scale.column.model_copy(update={"edges": tuple(sorted({*edges, *scale.column.edges}))})
            finer = [*chosen[:place], bin_column(both, self.frame[both.name]), *chosen[place + 1 :]]
            chosen = finer if self.fits(finer) else chosen
        return chosen


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


def _information(codes: np.ndarray, outcome: np.ndarray) -> float:
    """Mutual information of two columns of codes, in nats."""
    table = np.zeros((int(codes.max()) + 1, int(outcome.max()) + 1))
    np.add.at(table, (codes, outcome), 1.0)
    joint = table / table.sum()
    independent = joint.sum(axis=1, keepdims=True) * joint.sum(axis=0, keepdims=True)
    seen = joint > 0
    return float((joint[seen] * np.log(joint[seen] / independent[seen])).sum())
