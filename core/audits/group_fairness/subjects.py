"""Who is compared with whom: groups of each protected attribute, and people who belong to groups of several."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, product

import numpy as np

from core.base.errors import SettingsError
from core.data.attribute import Attribute
from core.data.labels import condition, conditions
from core.data.missing import MISSING_GROUP
from core.language.phrases import several
from core.language.told import say

MOST_INTERSECTIONS = 1_000
"""Intersections that are judged, the largest."""


@dataclass(frozen=True)
class Subject:
    """People of one group, or who belong to several groups at once, and those they are compared with.

    Attributes:
        conditions: Attribute and group, one pair for each attribute.
        others: The group they are compared with, of a single attribute; empty for everybody else.
        inside: Cells of its people, shape (c,), bool.
        outside: Cells of the others, shape (c,), bool.
    """

    conditions: tuple[tuple[str, str], ...]
    others: str
    inside: np.ndarray
    outside: np.ndarray

    @property
    def who(self) -> str:
        """``sex = Female and race = Black``."""
        return conditions(self.conditions)

    @property
    def sides(self) -> tuple[np.ndarray, np.ndarray]:
        """Cells of the others, and of its people."""
        return self.outside, self.inside

    @property
    def against(self) -> str:
        """``sex = Male``, or everybody else."""
        return condition(self.conditions[0][0], self.others) if self.others else say("everybody else")


@dataclass(frozen=True)
class Subjects:
    """Everybody who is compared, in cells of people who belong to the same group of every attribute; c cells.

    Attributes:
        cells: Cell of each person, shape (n,), int64.
        groups: Groups of single attributes.
        intersections: People who belong to groups of several attributes at once, the largest first.
        beyond: Intersections left out because there are more than are judged.
    """

    cells: np.ndarray
    groups: tuple[Subject, ...]
    intersections: tuple[Subject, ...]
    beyond: int

    @property
    def count(self) -> int:
        """C."""
        return int(self.cells.max(initial=-1)) + 1


def subjects_of(
    attributes: tuple[Attribute, ...],
    depth: int,
    reference: tuple[str, ...],
    rows: int = 0,
    times: np.ndarray | None = None,
) -> Subjects:
    """Each group against everybody else or the reference group, and each intersection against everybody outside it.

    People whose group is not known are counted in none of them, and compared with nobody. With a reference group the
    others are compared with it and it with each of them.

    Args:
        attributes: Protected attributes of the same n rows.
        depth: Attributes combined at once.
        reference: Groups that others are compared with, each as "attribute = group".
        rows: n, where there are no attributes.
        times: People that each row stands for, shape (n,), int64; one each if None.

    Raises:
        SettingsError: A reference is no group of an attribute.
    """
    known = {condition(one.name, group): (one.name, group) for one in attributes for group in one.groups}
    if unknown := [name for name in reference if name not in known]:
        raise SettingsError(
            say("{names} is no group of a protected attribute.", names=several(unknown)),
            where=say("setting 'Reference groups'"),
            advice=say("Choose among {names}.", names=several(list(known))),
        )
    against = dict(known[name] for name in reference)
    if not attributes:
        return Subjects(np.zeros(rows, dtype=np.int64), (), (), 0)
    codes = np.stack([one.codes for one in attributes], axis=1)
    values, cells = np.unique(codes, axis=0, return_inverse=True)
    cells = cells.reshape(-1).astype(np.int64)
    sizes = np.bincount(cells, times).astype(np.int64)
    singles = {
        one.name: {group: values[:, place] == g for g, group in enumerate(one.groups) if group != MISSING_GROUP}
        for place, one in enumerate(attributes)
    }
    groups = tuple(
        subject for name, members in singles.items() for subject in _groups(name, members, sizes, against.get(name))
    )
    found = [
        subject
        for width in range(2, depth + 1)
        for names in combinations(singles, width)
        for subject in _intersections({name: singles[name] for name in names}, sizes)
    ]
    found.sort(key=lambda one: -int(sizes[one.inside].sum()))
    return Subjects(cells, groups, tuple(found[:MOST_INTERSECTIONS]), max(0, len(found) - MOST_INTERSECTIONS))


def _groups(name: str, members: dict[str, np.ndarray], sizes: np.ndarray, reference: str | None) -> Iterator[Subject]:
    there = {group: cells for group, cells in members.items() if sizes[cells].sum()}
    if reference is None and len(there) == 2:
        reference = next(iter(there))
    if reference is None:
        everybody = np.logical_or.reduce(list(there.values())) if there else np.zeros(0, dtype=bool)
        for group, cells in there.items():
            yield Subject(((name, group),), "", cells, everybody & ~cells)
        return
    for group, cells in there.items():
        if group != reference and reference in there:
            yield Subject(((name, group),), reference, cells, there[reference])
            yield Subject(((name, reference),), group, there[reference], cells)


def _intersections(members: dict[str, dict[str, np.ndarray]], sizes: np.ndarray) -> Iterator[Subject]:
    """Of those of the same people as one group alone, none: they are judged as that."""
    known = np.logical_and.reduce([np.logical_or.reduce(list(cells.values())) for cells in members.values()])
    for groups in product(*members.values()):
        each = [members[name][group] for name, group in zip(members, groups, strict=True)]
        inside = np.logical_and.reduce(each)
        people = sizes[inside].sum()
        if people and all(sizes[one & known].sum() > people for one in each):
            yield Subject(tuple(zip(members, groups, strict=True)), "", inside, known & ~inside)
