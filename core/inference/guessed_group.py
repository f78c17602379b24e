"""A difference of shares between two groups to which people are only guessed to belong.

A guess W says whether somebody belongs to a group (A = 1), with sensitivity s = P(W = 1 | A = 1) and specificity
c = P(W = 0 | A = 0). How its errors go with the answer Y is not known, so neither is the difference
D = P(Y | A = 1) - P(Y | A = 0), however many people are seen: it lies between bounds that every joint law of A, W and Y
within what is known allows (Kallus, Mao and Zhou 2022, Management Science 68:1959; Chen et al. 2019, FAT* 2019:339).
With q = P(W = 1), P(A = 1) = p = (q + c - 1) / (s + c - 1). Of those with W = w, a share e_w belongs to the group and a
share r_w gets the answer; then P(A = 1, Y, W = w) / P(W = w) lies from max(0, r_w + e_w - 1) to min(r_w, e_w), and any
two such numbers are possible together (Fréchet 1951).

Sampling error enters by a box: q, r_1, r_0, s and c lie in it together with probability 1 - alpha, each by exact limits
(Clopper and Pearson 1934) at a fifth of alpha. The bounds are the most extreme ones in the box, so they hold for every
n, and whatever the samples behind them have to do with each other.
"""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from core.inference.share import exact_limits

UNKNOWN = 5
"""Shares that are estimated, each with an equal part of the error rate."""
_POINTS = 9
"""Values of q, s and c at which the bounds are looked for, in each of several rounds that look ever closer."""
_ROUNDS = 6


@dataclass(frozen=True)
class GuessedGroup:
    """Counts of a guess and of answers, and of how often the guess was right among people whose group is known.

    Attributes:
        group: People guessed to belong to the group: how many get the answer, and how many they are.
        others: The same of everybody else.
        found: Of people who belong to the group, those guessed rightly, and how many they are.
        excluded: Of people who do not, the same.
    """

    group: tuple[int, int]
    others: tuple[int, int]
    found: tuple[int, int]
    excluded: tuple[int, int]

    @cached_property
    def shares(self) -> tuple[float, float, float, float, float]:
        """q, r_1, r_0, s and c as they were found."""
        people = self.group[1] + self.others[1]
        pairs = ((self.group[1], people), self.group, self.others, self.found, self.excluded)
        q, r_1, r_0, s, c = (count / of for count, of in pairs)
        return q, r_1, r_0, s, c

    @property
    def membership(self) -> float:
        """Share of people who belong to the group, as found; NaN where the guess fits no share."""
        q, _, _, s, c = self.shares
        share = (q + c - 1) / (s + c - 1) if s + c > 1 else math.nan
        return share if 0 < share < 1 else math.nan

    @property
    def if_right(self) -> float:
        """D if the guess were always right."""
        _, r_1, r_0, _, _ = self.shares
        return r_1 - r_0

    @property
    def if_unrelated(self) -> tuple[float, float]:
        """P(Y | A = 1) and P(Y | A = 0) if errors of the guess do not depend on the answer, kept from 0 to 1."""
        q, r_1, r_0, s, c = self.shares
        p = self.membership
        own, other = q * r_1, (1 - q) * r_0
        ours = (c * own - (1 - c) * other) / (p * (s + c - 1))
        theirs = (s * other - (1 - s) * own) / ((1 - p) * (s + c - 1))
        return float(np.clip(ours, 0, 1)), float(np.clip(theirs, 0, 1))

    @property
    def identified(self) -> tuple[float, float]:
        """The least and the largest D that the shares found allow."""
        q, r_1, r_0, s, c = self.shares
        box = np.array([[one, one] for one in (q, r_1, r_0, s, c)])
        return _extremes(box)

    def limits(self, alpha: float) -> tuple[float, float]:
        """Bounds that hold together: D lies between them with probability 1 - alpha at least.

        They are -1 and 1 where what is known of the guess leaves open whether anybody belongs to the group.
        """
        people = self.group[1] + self.others[1]
        pairs = ((self.group[1], people), self.group, self.others, self.found, self.excluded)
        counts, of = np.array(pairs, dtype=np.float64).T
        return _extremes(np.column_stack(exact_limits(counts, of, alpha / UNKNOWN / 2)))

    def p_value(self, delta: float, *, larger: bool) -> float:
        """The least alpha at which D is shown to lie above ``delta``, or below -``delta`` where not ``larger``."""

        def shown(alpha: float) -> bool:
            low, high = self.limits(alpha)
            return low > delta if larger else high < -delta

        least, most = math.log(1e-12), 0.0
        if not shown(math.exp(most)):
            return 1.0
        if shown(math.exp(least)):
            return math.exp(least)
        for _ in range(18):
            middle = (least + most) / 2
            least, most = (least, middle) if shown(math.exp(middle)) else (middle, most)
        return math.exp(most)


def _extremes(box: np.ndarray) -> tuple[float, float]:
    """The least and the largest D over q, r_1, r_0, s and c within a box, shape (5, 2)."""
    q, r_1, r_0, s, c = box
    turned = np.array([1 - q[::-1], r_0, r_1, c, s])
    return _least(box), -_least(turned)


def _least(box: np.ndarray) -> float:
    """The least D. Of r_1 and r_0 it is found exactly, as D is convex in each; of the others ever closer."""
    within, rates = box[[0, 3, 4]], box[1:3]
    corners = np.array(np.meshgrid(*within, indexing="ij")).reshape(3, -1)
    possible = corners[1] + corners[2] > 1
    if not possible.all():
        return -1.0
    p = (corners[0] + corners[2] - 1) / (corners[1] + corners[2] - 1)
    if (p <= 0).any() or (p >= 1).any():
        return -1.0
    place, reach, least = within.mean(axis=1), (within[:, 1] - within[:, 0]) / 2, math.inf
    for _ in range(_ROUNDS):
        axes = [
            np.clip(np.linspace(at - half, at + half, _POINTS), *ends)
            for at, half, ends in zip(place, reach, within, strict=True)
        ]
        grid = np.array(np.meshgrid(*axes, indexing="ij")).reshape(3, -1)
        found = least_given(grid[0], rates, grid[1], grid[2])
        best = int(found.argmin())
        place, reach, least = grid[:, best], reach * 2 / (_POINTS - 1), min(least, float(found[best]))
        if not reach.any():
            break
    return max(least, -1.0)


def least_given(q: np.ndarray, rates: np.ndarray, s: np.ndarray, c: np.ndarray) -> np.ndarray:
    """The least D for each q, s and c, shape (g,), with r_1 and r_0 within ``rates``, shape (2, 2).

    Of those with W = w the part of D is q_w max(0, r_w + e_w - 1) (1 / p + 1 / (1 - p)) - q_w r_w / (1 - p): it falls
    up to r_w = 1 - e_w and rises from there.
    """
    p = (q + c - 1) / (s + c - 1)
    total = np.zeros(len(q))
    for share, belonging, ends in ((q, p * s / q, rates[0]), (1 - q, p * (1 - s) / (1 - q), rates[1])):
        rate = np.clip(1 - belonging, *ends)
        both = np.maximum(0.0, rate + belonging - 1)
        total += share * (both * (1 / p + 1 / (1 - p)) - rate / (1 - p))
    return total
