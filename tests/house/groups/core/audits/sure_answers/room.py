"""What the sure-answers test runs, finds and says: every group beside everybody else."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from core.audits.sure_answers import KIND, SureAnswers, SureAnswersDecision

from core.base.errors import Caveat
from core.base.tables import Fact
from core.claims import Claim
from core.contracts.audit import Given
from core.contracts.model import AbstractModel
from core.data.attribute import Attribute, attribute_of
from core.data.encoded import EncodedDataset
from core.data.labels import condition
from core.finding import AbstractFinding, Room
from core.inference.evidence import Adjusted
from core.inference.sampling import Sampling
from core.inference.the_rest import BesideTheRest
from core.language.phrases import listed
from core.result import AuditResult


@dataclass(frozen=True)
class SureAnswersDetail:
    """Whose answer is nearly certain, of n people.

    Attributes:
        sure: Shape (n,), bool.
        attributes: The protected attributes, a number in bins.
        belonging: Code of what each person belongs to, shape (n,), int; None where each stands for themselves.
    """

    sure: np.ndarray
    attributes: tuple[Attribute, ...]
    belonging: np.ndarray | None = None


Result = AuditResult[SureAnswers, SureAnswersDetail, None]


def run(
    audit: SureAnswers, given: Given[AbstractModel, EncodedDataset]
) -> tuple[SureAnswersDetail, tuple[Caveat, ...]]:
    """Ask the model about everybody."""
    dataset = given.data.dataset
    attributes = tuple(attribute_of(dataset, name) for name in dataset.roles.protected)
    sure = given.model.predict_proba(given.data).max(axis=1) >= audit.least
    return SureAnswersDetail(sure, attributes, given.data.clusters), ()


class SureAnswersFinding(AbstractFinding[Result, SureAnswersDecision]):
    """What a sure-answers test found under decision settings; see the base class."""

    kind = KIND

    @property
    def reads_outcomes(self) -> bool:
        """No answer is held against an outcome."""
        return False

    @cached_property
    def groups(self) -> dict[str, BesideTheRest]:
        """Each group of every attribute, beside everybody else."""
        sure, together = self.result.detail.sure, Sampling(self.result.detail.belonging)
        return {
            condition(one.name, group): BesideTheRest.of(sure, one.codes == place, shares=True, sampling=together)
            for one in self.result.detail.attributes
            for place, group in enumerate(one.groups)
        }

    @cached_property
    def claims(self) -> tuple[Claim, ...]:
        """One a group; those of enough people are judged together."""
        known: dict[str, Any] = {
            "what": "Share with a sure answer",
            "against": "everybody else",
            "more": True,
            "unit": self.unit,
        }
        delta, alpha, judged = self.decision.delta, self.decision.alpha, sum(one.enough for one in self.groups.values())
        return tuple(
            Claim.of_evidence(Adjusted(one, max(1, judged)), delta, alpha, who=who, **one.sides, **known)
            for who, one in self.groups.items()
        )

    @property
    def own_caveats(self) -> tuple[Caveat, ...]:
        """Groups of too few people, because of which nobody is cleared."""
        few = [who for who, one in self.groups.items() if not one.enough]
        told = Caveat(
            "serious", f"Too few people to be judged: {listed(few)}.", "Bring more of them.", forbids="clearing"
        )
        return (told,) if few else ()


ROOM = Room(
    run=run,
    result=Result,
    finding=SureAnswersFinding,
    similar=lambda finding: (Fact("Compared", "each group with everybody else"),),
)
