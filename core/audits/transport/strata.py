"""Sorting people into strata by the columns that tell them apart, and by the recorded outcome."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import pandas as pd

from core.audits.transport.binning import Binned, bin_column
from core.audits.transport.result import Cells
from core.audits.transport.settings import CellColumn
from core.base.errors import AuditError, SettingsError
from core.data.dataset import Dataset
from core.language.phrases import count, quoted, whole
from core.language.told import say

LARGEST_SPACE = 200_000
"""More strata than this are refused: thousands of resamples of them would take many minutes."""


@dataclass(frozen=True)
class SortedPeople:
    """The strata a table is sorted into.

    Strata are sorted by outcome (as text), then by the columns that are not protected, then by the protected ones.

    Attributes:
        columns: The columns that tell people apart, binned; those that are not protected come first.
        free: How many of ``columns`` are not protected.
        codes: Outcome (its rank as text) and kind in each column; shape (K, 1 + c), int.
        label: Outcome as an index into ``labels``; shape (K,), int.
        labels: The outcomes as text.
        group: Combination of the protected columns' bins as an index into ``groups``; shape (K,), int.
        groups: The combinations that occur, as people read them.
        cell: Stratum of each row; shape (n,), int.
        order: The columns' names as the settings give them.
        protected: Names of the protected attributes.
        own_classes: Where strata are finer than the columns tell (:mod:`core.audits.transport.exact`), the class of
            each: people who are the same but for the attributes they may differ in; shape (K,), int. None elsewhere.
        times: People that each row stands for, shape (n,), int64; None where each is one.
        people: People in each stratum, shape (K,), int64.
    """

    columns: tuple[Binned, ...]
    free: int
    codes: np.ndarray
    label: np.ndarray
    labels: tuple[str, ...]
    group: np.ndarray
    groups: tuple[str, ...]
    cell: np.ndarray
    order: tuple[str, ...]
    protected: tuple[str, ...]
    own_classes: np.ndarray | None = None
    times: np.ndarray | None = None
    people: np.ndarray = field(init=False)

    def __post_init__(self) -> None:
        people = np.bincount(self.cell, self.times, len(self.codes)).astype(np.int64)
        object.__setattr__(self, "people", people)

    def __len__(self) -> int:
        return len(self.codes)

    def classes(self, differ_in: Sequence[str]) -> np.ndarray:
        """Class of each stratum, shape (K,), int: equal outcome, and equal in every column not in ``differ_in``."""
        kept = [0, *(place + 1 for place, one in enumerate(self.columns) if one.column.name not in differ_in)]
        return combinations(self.codes[:, kept])[0]

    def in_every_group(self) -> SortedPeople:
        """The same with every combination of the protected values added to every class that occurs.

        Raises:
            AuditError: They would be too many.
        """
        classes = self.classes(self.protected)
        many, groups = int(classes.max()) + 1, len(self.groups)
        _check_size(many * groups)
        first_of_class = np.unique(classes, return_index=True)[1]
        first_of_group = np.unique(self.group, return_index=True)[1]
        shared = np.repeat(self.codes[first_of_class, : 1 + self.free], groups, axis=0)
        own = np.tile(self.codes[first_of_group, 1 + self.free :], (many, 1))
        return replace(
            self,
            codes=np.hstack([shared, own]),
            label=np.repeat(self.label[first_of_class], groups),
            group=np.tile(np.arange(groups), many),
            cell=(classes * groups + self.group)[self.cell],
        )

    def as_cells(self, favourable: np.ndarray) -> Cells:
        """The strata as a result keeps them; ``favourable`` is each stratum's share of good decisions, shape (K,)."""
        by_name = {one.column.name: (one, self.codes[:, place + 1]) for place, one in enumerate(self.columns)}
        frame = pd.DataFrame(
            {name: pd.array(by_name[name][0].names, dtype="str").take(by_name[name][1]) for name in self.order},
            index=pd.RangeIndex(len(self)),
        )
        return Cells(
            columns=tuple(by_name[name][0].column for name in self.order),
            frame=frame,
            label=self.label,
            labels=self.labels,
            group=self.group,
            groups=self.groups,
            protected=self.protected,
            people=self.people,
            favourable=favourable,
        )


