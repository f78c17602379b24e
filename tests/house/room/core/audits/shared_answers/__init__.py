"""The shared-answers test: how many people get an answer that nobody of another group gets."""

from typing import Literal

from core.base.settings import setting
from core.contracts.audit import AbstractAudit, missing_roles, needs_classes
from core.contracts.decision import DecisionSettings
from core.contracts.kind import Kind
from core.contracts.model import AbstractModel
from core.data.dataset import Dataset
from core.language.units import Unit

PEOPLE = Unit(100.0, "% of people")


class SharedAnswers(AbstractAudit):
    """Which answers are given to people of all groups."""

    kind: Literal["shared_answers"] = "shared_answers"
    decimals: int = setting(2, label="Decimals", help="Answers that agree so far are the same.", ge=0, le=6)

    def is_compatible(self, model: AbstractModel, dataset: Dataset) -> str:
        """Empty if outcomes are classes and a protected attribute is known."""
        return needs_classes(dataset) or missing_roles(dataset, favourable=False)


class SharedAnswersDecision(DecisionSettings):
    """What turns the share into a verdict."""

    kind: Literal["shared_answers"] = "shared_answers"
    delta: float = setting(0.1, label="Tolerance", symbol="δ", help="The largest tolerated share.", ge=0.0, le=1.0)

    def unit(self, *, numbers: bool = False) -> Unit:
        """See the base class."""
        return PEOPLE


KIND = Kind(
    name="shared_answers",
    settings=SharedAnswers,
    decision=SharedAnswersDecision,
    title="Shared answers test",
    asks="How many people get an answer that nobody of another group gets?",
    needs="only predictions.",
    gives="the share of people with an answer of their group's own.",
    about="The test looks whether every answer is given to people of all groups.",
    topics=("data",),
    by_predictions=True,
)
