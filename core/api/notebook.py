"""What a notebook shows of an audit: words, a table and a picture, with neither script nor network."""

import base64
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

from markupsafe import Markup

import core.slides
from core.base.tables import Table
from core.figures.series import Spans
from core.figures.svg import draw
from core.finding import AbstractFinding

_LINES_OF_TITLE = 4
"""Of an axis, which nothing below it needs to make room for."""
_COLOURS = "--page:#fff;--ink:#1b1f24;--quiet:#565d66;--faint:#d5d9de;--beyond:#a84600"


def told(headline: str, sentence: str, parts: Iterable[Markup] = ()) -> str:
    """A headline, a sentence and what follows them."""
    head = Markup("<p><strong>{}</strong></p><p>{}</p>").format(headline, sentence)
    return str(Markup("<div>{}{}</div>").format(head, Markup("").join(parts)))


def shown(finding: AbstractFinding[Any, Any]) -> Markup:
    """A finding's numbers, its picture, and what speaks against taking it at its word."""
    slides = sorted(finding.charts.items(), key=lambda one: ("sure", "who", "").index(one[1].slide))
    names = [name for name, chart in slides if chart.slide]
    drawn = [(one.series, one.alt) for one in map(finding.drawing, names) if isinstance(one.series, Spans)]
    reasons = [f"{one.what} {one.advice}" for one in finding.reasons]
    picture = _image(*drawn[0]) if drawn else Markup("")
    return table_of(finding.statistics) + picture + listed("What to know", reasons)


def table_of(table: Table) -> Markup:
    """A table of texts."""
    head = Markup("").join(Markup("<th>{}</th>").format(cell) for cell in table.header)
    rows = Markup("").join(
        Markup("<tr>{}</tr>").format(Markup("").join(Markup("<td>{}</td>").format(cell) for cell in row))
        for row in table.rows
    )
    return Markup("<table><caption>{}</caption><thead><tr>{}</tr></thead><tbody>{}</tbody></table>").format(
        table.caption, head, rows
    )


def heading(text: str) -> Markup:
    """The heading of a part."""
    return Markup("<h4>{}</h4>").format(text)


def listed(title: str, lines: Iterable[str]) -> Markup:
    """Lines that open at a click."""
    each = Markup("").join(Markup("<li>{}</li>").format(line) for line in lines)
    return Markup("<details><summary>{}</summary><ul>{}</ul></details>").format(title, each) if each else Markup("")


def _image(spans: Spans, alt: str) -> Markup:
    """Estimates as an image of its own, so that its styles stay in it."""
    plot = str(draw(spans, alt, titles=_LINES_OF_TITLE))
    style = f"<style>svg{{{_COLOURS};background:#fff;font-family:sans-serif}}{_rules()}</style><g>"
    opened, _, rest = plot.partition(">")
    drawn = f'{opened} xmlns="http://www.w3.org/2000/svg">{style}{rest.removesuffix("</svg>")}</g></svg>'
    encoded = base64.b64encode(drawn.encode()).decode()
    return Markup('<img alt="{}" style="max-width:720px;width:100%" src="data:image/svg+xml;base64,{}">').format(
        alt, encoded
    )


@cache
def _rules() -> str:
    """How slides draw estimates."""
    (folder,) = core.slides.__path__
    css = (Path(folder) / "templates" / "slides.css").read_text(encoding="utf-8")
    return "".join(line for line in css.splitlines() if line.startswith(".spans "))
