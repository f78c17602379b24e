"""Settings of the shared-answers test."""

from typing import Literal

from core.base.settings import setting
from core.contracts.audit import AbstractAudit, missing_roles, needs_classes
from core.contracts.model import AbstractModel
from core.data.dataset import Dataset


class SharedAnswers(AbstractAudit):
    """Which answers are given to people of all groups."""

    kind: Literal["shared_answers"] = "shared_answers"
    decimals: int = setting(2, label="Decimals", help="Answers that agree so far are the same.", ge=0, le=6)

    @property
    def fair_metric(self) -> None:
        """None: it needs no metric."""
        return None

    def is_compatible(self, model: AbstractModel, dataset: Dataset) -> str:
        """Empty if outcomes are classes and a protected attribute is known."""
        return needs_classes(dataset) or missing_roles(dataset, favourable=False)
