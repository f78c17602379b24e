"""How words and numbers are laid out on a slide, the same in a browser and in PowerPoint."""

from __future__ import annotations

import math
from dataclasses import dataclass

from core.figures.series import MOST_ROWS, Span, Spans
from core.figures.theme import BLUE, ORANGE
from core.language.phrases import count
from core.language.told import localized, say
from core.language.units import round_up
from core.slides.deck import Slide, short, width

WIDTH, HEIGHT = 1280, 720
EDGE, INSIDE = 64, 1152
"""Of a slide, in pixels of 1/96 inch: its size, its margin, and the width between the margins."""
_FEW_HEADS = 4
_DEEPEST = 0.6
"""How much of a colour lies over the page at most, so that words can be read on it."""
LONGEST_READING = 165
LONGEST_AXIS, LONGEST_TOLERANCE = 88, 28
"""Letters of how to read a chart, on two lines, of the title of an axis, on one, and of a tolerance."""


@dataclass(frozen=True)
class Plot:
    """What a slide shows of estimates.

    Attributes:
        rows: At most :data:`MOST_ROWS` of them.
        low: Left end of the axis, a tick.
        high: Right end.
        step: From tick to tick.
        more: What is left out, or has to be known; may be empty.
    """

    rows: tuple[Span, ...]
    low: float
    high: float
    step: float
    more: str

    @property
    def ticks(self) -> tuple[tuple[float, str], ...]:
        """Round numbers and their texts."""
        places = range(math.floor((self.high - self.low) / self.step + 1e-9) + 1)
        numbers = [self.low + place * self.step for place in places]
        return tuple((value, localized(f"{value + 0.0:,.{self.decimals}f}")) for value in numbers)

    @property
    def decimals(self) -> int:
        """Of the ticks."""
        return max(0, -math.floor(math.log10(self.step) + 1e-9))

    @property
    def number_format(self) -> str:
        """Of the ticks, as spreadsheets write it."""
        return f"#,##0.{'0' * self.decimals}".rstrip(".")


def plot(spans: Spans) -> Plot:
    """Of many rows those that are worst for certain, in their own order; their axis holds all that is drawn."""
    order = sorted(range(len(spans.rows)), key=lambda place: -spans.certain(spans.rows[place]))
    rows = tuple(spans.rows[place] for place in sorted(order[:MOST_ROWS]))
    left_out = len(spans.rows) - len(rows)
    numbers = [spans.level, *spans.tolerances, *(one for row in rows for one in row.numbers)]
    finite = [one for one in numbers if math.isfinite(one)] or [0.0]
    reach = (max(finite) - min(finite)) or max(abs(max(finite)), 1.0)
    step = round_up(1.08 * reach / 5)
    low = step * math.floor(min(finite) / step + 1e-9)
    said = say("{rows} in the report.", rows=count(left_out, "more row")) if left_out else ""
    high = max(max(finite) + 0.08 * reach, low + 2 * step)
    return Plot(rows, low, high, step, " ".join(filter(None, (spans.more, said))))


def reading(shown: Plot) -> str:
    """How to read a chart of estimates."""
    barred = any(math.isfinite(row.low) for row in shown.rows)
    told = say("Marker: the estimate. Bar: what chance leaves open.") if barred else say("Marker: the estimate.")
    return short(f"{told} {shown.more}", LONGEST_READING)


def row_height(rows: int) -> int:
    """Of a chart with so many rows, in pixels."""
    return {1: 150, 2: 110, 3: 84}.get(rows, 56)


def tile_shade(share: float) -> tuple[str, float]:
    """The colour of a tile, and how much of it lies over the page, 0 to 1; nothing where there is no tile."""
    return (ORANGE if share > 0 else BLUE), 0.0 if math.isnan(share) else _DEEPEST * abs(share)


def head_room(heads: int) -> int:
    """Letters of the heads of so many columns."""
    return 48 if heads <= _FEW_HEADS else 32


def wrapped(text: str, room: int, most: int = 2) -> tuple[str, ...]:
    """A text on at most so many lines of ``room`` letters, with an ellipsis where something is left out."""
    lines = [""]
    for word in text.split():
        joined = f"{lines[-1]} {word}".strip()
        if not lines[-1] or width(joined) <= room:
            lines[-1] = joined
        else:
            lines.append(word)
    if len(lines) > most:
        lines[most - 1 :] = [short(" ".join(lines[most - 1 :]), room)]
    return tuple(short(line, room) for line in lines)


def message_size(slide: Slide) -> int:
    """Of its message, in points; two lines at most above a picture."""
    large = () if slide.picture else ((32, 54), (60, 44), (85, 36))
    return _size((slide.message,), (*large, (110, 30)), 26)


def points_size(slide: Slide) -> int:
    """Of what belongs to its message, in points, and no larger than the message."""
    found = _size(slide.points, ((130, 34), (230, 30), (330, 26), (430, 24)), 21)
    return min(found, message_size(slide) - 4) if slide.message else found


def _size(texts: tuple[str, ...], steps: tuple[tuple[int, int], ...], smallest: int) -> int:
    """The first size whose room, in letters, holds all texts; ``steps`` are room and size, ascending in room."""
    letters = sum(map(width, texts))
    return next((points for room, points in steps if letters <= room), smallest)
