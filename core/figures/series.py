"""What a chart shows as numbers and plain words, for programs that draw it in their own way: slides, PowerPoint."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from core.figures import theme
from core.inference.estimate import Verdict

_REACH = 4.0
"""A bar is drawn to so many times as far from estimate, tolerance and level as these lie apart."""


@dataclass(frozen=True)
class Span:
    """An estimate with its interval, or only words.

    Attributes:
        name: Whose it is, in full and as it was written.
        said: Numbers or words beside it.
        value: The estimate; NaN for none.
        low: Lower bound, or lower end of its interval; NaN for none.
        high: Upper one.
        colour: Of marker and interval.
        symbol: Marker, as plotly calls it.
        under: Heading of the rows that it stands among; empty for none.
        called: Its name below that heading; the whole name if empty.
        goes_on: Whether its interval goes on beyond the lower end that is drawn, and beyond the upper one.
    """

    name: str
    said: str
    value: float = math.nan
    low: float = math.nan
    high: float = math.nan
    colour: str = theme.BLUE
    symbol: str = "diamond"
    under: str = ""
    called: str = ""
    goes_on: tuple[bool, bool] = (False, False)

    @property
    def heads(self) -> bool:
        """Whether it is the heading of the rows below it."""
        return not (self.said or self.numbers)

    @property
    def beyond(self) -> bool:
        """Whether its marker says that it is beyond the tolerance."""
        return self.symbol == theme.VERDICT_MARKER[Verdict.VIOLATION]

    @property
    def unsettled(self) -> bool:
        """Whether its marker says that it is neither beyond the tolerance nor within it."""
        return self.symbol == theme.VERDICT_MARKER[Verdict.INSUFFICIENT]

    @property
    def numbers(self) -> tuple[float, ...]:
        """All that is drawn and is a number."""
        return tuple(one for one in (self.value, self.low, self.high) if math.isfinite(one))


def in_view(value: float, tolerance: float, level: float) -> tuple[float, float]:
    """From where to where a bar is drawn: one that is far longer would leave nothing else to be seen.

    Args:
        value: The estimate.
        tolerance: What is tolerated.
        level: Where nobody is treated otherwise.
    """
    near, far = min(value, tolerance, level), max(value, tolerance, level)
    reach = _REACH * (far - near) or math.inf
    return near - reach, far + reach


@dataclass(frozen=True)
class Spans:
    """Estimates below each other, beside lines that mark a tolerance or where nobody is treated otherwise.

    Attributes:
        rows: From top to bottom.
        axis: Title of the axis, with its unit.
        tolerances: Where dashed lines stand; several for one on either side.
        told: What is written at the first of them.
        level: Where a dotted line stands: no difference; NaN for none.
        more: What is left out, or has to be known, one sentence; may be empty.
        first: Names of rows that are drawn before others, as those that a headline names.
    """

    rows: tuple[Span, ...]
    axis: str
    tolerances: tuple[float, ...] = ()
    told: str = ""
    level: float = math.nan
    more: str = ""
    first: tuple[str, ...] = ()

    def certain(self, row: Span) -> float:
        """How far a row lies out for certain.

        Downwards where the tolerance lies below no difference, as of a ratio; on either side where it stands on both.
        """
        if not row.numbers:
            return -math.inf
        low, high = (end if math.isfinite(end) else row.numbers[0] for end in (row.low, row.high))
        if len(self.tolerances) > 1:
            return max(low, -high)
        return -high if any(one < self.level for one in self.tolerances) else low

    def most_telling(self, rows: Sequence[Span]) -> list[int]:
        """The places of rows in the order in which they have to be shown: those of a headline, then the worst.

        Where nothing is tolerated none is worse than another, and those furthest from the mean of all come first.
        """
        values = [row.value for row in rows if math.isfinite(row.value)]
        middle = math.fsum(values) / len(values) if values else 0.0

        def told(row: Span) -> tuple[bool, float]:
            further = abs(row.value - middle) if math.isfinite(row.value) else -math.inf
            return (row.called or row.name) not in self.first, -(self.certain(row) if self.tolerances else further)

        return sorted(range(len(rows)), key=lambda place: told(rows[place]))


@dataclass(frozen=True)
class Tiles:
    """A heatmap with a text in every tile.

    Attributes:
        title: What it shows.
        heads: Names of the columns.
        rows: Names of the rows.
        shares: What decides the colour, from -1 (much less) over 0 to 1 (much more); NaN for no tile; R rows of C.
        texts: What stands in each tile; R rows of C.
        more: What is left out, one sentence; may be empty.
    """

    title: str
    heads: tuple[str, ...]
    rows: tuple[str, ...]
    shares: tuple[tuple[float, ...], ...]
    texts: tuple[tuple[str, ...], ...]
    more: str = ""


Series = Spans | Tiles

MOST_ROWS = 5
"""Rows of a chart that can be read from the back of a room."""


def spread(places: list[int], kept: int | None = None) -> list[int]:
    """Of many places as many as can be read, evenly spread, with the first, the last and the one to be kept."""
    if len(places) <= MOST_ROWS:
        return places
    chosen = {places[round(i * (len(places) - 1) / (MOST_ROWS - 1))] for i in range(MOST_ROWS)}
    if kept in places and kept not in chosen:
        inner = sorted(chosen)[1:-1]
        chosen = chosen - {min(inner, key=lambda one: abs(one - kept))} | {kept}
    return sorted(chosen)
