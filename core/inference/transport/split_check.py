"""An honest estimate where the losses of cells are means of different losses.

The largest of several noisy means is too large in the mean, so the audit value is as well: with the same loss
everywhere, some cells look better treated than others by chance alone. So people are split at random. The transport is
chosen by the losses of one half and its gain measured by those of the other, and the other way round. Whatever the
transport, its gain is at most the audit value, and the chance that made it look good does not count again.

The means of a few people of a half are mostly noise, and the largest of them most of all. So each half chooses by the
losses it expects of other people: means drawn towards those of their kind and group, as far as chance explains how they
differ.

One split is a lottery: of 60 splits of one table, 44 showed a violation and 16 did not. So the gains of several splits
are averaged.
"""

from dataclasses import dataclass
from functools import cached_property
from math import sqrt

import numpy as np

from core.base.progress import OnProgress
from core.inference.estimate import Estimate
from core.inference.resampled import CrossFitted
from core.inference.transport.costs import AbstractCost, ClassCost
from core.inference.transport.envelope import Envelope
from core.inference.transport.local import pooled_variances
from core.inference.transport.sample import CellSample
from core.language.told import say

FEWEST_SPLITS, MANY_SPLITS, MOST_SPLITS = 4, 20, 60
_CELLS, _PAIRS, _PEOPLE = 500_000, 125_000_000, 1_200_000
"""Cells, or pairs of cells with costs of their own, that all splits together may look at, and people that more than
``MANY_SPLITS`` may deal."""


