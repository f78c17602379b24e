"""Settings of the transport test (FaiTH)."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, field_validator

from core.base.files import FileRef
from core.base.settings import Settings, setting
from core.contracts.audit import AbstractAudit, missing_roles, needs_classes
from core.contracts.metric import AbstractMetric
from core.contracts.model import AbstractModel
from core.data.dataset import Dataset
from core.data.roles import Roles
from core.language.told import retold, say, say_as
from core.metrics import Metric

Space = Literal["observed", "all groups"]  # verbatim

MOST_RULES = 200
"""Limits, forbidden comparisons or budgets of one test; a person reads them all."""


class CellColumn(Settings):
    """One column of those that tell individuals apart, and how finely."""

    name: str = setting(label=say("Column"), help=say("A column of the table."))
    edges: tuple[float, ...] = setting(
        (),
        label=say("Limits between bins"),
        help=say(
            "For numbers: ascending; a value equal to a limit belongs to the bin above it. Empty keeps every value."
        ),
    )
    merged: tuple[tuple[str, str], ...] = setting(
        (),
        label=say("Merged values"),
        help=say("For categories: pairs of a value and the name of the group it goes to."),
    )


class DifferOnlyIn(Settings):
    """Cost 0 between people who differ in these columns only, forbidden otherwise (papers/faith.md, section 5)."""

    kind: Literal["differ_only_in"] = "differ_only_in"
    columns: tuple[str, ...] = setting(
        (),
        label=say("Of the columns that tell people apart, may differ in"),
        help=say("Two people count as the same if they agree in every other column that tells people apart."),
        empty=say_as("in place of columns", "the protected attributes"),
    )


class ByMetric(Settings):
    """Cost d² of a fair metric between the cells' mean people."""

    kind: Literal["by_metric"] = "by_metric"
    metric: Metric = setting(label=say("Fair metric"), help=say("Who counts as similar."), discriminator="kind")


class OwnCost(Settings):
    """An uploaded cost matrix over the cells, in the order of the downloaded list of cells."""

    kind: Literal["own_cost"] = "own_cost"
    file: FileRef = setting(
        label=say("Cost matrix"), help=say("One row and column for people who are alike; empty or inf where forbidden.")
    )


Similarity = DifferOnlyIn | ByMetric | OwnCost


class MassLimit(Settings):
    """A limit on the share of all people that may be moved out of one group of one protected attribute."""

    attribute: str = setting(label=say("Protected attribute"), help=say("The attribute the group belongs to."))
    group: str = setting(
        label=say("Group"), help=say("People of this group may be compared with others to this extent only.")
    )
    at_most: float = setting(1.0, label=say("At most"), help=say("Share of all audited people."), ge=0.0, le=1.0)
    at_least: float = setting(0.0, label=say("At least"), help=say("Share of all audited people."), ge=0.0, le=1.0)


class ForbiddenPair(Settings):
    """Nobody may be moved from one group to another."""

    attribute: str = setting(label=say("Protected attribute"), help=say("The attribute both groups belong to."))
    origin: str = setting(label=say_as("people moved", "From"), help=say("People of this group ..."))
    target: str = setting(
        label=say_as("people moved", "To"), help=say("... may not be compared with people of this one.")
    )


class LabelBudget(Settings):
    """A budget of its own for people of one recorded outcome."""

    label: str = setting(label=say("Outcome"), help=say("The recorded outcome."))
    budget: float = setting(
        label=say("Budget"), symbol="ε", help=say("Mean cost allowed for them, over all people."), ge=0.0
    )


