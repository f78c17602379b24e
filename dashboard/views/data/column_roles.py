"""The role of one column, and what becomes of the others when it gets another one."""

from collections.abc import Iterable
from typing import Any, Literal, get_args

from core.data.counted import is_weight
from core.language.told import retold, say
from dashboard.draft import RolesChoice
from dashboard.tables import ColumnSummary, TableSummary

ColumnRole = Literal[
    "outcome",
    "prediction",
    "protected",
    "protected and feature",
    "feature",
    "belongs_to",
    "counts",
    "text",
    "annotation",
    "none",
]
CALLED: dict[ColumnRole, str] = {
    "outcome": say("Outcome"),
    "prediction": say("Prediction or score"),
    "protected": say("Protected"),
    "protected and feature": say("Protected, and a feature"),
    "feature": say("Feature"),
    "belongs_to": say("Says which rows belong together"),
    "counts": say("Counts people"),
    "text": say("Text"),
    "annotation": say("Judged biased by people"),
    "none": say("Not used"),
}
MEANING: dict[ColumnRole, str] = {
    "outcome": say("what really happened, or the right decision"),
    "prediction": say("what a model answered, or its score"),
    "protected": say("must not make a difference, such as sex or race"),
    "protected and feature": say("must not make a difference, and the model reads it"),
    "feature": say("the model reads it"),
    "belongs_to": say("names the person, household or document of a row, where several rows may belong to one"),
    "counts": say("says how many people each row stands for; a sampling weight does not"),
    "text": say("holds a text a row, for models that read texts"),
    "annotation": say(
        "0, 1 or 2: whether a person found the model's answer to this text biased; 2 where that cannot be told"
    ),
    "none": say("no part of the audit"),
}
FOR_MANY: tuple[ColumnRole, ...] = (
    *("feature", "none", "protected", "protected and feature", "prediction", "annotation"),
)
"""Roles that any number of columns may have."""
_SINGLE: tuple[ColumnRole, ...] = ("outcome", "text", "belongs_to", "counts")
NOTHING_GOOD: dict[str, Any] = {"favourable": None, "good_end": "not said"}
"""What is good of an outcome of which nobody said anything yet."""


def called(role: ColumnRole) -> str:
    """What people call a role."""
    return retold(CALLED[role])


def roles_for(column: ColumnSummary) -> tuple[ColumnRole, ...]:
    """The roles that a column may have: only words are texts, only numbers count, and no weights."""
    counts = column.kind == "number" and not is_weight(column.name)
    able = {"text": column.kind == "text", "counts": counts}
    return tuple(role for role in get_args(ColumnRole) if able.get(role, True))


def role_of(choice: RolesChoice, name: str) -> ColumnRole:
    """The role of a column."""
    for role in _SINGLE:
        if getattr(choice, role) == name:
            return role
    if name in choice.annotation:
        return "annotation"
    if name in choice.protected:
        return "protected and feature" if name in choice.features else "protected"
    return "prediction" if name in choice.predictions else "feature" if name in choice.features else "none"


def with_role(choice: RolesChoice, table: TableSummary, names: Iterable[str], role: ColumnRole) -> RolesChoice:
    """The roles after these columns were given another one.

    They lose those they had. A role that only one column can have is taken from the column that had it, which is then
    not used. Of a new outcome nobody said yet what is good, and it holds a number where its values look so.
    """
    for name in names:
        choice = _give(_without(choice, name), table, name, role)
    return choice


def _without(choice: RolesChoice, name: str) -> RolesChoice:
    lists = {
        field: tuple(other for other in getattr(choice, field) if other != name)
        for field in ("annotation", "protected", "features", "predictions")
    }
    single: dict[str, str | None] = {role: None for role in _SINGLE if getattr(choice, role) == name}
    cleared = {**NOTHING_GOOD, "outcome_type": "classes"} if "outcome" in single else {}
    return choice.model_copy(update=lists | single | cleared)


def _give(choice: RolesChoice, table: TableSummary, name: str, role: ColumnRole) -> RolesChoice:
    if role in _SINGLE:
        update: dict[str, object] = {
            role: name,
            "numeric": tuple(other for other in choice.numeric if other != name),
            "categorical": tuple(other for other in choice.categorical if other != name),
        }
        if role == "outcome":
            number = table.column(name).quantity and choice.text is None
            update |= {**NOTHING_GOOD, "outcome_type": "number" if number else "classes"}
        if role == "text" and choice.outcome_type == "number":
            update |= {**NOTHING_GOOD, "outcome_type": "classes"}
        return choice.model_copy(update=update)
    update = {}
    if role in ("protected", "protected and feature"):
        update["protected"] = (*choice.protected, name)
    if role in ("feature", "protected and feature"):
        update["features"] = _in_place(choice.features, name, table.names)
    if role == "annotation":
        update["annotation"] = _in_place(choice.annotation, name, table.names)
    if role == "prediction":
        update["predictions"] = _in_place(choice.predictions, name, table.names)
    return choice.model_copy(update=update)


def _in_place(names: tuple[str, ...], name: str, order: tuple[str, ...]) -> tuple[str, ...]:
    """The names with one more: where it stands in the table, or last if the others are in an order of their own."""
    place = {other: number for number, other in enumerate(order)}
    ordered = list(names) == sorted(names, key=lambda other: place[other])
    return tuple(sorted((*names, name), key=lambda other: place[other])) if ordered else (*names, name)
