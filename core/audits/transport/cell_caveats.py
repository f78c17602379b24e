"""What a reader has to know about cells before looking at any result."""

from collections.abc import Iterator

from core.audits.transport.binning import written
from core.audits.transport.maps import with_others
from core.audits.transport.proposal import propose
from core.audits.transport.settings import CellColumn
from core.audits.transport.strata import SortedPeople
from core.base.errors import Caveat
from core.data.dataset import Dataset
from core.language.phrases import first_few, listed, quoted, several, share_text, whole
from core.language.told import say, say_count

ALMOST_EVERYBODY, MANY = 0.8, 0.2
"""Shares of people alone in their cell that are told as serious and as a warning."""


def cell_caveats(strata: SortedPeople, dataset: Dataset, *, alone_matters: bool = True) -> Iterator[Caveat]:
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
        free = any(one.name not in strata.protected for one in proposed)
        better = free and proposed != tuple(one.column for one in strata.columns)
        yield Caveat(
            "serious" if alone >= ALMOST_EVERYBODY * people else "warning",
            say(
                "Nobody is like {alone} of {people} people ({share}), so there are few to compare them with, and what "
                "is said about each rests on one person.",
                alone=whole(alone),
                people=whole(people),
                share=share_text(alone / people, 0),
            ),
            say("Tell people apart more coarsely, for example by {columns}.", columns=in_words(proposed))
            if better
            else "",
        )
    if all(len(one.names) < 2 for one in strata.columns[: strata.free]) and alone_matters:
        yield Caveat("serious", nobody_told_apart(), say("Add the columns that may rightly make a difference."))
    for one in strata.columns:
        if one.absent:
            yield Caveat(
                "warning",
                say_count(
                    "{n} value of {name} to be merged does not occur: {values}.",
                    "{n} values of {name} to be merged do not occur: {values}.",
                    len(one.absent),
                    name=quoted(one.column.name),
                    values=several(one.absent, 5),
                ),
                say("Check how the values are written."),
            )
        if one.joined:
            yield Caveat(
                "info",
                say(
                    "Values of {name} are put together with one that the table has, and count as one value: {values}.",
                    name=quoted(one.column.name),
                    values=first_few([with_others(one.column, value) for value in one.joined], 5),
                ),
                say("Leave them apart if they are not the same."),
            )


def nobody_told_apart() -> str:
    """Why a test of people told apart by protected attributes alone says nothing."""
    return say(
        "No column but the protected attributes tells people apart, so everybody counts as similar to everybody "
        "of the same recorded outcome. Every difference between groups would be a violation, whatever causes it."
    )


def in_words(columns: tuple[CellColumn, ...]) -> str:
    """Columns with their limits: "age at 25 and 45, sex, race"."""
    return ", ".join(map(_in_words, columns))


def _in_words(column: CellColumn) -> str:
    if column.edges:
        return say("{name} at {limits}", name=column.name, limits=listed([written(edge) for edge in column.edges]))
    return say("{name} with rare values merged", name=column.name) if column.merged else column.name
