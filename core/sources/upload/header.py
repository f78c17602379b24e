"""Where a table begins and what its columns are called: titles above the header, no header, empty and doubled names."""

from collections.abc import Iterator, Sequence
from typing import Any

from core.base.errors import Caveat
from core.data.cells import as_number_or_none, write_cell
from core.language.phrases import count, quoted, several
from core.language.told import say, say_count
from core.sources.public.adult import COLUMNS as ADULT
from core.sources.upload.limits import MISSING_MARKS

LOOKED_AT = 20
"""The header is among so many first lines that are not blank."""
_ENOUGH = 1_000
_HARDLY_REPEAT = 0.5
"""Share of a column's cells that are different from which a first line tells nothing."""
_YEARS = range(1900, 2100)
_INCOMES = {"<=50K", ">50K", "<=50K.", ">50K."}


def written(cells: Sequence[Any]) -> list[str]:
    """A line's cells as text without blanks around: a year that a spreadsheet stores as 2019.0 is ``2019``."""
    return [write_cell(cell).strip() for cell in cells]


def place_of_header(lines: Sequence[Sequence[Any]]) -> int:
    """Which of the first lines is the header; those before it are titles or notes.

    A title fills at most half as many cells as the fullest line. A line that leaves nothing but its first cell empty is
    a header above names of rows, as R writes them. Below a title that has as many fields as the table must be words, or
    it is a header that leaves columns without a name.
    """
    filled = [[place for place, cell in enumerate(written(line)) if cell] for line in lines[:LOOKED_AT]]
    full = max(map(len, filled), default=0)
    for place, cells in enumerate(filled):
        of_rows = bool(cells) and cells == list(range(1, full))
        if 2 * len(cells) > full or of_rows:
            as_wide = any(len(above) >= len(lines[place]) for above in lines[:place])
            return 0 if as_wide and any(map(_is_measured, written(lines[place]))) else place
    return 0


def names_without_header(
    first: Sequence[Any], lines: Sequence[Sequence[Any]]
) -> tuple[tuple[str, ...], tuple[Caveat, ...]]:
    """What the columns of a table without a header are called, and that it has none; nothing if the first line is one.

    Args:
        first: The line that would be the header.
        lines: The first below it.
    """
    if not _is_record(first, lines):
        return (), ()
    known = _known_names([first, *lines])
    names, _ = name_columns(known or [""] * len(first))
    return names, (_about_missing_header(names, known != ()),)


def _is_record(first: Sequence[Any], lines: Sequence[Sequence[Any]]) -> bool:
    """Whether the first line is a record like the others, so that the table has no header.

    It is one if it holds a number in every column of numbers, and in columns of words a value that occurs below, at
    least once. Columns whose words hardly repeat tell nothing.
    """
    known = 0
    columns = zip(*map(written, lines[:_ENOUGH]), strict=True)
    for head, cells in zip(written(first), columns, strict=True):
        below = [cell for cell in cells if cell not in MISSING_MARKS]
        if head in MISSING_MARKS or not below:
            if not head:
                return False
            continue
        if all(as_number_or_none(cell) is not None for cell in below):
            if as_number_or_none(head) is None:
                return False
        elif head in below:
            known += 1
        elif len(set(below)) <= _HARDLY_REPEAT * len(below):
            return False
    return known > 0


def _known_names(lines: Sequence[Sequence[Any]]) -> tuple[str, ...]:
    """The published names of a table that comes without them, told by its values: UCI Adult's; empty for any other."""
    some = [written(line) for line in lines[:_ENOUGH]]
    if not all(len(line) == len(ADULT) for line in some):
        return ()
    sexes, incomes = ({line[ADULT.index(name)] for line in some} for name in ("sex", "income"))
    return ADULT if sexes <= {"Male", "Female"} and incomes <= _INCOMES else ()


def name_columns(header: Sequence[str]) -> tuple[tuple[str, ...], tuple[Caveat, ...]]:
    """A name of its own for each column, and what was done for it.

    Doubled names are numbered as R and pandas do, ``age`` and ``age.1``; a column without a name is ``column 1`` by its
    place. Whatever a file says, no column is lost.
    """
    given, names = {name for name in header if name}, list[str]()
    taken: set[str] = set()
    unnamed, doubled = list[str](), list[tuple[str, str]]()
    for place, name in enumerate(header, start=1):
        plain = name or f"column {place}"  # verbatim
        own, number = plain, 0
        while own in taken or (own != name and own in given):
            number += 1
            own = f"{plain}.{number}"
        taken.add(own)
        names.append(own)
        if not name:
            unnamed.append(own)
        elif own != name:
            doubled.append((name, own))
    return tuple(names), (*_about_unnamed(unnamed), *_about_doubled(doubled), *_about_numbers(header))


def about_titles(lines: Sequence[Sequence[Any]]) -> tuple[Caveat, ...]:
    """That lines above the header were skipped, and what they say."""
    if not lines:
        return ()
    said = [" ".join(cell for cell in written(line) if cell) for line in lines]
    return (
        Caveat(
            "info",
            say(
                "Skipped {lines} above the header: {said}.",
                lines=count(len(lines), "line"),
                said=several(said),
            ),
        ),
    )


def _about_missing_header(names: Sequence[str], known: bool) -> Caveat:
    """That the table has no header, and what its columns are called."""
    first, last = quoted(names[0]), quoted(names[-1])
    return Caveat(
        "warning",
        say(
            "The first line is a record like the others, and the table is UCI Adult's: its columns got their "
            "published names, {first} to {last}.",
            first=first,
            last=last,
        )
        if known
        else say(
            "The first line is a record like the others, so the columns have no names. They are called {first} to "
            "{last}.",
            first=first,
            last=last,
        ),
        say("Add a line with the columns' names if that is wrong."),
    )


def _about_unnamed(names: Sequence[str]) -> Iterator[Caveat]:
    if names:
        yield Caveat(
            "info",
            say_count(
                "A column without a name was called {names}.",
                "{n} columns without a name were called {names}.",
                len(names),
                names=several(names),
            ),
        )


def _about_doubled(names: Sequence[tuple[str, str]]) -> Iterator[Caveat]:
    if names:
        yield Caveat(
            "warning",
            say(
                "Several columns have the same name, so they were numbered: {names}.",
                names=several([own for _, own in names]),
            ),
            say("Check which of them you mean."),
        )


def _about_numbers(header: Sequence[str]) -> Iterator[Caveat]:
    if any(map(_is_measured, header)):
        yield Caveat(
            "warning",
            say("The first line holds a number, so it may be a record and no header."),
            say("Add a line with the columns' names if it is."),
        )


def _is_measured(cell: str) -> bool:
    """Whether a cell of a header is a number and no year."""
    number = as_number_or_none(cell)
    return number is not None and number not in _YEARS
