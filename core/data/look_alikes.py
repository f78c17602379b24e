"""Values that look alike and are not the same: ``male``, ``Male`` and ``male `` are three groups to a computer."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from core.base.errors import Caveat
from core.data.cells import in_one_form
from core.language.phrases import count, listed, quoted
from core.language.told import say, say_count

_SHOWN = 4
_INVISIBLE = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\xad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufe00-\ufe0f\ufeff]"
)
"""Characters that show nothing: controls, soft hyphens, joiners, marks of direction, variants, byte-order marks."""
_ASPECTS: dict[str, Callable[[str], str]] = {
    "invisible characters": lambda value: _INVISIBLE.sub("", value),  # verbatim
    "the way letters are stored": in_one_form,  # verbatim
    "capital letters": str.casefold,  # verbatim
    "a full stop at the end": lambda value: value.removesuffix(".") or value,  # verbatim
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

    @property
    def told(self) -> str:
        """What they differ in, in words."""
        words = {
            "invisible characters": say("invisible characters"),  # verbatim
            "the way letters are stored": say("the way letters are stored"),  # verbatim
            "capital letters": say("capital letters"),  # verbatim
            "a full stop at the end": say("a full stop at the end"),  # verbatim
            "blanks": say("blanks"),
        }
        return listed([words[aspect] for aspect in self.differ])

    def __str__(self) -> str:
        values = [f"{quoted(_visible(value))} ({count(rows, 'row')})" for value, rows in self.rows.items()]
        return listed(values, _SHOWN)


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


def about_look_alikes(name: str, rows: Mapping[str, int], *, favourable: str | None = None) -> Iterator[Caveat]:
    """That values of a column with a role look alike and are counted apart, which may change a verdict.

    Args:
        name: The column.
        rows: How many rows hold each of its values.
        favourable: The favourable value, if the column is the outcome.
    """
    found = look_alikes(rows)
    if not found:
        return
    differ = say(
        "Of {name}, {values} differ only in {aspects}", name=quoted(name), values=str(found[0]), aspects=found[0].told
    )
    if len(found) > 1:
        differ = say_count(
            "{differ}, and {n} other set of values too",
            "{differ}, and {n} other sets of values too",
            len(found) - 1,
            differ=differ,
        )
    if favourable is None:
        what = say("{differ}. Each is a group of its own, which may change the verdict.", differ=differ)
    elif any(favourable in one.rows for one in found):
        what = say(
            "{differ}. Each is an outcome of its own; only {favourable} is favourable, which may change the verdict.",
            differ=differ,
            favourable=quoted(_visible(favourable)),
        )
    else:
        what = say("{differ}. Each is an outcome of its own, which may change the verdict.", differ=differ)
    yield Caveat(
        "warning",
        what,
        say("If they mean the same, write them the same way in the table and bring it again."),
    )


def about_names(names: Iterable[str]) -> Iterator[Caveat]:
    """That columns have names that look alike, so that one may be taken for another."""
    for one in look_alikes(dict.fromkeys(names, 0)):
        shown = listed([quoted(_visible(name)) for name in one.rows][:_SHOWN])
        yield Caveat(
            "warning",
            say(
                "{n} columns have names that look alike: {names}. They differ only in {aspects}.",
                n=len(one.rows),
                names=shown,
                aspects=one.told,
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
