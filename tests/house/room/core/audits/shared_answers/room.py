"""What the shared-answers test runs, finds and says."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from core.audits.shared_answers import KIND, SharedAnswers, SharedAnswersDecision

from core.base.errors import Caveat
from core.base.tables import Fact
from core.contracts.audit import Given
from core.contracts.model import AbstractModel
from core.data.encoded import EncodedDataset
from core.finding import Room
from core.inference.estimate import Estimate
from core.one_estimate import OneEstimateFinding
from core.result import AuditResult


@dataclass(frozen=True)
class SharedAnswersDetail:
    """Which people get an answer that nobody of another group gets.

    Attributes:
        alone: Shape (n,), bool.
    """

    alone: np.ndarray


Result = AuditResult[SharedAnswers, SharedAnswersDetail, None]


def run(
    audit: SharedAnswers, given: Given[AbstractModel, EncodedDataset]
) -> tuple[SharedAnswersDetail, tuple[Caveat, ...]]:
    """Look for everybody's answer among people of other groups of the first protected attribute."""
    codes, groups = given.data.dataset.groups(given.data.dataset.roles.protected[0])
    answers = np.round(given.model.predict_proba(given.data)[:, 0], audit.decimals)
    shared = set.intersection(*(set(answers[codes == group]) for group in range(len(groups))))
    return SharedAnswersDetail(np.array([answer not in shared for answer in answers])), ()


class SharedAnswersFinding(OneEstimateFinding[Result, SharedAnswersDecision]):
    """What a shared-answers test found under decision settings; see the base class."""

    kind, what = KIND, "People with an answer of their group's own"

    @cached_property
    def inference(self) -> Estimate:
        """The share of people with an answer of their group's own."""
        alone = self.result.detail.alone
        return Estimate(float(alone.mean()), float(alone.std(ddof=1) / len(alone) ** 0.5), len(alone))


ROOM = Room(
    run=run,
    result=Result,
    finding=SharedAnswersFinding,
    similar=lambda finding: (Fact("Compared with", "people of all other groups"),),
)
