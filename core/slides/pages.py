"""What a workflow found as slides, from the page that says it."""

import math

from core.base.errors import most_serious_first
from core.base.tables import Table
from core.figures.series import MOST_ROWS, Tiles
from core.language.fitted import sentences, short
from core.language.phrases import whole
from core.language.told import retold, say
from core.report.page import Page
from core.report.statement import Statement
from core.slides.deck import (
    ALONE,
    BESIDE_PICTURE,
    LONGEST_MESSAGE,
    LONGEST_SOURCE,
    NO_PROOF,
    ROOM,
    Deck,
    Slide,
    beginning,
    fitting,
)

_FEW_ROWS = 3
"""Rows of a table that leave room for words above it."""


def deck_of(page: Page, statement: Statement | None = None) -> Deck:
    """The answer, the question, the chart that shows it, what could be wrong, and what to do."""
    stated = statement or Statement()
    system = stated.system.strip()
    caveats = most_serious_first((*page.caveats, *(one for section in page.sections for one in section.caveats)))
    told = (*(one.what for one in caveats), retold(NO_PROOF))
    steps = tuple(sentence for step in page.steps for sentence in sentences(step))
    slides = (
        Slide(
            "verdict",
            say("The answer"),
            short(page.headline, LONGEST_MESSAGE),
            _below(page),
            picture=None if page.table is None else tiles_of(page.table),
            alt="" if page.table is None else _in_words(page.table),
            verdict=page.verdict,
            notes=(page.headline, page.sentence),
        ),
        Slide("question", say("The question"), page.question, fitting((page.title, page.about)), notes=(page.about,)),
        *_pictured(page),
        Slide(
            "doubts",
            say("What could be wrong?"),
            points=fitting(map(beginning, told), most=4),
            notes=(*told, page.source),
        ),
        Slide("proposal", say("What to do next"), points=fitting(steps, ALONE), notes=page.steps),
    )
    source = short(" · ".join(filter(None, (short(system, 40), page.title))), LONGEST_SOURCE)
    return Deck(page.title, source, slides)


def _below(page: Page) -> tuple[str, ...]:
    """As much of the sentence as fits below the headline, above a table if there is one; nothing above a long one."""
    if page.table is not None and len(page.table.rows) > _FEW_ROWS:
        return ()
    return fitting(sentences(page.sentence), ROOM if page.table is None else BESIDE_PICTURE)


def tiles_of(table: Table) -> Tiles:
    """A table without colours, of its first rows as many as can be read; its caption says first what it shows."""
    title, rows = sentences(table.caption)[0], table.rows[:MOST_ROWS]
    left_out = len(table.rows) - len(rows)
    return Tiles(
        title,
        table.header[1:],
        tuple(row[0] for row in rows),
        tuple((math.nan,) * (len(row) - 1) for row in rows),
        tuple(row[1:] for row in rows),
        say("{n} more are in the report.", n=whole(left_out)) if left_out else "",
    )


def _in_words(table: Table) -> str:
    return "; ".join(
        f"{row[0]}: {', '.join(f'{head} {cell}' for head, cell in zip(table.header[1:], row[1:], strict=True))}"
        for row in table.rows
    )


def _pictured(page: Page) -> tuple[Slide, ...]:
    """The first chart that stands on a slide."""
    for section in page.sections:
        for figure in section.figures:
            if figure.chart.slide and figure.drawing.series is not None:
                notes = (
                    say("How to read the chart: {caption}", caption=figure.chart.caption),
                    say("In words: {alt}", alt=figure.drawing.alt),
                )
                return (
                    Slide(
                        "sure-1", say("The models compared"),
                        picture=figure.drawing.series, alt=figure.drawing.alt, notes=notes,
                    ),
                )  # fmt: skip
    return ()
