"""Settings of the audit of groups."""

from __future__ import annotations

from typing import Literal

from core.base.settings import setting
from core.contracts.audit import AbstractAudit, missing_roles
from core.contracts.model import AbstractModel
from core.data.dataset import Dataset
from core.language.told import say


class GroupFairness(AbstractAudit):
    """How groups, intersections of groups and prediction sets compare."""

    kind: Literal["group_fairness"] = "group_fairness"
    depth: int = setting(
        2,
        label=say("Protected attributes that are combined"),
        help=say("Besides the groups of each attribute, people who belong to groups of up to so many at once."),
        ge=1,
        le=3,
    )
    columns: tuple[str, ...] = setting(
        (),
        label=say("Columns to look within"),
        help=say(
            "Features within which groups are compared too, numbers in three ranges: they show where a difference "
            "lies, and whether it is there among people who are alike in one of them. A gap in them costs no row: "
            "it is a value of its own."
        ),
        empty=say("the first eight features"),
    )
    coverage: float = setting(
        0.9,
        label=say("Coverage of prediction sets"),
        help=say("The share of people, in every group, whose outcome the prediction set or interval shall contain."),
        ge=0.5,
        le=0.99,
    )

    def is_compatible(self, model: AbstractModel, dataset: Dataset) -> str:
        """Empty wherever there are predictions and a protected attribute, with outcomes or without."""
        return missing_roles(dataset, favourable=False, by_decisions=True)
