"""What a workflow found as slides, from the page that says it."""

from core.base.errors import most_serious_first
from core.language.fitted import sentences, short
from core.language.told import retold, say
from core.report.page import Page
from core.report.statement import Statement
from core.slides.deck import LONGEST_MESSAGE, LONGEST_SOURCE, NO_PROOF, Deck, Slide, beginning, fitting


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
            fitting(sentences(page.sentence)),
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
        Slide("proposal", say("What to do next"), points=fitting(steps, most=4), notes=page.steps),
    )
    source = short(" · ".join(filter(None, (short(system, 40), page.title))), LONGEST_SOURCE)
    return Deck(page.title, source, slides)


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
