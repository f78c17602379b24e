"""The finding of a shared-answers test."""

from functools import cached_property

from core.audits.shared_answers import KIND
from core.audits.shared_answers.decision import SharedAnswersDecision
from core.audits.shared_answers.result import SharedAnswersResult

from core.finding import OneEstimateFinding
from core.inference.estimate import Estimate


class SharedAnswersFinding(OneEstimateFinding[SharedAnswersResult, SharedAnswersDecision]):
    """What a shared-answers test found under decision settings; see the base class."""

    kind = KIND
    what = "People with an answer of their group's own"

    @cached_property
    def inference(self) -> Estimate:
        """Their share."""
        alone = self.result.detail.alone
        return Estimate(float(alone.mean()), float(alone.std(ddof=1) / len(alone) ** 0.5), len(alone))
