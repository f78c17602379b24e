"""Which column best explains how a model's answers differ among people of one kind.

Each column is parted in two at its best place, or at all places where it has few; what that is worth says
:mod:`core.audits.transport.worth`. Nothing is proposed by it: it only names what kinds hide.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.audits.transport.worth import WithinStrata, beyond_chance, cut, parted

WORTH = 0.005
"""Share of what there is to explain that a cut has to explain at least."""
LIKELY, PEOPLE_OF_CHANCE = 0.5, 50
"""A column without meaning is named with at most the probability ``PEOPLE_OF_CHANCE`` / n, and at most ``LIKELY``."""


@dataclass(frozen=True)
class CutCandidate:
    """A column in many fine parts, neighbours of which may be put together.

    Attributes:
        parts: Part of each row; shape (n,), int.
        size: Number of parts, at least 2.
        ordered: Whether parts have an order; otherwise they are sorted by the answers.
        whole: Whether the column is parted at all places at once.
    """

    parts: np.ndarray
    size: int
    ordered: bool = True
    whole: bool = False


def explains_most(columns: Sequence[CutCandidate], stratum: np.ndarray, answers: np.ndarray) -> int | None:
    """Index of the column that explains most of the answers within strata; None where none does beyond chance.

    Args:
        columns: What may explain them.
        stratum: Stratum of each row; shape (n,), int.
        answers: What is to be explained; shape (n,).
    """
    strata = WithinStrata.of(np.unique(stratum, return_inverse=True)[1], answers)
    tried = sum(1 if column.whole else column.size - 1 for column in columns)
    chance = min(LIKELY, PEOPLE_OF_CHANCE / len(answers)) / max(1, tried)
    worth = np.array([_worth(column, strata, chance) for column in columns])
    best = int(worth.argmax()) if len(worth) else -1
    return best if best >= 0 and worth[best] >= max(WORTH * float(strata.squares.sum()), 1e-12) else None


def _worth(column: CutCandidate, strata: WithinStrata, chance: float) -> float:
    """Worth of the best cut of a column; -inf where it may be chance.

    It is rounded, so that the order of the rows, in which sums are rounded otherwise, does not decide.
    """
    places, size = _places(column, strata), column.size
    many, rows = len(strata.people), strata.mixed
    key = strata.of_row[rows] * size + places[rows]
    count = np.bincount(key, minlength=many * size).reshape(many, size)
    total = np.bincount(key, strata.rest[rows], many * size).reshape(many, size)
    if column.whole:
        found = beyond_chance(parted(count, total, strata), chance)
    else:
        differently, alike = cut(count, total, strata)
        found = np.maximum(beyond_chance(differently, chance / 2), beyond_chance(alike, chance / 2))
    return float(np.round(found.max(), 9))


def _places(column: CutCandidate, strata: WithinStrata) -> np.ndarray:
    """Place of each row's part: as ordered, or sorted by how answers there differ from the mean of their strata."""
    if column.ordered:
        return column.parts
    people = np.bincount(column.parts, minlength=column.size)
    mean = np.bincount(column.parts, strata.rest, column.size) / people
    place = np.empty(column.size, dtype=np.int64)
    place[np.argsort(np.round(mean, 9), kind="stable")] = np.arange(column.size)
    return place[column.parts]
