"""What the audit of groups keeps: who was answered what, columns to look within, and prediction sets."""

from dataclasses import dataclass

import numpy as np

from core.audits.group_fairness.conformal import Coverage
from core.audits.group_fairness.guesses import Guess
from core.audits.group_fairness.settings import GroupFairness
from core.base.grouping import Grouping
from core.data.attribute import Attribute
from core.models.answered import Answered
from core.result import AuditResult


@dataclass(frozen=True)
class GroupFairnessDetail(Answered):
    """What was found about the groups of n people.

    Attributes:
        attributes: The protected attributes.
        columns: Columns within which groups are compared.
        coverage: Prediction sets, one entry for each attribute.
        seed: Seed of what is resampled on request.
        guess: The attribute whose groups are only guessed; None where all are recorded.
    """

    attributes: tuple[Attribute, ...]
    columns: tuple[Grouping, ...]
    coverage: tuple[Coverage, ...]
    seed: int
    guess: Guess | None = None

    @property
    def decided_only(self) -> bool:
        """Whether answers are decisions without probabilities, of which prediction sets say nothing."""
        return not self.numbers and bool(np.isin(self.answers, (0, 1)).all())

    @property
    def recorded(self) -> tuple[Attribute, ...]:
        """The protected attributes that are recorded, not guessed."""
        return tuple(one for one in self.attributes if self.guess is None or one.name != self.guess.attribute)


GroupFairnessResult = AuditResult[GroupFairness, GroupFairnessDetail, None]
"""A result of this audit."""
