"""Settings of the audit of groups and subgroups."""

from __future__ import annotations

from typing import Any, Literal

from core.audit import AbstractAudit, missing_roles
from core.data.dataset import Dataset, EncodedDataset
from core.data.roles import Roles
from core.language.told import say
from core.model import AbstractModel
from core.settings import setting


class GroupFairness(AbstractAudit):
    """How groups, subgroups and prediction sets compare."""

    kind: Literal["group_fairness"] = "group_fairness"
    coverage: float = setting(
        0.9,
        label=say("Coverage of prediction sets"),
        help=say("The share of people, in every group, whose outcome the prediction set or interval shall contain."),
        ge=0.5,
        le=0.99,
    )
    subgroup_columns: tuple[str, ...] = setting(
        (),
        label=say("Columns that make subgroups"),
        help=say(
            "Combinations of values of up to so many of these columns as chosen below; numbers are cut into bins."
        ),
        empty=say("the protected attributes, and where outcomes are known the first features"),
    )
    depth: int = setting(
        2, label=say("Columns that are combined"), help=say("Subgroups of up to so many columns at once."), ge=1, le=3
    )
    draws: int = setting(
        1_000, label=say("Bootstrap draws B"), help=say("For the bounds of all subgroups together."), ge=200, le=10_000
    )

    @property
    def fair_metric(self) -> None:
        """None: it needs no metric."""
        return None

    def reads(self, model: AbstractModel, roles: Roles) -> tuple[str, ...]:
        """What the model reads, and the columns that make subgroups."""
        return (*super().reads(model, roles), *self.subgroup_columns)

    def is_compatible(self, model: AbstractModel, dataset: Dataset) -> str:
        """Empty wherever there are predictions and a protected attribute, with outcomes or without."""
        return missing_roles(dataset, favourable=False, by_decisions=True)

    def rows_of(self, detail: Any, data: EncodedDataset) -> int:
        """Rows whose groups were compared: of rows that belong together one."""
        return len(detail.outcome)
