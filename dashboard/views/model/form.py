"""The form of a model's settings, with the outcomes and columns of the table to choose from."""

from typing import Any

from core.language.told import say
from core.models import ModelSource
from dashboard import forms
from dashboard.draft import Draft
from dashboard.waiting import answer

_HELD_FOR_CLASSES = ("labels", "probability", "score", "class probabilities")


def draw(
    draft: Draft,
    kind: Any,
    values: dict[str, Any],
    columns: tuple[str, ...] = (),
    fields: tuple[str, ...] | None = None,
) -> ModelSource | None:
    """The settings of a model as the widgets say; None while they are not valid."""
    known = tuple(dict.fromkeys((*values.get("classes", ()), *labels_of(draft))))
    options = {"columns": columns, "holds": _HELD_FOR_CLASSES} | ({"classes": known} if known else {})
    drawn: ModelSource | None = forms.draw(kind, values, f"model.form.{kind.__name__}", fields=fields, options=options)
    return drawn


def labels_of(draft: Draft) -> tuple[str, ...]:
    """The outcomes, as the examined table has them."""
    table = draft.about_table
    read = answer("read_table", {"source": table["source"]}, say("Reading the table"))
    if read is None:
        return ()
    checked = answer("examine_table", {"table": read["table"], "roles": table["roles"]}, say("Checking the table"))
    return tuple(checked["labels"]) if checked else ()
