"""How words and numbers are laid out on a slide, the same in a browser and in PowerPoint."""

import math

from core.figures.series import Spans
from core.figures.svg import WIDE, plot
from core.figures.theme import BLUE, ORANGE
from core.language.fitted import width
from core.language.phrases import whole
from core.language.told import say
from core.slides.deck import Slide, fitting

WIDTH, HEIGHT = 1280, 720
EDGE, INSIDE, FOOT = 64, WIDE, 664
"""Of a slide, in pixels of 1/96 inch: its size, margin, width between margins, and where its foot begins."""
_ABOVE_PICTURE = 18
"""Points of what stands between a message and a picture."""
_LINES = 130
"""Letters between a message and a picture that leave it less room."""
_FEW_HEADS = 4
_DEEPEST = 0.6
"""How much of a colour lies over the page at most, so that words can be read on it."""
LONGEST_READING = 185
"""Letters of how to read a chart, on two lines."""


def reading(spans: Spans) -> str:
    """How to read a chart of estimates, and what is left out of it."""
    shown = plot(spans)
    chosen = (
        say("those whose bounds lie furthest out")
        if spans.tolerances
        else say("of each kind those that differ most")
        if any(row.under for row in spans.rows)
        else say("those that differ most")
    )
    known = {"n": whole(len(spans.rows) - shown.left_out), "all": whole(len(spans.rows)), "chosen": chosen}
    left_out = ""
    if shown.left_out and not shown.known_left_out:
        left_out = say("{n} of {all} rows; of the others too few people are known.", **known)
    elif shown.left_out and spans.first:
        left_out = say("{n} of {all} rows: the headline's, then {chosen}.", **known)
    elif shown.left_out:
        left_out = say("{n} of {all} rows: {chosen}.", **known)
    if shown.worse_left_out:
        left_out += " " + say("Of those left out {n} are beyond the tolerance.", n=whole(shown.worse_left_out))
    barred = any(math.isfinite(row.low) for row in shown.rows)
    told = say("Marker: the estimate. Bar: what chance leaves open.") if barred else say("Marker: the estimate.")
    more = [one for one in (left_out.strip(), spans.more) if one]
    everything = " ".join((told, *more))
    return everything if width(everything) <= LONGEST_READING else " ".join(fitting(more, LONGEST_READING))


def tile_shade(share: float) -> tuple[str, float]:
    """The colour of a tile, and how much of it lies over the page, 0 to 1; nothing where there is no tile."""
    return (ORANGE if share > 0 else BLUE), 0.0 if math.isnan(share) else _DEEPEST * abs(share)


def head_room(heads: int) -> int:
    """Letters of the heads of so many columns."""
    return 48 if heads <= _FEW_HEADS else 36


def message_size(slide: Slide) -> int:
    """Of its message, in points; two lines at most above a picture."""
    if slide.picture:
        return _size((slide.message,), ((100, 30), (125, 26)), 24) if width("".join(slide.points)) < _LINES else 24
    return _size((slide.message,), ((32, 54), (60, 44), (85, 36), (110, 30)), 26)


def points_size(slide: Slide) -> int:
    """Of what belongs to its message, in points, no larger than the message, and small above a picture."""
    found = _size(slide.points, ((130, 34), (230, 30), (330, 26), (430, 24), (880, 21)), 19)
    most = _ABOVE_PICTURE if slide.picture else message_size(slide) - 4 if slide.message else found
    return min(found, most)


def _size(texts: tuple[str, ...], steps: tuple[tuple[int, int], ...], smallest: int) -> int:
    """The first size whose room, in letters, holds all texts; ``steps`` are room and size, ascending in room."""
    letters = sum(map(width, texts))
    return next((points for room, points in steps if letters <= room), smallest)
