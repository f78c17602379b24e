"""Settings of the audit of groups."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import model_validator

from core.base.errors import SettingsError
from core.base.settings import setting
from core.contracts.audit import AbstractAudit, missing_roles, needs_classes
from core.contracts.model import AbstractModel
from core.data.dataset import Dataset
from core.data.roles import Roles
from core.language.told import say

DEFAULT_COLUMNS = 8
"""Features to look within where none are named."""


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

    guessed: str = setting(
        "",
        label=say("Attribute that is only guessed"),
        help=say(
            "A protected attribute that is not recorded but guessed, from names or places, say. A violation may then "
            "be shown by bounds that hold however the guess errs. Nobody is cleared by them."
        ),
        empty=say("none"),
    )
    guessed_group: str = setting(
        "",
        label=say("Group whose guesses were checked"),
        help=say("One of the two values of that attribute."),
        empty=say("none"),
    )
    guessed_right: tuple[int, ...] = setting(
        (),
        label=say("Right guesses for people of the group"),
        help=say("Of people known to belong to the group: how many were guessed rightly, and of how many."),
        empty=say("not known"),
        example="180, 200",
    )
    others_right: tuple[int, ...] = setting(
        (),
        label=say("Right guesses for all others"),
        help=say("Of people known not to belong to the group: how many were guessed rightly, and of how many."),
        empty=say("not known"),
        example="285, 300",
    )

    @model_validator(mode="after")
    def _guess_is_whole(self) -> Self:
        counts = (self.guessed_right, self.others_right)
        if not self.guessed and not self.guessed_group and counts == ((), ()):
            return self
        whole = self.guessed and self.guessed_group
        if not whole or any(len(one) != 2 or not 0 <= one[0] <= one[1] or not one[1] for one in counts):
            raise SettingsError(
                say(
                    "A guess needs four things: the attribute, one of its groups, and two pairs of numbers that say "
                    "how often it was right."
                ),
                where=say("setting 'Attribute that is only guessed'"),
                advice=say("Fill in all of them, such as “180, 200” and “285, 300”, or none."),
            )
        return self

    def takes_counts(self, dataset: Dataset) -> bool:
        """Of classes, where people are independent of each other."""
        return dataset.roles.outcome_type == "classes" and not dataset.roles.belongs_to

    def looks_at(self, roles: Roles) -> tuple[str, ...]:
        """The columns to look within."""
        return self.columns or tuple(name for name in roles.features if name not in roles.protected)[:DEFAULT_COLUMNS]

    def is_compatible(self, model: AbstractModel, dataset: Dataset) -> str:
        """Empty wherever there are predictions and a protected attribute, with outcomes or without."""
        if self.guessed and (reason := needs_classes(dataset)):
            return reason
        return missing_roles(dataset, favourable=bool(self.guessed), by_decisions=True)
