"""An audit value for everybody: its upper ends count the people and strata that a bound from the sample does not see.

* People who may be compared with nobody of another protected group may be treated as badly as their loss can rise. So
  may those whose kind lacks one group by chance, though others are there: people of it would be their worst comparison,
  however few they are.
* The share of people who are the only one of their stratum estimates how many of the population are of strata nobody in
  the sample is of (Good 1953); those may be treated as badly as the people who were looked at. Where people are also
  compared at a distance such strata have neighbours, and where the model was asked everybody is compared.
* Strata that make up -log(alpha) / n of the population are missed by n people with probability alpha; their loss may
  rise by more than that of anybody seen.
"""

import math
from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
import pandas as pd

from core.audits.transport.decision import LARGEST, Loss
from core.audits.transport.result import Cells, LossPart, TransportDetail
from core.inference.estimate import Estimate, Interval
from core.inference.evidence import Drawn
from core.inference.resampled import Checked, ResampledEstimate
from core.inference.share import Share

BY_CHANCE = 0.01
"""A group is truly absent from a kind of people if chance left it out of any kind with at most this probability."""


@dataclass(frozen=True)
class Unseen:
    """What has to be added to an upper bound before it speaks for everybody.

    Attributes:
        people: People in the sample, or clusters where rows belong together.
        alone: Share of them whose strata stand for strata nobody is of.
        hidden: Largest rise of the mean loss by people who are compared with nobody of another group, or of one group.
        room: How much more than anybody seen a person of a stratum nobody is of may lose; infinite for a loss without a
            largest value.
        lacking: Share of the people whose kind lacks a group by chance, though people of another are there.
        most: The largest loss, by more than which no mean can rise.
    """

    people: int
    alone: float
    hidden: float
    room: float
    lacking: float = 0.0
    most: float = math.inf

    def upper_bound(self, bound: float, alpha: float) -> float:
        """An upper bound for everybody, from one for the people who were looked at at the same error rate."""
        if self.alone >= 1:
            return self.most
        return min(self.most, bound / (1 - self.alone) + self.hidden + self.missed(alpha) * self.room)

    def missed(self, alpha: float) -> float:
        """Share of the population that so many people miss altogether with probability ``alpha``."""
        return -math.log(alpha) / self.people


EVERYBODY_SEEN = Unseen(people=1, alone=0.0, hidden=0.0, room=0.0)
"""Nothing to add to a bound."""


@dataclass(frozen=True)
class ForEverybody:
    """An audit value whose upper ends speak for everybody; the verdict rests on it, and people read it.

    Attributes:
        seen: The value with what is known of it from the people who were looked at.
        unseen: What that does not see.
        least: The smallest value there can be: 0, since everybody may stay where they are; -inf where people have to be
            moved.
    """

    seen: Estimate | ResampledEstimate | Checked
    unseen: Unseen
    least: float = 0.0

    @property
    def value(self) -> float:
        """The estimate; NaN when undefined."""
        return self._at_least(self.seen.value)

    @property
    def n(self) -> int:
        """Rows it rests on."""
        return self.seen.n

    @property
    def undefined(self) -> str:
        """Why there is no value, one sentence; empty when there is one."""
        return self.seen.undefined

    def two_sided(self, alpha: float) -> Interval:
        """Equal-tailed interval with asymptotic coverage 1 - alpha."""
        return Interval(self.lower_bound(alpha / 2), self.upper_bound(alpha / 2), 1 - alpha)

    def lower_bound(self, alpha: float) -> float:
        """One-sided lower confidence bound."""
        return self._at_least(self.seen.lower_bound(alpha))

    def upper_bound(self, alpha: float) -> float:
        """One-sided upper confidence bound: for everybody, people the sample does not show among them."""
        bound = self.seen.upper_bound(alpha)
        return bound if math.isnan(bound) else self.unseen.upper_bound(max(self.least, bound), alpha)

    def p_value(self, delta: float) -> float:
        """One-sided p-value of H0: value <= delta."""
        return self.seen.p_value(delta)

    def lower_error(self, alpha: float) -> float:
        """Monte-Carlo standard error of the lower bound; 0 where nothing is drawn."""
        return self.seen.lower_error(alpha) if isinstance(self.seen, Drawn) else 0.0

    def upper_error(self, alpha: float) -> float:
        """Monte-Carlo standard error of the upper bound; 0 where nothing is drawn."""
        return self.seen.upper_error(alpha) if isinstance(self.seen, Drawn) else 0.0

    def _at_least(self, value: float) -> float:
        return value if math.isnan(value) else max(self.least, value)


