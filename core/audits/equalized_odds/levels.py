"""A protected attribute as the test tells its values apart: frequent groups one by one, a number in narrow bins.

Every dummy then takes one of few values, so that r̂ is asked once for each row and value. The test stays valid: answers
that do not depend on an attribute do not depend on which bin it lies in either.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from core.data.attribute import Attribute
from core.inference.counted import quantiles, spread

BINS = 20
"""Bins of a number."""
MOST_GROUPS = 50
FEWEST_TO_LEARN = 5
"""A group of its own needs so many rows to learn from; smaller ones are told apart from the others, not each other."""


@dataclass(frozen=True)
class AttributeLevels:
    """The values of an attribute that are told apart; l levels of n people.

    Attributes:
        codes: Level of each person, shape (n,), int64.
        columns: What r̂ reads of a person of each level, shape (l, c): one column a group; of a number one column, its
            bin's mean, standardised.
        ordered: Whether neighbouring levels are alike.
        groups: Group each level is, shape (l,), int; -1 for bins of a number and for small groups taken together.
        together: Groups that are too small to be told apart.
    """

    codes: np.ndarray
    columns: np.ndarray
    ordered: bool
    groups: np.ndarray
    together: int

    def __len__(self) -> int:
        return len(self.columns)

    def of(self, rows: np.ndarray) -> AttributeLevels:
        """The levels of the people at these positions."""
        return replace(self, codes=self.codes[rows])


def levels_of(attribute: Attribute, learning: np.ndarray, times: np.ndarray | None = None) -> AttributeLevels:
    """The levels of an attribute, set up on the rows to learn from.

    Args:
        attribute: The attribute of n people.
        learning: Positions of the rows to learn from.
        times: People that each row stands for, shape (n,), int64; one each if None.
    """
    people = None if times is None else times[learning]
    if attribute.continuous:
        return _bins(attribute.values, learning, people)
    return _groups(attribute, learning, people)


def _groups(attribute: Attribute, learning: np.ndarray, people: np.ndarray | None) -> AttributeLevels:
    rows = np.bincount(attribute.codes[learning], people, len(attribute.groups))
    told_apart = np.sort(np.argsort(-rows, kind="stable")[:MOST_GROUPS])
    told_apart = told_apart[rows[told_apart] >= FEWEST_TO_LEARN]
    place = np.full(len(rows), len(told_apart))
    place[told_apart] = np.arange(len(told_apart))
    together = len(rows) - len(told_apart)
    levels = np.append(told_apart, -1) if together else told_apart
    return AttributeLevels(
        place[attribute.codes],
        np.eye(len(levels)),
        ordered=False,
        groups=levels,
        together=together if together > 1 else 0,
    )


def _bins(values: np.ndarray, learning: np.ndarray, people: np.ndarray | None) -> AttributeLevels:
    known = values[learning]
    edges = np.unique(quantiles(known, np.arange(1, BINS) / BINS, people))
    codes = np.searchsorted(edges, values)
    own = codes[learning]
    used, own = np.unique(own, return_inverse=True)
    weights = np.ones(len(known)) if people is None else people.astype(np.float64)
    middles = np.bincount(own, weights * known) / np.bincount(own, weights)
    nearest = np.minimum(np.searchsorted(used, codes), len(used) - 1)
    columns = ((middles - np.average(known, weights=people)) / (spread(known, people) or 1.0))[:, None]
    return AttributeLevels(nearest, columns, ordered=True, groups=np.full(len(columns), -1), together=0)
