"""What the upper bound of a transport test does not see: people and strata whose rise it counts as none.

* People who may be compared with nobody of another protected group may be treated as badly as their loss can rise.
* The share of people who are the only one of their stratum estimates how many of the population are of strata nobody in
  the sample is of (Good 1953); those may be treated as badly as the people who were looked at. Where people are also
  compared at a distance such strata have neighbours, and where the model was asked everybody is compared.
* Strata that make up -log(alpha) / n of the population are missed by n people with probability alpha; their loss may
  rise by more than that of anybody seen.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from core.audits.transport.decision import LARGEST, Loss
from core.audits.transport.result import LossPart, TransportDetail


@dataclass(frozen=True)
class Unseen:
    """What has to be added to an upper bound before it speaks for everybody.

    Attributes:
        people: People in the sample, or clusters where rows belong together.
        alone: Share of them whose strata stand for strata nobody is of.
        hidden: Largest rise of the mean loss by people who are compared with nobody of another group.
        room: How much more than anybody seen a person of a stratum nobody is of may lose; infinite for a loss without a
            largest value.
    """

    people: int
    alone: float
    hidden: float
    room: float

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


def unseen_of(detail: TransportDetail, part: LossPart, price: float | None) -> Unseen:
    """What the bounds of a loss do not see at the budget whose price is ``price``; None with limits."""
    masses, losses = part.sample.masses, part.sample.losses
    people, largest = detail.independent, largest_loss(part.loss, len(detail.cells.labels))
    left_out = (masses > 0) & ~detail.comparable
    seen = 0.0
    if price is not None:
        gains = part.envelope.gains(price)
        seen = float(np.max(gains, where=masses > 0, initial=0.0))
    return Unseen(
        people=people,
        alone=0.0 if detail.by_distance else detail.alone,
        hidden=float(masses[left_out] @ (largest - losses[left_out])) if left_out.any() else 0.0,
        room=max(0.0, largest - seen),
    )


def largest_loss(loss: Loss, outcomes: int) -> float:
    """The largest value of a loss: 1, but 2 for the squared error summed over three outcomes or more."""
    return 1.0 if loss == "squared" and outcomes == 2 else LARGEST[loss]