def unseen_of(
    detail: TransportDetail, part: LossPart, price: float | None, differ_in: Collection[str] | None = None
) -> Unseen:
    """What the bounds of a loss do not see.

    Args:
        detail: What was found.
        part: The loss.
        price: That of the budget; None with limits.
        differ_in: The columns in which people may differ at no cost; None where costs say who is compared.
    """
    masses, losses = part.sample.masses, part.sample.losses
    people, largest = detail.independent, largest_loss(part.loss, len(detail.cells.labels))
    lacking = np.zeros(len(masses), dtype=bool)
    if differ_in is not None and detail.asked is None and not detail.by_distance:
        lacking = detail.comparable & lacking_a_group(detail, differ_in)
    left_out = ~detail.comparable | lacking
    seen = 0.0
    if price is not None:
        gains = part.envelope.gains(price)
        seen = float(np.max(gains, where=masses > 0, initial=0.0))
    return Unseen(
        people=people,
        alone=0.0 if detail.by_distance else detail.alone,
        hidden=float(masses[left_out] @ (largest - losses[left_out])),
        room=max(0.0, largest - seen),
        lacking=float(masses[lacking].sum()),
        most=largest,
    )


def lacking_a_group(detail: TransportDetail, differ_in: Collection[str]) -> np.ndarray:
    """Cells whose kind, all that may be compared with each other, chance may have left without a group; (K,), bool.

    A group whose share of everybody is p is absent from a kind of m people with probability (1 - p)^m, if it is as
    frequent there as elsewhere. The rarest group that is absent decides. Somebody is of every cell.
    """
    cells = detail.cells
    everybody = cells.people.sum()
    kind = kinds_of(cells, differ_in)
    shares = np.bincount(cells.group, cells.people) / everybody
    rarest_first = np.argsort(shares, kind="stable")
    there = np.unique(np.stack([kind, np.argsort(rarest_first)[cells.group]]), axis=1)
    place = np.arange(there.shape[1]) - np.searchsorted(there[0], there[0])
    first_absent = np.bincount(there[0], there[1] == place).astype(np.int64)
    absent = np.append(shares[rarest_first], 1.0)[first_absent]
    independent = np.bincount(kind, cells.people) * detail.independent / everybody
    by_chance = len(independent) * (1 - absent) ** independent > BY_CHANCE
    return np.asarray(by_chance[kind])


def kinds_of(cells: Cells, differ_in: Collection[str]) -> np.ndarray:
    """Kind of each cell, all that may be compared with each other: equal in all other columns; shape (K,), int."""
    codes = [pd.factorize(cells.frame[name])[0] for name in cells.frame.columns if name not in differ_in]
    kind: np.ndarray = np.unique(np.stack([cells.label, *codes]), axis=1, return_inverse=True)[1].ravel()
    return kind


def within_kinds(detail: TransportDetail, part: LossPart, differ_in: Collection[str], alpha: float) -> float:
    """Upper bound of how far the 0-1 loss could rise within kinds that the model treats in different ways.

    People of such a kind may differ in what it decides on, and those who are judged rightly may each be like somebody
    of another group who is not: so the bound is Clopper and Pearson's, of their share. Infinite for other losses, with
    limits, and where rows belong together.
    """
    sample = part.sample
    if part.loss != "0-1" or sample.together is not None or detail.constrained is not None:
        return math.inf
    kind = kinds_of(detail.cells, differ_in)
    mixed = np.bincount(kind, sample.variances > 0) > 0
    rightly = np.where(mixed[kind] & (sample.people > 0), sample.people * (1 - sample.losses), 0.0)
    return Share(round(float(rightly.sum())), sample.n).upper_bound(alpha)


def largest_loss(loss: Loss, outcomes: int) -> float:
    """The largest value of a loss: 1, but 2 for the squared error summed over three outcomes or more."""
    return 1.0 if loss == "squared" and outcomes == 2 else LARGEST[loss]
