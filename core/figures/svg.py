"""Estimates as SVG: no library, no script, and sharp in every size; a unit is a pixel of a slide of 1280 by 720."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import accumulate

from markupsafe import Markup, escape

from core.figures.series import MOST_ROWS, Span, Spans
from core.language.fitted import short, width, wrapped
from core.language.told import localized
from core.language.units import round_up

WIDE = 1152
"""Width of a drawing, in pixels of a slide."""
LONGEST_AXIS, LONGEST_TOLERANCE = 88, 28
"""Letters of a line of the title of an axis, and of a tolerance."""
_LEFT, _RIGHT = 522, 870
"""Between them lies the plot; names stand left of it, numbers right of it."""
_TOP, _BARE_TOP, _LINE, _TEXT = 44, 4, 28, 24
_LETTERS_LEFT, _LETTERS_RIGHT, _LETTERS_BELOW = 40, 23, 72
ONE_LINE = 45
"""Letters of a name that fits on one line."""
_ONE_LINE, _TWO_LINES, _HIGH = 31, 56, 72
"""Heights of rows whose names take so many lines, and of few rows, in pixels."""
_AROUND = 16
"""Pixels above and below the lines of a row, where headings of two lines stand among the rows."""
_FEW_ROWS = 3
"""Rows that leave room for two lines below them."""
_MORE_ON_ONE_LINE, _MORE_WITHOUT_TOLERANCE, _MORE_WITHOUT_HEADINGS = 3, 2, 2
"""So many more rows than otherwise fit where no name takes two lines, headings among them or not, and where no
tolerance is told above them."""


@dataclass(frozen=True)
class Plot:
    """What a slide shows of estimates.

    Attributes:
        rows: Those that are drawn, each heading before the rows it is of.
        low: Left end of the axis, a tick.
        high: Right end.
        step: From tick to tick.
        left_out: How many more there are.
        worse_left_out: How many of them are beyond the tolerance.
        known_left_out: How many of them have a number.
        top: Where the rows begin, below the tolerance where there is one.
    """

    rows: tuple[Span, ...]
    low: float
    high: float
    step: float
    left_out: int
    worse_left_out: int = 0
    known_left_out: int = 0
    top: int = _TOP

    @property
    def row_height(self) -> int:
        """Of each row, in pixels."""
        one_line = all(map(_on_one_line, self.rows))
        if one_line and (any(row.heads for row in self.rows) or len(self.rows) > _FEW_ROWS):
            return _ONE_LINE
        return _HIGH if len(self.rows) < _FEW_ROWS else _TWO_LINES

    @property
    def heights(self) -> tuple[int, ...]:
        """Of each row, in pixels: headings of two lines take theirs from rows of one."""
        if all(map(_on_one_line, self.rows)) or not any(row.heads for row in self.rows):
            return (self.row_height,) * len(self.rows)
        return tuple(_AROUND + _LINE * len(wrapped(row.name, _letters(row))) for row in self.rows)

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


def _on_one_line(row: Span) -> bool:
    return width(row.name) <= (LONGEST_AXIS if row.heads else ONE_LINE)


def _letters(row: Span) -> int:
    """Of a line of its name."""
    if row.heads:
        return LONGEST_AXIS
    return ONE_LINE if _on_one_line(row) else _LETTERS_LEFT


def plot(spans: Spans, most: int = MOST_ROWS) -> Plot:
    """Of many rows those that matter most, in their own order; their axis holds all that is drawn.

    Rows with headings stand below them, and of each heading the one that matters most is drawn first.
    """
    rows = _headed(spans, most) if any(row.under for row in spans.rows) else _unheaded(spans, most)
    numbers = [spans.level, *spans.tolerances, *(one for row in rows for one in row.numbers)]
    finite = [one for one in numbers if math.isfinite(one)] or [0.0]
    reach = (max(finite) - min(finite)) or max(abs(max(finite)), 1.0)
    step = round_up(1.08 * reach / 5)
    low = step * math.floor(min(finite) / step + 1e-9)
    high = max(max(finite) + 0.08 * reach, low + 2 * step)
    drawn = [row for row in rows if not row.heads]
    worse, known = (
        sum(map(counted, spans.rows)) - sum(map(counted, drawn))
        for counted in (lambda row: row.beyond, lambda row: bool(row.numbers))
    )
    return Plot(rows, low, high, step, len(spans.rows) - len(drawn), worse, known, _top(spans))


def _top(spans: Spans) -> int:
    return _TOP if spans.tolerances else _BARE_TOP


def _unheaded(spans: Spans, most: int) -> tuple[Span, ...]:
    rooms = most + _MORE_WITHOUT_HEADINGS if all(map(_on_one_line, spans.rows)) else most
    return tuple(spans.rows[place] for place in sorted(spans.most_telling(spans.rows)[:rooms]))


def _headed(spans: Spans, most: int) -> tuple[Span, ...]:
    """As many rows with their headings as fit: those beyond the tolerance first, the most telling of each."""
    one_line = all(width(row.called) <= ONE_LINE and width(row.under) <= LONGEST_AXIS for row in spans.rows)
    more = _MORE_ON_ONE_LINE if spans.tolerances else _MORE_ON_ONE_LINE + _MORE_WITHOUT_TOLERANCE
    rooms = most + more if one_line else most
    under: dict[str, list[Span]] = {}
    for row in spans.rows:
        under.setdefault(row.under, []).append(row)
    ranked = [
        (not rows[chosen].beyond, rank, place, rows[chosen])
        for place, rows in enumerate(under.values())
        for rank, chosen in enumerate(spans.most_telling(rows))
    ]
    kept: list[Span] = []
    for *_, row in sorted(ranked, key=lambda one: one[:3]):
        if len(kept) + 1 + len({one.under for one in (*kept, row)}) <= rooms:
            kept.append(row)
    shown: list[Span] = []
    for heading, rows in under.items():
        mine = [replace(row, name=row.called or row.name) for row in rows if row in kept]
        shown += [Span(heading, ""), *mine] if mine else []
    return tuple(shown)


def draw(spans: Spans, alt: str, most: int = MOST_ROWS, titles: int = 0) -> Markup:
    """A row for each estimate: name, interval and marker, numbers; tolerances are dashed lines.

    An interval that goes on beyond the picture ends in an arrow.

    Args:
        spans: The estimates.
        alt: What they say in words.
        most: How many of them are drawn, those that matter most.
        titles: On how many lines the title of the axis may stand; as many as fit on a slide if 0.
    """
    shown = plot(spans, most)
    heights = shown.heights
    bottom = shown.top + sum(heights)
    title = wrapped(spans.axis, _LETTERS_BELOW, titles) if titles else axis_title(spans, shown)
    down = bottom + 44 + _LINE * len(title)
    middle = (_LEFT + _RIGHT) / 2
    parts = [
        *_lines(spans, shown, bottom),
        *(
            part
            for row, end, high in zip(shown.rows, accumulate(heights), heights, strict=True)
            for part in _row(row, shown, shown.top + end - high / 2, high)
        ),
        *(_text(line, middle, bottom + 64 + _LINE * i, "middle quiet") for i, line in enumerate(title)),
    ]
    body = Markup("").join(parts)
    box = f"0 0 {WIDE} {down}"  # verbatim
    known = 'viewBox="{box}" preserveAspectRatio="xMinYMin" role="img" aria-label="{alt}"'  # verbatim
    frame = f'<svg class="spans" {known}>{{body}}</svg>'  # verbatim
    return Markup(frame).format(box=box, alt=alt, body=body)  # noqa: S704 - ours


def axis_title(spans: Spans, shown: Plot) -> tuple[str, ...]:
    """The title of the axis, on two lines below few rows."""
    return wrapped(spans.axis, LONGEST_AXIS, 2 if len(shown.rows) <= _FEW_ROWS else 1)


def _lines(spans: Spans, shown: Plot, bottom: float) -> Iterator[Markup]:
    """Axis, ticks, the line of no difference and the tolerances; headings stand over them."""
    yield _line((_LEFT, bottom), (_RIGHT, bottom), "axis")
    for value, told in shown.ticks:
        x = _x(value, shown)
        yield _line((x, shown.top), (x, bottom + 6), "tick")
        yield _text(told, x, bottom + 32, "middle quiet")
    for value, looks in ((spans.level, "level"), *((one, "tolerance") for one in spans.tolerances)):
        if math.isfinite(value):
            x = _x(value, shown)
            yield _line((x, shown.top), (x, bottom), looks)
    if spans.tolerances:
        x = _x(spans.tolerances[0], shown)
        middle = min(max(x, _LEFT + 120), _RIGHT - 120)
        yield _text(short(spans.told, LONGEST_TOLERANCE), middle, shown.top - 16, "middle beyond")


def _row(row: Span, shown: Plot, y: float, high: float) -> Iterator[Markup]:
    if row.heads:
        yield Markup('<rect x="{}" y="{}" width="{}" height="{}" fill="var(--page)"/>').format(  # verbatim
            0, round(y - high / 2 - 1, 1), WIDE, high + 1
        )
        yield from _words(row.name, 0, y, LONGEST_AXIS, "heading")
        return
    if row.numbers:
        colour = row.colour
        if math.isfinite(row.low) and math.isfinite(row.high):
            ends = [_x(end, shown) for end in (row.low, row.high)]
            yield _line((ends[0], y), (ends[1], y), "interval", colour)
            for x, shape, further in zip(ends, _FURTHER, row.goes_on, strict=True):
                yield (
                    _path(shape, (x, y), colour, colour)
                    if further
                    else _line((x, y - 11), (x, y + 11), "interval", colour)
                )
        if math.isfinite(row.value):
            yield _mark(row.symbol, _x(row.value, shown), y, colour)
    yield from _words(row.name, 0, y, _letters(row), "name")
    yield from _words(row.said, _RIGHT + 24, y, _LETTERS_RIGHT, "")


def _words(text: str, x: float, y: float, room: int, looks: str) -> Iterator[Markup]:
    lines = wrapped(text, room)
    for i, line in enumerate(lines):
        yield _text(line, x, y + 8 + _LINE * (i - (len(lines) - 1) / 2), looks)


def _x(value: float, shown: Plot) -> float:
    inside = min(max(value, shown.low), shown.high)
    return round(_LEFT + (_RIGHT - _LEFT) * (inside - shown.low) / (shown.high - shown.low), 1)


def _text(text: str, x: float, y: float, looks: str) -> Markup:
    return Markup('<text x="{}" y="{}" class="{}">{}</text>').format(x, round(y, 1), looks, text)  # verbatim


def _line(start: tuple[float, float], end: tuple[float, float], looks: str, colour: str = "") -> Markup:
    stroke = Markup(' stroke="{}"').format(colour) if colour else Markup("")
    return Markup('<line x1="{}" y1="{}" x2="{}" y2="{}" class="{}"{}/>').format(  # verbatim
        start[0], round(start[1], 1), end[0], round(end[1], 1), looks, stroke
    )


_SHAPES = {
    "x": "M-9,-9L9,9M-9,9L9,-9",
    "square": "M-9,-9H9V9H-9Z",
    "circle": "M-10,0a10,10 0 1,0 20,0a10,10 0 1,0 -20,0Z",
    "diamond": "M0,-12L12,0L0,12L-12,0Z",
}


_FURTHER = ("M-16,0L0,-10V10Z", "M16,0L0,-10V10Z")
"""Arrows in place of the ends of an interval that goes on beyond the picture."""


def _mark(symbol: str, x: float, y: float, colour: str) -> Markup:
    """A marker as plotly names it; one that ends in "-open" is hollow."""
    shape, hollow = _SHAPES.get(symbol.removesuffix("-open"), _SHAPES["diamond"]), symbol.endswith("-open")
    return _path(shape, (x, y), "none" if symbol == "x" else "var(--page)" if hollow else colour, colour)


def _path(shape: str, at: tuple[float, float], fill: str, stroke: str) -> Markup:
    return Markup('<path d="{}" transform="translate({},{})" class="mark" fill="{}" stroke="{}"/>').format(  # verbatim
        escape(shape), at[0], round(at[1], 1), fill, stroke
    )
