"""The sure-answers test: whether a model is nearly certain of some group's people more often than of others."""

from typing import Literal

from core.base.settings import setting
from core.contracts.audit import AbstractAudit, missing_roles, needs_classes
from core.contracts.decision import DecisionSettings
from core.contracts.kind import Kind
from core.contracts.model import AbstractModel
from core.data.dataset import Dataset
from core.language.units import POINTS, Unit


class SureAnswers(AbstractAudit):
    """From which probability on an answer is nearly certain."""

    kind: Literal["sure_answers"] = "sure_answers"
    least: float = setting(0.9, label="Least probability", help="Answers of less are not sure.", ge=0.5, le=1.0)

    def is_compatible(self, model: AbstractModel, dataset: Dataset) -> str:
        """Empty if outcomes are classes and a protected attribute is known."""
        return needs_classes(dataset) or missing_roles(dataset, favourable=False)


class SureAnswersDecision(DecisionSettings):
    """What turns the shares into a verdict."""

    kind: Literal["sure_answers"] = "sure_answers"
    delta: float = setting(0.1, label="Tolerance", symbol="δ", help="The largest tolerated rise.", ge=0.0, le=1.0)

    def unit(self, *, numbers: bool = False) -> Unit:
        """See the base class."""
        return POINTS


KIND = Kind(
    name="sure_answers",
    settings=SureAnswers,
    decision=SureAnswersDecision,
    title="Sure answers test",
    asks="Is the model nearly certain of some group's people more often than of others?",
    needs="probabilities.",
    gives="the share of each group with a sure answer, beside that of everybody else.",
    about="The test counts whose answer has a probability close to 1, in every group and among everybody else.",
    topics=("data",),
    notion="Group fairness",
    compared="Who is compared with whom",
    by_predictions=True,
)
