"""What it is worth to part people of several strata in two, where the answers within strata are to be explained.

A cut explains a part of the sum of squares of the answers within strata. With n_l and n_r people on its sides in
stratum k, mean answers m_l and m_r there, d_k = m_l - m_r, w_k = n_l n_r / n_k and s_k² the variance of the answers
in k, this is

    Σ w_k d_k²               if answers change differently in different strata; by chance Σ s_k²
    (Σ w_k d_k)² / Σ w_k     if they change alike; by chance Σ w_k s_k² / Σ w_k

Chance deals the people of each stratum at random to the two sides. What it explains nearly follows a gamma distribution
with its mean and variance. A cut is worth what it explains beyond the mean, if chance rarely explains as much.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import gammaincc


@dataclass(frozen=True)
class WithinStrata:
    """Answers within K strata.

    Attributes:
        of_row: Stratum of each row; shape (n,), int.
        people: People of each stratum; this and the following have shape (K,).
        squares: Sum of squares of the answers about their mean.
        variance: The same per degree of freedom.
        fourth: Fourth cumulant of the answers, 0 where it is negative.
        rest: Answer of each row less the mean of its kind; shape (n,).
        mixed: The rows of strata where answers differ; shape (m,), int, or all rows if that is nearly all.
    """

    of_row: np.ndarray
    people: np.ndarray
    squares: np.ndarray
    variance: np.ndarray
    fourth: np.ndarray
    rest: np.ndarray
    mixed: np.ndarray | slice

    @classmethod
    def of(cls, of_row: np.ndarray, answers: np.ndarray) -> WithinStrata:
        """Answers, shape (n,), of rows whose strata, numbered without gaps, are ``of_row``, shape (n,)."""
        people = np.bincount(of_row)
        rest = answers - (np.bincount(of_row, answers) / people)[of_row]
        square = rest * rest
        squares = np.bincount(of_row, square)
        squares[squares < 1e-9 * people] = 0.0
        fourth = np.bincount(of_row, square * square) / people - 3 * (squares / people) ** 2
        rows = np.flatnonzero((squares > 0)[of_row])
        return cls(
            of_row=of_row,
            people=people,
            squares=squares,
            variance=squares / np.maximum(people - 1, 1),
            fourth=np.where(squares > 0, np.maximum(fourth, 0), 0),
            rest=rest,
            mixed=rows if 2 * len(rows) < len(of_row) else slice(None),
        )


@dataclass(frozen=True)
class ExplainedSums:
    """Sums of squares that cuts explain; arrays of the same shape.

    Attributes:
        found: What they explain.
        mean: Its mean where the sides are dealt at random within strata.
        variance: Its variance then, nearly.
    """

    found: np.ndarray
    mean: np.ndarray
    variance: np.ndarray


def cut(count: np.ndarray, total: np.ndarray, strata: WithinStrata) -> tuple[ExplainedSums, ExplainedSums]:
    """What a cut below each place but the first explains, shapes (size - 1,).

    Args:
        count: People of each stratum at each place, shape (K, size), int; strata in which answers agree need none.
        total: Sum of their answers less the stratum's mean, shape (K, size).
        strata: The strata.

    Returns:
        As far as answers change differently in different strata, and as far as they change alike.
    """
    left = np.cumsum(count, axis=1)[:, :-1]
    right = count.sum(axis=1, keepdims=True) - left
    both = (left > 0) & (right > 0) & (strata.squares > 0)[:, None]
    n_l, n_r = np.maximum(left, 1), np.maximum(right, 1)
    weight = both * (n_l * n_r / (n_l + n_r))
    apart = np.cumsum(total, axis=1)[:, :-1] * (1 / n_l + 1 / n_r)
    variance, fourth = strata.variance[:, None], strata.fourth[:, None]
    noise = 2 * variance**2 + weight**2 * fourth * (1.0 / n_l**3 + 1.0 / n_r**3)
    sums = (part.sum(axis=0) for part in (weight * apart**2, both * variance, both * noise))
    differently = ExplainedSums(*sums)
    people = np.maximum(weight.sum(axis=0), 0.5)
    mean = (weight * variance).sum(axis=0) / people
    return differently, ExplainedSums((weight * apart).sum(axis=0) ** 2 / people, mean, 2 * mean**2)


def parted(count: np.ndarray, total: np.ndarray, strata: WithinStrata) -> ExplainedSums:
    """What all places together explain, shapes (1,); arguments as of :func:`cut`."""
    one_by = np.divide(1.0, count, out=np.zeros(count.shape), where=count > 0)
    freedom = np.maximum((count > 0).sum(axis=1) - 1, 0)
    noise = 2 * strata.variance**2 * freedom + (freedom > 0) * strata.fourth * one_by.sum(axis=1)
    found = (total**2 * one_by).sum(axis=1) * (freedom > 0)
    return ExplainedSums(found.sum()[None], (strata.variance * freedom).sum()[None], noise.sum()[None])


def beyond_chance(explained: ExplainedSums, chance: float) -> np.ndarray:
    """What is explained less its mean under chance; -inf unless it is rarer than ``chance``."""
    some = (explained.mean > 0) & (explained.variance > 0)
    mean, variance = np.where(some, explained.mean, 1.0), np.where(some, explained.variance, 1.0)
    probability = gammaincc(mean**2 / variance, explained.found * mean / variance)
    return np.where(some & (probability < chance), explained.found - mean, -np.inf)
