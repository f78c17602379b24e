"""Columns that hold one probability for each class, found by their names or by their number."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class OneAClass:
    """A column for each class.

    Attributes:
        columns: The columns, in the order of the classes.
        named: Whether their names say so; otherwise they are taken in the order in which they were given.
    """

    columns: tuple[str, ...]
    named: bool


def one_a_class(columns: Sequence[str], classes: Sequence[str]) -> OneAClass | None:
    """A column for each class: those whose names end with one, or as many as there are classes, three at least.

    Args:
        columns: Columns of shares between 0 and 1.
        classes: The classes, in order.
    """
    named = [[name for name in columns if name.casefold().endswith(one.casefold())] for one in classes]
    found = tuple(names[0] for names in named if len(names) == 1)
    if len(classes) > 1 and len(set(found)) == len(classes):
        return OneAClass(found, named=True)
    if len(columns) == len(classes) > 2:
        return OneAClass(tuple(columns), named=False)
    return None