def sort_into_strata(
    dataset: Dataset, columns: tuple[CellColumn, ...], y: np.ndarray, labels: tuple[str, ...]
) -> SortedPeople:
    """Sort people into strata.

    Args:
        dataset: The people.
        columns: The columns that tell them apart; protected attributes not among them are added with all their values.
        y: Each person's recorded outcome as an index into ``labels``; shape (n,), int.
        labels: The outcomes as text.

    Raises:
        SettingsError: A column is none of the features or protected attributes, is named twice, or cannot be binned
            as asked.
        AuditError: Everybody belongs to the same protected group, or there are too many strata.
    """
    chosen = with_protected(columns, dataset)
    protected = dataset.roles.protected
    ordered = sorted(chosen, key=lambda column: column.name in protected)
    free = sum(column.name not in protected for column in ordered)
    binned = tuple(bin_column(column, dataset.frame[column.name]) for column in ordered)
    rank = np.argsort(np.argsort(np.array(labels)))
    cell, codes = combinations(np.column_stack([rank[y], *(one.codes for one in binned)]))
    _check_size(len(codes))
    group, group_codes = combinations(codes[:, 1 + free :])
    if len(group_codes) < 2:
        raise AuditError(
            say("Everybody among the audited people belongs to the same protected group, so nobody can be compared."),
            where=", ".join(map(quoted, protected)),
            advice=say("Merge fewer values of the protected attributes, or audit people of several groups."),
        )
    names = [one.names for one in binned[free:]]
    return SortedPeople(
        columns=binned,
        free=free,
        codes=codes,
        label=np.argsort(rank)[codes[:, 0]],
        labels=labels,
        group=group,
        groups=tuple(", ".join(bins[code] for bins, code in zip(names, row, strict=True)) for row in group_codes),
        cell=cell,
        order=tuple(column.name for column in chosen),
        protected=protected,
        times=dataset.times,
    )


def with_protected(columns: tuple[CellColumn, ...], dataset: Dataset) -> tuple[CellColumn, ...]:
    """The columns, checked, and the protected attributes that are missing among them.

    Raises:
        SettingsError: A column is none of the features or protected attributes, or is named twice.
    """
    roles, names = dataset.roles, [column.name for column in columns]
    allowed = tuple(dict.fromkeys((*roles.features, *roles.protected)))
    for place, name in enumerate(names):
        if name not in allowed:
            raise SettingsError(
                say(
                    "{name} cannot tell people apart: it is neither a feature nor a protected attribute.",
                    name=quoted(name),
                ),
                where=say("columns that tell people apart"),
                advice=say("Choose among {names}.", names=", ".join(map(quoted, allowed[:12]))),
            )
        if name in names[:place]:
            raise SettingsError(
                say("{name} is named twice.", name=quoted(name)),
                where=say("columns that tell people apart"),
                advice=say("Name each column once."),
            )
    return (*columns, *(CellColumn(name=name) for name in roles.protected if name not in names))


def combinations(codes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The combinations of codes that occur among rows: each row's, shape (n,), and what they are, (K, c), sorted.

    Args:
        codes: Non-negative whole numbers, shape (n, c).
    """
    key = np.zeros(len(codes), dtype=np.int64)
    for column in codes.T:
        key = np.unique(key * (int(column.max(initial=0)) + 1) + column, return_inverse=True)[1]
    return key, codes[np.unique(key, return_index=True)[1]]


def _check_size(strata: int) -> None:
    if strata > LARGEST_SPACE:
        raise AuditError(
            say(
                "The columns make {kinds} of people; at most {most} are possible.",
                kinds=count(strata, "kind"),
                most=whole(LARGEST_SPACE),
            ),
            where=say("columns that tell people apart"),
            advice=say("Bin numbers more coarsely, merge rare values, or leave columns out."),
        )
