"""What the upper bound of a transport test does not see: people and strata whose rise it counts as none.

* People who may be compared with nobody of another protected group may be treated as badly as their loss can rise. So
  may those whose kind lacks one group by chance, though others are there: people of it would be their worst comparison,
  however few they are.
* The share of people who are the only one of their stratum estimates how many of the population are of strata nobody in
  the sample is of (Good 1953); those may be treated as badly as the people who were looked at. Where people are also
  compared at a distance such strata have neighbours, and where the model was asked everybody is compared.
* Strata that make up -log(alpha) / n of the population are missed by n people with probability alpha; their loss may
  rise by more than that of anybody seen.
"""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
import pandas as pd

from core.audits.transport.decision import LARGEST, Loss
from core.audits.transport.result import LossPart, TransportDetail

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
    """

    people: int
    alone: float
    hidden: float
    room: float
    lacking: float = 0.0

    def upper_bound(self, bound: float, alpha: float) -> float:
        """An upper bound for everybody, from one for the people who were looked at at the same error rate."""
        if self.alone >= 1:
            return math.inf
        return bound / (1 - self.alone) + self.hidden + self.missed(alpha) * self.room

    def missed(self, alpha: float) -> float:
        """Share of the population that so many people miss altogether with probability ``alpha``."""
        return -math.log(alpha) / self.people


EVERYBODY_SEEN = Unseen(people=1, alone=0.0, hidden=0.0, room=0.0)
"""Nothing to add to a bound."""


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
    )


def lacking_a_group(detail: TransportDetail, differ_in: Collection[str]) -> np.ndarray:
    """Cells whose kind, all that may be compared with each other, chance may have left without a group; (K,), bool.

    A group whose share of everybody is p is absent from a kind of m people with probability (1 - p)^m, if it is as
    frequent there as elsewhere. The rarest group that is absent decides. Somebody is of every cell.
    """
    cells = detail.cells
    everybody = cells.people.sum()
    codes = [pd.factorize(cells.frame[name])[0] for name in cells.frame.columns if name not in differ_in]
    kind = np.unique(np.stack([cells.label, *codes]), axis=1, return_inverse=True)[1].ravel()
    shares = np.bincount(cells.group, cells.people) / everybody
    rarest_first = np.argsort(shares, kind="stable")
    there = np.unique(np.stack([kind, np.argsort(rarest_first)[cells.group]]), axis=1)
    place = np.arange(there.shape[1]) - np.searchsorted(there[0], there[0])
    first_absent = np.bincount(there[0], there[1] == place).astype(np.int64)
    absent = np.append(shares[rarest_first], 1.0)[first_absent]
    independent = np.bincount(kind, cells.people) * detail.independent / everybody
    by_chance = len(independent) * (1 - absent) ** independent > BY_CHANCE
    return np.asarray(by_chance[kind])


def largest_loss(loss: Loss, outcomes: int) -> float:
    """The largest value of a loss: 1, but 2 for the squared error summed over three outcomes or more."""
    return 1.0 if loss == "squared" and outcomes == 2 else LARGEST[loss]
