"""How far apart the answers of groups lie, with bounds that hold at any sample size.

The distance of two groups is Kolmogorov's: the largest difference, over all thresholds, of the shares of people whose
answer lies above it. Each group's shares are known up to a band: by the Dvoretzky-Kiefer-Wolfowitz inequality with
Massart's constant (1990, "The tight constant in the Dvoretzky-Kiefer-Wolfowitz inequality", corollary 1), which holds
for any distribution and any number of rows; by Clopper and Pearson's (1934) bounds where answers are 0 or 1, since
those are never wider. All bands hold together with probability 1 - alpha, and with them every bound below, whichever
stratum, answer or pair is looked at afterwards.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from core.inference.share import Share


@dataclass(frozen=True)
class EqualizedOddsGap:
    """The largest difference between two groups in the share of people above any threshold, within a stratum.

    It is the largest Kolmogorov distance between the groups' distributions of an answer, over strata and answers. For
    decisions it is the difference of rates that fairlearn calls the equalized odds difference.

    Attributes:
        value: The largest distance found, 0 to 1; NaN where no stratum has two groups with enough rows.
        low: Lower bound of the largest distance; 0 if none is certain.
        high: Upper bound of every distance between groups with enough rows; 1 where there is nothing to compare. It
            says nothing about the groups in ``small``.
        stratum: Where the largest one is, index; -1 without one.
        answer: Index of the answer that differs most; -1 without one.
        groups: The two groups, indices, the one with the larger share above the threshold first; -1 without one.
        threshold: Their shares of answers above it differ most; NaN without one.
        small: Stratum and group of every cell with too few people to judge, or none; shape (m, 2), int. Strata without
            people and groups that nobody belongs to are left out.
    """

    value: float
    low: float
    high: float
    stratum: int
    answer: int
    groups: tuple[int, int]
    threshold: float
    small: np.ndarray


def largest_gap(
    answers: np.ndarray, strata: np.ndarray, codes: np.ndarray, alpha: float, *, groups: int, fewest: int = 30
) -> EqualizedOddsGap:
    """The largest gap, with bounds by the Dvoretzky-Kiefer-Wolfowitz inequality (Massart 1990).

    A stratum with a single group has no gap; that the others are absent is told in ``small``. Two answers that sum to
    one for everybody, as the probabilities of two classes do, have the same gap; only the second is looked at.

    Args:
        answers: What is compared, shape (n, c), finite.
        strata: Stratum of each row, shape (n,), int, from 0; -1 for rows that are in none.
        codes: Group of each row, shape (n,), int.
        alpha: Any of the bounds misses with this probability.
        groups: g.
        fewest: A cell with fewer rows is too small to judge.
    """
    rows = np.zeros((int(strata.max(initial=-1)) + 1, groups), dtype=np.int64)
    np.add.at(rows, (strata[strata >= 0], codes[strata >= 0]), 1)
    occurs = (rows.sum(axis=1) > 0)[:, None] & (rows.sum(axis=0) > 0)
    small = np.argwhere(occurs & (rows < fewest))
    judged = rows >= fewest
    judged[judged.sum(axis=1) < 2] = False
    columns = _different(answers)
    if not judged.any() or not columns:
        return EqualizedOddsGap(math.nan, 0.0, 1.0, -1, -1, (-1, -1), math.nan, small)
    level = alpha / (int(judged.sum()) * len(columns))
    rates = ((answers == 0) | (answers == 1)).all(axis=0)
    found = []
    for stratum in map(int, np.flatnonzero(judged.any(axis=1))):
        members = np.flatnonzero((strata == stratum) & judged[stratum][codes])
        for column in columns:
            band = (_rates if rates[column] else _distributions)(answers[members, column], codes[members], level)
            found += [replace(one, stratum=stratum, answer=column, small=small) for one in _pairs(band)]
    widest = max(found, key=lambda one: one.value)
    return replace(widest, low=max(one.low for one in found), high=max(one.high for one in found))


def _different(answers: np.ndarray) -> list[int]:
    """Columns to compare: without the first of two that sum to one."""
    columns = list(range(answers.shape[1]))
    mirrored = len(columns) == 2 and np.allclose(answers.sum(axis=1), 1.0, rtol=0, atol=1e-6)
    return columns[1:] if mirrored else columns


@dataclass(frozen=True)
class _Band:
    """Shares of each of g groups whose answer lies above each of u thresholds, and what they are known to lie between.

    Attributes:
        groups: Indices of the groups, shape (g,).
        thresholds: Shape (u,); the last may lie below every answer, -inf, where all shares are one.
        share: Found, shape (g, u).
        low: At least, shape (g, u).
        high: At most, shape (g, u).
    """

    groups: np.ndarray
    thresholds: np.ndarray
    share: np.ndarray
    low: np.ndarray
    high: np.ndarray


def _distributions(values: np.ndarray, codes: np.ndarray, level: float) -> _Band:
    """By the inequality of Dvoretzky, Kiefer and Wolfowitz: each group's band misses with probability ``level``."""
    groups, place = np.unique(codes, return_inverse=True)
    thresholds, at = np.unique(values, return_inverse=True)
    counts = np.zeros((len(groups), len(thresholds)), dtype=np.int64)
    np.add.at(counts, (place, at), 1)
    rows = counts.sum(axis=1, keepdims=True)
    share = np.append((rows - np.cumsum(counts, axis=1)) / rows, np.ones_like(rows), axis=1)
    half = np.sqrt(np.log(2 / level) / (2 * rows))
    return _Band(
        groups, np.append(thresholds, -np.inf), share, np.maximum(share - half, 0.0), np.minimum(share + half, 1.0)
    )


def _rates(decisions: np.ndarray, codes: np.ndarray, level: float) -> _Band:
    """By Clopper and Pearson's bounds of each group's share of ones, the only share there is."""
    groups, place = np.unique(codes, return_inverse=True)
    ones = np.bincount(place, weights=decisions).astype(np.int64)
    shares = [Share(int(one), int(rows)) for one, rows in zip(ones, np.bincount(place), strict=True)]
    return _Band(
        groups,
        np.zeros(1),
        np.array([[share.value] for share in shares]),
        np.array([[share.lower_bound(level / 2)] for share in shares]),
        np.array([[share.upper_bound(level / 2)] for share in shares]),
    )


def _pairs(band: _Band) -> Iterator[EqualizedOddsGap]:
    """The gap of every pair of groups; where it was found and ``small`` are left to the caller."""
    for first in range(len(band.groups) - 1):
        for second in range(first + 1, len(band.groups)):
            difference = band.share[first] - band.share[second]
            most = int(np.abs(difference).argmax())
            pair = int(band.groups[first]), int(band.groups[second])
            yield EqualizedOddsGap(
                value=abs(float(difference[most])),
                low=max(
                    0.0,
                    float((band.low[first] - band.high[second]).max()),
                    float((band.low[second] - band.high[first]).max()),
                ),
                high=float(
                    max((band.high[first] - band.low[second]).max(), (band.high[second] - band.low[first]).max())
                ),
                stratum=-1,
                answer=-1,
                groups=pair if difference[most] >= 0 else pair[::-1],
                threshold=float(band.thresholds[most]),
                small=np.zeros((0, 2), dtype=np.int64),
            )
