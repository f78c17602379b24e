"""What a workflow found as slides, from the page that says it."""

import math

from core.base.errors import most_serious_first
from core.base.tables import Table
from core.figures.series import MOST_ROWS, Tiles
from core.language.fitted import plain, sentences, short, width
from core.language.phrases import whole
from core.language.told import retold, say, say_count
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


def deck_of(page: Page, statement: Statement | None = None, *, others: str = "") -> Deck:
    """The answer, the question, the chart that shows it, what could be wrong, and what to do.

    Args:
        page: What was found.
        statement: What people state about it.
        others: That other audits of the same model on the same rows ended worse.
    """
    stated = statement or Statement()
    system = stated.system.strip()
    said = tuple(dict.fromkeys(map(plain, (*page.qualifies, *sentences(others), *sentences(page.sentence)))))
    answer = fitting(said, room) if (room := _room_below(page)) else ()
    caveats = most_serious_first((*page.caveats, *(one for section in page.sections for one in section.caveats)))
    doubted = (*(one for one in said if one not in answer), retold(NO_PROOF), *(one.what for one in caveats))
    steps = tuple(sentence for step in page.steps for sentence in sentences(step))
    slides = (
        Slide(
            "verdict",
            say("The answer"),
            short(page.headline, LONGEST_MESSAGE),
            answer,
            picture=None if page.table is None else tiles_of(page.table),
            alt="" if page.table is None else _in_words(page.table),
            verdict=page.verdict,
            notes=(page.headline, *filter(None, (others,)), page.sentence),
        ),
        Slide("question", say("The question"), page.question, fitting((page.title, page.about)), notes=(page.about,)),
        *_pictured(page),
        Slide(
            "doubts",
            say("What could be wrong?"),
            points=fitting(map(beginning, doubted), ALONE),
            notes=(*doubted, page.source),
        ),
        Slide("proposal", say("What to do next"), points=fitting(steps, ALONE), notes=page.steps),
    )
    source = short(" · ".join(filter(None, (short(system, 40), page.title))), LONGEST_SOURCE)
    return Deck(page.title, source, slides)


def _room_below(page: Page) -> int:
    """Letters that fit below the headline, above a table if there is one; none above a long one."""
    if page.table is None:
        return ROOM + max(LONGEST_MESSAGE - width(page.headline), 0)
    return BESIDE_PICTURE if len(page.table.rows) <= _FEW_ROWS else 0


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
    """The first chart that stands on a slide, with what qualifies it."""
    charts = [
        figure
        for section in page.sections
        for figure in section.figures
        if figure.chart.slide and figure.drawing.series is not None
    ]
    if not charts:
        return ()
    first = charts[0]
    others = sum(figure.chart is first.chart for figure in charts) - 1
    told = (
        *page.qualifies,
        *(
            [say_count("{n} more chart like this in the report.", "{n} more charts like this in the report.", others)]
            if others
            else []
        ),
    )
    return (
        Slide(
            "sure-1",
            say("The models compared"),
            points=fitting(told, BESIDE_PICTURE),
            picture=first.drawing.series,
            alt=first.drawing.alt,
            notes=(
                *told,
                say("How to read the chart: {caption}", caption=first.chart.caption),
                say("In words: {alt}", alt=first.drawing.alt),
            ),
        ),
    )