def how_many_splits(cost: AbstractCost, people: int) -> int:
    """``MOST_SPLITS``, fewer where dealing people would take long, or their envelopes much memory.

    Next to a bound two seeds may decide differently: the bound's standard deviation over seeds was 0.09 standard errors
    of the value with 20 splits, and 0.05 with 60.
    """
    most = _CELLS // cost.size if isinstance(cost, ClassCost) else _PAIRS // cost.size**2
    return min(max(most, FEWEST_SPLITS), max(_PEOPLE // people, MANY_SPLITS), MOST_SPLITS)


@dataclass(frozen=True)
class Split:
    """One split of the people into two halves.

    Attributes:
        sample: People and losses, in two halves.
        first: Envelope of the losses that the first half alone leads to expect.
        second: The same of the second half.
    """

    sample: CellSample
    first: Envelope
    second: Envelope

    @classmethod
    def build(
        cls,
        sample: CellSample,
        cost: AbstractCost,
        on_progress: OnProgress | None = None,
        groups: np.ndarray | None = None,
    ) -> "Split":
        """Find the envelopes.

        Each half moves people by the losses that it expects. A cell that a half never met, nor the model was asked
        about, gets the half's mean loss; `split_check` moves nobody there.

        Args:
            sample: People and losses, in two halves.
            cost: Costs between the cells.
            on_progress: Called between blocks of rows.
            groups: Group and outcome of each cell, shape (K,), int, which may be treated alike in all kinds.
        """
        kinds = cost.kinds
        first, second = (
            Envelope.build(_Half.of(sample, half).expected(kinds, groups), cost, on_progress) for half in (0, 1)
        )
        return cls(sample, first, second)

    @cached_property
    def halves(self) -> tuple["_Half", "_Half"]:
        """The people of each half, whatever the budget."""
        return _Half.of(self.sample, 0), _Half.of(self.sample, 1)


def split_check(splits: tuple[Split, ...], budget: float) -> CrossFitted:
    """Mean gain of transports, each chosen on one half of a split and measured on the other.

    Args:
        splits: Random splits of the same people.
        budget: Mean cost that may be spent.

    Returns:
        Its value is at most the audit value in the mean. Undefined where a half is empty.
    """
    return CrossFitted(tuple(_of_one(split, budget) for split in splits))


def _of_one(split: Split, budget: float) -> Estimate:
    """Mean gain of the two transports of one split.

    The transport spends the budget on the half where it is measured, whose people per cell it may know; only the losses
    must be new. Where the transports are chance, the losses' parts of the two gains are correlated (by 0.64 for two
    cells with the same loss, at most 0.81 for one pair of cells), so they count as perfectly correlated.
    """
    sample, envelopes = split.sample, (split.first, split.second)
    if not sample.count.sum(axis=1).all():
        return Estimate(float("nan"), float("nan"), sample.n, say("One half of the people is empty."))
    halves = split.halves
    one, two = (_measured(envelopes[half], halves[half], halves[1 - half], budget) for half in (0, 1))
    people = max(0.0, one.people + two.people) / 2 / sample.freedom
    losses = ((sqrt(one.losses / halves[1].n) + sqrt(two.losses / halves[0].n)) / 2) ** 2
    return Estimate((one.gain + two.gain) / 2, sqrt(people + losses), sample.n)


@dataclass(frozen=True)
class _Half:
    """One half of the people.

    Attributes:
        sample: They alone.
        losses: Mean loss, NaN where it is unknown, shape (K,).
        variances: Variance of the loss within each cell (`pooled_variances`), shape (K,).
    """

    sample: CellSample
    losses: np.ndarray
    variances: np.ndarray

    @classmethod
    def of(cls, sample: CellSample, half: int) -> "_Half":
        count, total = sample.count[half], sample.total[half]
        losses = np.where(count > 0, total / np.maximum(count, 1), np.where(sample.people > 0, np.nan, sample.asked))
        alone = sample.half(half)
        return cls(alone, losses, pooled_variances(alone))

    @property
    def n(self) -> int:
        """People."""
        return self.sample.n

    @cached_property
    def masses(self) -> np.ndarray:
        """Share of them in each cell, shape (K,)."""
        people: np.ndarray = self.sample.people / max(1, self.n)
        return people

    def expected(self, kinds: np.ndarray, groups: np.ndarray | None = None) -> np.ndarray:
        """Loss that other people of each cell are expected to have, shape (K,): empirical Bayes within kinds.

        A cell is expected to be like its kind, but for what its group is apart from everybody in all kinds together,
        and from there like its own people, each as far as chance does not explain it. Unchanged where people of a cell
        have the same loss, the kind's mean where cells differ by chance only.

        Args:
            kinds: Kind of each cell, shape (K,), int.
            groups: Group and outcome of each cell, shape (K,), int; None where cells have none.
        """
        people, losses = self.sample.effective, self.losses
        filled = np.where(np.isnan(losses), self.masses @ np.nan_to_num(losses), losses)
        within = float(people @ self.sample.variances) / max(1.0, float(np.maximum(people - 1, 0).sum()))
        if within == 0:
            return filled
        of_kind = np.bincount(kinds, people)
        found = (np.bincount(kinds, people * filled) / np.where(of_kind > 0, of_kind, 1.0))[kinds]
        if groups is not None:
            of_group = np.bincount(groups, people)
            apart = np.bincount(groups, people * (filled - found)) / np.where(of_group > 0, of_group, 1.0)
            found = found + _explained(apart, of_group, within, np.zeros(len(of_group), dtype=np.int64))[groups]
        return np.where(people > 0, found + _explained(filled - found, people, within, kinds), filled)


def _explained(apart: np.ndarray, people: np.ndarray, within: float, sets: np.ndarray) -> np.ndarray:
    """How far means are from those of their sets, less what chance explains (Morris 1983, JASA 78:47); shape (m,).

    The variance between the means of a set is DerSimonian and Laird's (1986).

    Args:
        apart: How far they were found to be, shape (m,).
        people: People of each, shape (m,); 0 for none.
        within: Variance of a single person.
        sets: Set of each, shape (m,), int.
    """
    whole, squares = np.bincount(sets, people), np.bincount(sets, people**2)
    size = float((whole - squares / np.where(whole > 0, whole, 1.0)).sum())
    chance = within * (np.count_nonzero(people) - np.count_nonzero(whole))
    between = max(0.0, float(people @ apart**2) - chance) / size if size > 0 else 0.0
    explained: np.ndarray = apart * people * between / (people * between + within)
    return explained


@dataclass(frozen=True)
class _Measured:
    """A gain and its variance per person, in two parts.

    Attributes:
        gain: Mean gain.
        people: Variance that comes from how many people are in each cell; with what those who belong together share.
        losses: Variance that comes from the losses within cells.
    """

    gain: float
    people: float
    losses: float


def _measured(envelope: Envelope, chosen_on: _Half, half: _Half, budget: float) -> _Measured:
    """Gain of the transport that ``envelope`` chooses, by the people of ``half``.

    With full steps at cost c_i and one step, of gain per cost r, that takes what is left of the budget, the gain is
    linear in the people: Σ_i f_i (b_i - r c_i) + r budget.
    """
    known = ~np.isnan(chosen_on.losses) & ~np.isnan(half.losses)
    own = np.nan_to_num(half.losses)
    everyone = np.arange(envelope.size)
    steps = np.flatnonzero(half.masses[envelope.source] > 0)
    source, target, cost = envelope.source[steps], envelope.target[steps], envelope.cost[steps]
    spent = np.cumsum(half.masses[source] * cost)
    full = int(np.searchsorted(spent, budget, side="right"))

    place = np.where(known[envelope.free], envelope.free, everyone)
    place[source[:full]] = np.where(known[target[:full]], target[:full], source[:full])
    gains = own[place] - own
    after = np.bincount(place, half.masses, envelope.size)
    paid = 0.0
    if full < len(steps) and budget > 0:
        cell = source[full]
        goal = target[full] if known[target[full]] else cell
        rate = float(own[goal] - own[place[cell]]) / float(cost[full])
        gains = gains - rate * np.bincount(source[:full], cost[:full], envelope.size)
        paid = rate * budget
        part = (budget - (float(spent[full - 1]) if full else 0.0)) / float(cost[full])
        after[goal] += part
        after[place[cell]] -= part
    weight = np.divide(after - half.masses, half.masses, out=np.zeros(envelope.size), where=half.masses > 0)
    people, losses = half.sample.spread(gains), float(half.masses @ (weight**2 * half.variances))
    if half.sample.together is not None:
        people = half.sample.spread(gains, weight)
        shown = half.sample.spread(np.zeros(envelope.size), weight)
        people, losses = people - shown, losses + shown
    return _Measured(float(half.masses @ gains) + paid, people, losses)
