"""What the shared-answers test runs, finds and says."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from core.audits.shared_answers import KIND, PEOPLE, SharedAnswers, SharedAnswersDecision

from core.base.errors import Notice
from core.base.tables import Fact, Table
from core.contracts.audit import Given
from core.contracts.model import AbstractModel
from core.data.dataset import EncodedDataset
from core.finding import OneEstimateFinding, Room
from core.inference.estimate import Estimate
from core.language.phrases import count, p_value
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
) -> tuple[SharedAnswersDetail, tuple[Notice, ...]]:
    """Look for everybody's answer among people of other groups of the first protected attribute."""
    codes, groups = given.data.dataset.groups(given.data.dataset.roles.protected[0])
    answers = np.round(given.model.predict_proba(given.data)[:, 0], audit.decimals)
    shared = set.intersection(*(set(answers[codes == group]) for group in range(len(groups))))
    return SharedAnswersDetail(np.array([answer not in shared for answer in answers])), ()


class SharedAnswersFinding(OneEstimateFinding[Result, SharedAnswersDecision]):
    """What a shared-answers test found under decision settings; see the base class."""

    kind = KIND
    what = "People with an answer of their group's own"

    @cached_property
    def inference(self) -> Estimate:
        """The share of people with an answer of their group's own."""
        alone = self.result.detail.alone
        return Estimate(float(alone.mean()), float(alone.std(ddof=1) / len(alone) ** 0.5), len(alone))


def sentence(finding: SharedAnswersFinding) -> str:
    """The verdict in one sentence."""
    share = PEOPLE.text(finding.estimate)
    return f"{finding.headline}: {share} ({count(finding.n, 'person', 'people')}) get an answer of their group's own."


def statistics(finding: SharedAnswersFinding) -> Table:
    """Estimate, interval and p-value."""
    rows = (
        ("Share", PEOPLE.text(finding.estimate)),
        ("Interval", PEOPLE.interval(finding.interval_low, finding.interval_high)),
        ("p-value", p_value(finding.p_value)),
    )
    return Table("People with an answer of their group's own", ("", "Value"), rows)


ROOM = Room(
    run=run,
    result=Result,
    finding=SharedAnswersFinding,
    headline=lambda finding: finding.verdict.value.capitalize(),
    sentence=sentence,
    tolerance=lambda finding: PEOPLE.tolerance(finding.decision.delta),
    next_steps=lambda finding: (),
    similar=lambda finding: (Fact("Compared with", "people of all other groups"),),
    statistics=statistics,
    tables=lambda finding: {},
    limits=lambda finding: ("Small groups share fewer answers by chance alone.",),
)
