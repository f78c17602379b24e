"""Words on slides of PowerPoint: boxes of text in one look, and what XML cannot hold."""

import re
from dataclasses import dataclass
from typing import Any

from pptx.dml.color import RGBColor
from pptx.enum.text import MSO_ANCHOR, PP_ALIGN
from pptx.oxml import parse_xml
from pptx.oxml.ns import nsdecls
from pptx.util import Emu, Pt

from core.language.reader import language

SMALLEST = 18
"""Points of the smallest words."""
PAGE, INK, QUIET, BEYOND = "#FFFFFF", "#1B1F24", "#565D66", "#A84600"
FONT = "Arial"
_UNWRITABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_HANGING = 24

Place = tuple[float, float, float, float]
"""Left, top, width and height in pixels."""


@dataclass(frozen=True)
class Look:
    """How words look; ``bullets`` stand before paragraphs of a list, and what ``covers`` hides what lies behind it."""

    size: int = SMALLEST
    colour: str = INK
    align: Any = PP_ALIGN.LEFT
    bold: bool = False
    middle: bool = False
    bullets: bool = False
    covers: bool = False


def put(page: Any, name: str, place: Place, lines: tuple[str, ...], look: Look) -> None:
    """A box of text, a paragraph for each line."""
    box = page.shapes.add_textbox(*map(px, place))
    box.name = name
    if look.covers:
        box.fill.solid()
        box.fill.fore_color.rgb = rgb(PAGE)
    fill(box.text_frame, lines, look)


def fill(frame: Any, lines: tuple[str, ...], look: Look) -> None:
    """Write into a frame of text."""
    frame.word_wrap = True
    frame.margin_left = frame.margin_right = frame.margin_top = frame.margin_bottom = 0
    frame.vertical_anchor = MSO_ANCHOR.MIDDLE if look.middle else MSO_ANCHOR.TOP
    for i, line in enumerate(lines):
        paragraph = frame.paragraphs[0] if i == 0 else frame.add_paragraph()
        paragraph.alignment = look.align
        if look.bullets:
            _begin_with_bullet(paragraph)
        run = paragraph.add_run()
        run.text = plain(line)
        run.font.size, run.font.bold, run.font.name = Pt(look.size), look.bold, FONT
        run.font.color.rgb = rgb(look.colour)
    speak(frame)


def speak(frame: Any) -> None:
    """Mark all words of a frame as of the language that is spoken now, for spelling and reading aloud."""
    for paragraph in frame.paragraphs:
        for run in paragraph.runs:
            run._r.get_or_add_rPr().set("lang", language())


def _begin_with_bullet(paragraph: Any) -> None:
    paragraph.space_after = Pt(10)
    properties = paragraph._p.get_or_add_pPr()
    properties.set("marL", str(px(_HANGING)))
    properties.set("indent", str(-px(_HANGING)))
    properties.append(parse_xml(f'<a:buChar {nsdecls("a")} char="•"/>'))  # verbatim


def describe(frame: Any, alt: str) -> None:
    """Give a chart or table its words for those who cannot see it."""
    frame._element.xpath(".//p:cNvPr")[0].set("descr", plain(alt))


def plain(text: str) -> str:
    """A text without what XML cannot hold."""
    return _UNWRITABLE.sub("\ufffd", text)


def rgb(colour: str) -> RGBColor:
    """A colour written like ``#1B1F24``."""
    found: RGBColor = RGBColor.from_string(colour.removeprefix("#").upper())
    return found


def over_white(colour: str, share: float) -> RGBColor:
    """A colour of which a share lies over white."""
    return RGBColor(*(round(255 + share * (part - 255)) for part in rgb(colour)))


def px(pixels: float) -> Emu:
    """Pixels of 1/96 inch."""
    return Emu(round(pixels * 9525))
