"""Limits that explain a model's answers: few strata within which the answers agree.

People are kept apart by protected group and then by cuts, each of which parts one column in all strata at once; what a
cut is worth says :mod:`core.audits.transport.worth`. Since groups are apart from the start, a column explains nothing
by giving somebody's group away. Cuts are added greedily, the worthiest first, then moved and dropped again, each given
all others. The outcome counts only where people are counted.
"""

from dataclasses import dataclass, field

import numpy as np

from core.audits.transport.worth import WithinStrata, beyond_chance, cut, parted

WORTH = 0.005
"""Share of what there is to explain that a cut has to explain at least."""
LIKELY, PEOPLE_OF_CHANCE = 0.5, 50
"""Columns without meaning get a cut with at most the probability ``PEOPLE_OF_CHANCE`` / n, and at most ``LIKELY``.

A small table gives columns the benefit of the doubt: one left out, though the model reads it, may make a fair model
look unfair; one too many costs power.
"""
MOST_CUTS = 3
"""Cuts of one column."""
AS_GOOD = 0.99
"""Share of the best cut's worth at which a rounder one is taken."""
_ROUNDS = 3


@dataclass(frozen=True)
class CutCandidate:
    """A column in many fine parts, neighbours of which may be put together.

    Attributes:
        parts: Part of each row; shape (n,), int.
        size: Number of parts, at least 2.
        roundness: How round the limit below each part is; shape (size,).
        ordered: Whether parts have an order; otherwise they are sorted by the answers.
        whole: Whether the column is taken with all its parts or not at all.
    """

    parts: np.ndarray
    size: int
    roundness: np.ndarray
    ordered: bool = True
    whole: bool = False


@dataclass
class Cuts:
    """How a column is cut.

    Attributes:
        place: Place of each part among the sorted parts; shape (size,), int.
        at: Places at which a new stratum begins, ascending; none where the column is left out.
    """

    place: np.ndarray
    at: tuple[int, ...] = ()


