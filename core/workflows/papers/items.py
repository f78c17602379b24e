"""A table or figure of a paper: what it needs, its pieces of work, and the cells that they fill."""

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.metadata import version

from core.language.told import Retelling
from core.sources.public.fetch import PublicFile
from core.workflows.papers.cells import Cell, Ours

Found = Mapping[str, list[float]]
"""What a piece of work finds: numbers by name, one or a list of them."""
Given = Mapping[str, str | int | float]


@dataclass(frozen=True, eq=False)
class Piece:
    """A piece of work that is done once and kept: one method on one split, as a rule.

    Attributes:
        work: The function that does it, at the top of a module; it takes ``given`` and returns what it found.
        given: Everything that decides what comes out, besides the data.
        needs: The files that it reads.
    """

    work: Callable[[Given], Found]
    given: Given
    needs: tuple[PublicFile, ...] = ()

    @property
    def name(self) -> str:
        """What it is called while it runs."""
        return ", ".join(f"{key} {value}" for key, value in self.given.items())

    @property
    def fingerprint(self) -> str:
        """SHA-256 of what decides its numbers: the work, what it is given, the bytes it reads, and the version."""
        decides = {
            "work": f"{self.work.__module__}.{self.work.__qualname__}",
            "given": dict(self.given),
            "files": sorted(one.sha256 for one in self.needs),
            "version": version("evenhand"),
        }
        return hashlib.sha256(json.dumps(decides, sort_keys=True).encode()).hexdigest()


@dataclass(frozen=True)
class Results:
    """What units found, to be asked by what they were given."""

    found: tuple[tuple[Piece, Found], ...]

    def values(self, name: str, **given: str | int | float) -> list[float]:
        """The first number of this name from each unit that was given this, in the order of the units."""
        return [one[name][0] for one in self._of(given) if name in one]

    def ours(self, name: str, **given: str | int | float) -> Ours | None:
        """The mean of :meth:`values`; None of none."""
        return Ours.of(self.values(name, **given))

    def lists(self, name: str, **given: str | int | float) -> list[list[float]]:
        """The numbers of this name from each unit that was given this."""
        return [one[name] for one in self._of(given) if name in one]

    def _of(self, given: Given) -> list[Found]:
        return [
            found for unit, found in self.found if all(unit.given.get(key) == value for key, value in given.items())
        ]


@dataclass(frozen=True)
class Curve:
    """A line of a figure.

    Attributes:
        name: Whose it is.
        x: Shape (k,).
        y: Shape (k,).
    """

    name: str
    x: list[float]
    y: list[float]


@dataclass(frozen=True)
class Curves(Retelling):
    """The lines of a figure, drawn in one chart.

    Attributes:
        title: What it shows.
        caption: How to read it.
        across: Title of the horizontal axis.
        up: Title of the vertical axis.
        lines: The lines.
        log_across: Whether the horizontal axis is logarithmic.
        log_up: Whether the vertical one is.
    """

    title: str
    caption: str
    across: str
    up: str
    lines: tuple[Curve, ...]
    log_across: bool = False
    log_up: bool = False


def _no_curves(results: Results) -> tuple[Curves, ...]:
    return ()


@dataclass(frozen=True)
class Item(Retelling):
    """A table or figure that can be computed again.

    Attributes:
        name: What the command calls it.
        title: What it shows.
        paper: The paper.
        minutes: Minutes of one processor core that the whole takes, about.
        units: The pieces of work, for so many splits; smaller ones where a quick version is asked for.
        cells: The cells that what they found fills.
        curves: The lines of a figure.
        splits: Random splits, or repetitions, that the whole makes.
        quick: How many the quick version makes.
        printed: How many the paper made.
        notes: What a reader has to know about the whole.
    """

    name: str
    title: str
    paper: str
    minutes: float
    units: Callable[[int, bool], tuple[Piece, ...]]
    cells: Callable[[Results], tuple[Cell, ...]]
    curves: Callable[[Results], tuple[Curves, ...]] = _no_curves
    splits: int = 1
    quick: int = 1
    printed: int = 1
    notes: tuple[str, ...] = ()

    @property
    def needs(self) -> tuple[PublicFile, ...]:
        """The files that its work reads."""
        return tuple(dict.fromkeys(file for unit in self.units(1, False) for file in unit.needs))
