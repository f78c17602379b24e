"""Slides as a PowerPoint file: charts are PowerPoint's own and can be edited, notes stand in the notes pane."""

import datetime
import io
from typing import Any

from pptx import Presentation
from pptx.enum.shapes import MSO_SHAPE
from pptx.enum.text import PP_ALIGN

from core.figures.series import Spans, Tiles
from core.figures.theme import VERDICT_COLOUR
from core.language.fitted import short, wrapped
from core.language.reader import language
from core.slides.deck import Deck, Slide
from core.slides.layout import EDGE, FOOT, HEIGHT, INSIDE, WIDTH, message_size, points_size
from core.slides.powerpoint import charts, tables
from core.slides.powerpoint.words import QUIET, Look, fill, plain, put, px, rgb, speak

_TITLE_ONLY = 5
_LETTER = 0.67
"""Width of a bold letter in pixels, as a part of its size in points."""


def write(deck: Deck) -> bytes:
    """The deck as a .pptx file."""
    presentation = Presentation()
    presentation.slide_width, presentation.slide_height = px(WIDTH), px(HEIGHT)
    _describe(presentation.core_properties, deck)
    for number, slide in enumerate(deck.slides, start=1):
        page = presentation.slides.add_slide(presentation.slide_layouts[_TITLE_ONLY])
        _draw(page, slide)
        put(page, "Source", (EDGE, FOOT, 1000, 36), (deck.source,), Look(colour=QUIET))
        right = Look(colour=QUIET, align=PP_ALIGN.RIGHT)
        put(page, "Number", (EDGE + 1000, FOOT, INSIDE - 1000, 36), (f"{number} / {len(deck.slides)}",), right)
        page.notes_slide.notes_text_frame.text = plain("\n".join(slide.notes))
        speak(page.notes_slide.notes_text_frame)
    stream = io.BytesIO()
    presentation.save(stream)
    return stream.getvalue()


def _describe(properties: Any, deck: Deck) -> None:
    """What a file manager shows of the file, in place of what the empty presentation says of itself."""
    properties.title, properties.subject = plain(short(deck.title, 200)), plain(deck.source)
    properties.author = properties.last_modified_by = plain(short(deck.author, 200))
    day = deck.date or datetime.date.today()
    properties.created = properties.modified = datetime.datetime.combine(day, datetime.time())
    properties.comments = ""
    properties.language = language()


def _draw(page: Any, slide: Slide) -> None:
    title = page.shapes.title
    title.left, title.top, title.width, title.height = map(px, (EDGE, 28, INSIDE, 48))
    fill(title.text_frame, (slide.heading,), Look(21, QUIET, bold=True))
    top = 84.0
    if slide.message:
        top += _message(page, slide, top) + 18
    if slide.points:
        look = Look(points_size(slide), bullets=len(slide.points) > 1)
        lines = sum(len(wrapped(point, int(INSIDE / (look.size * _LETTER)), 9)) for point in slide.points)
        high = lines * look.size * 1.6 + 10 if slide.picture else FOOT - 24 - top
        put(page, "Points", (EDGE, top, INSIDE, high), slide.points, look)
        top += high + 8
    if isinstance(slide.picture, Spans):
        charts.draw(page, slide.picture, slide.alt, top)
    if isinstance(slide.picture, Tiles):
        tables.draw(page, slide.picture, slide.alt, top)


def _message(page: Any, slide: Slide, top: float) -> float:
    """The message, with a bar before a verdict; its height."""
    size, left = message_size(slide), EDGE + (28 if slide.verdict else 0)
    inside = EDGE + INSIDE - left
    high = len(wrapped(slide.message, int(inside / (size * _LETTER)), 9)) * size * 1.6 + 10
    put(page, "Message", (left, top, inside, high), (slide.message,), Look(size, bold=True))
    if slide.verdict:
        bar = page.shapes.add_shape(MSO_SHAPE.RECTANGLE, px(EDGE), px(top), px(10), px(high))
        bar.name = "Verdict"
        bar.shadow.inherit = False
        bar.fill.solid()
        bar.fill.fore_color.rgb = rgb(VERDICT_COLOUR[slide.verdict])
        bar.line.fill.background()
    return high
