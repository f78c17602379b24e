"""The finding of a shared-answers test."""

from functools import cached_property

from core.audits.shared_answers import KIND
from core.audits.shared_answers.decision import SharedAnswersDecision
from core.audits.shared_answers.result import SharedAnswersResult

from core.base.errors import Notice
from core.finding import OneEstimateFinding
from core.inference.estimate import Estimate, Verdict


class SharedAnswersFinding(OneEstimateFinding[SharedAnswersResult, SharedAnswersDecision]):
    """What a shared-answers test found under decision settings; see the base class."""

    kind = KIND

    @cached_property
    def inference(self) -> Estimate:
        """The share of people with an answer of their group's own."""
        alone = self.result.detail.alone
        return Estimate(float(alone.mean()), float(alone.std(ddof=1) / len(alone) ** 0.5), len(alone))

    @cached_property
    def own_verdict(self) -> Verdict:
        """See the base class."""
        return self.inference.verdict(self.decision.delta, self.decision.alpha)

    @property
    def own_reasons(self) -> tuple[Notice, ...]:
        """See the base class."""
        return ()
