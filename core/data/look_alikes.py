"""Values that look alike and are not the same: ``male``, ``Male`` and ``male `` are three groups to a computer."""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from core.data.cells import counted
from core.errors import Notice
from core.language.told import localized, say
from core.phrases import listed, quoted

_SHOWN = 4
_INVISIBLE = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\xad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufe00-\ufe0f\ufeff]"
)
"""Characters that show nothing: controls, soft hyphens, joiners, marks of direction, variants, byte-order marks."""
_ASPECTS: dict[str, Callable[[str], str]] = {
    "invisible characters": lambda value: _INVISIBLE.sub("", value),
    "the way letters are stored": lambda value: unicodedata.normalize("NFKC", value),
    "capital letters": str.casefold,
    "blanks": lambda value: " ".join(value.split()),
}
"""What two values may differ in that look alike, and how the difference is taken away."""


@dataclass(frozen=True)
class LookAlikes:
    """Values of a column that look alike.

    Attributes:
        rows: How many rows hold each, the most frequent first.
        differ: What they differ in.
    """

    rows: dict[str, int]
    differ: tuple[str, ...]

    def __str__(self) -> str:
        shown = [f"{quoted(_visible(value))} ({counted(rows, 'row')})" for value, rows in self.rows.items()][:_SHOWN]
        more = len(self.rows) - len(shown)
        return listed([*shown, *([say("{more} more", more=localized(f"{more:,}"))] if more else [])])


def look_alikes(rows: Mapping[str, int]) -> tuple[LookAlikes, ...]:
    """The values among these (with how many rows hold each) that look like another one, the most rows first."""
    alike = defaultdict(list)
    for value in rows:
        alike[_without(value, _ASPECTS)].append(value)
    found = []
    for values in alike.values():
        if len(values) > 1:
            ordered = sorted(values, key=lambda value: (-rows[value], value))
            differ = tuple(name for name in _ASPECTS if _differ_in(name, values))
            found.append(LookAlikes({value: rows[value] for value in ordered}, differ))
    return tuple(sorted(found, key=lambda one: -sum(one.rows.values())))


def about_look_alikes(name: str, rows: Mapping[str, int], *, favourable: str | None = None) -> Iterator[Notice]:
    """That values of a column with a role look alike and are counted apart, which may change a verdict.

    Args:
        name: The column.
        rows: How many rows hold each of its values.
        favourable: The favourable value, if the column is the outcome.
    """
    found = look_alikes(rows)
    if not found:
        return
    others = (
        say(", and {found} of values too", found=counted(len(found) - 1, say("other set"))) if len(found) > 1 else ""
    )
    each = "a group" if favourable is None else say("an outcome")
    only = ""
    if favourable is not None and any(favourable in one.rows for one in found):
        only = say("; only {favourable} is favourable", favourable=quoted(_visible(favourable)))
    yield Notice(
        "warning",
        say(
            "Of {name}, {found} differ only in {differ}{others}. Each is {each} of its own{only}, which may "
            "change the verdict.",
            name=quoted(name),
            found=found[0],
            differ=listed(found[0].differ),
            others=others,
            each=each,
            only=only,
        ),
        say("If they mean the same, write them the same way in the table and bring it again."),
    )


def about_names(names: Iterable[str]) -> Iterator[Notice]:
    """That columns have names that look alike, so that one may be taken for another."""
    for one in look_alikes(dict.fromkeys(names, 0)):
        shown = listed([quoted(_visible(name)) for name in one.rows][:_SHOWN])
        yield Notice(
            "warning",
            say(
                "{rows} columns have names that look alike: {shown}. They differ only in {differ}.",
                rows=len(one.rows),
                shown=shown,
                differ=listed(one.differ),
            ),
            say("Check that each has the role that you mean, or rename them."),
        )


def _differ_in(name: str, values: list[str]) -> bool:
    """Whether this aspect alone makes some of the values one, or nothing does without it."""
    alone, others = ({_without(value, aspects) for value in values} for aspects in ({name}, _ASPECTS.keys() - {name}))
    return len(alone) < len(values) or len(others) > 1


def _without(value: str, aspects: Iterable[str]) -> str:
    """A value without these differences; each is taken away twice, since one may uncover another."""
    for name in (*_ASPECTS, *_ASPECTS):
        if name in aspects:
            value = _ASPECTS[name](value)
    return value


def _visible(value: str) -> str:
    return _INVISIBLE.sub(lambda mark: f"<U+{ord(mark[0]):04X}>", value)
