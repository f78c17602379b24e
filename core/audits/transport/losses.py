"""Losses of people from a model's answers, and their sums per cell."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

import numpy as np

from core.audits.transport.decision import Loss
from core.audits.transport.strata import combinations
from core.data.counted import split_at_random
from core.inference.sampling import ALONE, Sampling
from core.inference.transport.sample import CellSample
from core.inference.transport.together import Clusters
from core.language.phrases import count
from core.language.told import say


@dataclass(frozen=True)
class Losses:
    """What a model's answers cost, person by person.

    Attributes:
        values: Loss of each person under each loss the answers allow; arrays of shape (n,).
        unavailable: The losses the answers do not allow, each with the reason.
    """

    values: dict[Loss, np.ndarray]
    unavailable: dict[Loss, str]


def losses_of(probabilities: np.ndarray, y: np.ndarray, times: np.ndarray | None = None) -> Losses:
    """Every loss of every person that class probabilities, shape (n, k), allow; ``y`` holds true classes, shape (n,).

    ``times`` says how many people each row stands for, shape (n,), int64; one each if None.

    The 0-1 loss is 1 where the most probable class (the first of equals) is not the true one. The logarithm and the
    squared error need probabilities; answers that are all 0 or 1 are decisions, for which the squared error would be
    the 0-1 loss again. A probability of 0 for what really happened makes the logarithm infinite.
    """
    true = probabilities[np.arange(len(y)), y]
    values: dict[Loss, np.ndarray] = {"0-1": (probabilities.argmax(axis=1) != y).astype(np.float64)}
    if np.isin(probabilities, (0.0, 1.0)).all():
        decisions = say("The model gives decisions, not probabilities.")
        return Losses(values, {"log": decisions, "squared": decisions})
    impossible = int((true <= 0).sum() if times is None else times @ (true <= 0))
    if not impossible:
        values["log"] = -np.log(true)
    values["squared"] = squared_error(probabilities, y)
    if not impossible:
        return Losses(values, {})
    people = count(impossible, "person", "people")
    return Losses(
        values,
        {
            "log": say(
                "The model calls what really happened to {people} impossible, which is infinitely wrong.", people=people
            )
        },
    )


def squared_error(probabilities: np.ndarray, y: np.ndarray) -> np.ndarray:
    """(p - y)² of one class for two classes, the Brier sum over all classes for more; shape (n,)."""
    truth = np.eye(probabilities.shape[1])[y]
    squares: np.ndarray = ((probabilities - truth) ** 2).sum(axis=1) / (2 if probabilities.shape[1] == 2 else 1)
    return squares


def canonical_order(cell: np.ndarray, values: Iterable[np.ndarray]) -> np.ndarray:
    """People sorted by cell, then by everything that is added up about them, arrays of shape (n,); shape (n,), int.

    Two people who tie are the same to every sum over a cell, so whatever is drawn and added up in this order does not
    depend on the order of the table's rows, to the last bit.
    """
    return np.lexsort((*values, cell))


def halves(cell: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """A random half (0 or 1) for each person, shape (n,), int8, dealt within each cell of the ascending ``cell``.

    Each cell is dealt as evenly as possible, its odd person to either half. A transport chosen on one half can then be
    measured on the other in every cell of two or more people. Given the cells' counts the losses of the two halves
    are independent, which is what the check needs; a plain split would only add cells that one half does not know.
    """
    shuffled = np.argsort(cell + rng.random(len(cell)))
    cells = int(cell.max(initial=-1)) + 1
    first = np.searchsorted(cell, np.arange(cells))
    place = np.empty(len(cell), dtype=np.int64)
    place[shuffled] = np.arange(len(cell)) - first[cell]
    odd = rng.integers(2, size=cells)
    dealt: np.ndarray = (place + odd[cell]) % 2
    return dealt.astype(np.int8)


def halves_of_counts(cell: np.ndarray, times: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """People of each kind in either of two random halves, dealt within each cell as :func:`halves` does; (2, u), int64.

    Args:
        cell: Cell of each kind, ascending, shape (u,), int.
        times: People of each, shape (u,), int64.
        rng: Deals.
    """
    first = np.empty_like(times)
    ends = np.append(np.flatnonzero(np.diff(cell, prepend=-1)), len(cell))
    for start, stop in pairwise(ends.tolist()):
        people = times[start:stop]
        odd = int(rng.integers(2))
        first[start:stop] = split_at_random(people, (int(people.sum()) + odd) // 2, rng)
    return np.stack([first, times - first])


def halves_together(cell: np.ndarray, clusters: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """A random half (0 or 1) for each cluster, shape (G,), int8, dealt within the clusters' first cells.

    Args:
        cell: Of each person, ascending, shape (n,), int.
        clusters: Of each person, from 0 to G - 1, shape (n,), int.
        rng: Deals.
    """
    first = cell[np.unique(clusters, return_index=True)[1]]
    order = np.argsort(first, kind="stable")
    half = np.empty(len(first), dtype=np.int8)
    half[order] = halves(first[order], rng)
    return half


def told_apart(clusters: np.ndarray, *values: np.ndarray) -> np.ndarray:
    """Clusters numbered by what is known of their people, not by their places in the table; shape (n,), int.

    Each cluster is ranked by the sum of random numbers of 64 bits that stand for each kind of person, so that only
    clusters of the very same people tie, of which it does not matter which is which.

    Args:
        clusters: Any codes, shape (n,), int.
        values: All that is added up about the people, shape (n,) each.
    """
    codes = np.unique(clusters, return_inverse=True)[1]
    kinds = combinations(np.column_stack([np.unique(one, return_inverse=True)[1] for one in values]))[0]
    names = np.random.default_rng(0).integers(2**64, size=int(kinds.max()) + 1, dtype=np.uint64)
    found = np.zeros(int(codes.max()) + 1, dtype=np.uint64)
    np.add.at(found, codes, names[kinds])
    rank = np.empty(len(found), dtype=np.int64)
    rank[np.argsort(found, kind="stable")] = np.arange(len(found))
    return rank[codes]


def deal(cell: np.ndarray, sampling: Sampling, rng: np.random.Generator) -> np.ndarray:
    """Two random halves, as :meth:`CellLosses.sample` takes them."""
    if sampling.times is not None:
        return halves_of_counts(cell, sampling.times, rng)
    return halves(cell, rng) if sampling.clusters is None else halves_together(cell, sampling.clusters, rng)


@dataclass(frozen=True)
class CellLosses:
    """One loss of n people, to be summed per cell; people in canonical order.

    Attributes:
        values: Loss of each, shape (n,).
        cell: Cell of each, shape (n,), int.
        strata: K, the number of cells.
        asked: Loss of the cells without people, shape (K,); NaN or None where nobody asked.
        sampling: What rows stand for; clusters are numbered from 0 on, without gaps.
    """

    values: np.ndarray
    cell: np.ndarray
    strata: int
    asked: np.ndarray | None = None
    sampling: Sampling = ALONE

    @cached_property
    def _together(self) -> Clusters | None:
        clusters = self.sampling.clusters
        return None if clusters is None else Clusters.of(clusters, self.cell, self.values)

    def sample(self, half: np.ndarray | None = None) -> CellSample:
        """The sums of all, or of two halves.

        Args:
            half: Half of each person, shape (n,), 0 or 1, or of each cluster, shape (G,); where rows stand for several
                people, how many of each are in either, shape (2, n), int64.
        """
        values, strata, together, times = self.values, self.strata, self._together, self.sampling.times
        if times is not None:
            people = times[None] if half is None else half
            place = (np.arange(len(people))[:, None] * strata + self.cell).ravel()
            values, weights, parts = np.tile(values, len(people)), people.ravel().astype(np.float64), len(people)
        else:
            if half is not None and together is not None and self.sampling.clusters is not None:
                together, half = replace(together, half=half), half[self.sampling.clusters]
            weights, parts = np.ones(len(values)), 1 if half is None else 2
            place = self.cell if half is None else half.astype(np.int64) * strata + self.cell

        def summed(each: np.ndarray) -> np.ndarray:
            return np.bincount(place, each, parts * strata).reshape(parts, strata)

        return CellSample(
            count=summed(weights).astype(np.int64),
            total=summed(weights * values),
            squares=summed(weights * values**2),
            asked=np.full(strata, np.nan) if self.asked is None else self.asked,
            together=None if times is not None else together,
        )