class Transport(AbstractAudit):
    """Move people to similar people who are treated worse, as far as a budget allows (papers/faith.md, eq. 3.1).

    Columns are names, whose values are all kept apart, or ``CellColumn(name="age", edges=(30, 45))`` to say how finely.
    """

    kind: Literal["transport"] = "transport"
    similarity: Annotated[Similarity, Field(discriminator="kind")] = setting(
        DifferOnlyIn(),
        label=say("Who counts as similar"),
        help=say("What it costs to compare one kind of person with another."),
    )
    columns: tuple[CellColumn, ...] = setting(
        (),
        label=say("Columns that tell people apart"),
        help=say(
            "People who agree in these columns, binned, are the same kind of person. The recorded outcome is "
            "always one. Where the same people in every group are asked about, these columns only serve to "
            "show who is concerned."
        ),
        empty=say("proposed from the table"),
    )
    space: Space = setting(
        "observed",
        label=say("Compare with"),
        help=say(
            "Kinds of people who occur in the table, or the same person in every other group: this asks the "
            "model, so it needs more than a column of predictions. If people may differ only in protected "
            "attributes, everybody is then compared with themselves, with the exact value of all else the "
            "model reads. It finds what the model makes of the protected attributes themselves; a model that "
            "does not read them answers alike."
        ),
        names={"observed": say("People in the table"), "all groups": say("The same people in every group")},  # verbatim
    )
    forbidden: tuple[ForbiddenPair, ...] = setting(
        (), label=say("Forbidden comparisons"), help=say("Pairs of groups."), max_length=MOST_RULES
    )
    limits: tuple[MassLimit, ...] = setting(
        (),
        label=say("Limits for groups"),
        help=say("How many people of a group may be compared with others."),
        max_length=MOST_RULES,
    )
    label_budgets: tuple[LabelBudget, ...] = setting(
        (),
        label=say("Budgets by outcome"),
        help=say("A budget of its own for people of one recorded outcome."),
        max_length=MOST_RULES,
    )
    draws: int = setting(
        2000, label=say("Bootstrap draws B"), help=say("More draws make the bounds more exact."), ge=200, le=100_000
    )

    @field_validator("columns", mode="before")
    @classmethod
    def _by_name(cls, columns: Any) -> Any:
        """Columns as a list of settings; a name stands for a column whose values are all kept apart."""
        given = [columns] if isinstance(columns, str | CellColumn) else columns
        if not isinstance(given, list | tuple):
            return columns
        if strange := [one for one in given if not isinstance(one, str | dict | CellColumn)]:
            raise ValueError(
                f"a column is given by its name, or with name, edges and merged; {strange[0]!r} is neither"
            )
        return [{"name": one} if isinstance(one, str) else one for one in given]

    def asks_for_everybody(self, protected: tuple[str, ...]) -> bool:
        """Whether everybody is compared with the same person in other groups, as the model answers when asked.

        Then people are told apart by all the model reads, and columns and bins only serve to show who is moved.
        """
        similarity = self.similarity
        if self.space != "all groups" or not isinstance(similarity, DifferOnlyIn):  # verbatim
            return False
        return set(similarity.columns) <= set(protected)

    @property
    def fair_metric(self) -> AbstractMetric | None:
        """The metric to fit; None where the cost needs none."""
        return self.similarity.metric if isinstance(self.similarity, ByMetric) else None

    def reads(self, model: AbstractModel, roles: Roles) -> tuple[str, ...]:
        """What the model reads, and the columns that make kinds of people: all features where they are proposed."""
        kinds = tuple(column.name for column in self.columns) or roles.features
        similarity = self.similarity
        alike = similarity.columns if isinstance(similarity, DifferOnlyIn) else ()
        return (*super().reads(model, roles), *kinds, *alike)

    def takes_counts(self, dataset: Dataset) -> bool:
        """Of people in the table who are independent and compared by their cells."""
        alone = dataset.roles.outcome_type == "classes" and not dataset.roles.belongs_to
        return alone and self.space == "observed" and self.fair_metric is None

    def is_compatible(self, model: AbstractModel, dataset: Dataset) -> str:
        """Any model of classes will do; all groups need one that can be asked."""
        if reason := needs_classes(dataset):
            return reason
        if self.space == "all groups" and model.answers_only_here:  # verbatim
            return say(
                "The same people cannot be looked up in every group. {why}",
                why=retold(model.answers_only_here),
            )
        return missing_roles(dataset)
