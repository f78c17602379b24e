"""The size m of the m-out-of-n bootstrap, chosen from the data."""

from math import ceil

import numpy as np

from core.inference.transport.draws import Draws
from core.inference.transport.envelope import Envelope

RATIO = 0.75
"""q: each size tried is this share of the one before."""

SMALLEST = 30
"""No smaller m is tried; resamples of so few people say little about any n."""


def choose_size(envelope: Envelope, draws: Draws, budget: float) -> int:
    """The m whose bootstrap distribution is closest to that of the next smaller m (Bickel and Sakov 2008, section 4).

    Where the bootstrap works, the distributions hardly change with m while m is large; where it does not, they settle
    for small m only. Sizes are ceil(q^j n); of equally good ones the largest is taken.

    Args:
        envelope: Of the losses of ``draws.sample`` and the costs.
        draws: Of the sample.
        budget: Mean cost that may be spent.
    """
    sample = draws.sample
    value = float(envelope.value(sample.masses, budget))
    chosen, closest = draws.independent, np.inf
    previous: np.ndarray | None = None
    sizes = tried_sizes(draws.independent)
    for before, size in zip([0, *sizes], sizes, strict=False):
        roots = [draws.scale(size) * (envelope.value(masses, budget) - value) for masses in draws.masses(size)]
        found = np.sort(np.concatenate(roots))
        if previous is not None and (distance := sup_distance(previous, found)) < closest:
            chosen, closest = before, distance
        previous = found
    return chosen


def tried_sizes(n: int) -> list[int]:
    """The sizes ceil(q^j n), descending from n, down to `SMALLEST` (or n alone)."""
    sizes = [n]
    while (size := ceil(RATIO * sizes[-1])) >= SMALLEST:
        sizes.append(size)
    return sizes


def sup_distance(one: np.ndarray, two: np.ndarray) -> float:
    """Largest distance between two empirical distribution functions; both arrays ascending."""
    at = np.concatenate([one, two])
    below = [np.searchsorted(each, at, side="right") / len(each) for each in (one, two)]
    return float(np.abs(below[0] - below[1]).max())
