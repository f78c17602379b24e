"""Slides as one HTML file that needs no network: shown full screen by keys, with notes, tolerances and a print."""

import json
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup

from core.figures.series import Series, Spans
from core.figures.svg import draw
from core.language.fitted import short
from core.report.templating import policy, templates
from core.slides.deck import Deck
from core.slides.layout import LONGEST_READING, head_room, message_size, points_size, reading, tile_shade
from core.slides.live import DeckAt, LiveTest

_TEMPLATES = Path(__file__).parent / "templates"


def render(deck: Deck, tests: tuple[LiveTest, ...] = ()) -> str:
    """The slides as a whole HTML document.

    Args:
        deck: The slides, as they are to be shown.
        tests: What they say at other tolerances; a slide that is not shown is left out.
    """
    environment = _environment()
    parts: Any = environment.get_template("slide.html").module
    texts: dict[str, int] = {}
    own = {slide.key: slide for slide in deck.slides}

    def kept(text: str) -> int:
        return texts.setdefault(text, len(texts))

    def said(asked: DeckAt) -> dict[str, Any]:
        slides, notes = {}, {}
        for slide in asked.deck.slides:
            if slide.key in own:
                changed = replace(slide, caption=own[slide.key].caption)
                slides[slide.key], notes[slide.key] = kept(parts.body(changed)), kept(parts.notes(changed))
        return {"told": asked.told, "own": asked.own, "slides": slides, "notes": notes}

    steps = [[said(asked) for asked in test.asked] for test in tests]
    script = _script()
    return environment.get_template("slides.html").render(
        deck=deck,
        tests=tests,
        steps=_json(steps),
        texts=[Markup(text) for text in texts],  # noqa: S704 - the template escaped them
        style=_style(),
        script=Markup(script),  # noqa: S704 - ours
        policy=policy([script]),
    )


def _drawn(series: Series, alt: str) -> Markup:
    parts: Any = _environment().get_template("slide.html").module
    if isinstance(series, Spans):
        return Markup(parts.spans(draw(series, alt), reading(series)))  # noqa: S704 - the template escaped it
    return Markup(parts.tiles(series, alt))  # noqa: S704 - the template escaped it


def _tile(share: float) -> str:
    """The background of a tile."""
    colour, over = tile_shade(share)
    return f"color-mix(in srgb, {colour} {100 * over:.0f}%, var(--page))"  # verbatim


def _json(value: Any) -> Markup:
    """JSON without a character that HTML could take for markup."""
    text = json.dumps(value)
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return Markup(text)  # noqa: S704


@cache
def _script() -> str:
    return (_TEMPLATES / "slides.js").read_text(encoding="utf-8")


@cache
def _style() -> Markup:
    return Markup((_TEMPLATES / "slides.css").read_text(encoding="utf-8"))  # noqa: S704 - ours


@cache
def _environment() -> jinja2.Environment:
    made = templates(_TEMPLATES)
    made.globals["longest"] = LONGEST_READING
    made.filters |= {
        "message_size": message_size,
        "points_size": points_size,
        "drawn": _drawn,
        "tile": _tile,
        "short": short,
        "head_room": head_room,
    }
    return made