@dataclass
class CutSearch:
    """The search for cuts.

    Attributes:
        columns: What may be cut.
        group: Protected group of each row; shape (n,), int.
        label: Outcome of each row, by which people are counted and nothing else; shape (n,), int.
        answers: What is to be explained; shape (n,).
        filled: People of a well filled stratum, at least.
        enough: Share of the people who have to be in such strata.
    """

    columns: tuple[CutCandidate, ...]
    group: np.ndarray
    label: np.ndarray
    answers: np.ndarray
    filled: int
    enough: float
    found: list[Cuts] = field(init=False)

    def __post_init__(self) -> None:
        self.found = [Cuts(np.arange(column.size)) for column in self.columns]
        self._groups = _numbered(self.group)
        self._places = [column.parts for column in self.columns]
        tried = sum(1 if column.whole else column.size - 1 for column in self.columns)
        self._chance = min(LIKELY, PEOPLE_OF_CHANCE / len(self.answers)) / max(1, tried)
        self._least = WORTH * float(WithinStrata.of(self._groups, self.answers).squares.sum())

    def run(self) -> list[Cuts]:
        """The cuts of each column."""
        for _ in range(_ROUNDS):
            if not self._add() or not self._improve():
                break
        return self.found

    def best(self) -> int | None:
        """Index of the column whose best cut is worth most; None where none is worth anything."""
        options = self._options(set(range(len(self.columns))))
        return options[0][1] if options else None

    def _add(self) -> bool:
        """Add cuts while one is worth it; whether any was."""
        before = [cuts.at for cuts in self.found]
        open_ = set(range(len(self.columns)))
        while options := self._options(open_):
            for _, place, at in options:
                more = self._with(place, self.found[place].at, at)
                if self._is_filled(self._sorted(place, more)):
                    self.found[place].at = more
                    break
                open_.remove(place)
        return before != [cuts.at for cuts in self.found]

    def _options(self, open_: set[int]) -> list[tuple[float, int, int]]:
        """The best cut of each column of ``open_`` as (worth, column, cut), worthiest first."""
        strata = WithinStrata.of(self._sorted(), self.answers)
        if strata.squares.sum() < self._least:
            return []
        options = []
        for place in sorted(open_):
            column, cuts = self.columns[place], self.found[place]
            if len(cuts.at) >= MOST_CUTS or (column.whole and cuts.at):
                continue
            if not column.ordered and not cuts.at:
                self._sort(place, strata)
            worth = self._worth(place, strata)
            best = self._best(place, worth)
            if best:
                options.append((float(worth[best]), place, best))
        return sorted(options, key=lambda option: (-option[0], option[1]))

    def _improve(self) -> bool:
        """Move each cut to its best place given all others, or drop it, until nothing changes; whether any did."""
        before = [cuts.at for cuts in self.found]
        for _ in range(_ROUNDS):
            last = [cuts.at for cuts in self.found]
            for place, column in enumerate(self.columns):
                for at in self.found[place].at[: 1 if column.whole else None]:
                    self._move(place, at)
            if last == [cuts.at for cuts in self.found]:
                break
        return before != [cuts.at for cuts in self.found]

    def _move(self, place: int, at: int) -> None:
        column, now = self.columns[place], self.found[place].at
        others = () if column.whole else tuple(other for other in now if other != at)
        worth = self._worth(place, WithinStrata.of(self._sorted(place, others), self.answers))
        low = max((other for other in others if other < at), default=0)
        high = min((other for other in others if other > at), default=column.size)
        worth[: low + 1] = worth[high:] = -np.inf
        best = self._best(place, worth)
        moved = self._with(place, others, best) if best else others
        if moved == others or self._is_filled(self._sorted(place, moved)):
            self.found[place].at = moved

    def _with(self, place: int, cuts: tuple[int, ...], at: int) -> tuple[int, ...]:
        column = self.columns[place]
        return tuple(range(1, column.size)) if column.whole else tuple(sorted((*cuts, at)))

    def _best(self, place: int, worth: np.ndarray) -> int:
        """The roundest of the best cuts; 0 where none is worth it."""
        good = np.flatnonzero(worth >= max(self._least, AS_GOOD * float(worth.max())))
        roundness = self.columns[place].roundness
        return int(max(good, key=lambda at: (roundness[at], worth[at]), default=0))

    def _sort(self, place: int, strata: WithinStrata) -> None:
        """Sort a column's parts by how the answers there differ from the mean of their strata."""
        column = self.columns[place]
        people = np.bincount(column.parts, minlength=column.size)
        mean = np.bincount(column.parts, strata.rest, column.size) / people
        order = np.empty(column.size, dtype=np.int64)
        order[np.argsort(np.round(mean, 9), kind="stable")] = np.arange(column.size)
        self.found[place].place = order
        self._places[place] = order[column.parts]

    def _sorted(self, place: int | None = None, cuts: tuple[int, ...] = ()) -> np.ndarray:
        """Stratum of each row, shape (n,), int, with ``cuts`` for one of the columns."""
        strata = self._groups
        for other, found in enumerate(self.found):
            used = cuts if other == place else found.at
            if used:
                by_place = np.searchsorted(used, np.arange(self.columns[other].size), side="right")
                strata = _numbered(strata * (len(used) + 1) + by_place[self._places[other]])
        return strata

    def _worth(self, place: int, strata: WithinStrata) -> np.ndarray:
        """Worth of a cut below each place, shape (size,); -inf where it may be chance, and below the first place.

        It is rounded, so that the order of the rows, in which sums are rounded otherwise, does not decide.
        """
        size, many, rows = self.columns[place].size, len(strata.people), strata.mixed
        key = strata.of_row[rows] * size + self._places[place][rows]
        count = np.bincount(key, minlength=many * size).reshape(many, size)
        total = np.bincount(key, strata.rest[rows], many * size).reshape(many, size)
        worth = np.full(size, -np.inf)
        if self.columns[place].whole:
            worth[1] = beyond_chance(parted(count, total, strata), self._chance)[0]
        else:
            differently, alike = cut(count, total, strata)
            worth[1:] = np.maximum(beyond_chance(differently, self._chance / 2), beyond_chance(alike, self._chance / 2))
        return np.round(worth, 9)

    def _is_filled(self, strata: np.ndarray) -> bool:
        people = np.bincount(_numbered(strata * (int(self.label.max()) + 1) + self.label))
        return bool(people[people >= self.filled].sum() >= self.enough * people.sum())


def _numbered(key: np.ndarray) -> np.ndarray:
    """The same strata in the same order, numbered without gaps; shape (n,), int."""
    if int(key.max()) >= 4 * len(key) + 1_000_000:
        return np.unique(key, return_inverse=True)[1]
    occurs = np.zeros(int(key.max()) + 1, dtype=np.int64)
    occurs[key] = 1
    numbered: np.ndarray = (np.cumsum(occurs) - 1)[key]
    return numbered
