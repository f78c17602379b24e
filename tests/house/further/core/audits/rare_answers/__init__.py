"""The rare-answers test: how many people get an answer that hardly anybody else gets."""

from typing import Literal

from core.base.settings import setting
from core.contracts.audit import AbstractAudit, needs_classes
from core.contracts.decision import DecisionSettings
from core.contracts.kind import Kind
from core.contracts.model import AbstractModel
from core.data.dataset import Dataset
from core.language.told import say
from core.language.units import Unit

PEOPLE = Unit(100.0, say("% of people"))


class RareAnswers(AbstractAudit):
    """From which number of people on an answer is none that hardly anybody gets."""

    kind: Literal["rare_answers"] = "rare_answers"
    fewest: int = setting(5, label=say("Fewest people"), help=say("Answers of fewer people are rare."), ge=2, le=1000)

    def is_compatible(self, model: AbstractModel, dataset: Dataset) -> str:
        """Empty if outcomes are classes."""
        return needs_classes(dataset)


class RareAnswersDecision(DecisionSettings):
    """What turns the share into a verdict."""

    kind: Literal["rare_answers"] = "rare_answers"
    delta: float = setting(0.1, label=say("Tolerance"), help=say("The largest tolerated share."), ge=0.0, le=1.0)
    apart: bool = setting(False, label=say("Each answer by itself"), help=say("Whether the chart tells answers apart."))

    def unit(self, *, numbers: bool = False) -> Unit:
        """See the base class."""
        return PEOPLE


KIND = Kind(
    name="rare_answers",
    settings=RareAnswers,
    decision=RareAnswersDecision,
    title=say("Rare answers test"),
    asks=say("How many people get an answer that hardly anybody else gets?"),
    needs=say("only predictions."),
    gives=say("the share of people whose answer is rare."),
    about=say("The test counts how many people get each answer."),
    topics=("data",),
    by_predictions=True,
)
