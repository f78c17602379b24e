"""A readable name for a column or for one of its values: what people see in place of it."""

from collections.abc import Iterable

from core.base.settings import Settings, setting
from core.language.phrases import quoted
from core.language.told import say

LONGEST = 80
"""Characters of a label."""


class Label(Settings):
    """What a column, or one value of a column, is called wherever people read of it."""

    column: str = setting(label=say("Column"), help=say("The column's name in the table."), min_length=1)
    value: str = setting(
        "", label=say("Value"), help=say("A value of it, as text. Left empty: the label is the column's.")
    )
    label: str = setting(label=say("Label"), help=say("What people read instead."), min_length=1, max_length=LONGEST)


def what_clashes(labels: Iterable[Label]) -> str:
    """Why these labels cannot stand together, one sentence without its stop; empty if they can."""
    known: dict[tuple[str, str], str] = {}
    for one in labels:
        if (one.column, one.value) in known:
            return say("{name} is given two labels", name=quoted(one.value or one.column))
        known[one.column, one.value] = one.label
    told = [(column if value else "", label) for (column, value), label in known.items()]
    twice = next((label for place, (of, label) in enumerate(told) if (of, label) in told[:place]), "")
    return say("The label {label} is given twice", label=quoted(twice)) if twice else ""
