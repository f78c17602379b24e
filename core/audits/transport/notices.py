"""What a reader has to know about cells before looking at any result."""

from collections.abc import Iterator

from core.audits.transport.binning import written
from core.audits.transport.proposal import propose
from core.audits.transport.settings import CellColumn
from core.audits.transport.strata import Strata
from core.data.cells import counted
from core.data.dataset import Dataset
from core.errors import Notice
from core.language.told import localized, say

ALMOST_EVERYBODY, MANY = 0.8, 0.2
"""Shares of people alone in their cell that are told as serious and as a warning."""


def cell_notices(strata: Strata, dataset: Dataset, *, alone_matters: bool = True) -> Iterator[Notice]:
    """What the cells tell by themselves, before any loss.

    Args:
        strata: The strata.
        dataset: The people.
        alone_matters: Whether few people of the same kind are a lack: not where people are also compared with others
            at a distance, or with themselves in other groups.
    """
    people = int(strata.people.sum())
    alone = int((strata.people == 1).sum())
    if alone > MANY * people and alone_matters:
        proposed = propose(dataset)
        better = proposed != tuple(one.column for one in strata.columns)
        yield Notice(
            "serious" if alone >= ALMOST_EVERYBODY * people else "warning",
            say(
                "{alone} of {people} people ({alone2}) are the only one of their kind, so there are few to "
                "compare them with, and what is said about each kind rests on one person.",
                alone=localized(f"{alone:,}"),
                people=localized(f"{people:,}"),
                alone2=localized(f"{alone / people:.0%}"),
            ),
            say("Tell people apart more coarsely, for example by {proposed}.", proposed=in_words(proposed))
            if better
            else "",
        )
    if not strata.free and alone_matters:
        yield Notice(
            "warning",
            say(
                "No column but the protected attributes tells people apart, so everybody is compared with "
                "everybody of the same true outcome."
            ),
            say("Add the columns that may rightly make a difference."),
        )
    for one in strata.columns:
        if one.absent:
            yield Notice(
                "warning",
                say(
                    "{absent} of {name} to be merged {value} not occur: {repr}.",
                    absent=counted(len(one.absent), "value"),
                    name=repr(one.column.name),
                    value="does" if len(one.absent) == 1 else "do",
                    repr=", ".join(map(repr, one.absent[:5])),
                ),
                say("Check how the values are written."),
            )
        if one.joined:
            yield Notice(
                "info",
                say(
                    "Values of {name} are merged into {repr}, which the table has as a value too, so both are one "
                    "kind.",
                    name=repr(one.column.name),
                    repr=", ".join(map(repr, one.joined[:5])),
                ),
                say("Choose another name if they are not the same."),
            )


def in_words(columns: tuple[CellColumn, ...]) -> str:
    """Columns with their limits: "age at 25 and 45, sex, race"."""
    return ", ".join(map(_in_words, columns))


def _in_words(column: CellColumn) -> str:
    if column.edges:
        limits = [written(edge) for edge in column.edges]
        return say(
            "{name} at {filter}",
            name=column.name,
            filter=" and ".join(filter(None, (", ".join(limits[:-1]), limits[-1]))),
        )
    return say("{name} with rare values merged", name=column.name) if column.merged else column.name
