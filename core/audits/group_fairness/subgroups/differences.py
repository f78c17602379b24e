"""Mean harm of each subgroup less that of everybody else: its error, its skewness, and draws of the largest of all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from core.audits.group_fairness.subgroups.candidates import Candidates

PSEUDO_PEOPLE = 4
"""People drawn from everybody by which a subgroup is filled up before its error is computed (Agresti and Coull 1998
do so with shares): a subgroup without a single harm, or with harms all alike, has an error all the same."""

_NUMBERS_AT_ONCE = 2**22


@dataclass(frozen=True)
class Differences:
    """Means of s subgroups and of everybody else; every array is of shape (s,), float64.

    Attributes:
        inside: Mean harm of the subgroup.
        outside: Mean harm of everybody else.
        errors: Standard error of the difference; 0 only where everybody's harm is the same.
        skewness: Third central moment of the difference over its cubed error; 0 where there is no error.
        freedom: Degrees of freedom of the error (Welch 1947); 1 where there is none.
        plain: The squared error without filling up.
    """

    inside: np.ndarray
    outside: np.ndarray
    errors: np.ndarray
    skewness: np.ndarray
    freedom: np.ndarray
    plain: np.ndarray


def differences(found: Candidates, harm: np.ndarray) -> Differences:
    """Compare each subgroup with everybody else.

    Args:
        found: The subgroups of n people.
        harm: What happened to each, shape (n,), finite.
    """
    mean = float(harm.mean())
    powers = _powers(found.cells, harm - mean)
    inner = np.array([powers[cells].sum(axis=0) for cells in found.inside]).reshape(-1, 4)
    total = powers.sum(axis=0)
    everybody = _Side.of(total)
    inside, outside = _Side.of(inner), _Side.of(total - inner)
    one, other = inside.filled_up(everybody), outside.filled_up(everybody)
    squared = one.spread / one.n + other.spread / other.n
    varies = squared > 0
    known = np.where(varies, squared, 1.0)
    within = (one.spread / one.n) ** 2 / (one.n - 1) + (other.spread / other.n) ** 2 / (other.n - 1)
    return Differences(
        inside.mean + mean,
        outside.mean + mean,
        np.sqrt(squared),
        (one.third / one.n**2 - other.third / other.n**2) / known**1.5,
        np.where(varies, known**2 / np.where(varies, within, 1.0), 1.0),
        inside.spread / inside.n + outside.spread / outside.n,
    )


def draw_largest(
    found: Candidates, harm: np.ndarray, compared: Differences, draws: int, rng: np.random.Generator
) -> np.ndarray:
    """The largest studentised difference of all subgroups in a world without differences, shape (2 draws,), float64.

    Each person's deviation from the mean inside or outside is multiplied by a Gaussian number (Chernozhukov,
    Chetverikov and Kato 2013). The sums over the people of a cell are jointly normal, so that two numbers are drawn for
    a cell. What filling up adds to an error is drawn for each subgroup on its own. Everything is symmetric: the
    smallest difference of a draw, turned around, is one more draw of the largest.

    Args:
        found: s subgroups of n people.
        harm: What happened to each person, shape (n,), finite.
        compared: The differences.
        draws: B.
        rng: Source of the multipliers.
    """
    from scipy.sparse import csr_matrix

    subgroups = len(found.rows)
    if not subgroups:
        return np.empty(0)
    mean = float(harm.mean())
    rows, sums, squares, _ = _powers(found.cells, harm - mean).T
    root, slope, rest = _columns(np.sqrt(rows), sums / np.sqrt(rows), np.sqrt(_not_below_0(squares - sums**2 / rows)))
    ends = np.cumsum([0, *map(len, found.inside)])
    cells = np.concatenate(found.inside)
    members = csr_matrix((np.ones(len(cells), dtype=np.float32), cells, ends), shape=(subgroups, len(rows)))

    inside, outside = compared.inside - mean, compared.outside - mean
    n = found.rows.astype(np.float64)
    m = len(harm) - n
    added = np.where(compared.errors > 0, _not_below_0(compared.errors**2 - compared.plain), 1.0)
    error = np.sqrt(compared.plain + added)
    of_harms, of_rows, of_others, own = _columns(
        (1 / n + 1 / m) / error, (inside / n + outside / m) / error, 1 / m / error, np.sqrt(added) / error
    )
    (outside,) = _columns(outside)
    largest = []
    block = max(8, _NUMBERS_AT_ONCE // len(rows))
    for start in range(0, draws, block):
        width = min(block, draws - start)
        first, second = rng.standard_normal((2, len(rows), width), dtype=np.float32)
        multiplied, people = slope * first + rest * second, root * first
        others = of_others * (multiplied.sum(axis=0) - outside * people.sum(axis=0))
        t = of_harms * (members @ multiplied) - of_rows * (members @ people) - others
        t += own * rng.standard_normal((subgroups, width), dtype=np.float32)
        largest += [t.max(axis=0), -t.min(axis=0)]
    return np.concatenate(largest).astype(np.float64)


@dataclass(frozen=True)
class _Side:
    """Harm of the people on one side: how many, mean, variance and third central moment, each divided by n."""

    n: np.ndarray
    mean: np.ndarray
    spread: np.ndarray
    third: np.ndarray

    @classmethod
    def of(cls, powers: np.ndarray) -> Self:
        """From sums of powers 0 to 3, shape (..., 4)."""
        n, first, second, third = np.moveaxis(powers, -1, 0)
        mean = first / n
        return cls(n, mean, _not_below_0(second / n - mean**2), third / n - 3 * mean * second / n + 2 * mean**3)

    def filled_up(self, everybody: Self) -> Self:
        """With moments about the own mean that four people drawn from everybody have changed; unbiased variance."""
        apart = everybody.mean - self.mean
        spread = everybody.spread + apart**2
        third = everybody.third + 3 * apart * everybody.spread + apart**3
        n, more = self.n, PSEUDO_PEOPLE
        return type(self)(
            n,
            self.mean,
            (n * self.spread + more * spread) / (n + more) * n / (n - 1),
            (n * self.third + more * third) / (n + more),
        )


def _powers(cells: np.ndarray, harm: np.ndarray) -> np.ndarray:
    """Sums of powers 0 to 3 of the harm in each cell, shape (C, 4), float64."""
    return np.column_stack([np.bincount(cells, harm**power) for power in range(4)])


def _not_below_0(values: np.ndarray) -> np.ndarray:
    floored: np.ndarray = np.maximum(values, 0.0)
    return floored


def _columns(*values: np.ndarray) -> tuple[np.ndarray, ...]:
    return tuple(one.astype(np.float32)[:, None] for one in values)
