"""What a workflow found as one HTML page that needs no network."""

from dataclasses import dataclass

from core.base.errors import Caveat
from core.base.tables import Fact, Table
from core.inference.estimate import Verdict
from core.report.html import ReportFigure, environment
from core.report.settings_table import SettingSection
from core.report.signature import SignedBy
from core.report.stated import stated_fields
from core.report.statement import Statement, missing


@dataclass(frozen=True)
class PageSection:
    """A part of the page: figures first, then tables, facts and caveats."""

    title: str
    figures: tuple[ReportFigure, ...] = ()
    tables: tuple[Table, ...] = ()
    facts: tuple[Fact, ...] = ()
    caveats: tuple[Caveat, ...] = ()


@dataclass(frozen=True)
class Page:
    """Everything the page says, in the order in which it says it.

    Attributes:
        title: Its heading.
        question: What was asked, one plain sentence.
        about: What it is, one sentence.
        headline: What was found, in a few words.
        sentence: The numbers behind the headline.
        verdict: Decides the colour of the headline's card.
        caveats: What a reader has to know.
        sections: What was found.
        settings: Every setting.
        versions: Libraries the numbers depend on.
        source: The paper that describes the method, a sentence.
        steps: What to do next, a sentence or two each.
        qualifies: Sentences of ``sentence`` without which headline and charts would be misread.
        table: What stands right below the headline; None for nothing.
    """

    title: str
    question: str
    about: str
    headline: str
    sentence: str
    verdict: Verdict
    caveats: tuple[Caveat, ...]
    sections: tuple[PageSection, ...]
    settings: tuple[SettingSection, ...]
    versions: tuple[Fact, ...]
    source: str
    steps: tuple[str, ...]
    qualifies: tuple[str, ...] = ()
    table: Table | None = None


def render_page(
    page: Page,
    statement: Statement | None = None,
    record: str = "record.json",
    signature: SignedBy | None = None,
    *,
    others: str = "",
) -> str:
    """The page as a whole HTML document.

    Args:
        page: What it says.
        statement: What people state about it; None to show nothing of the kind.
        record: The name of the record's file.
        signature: Who signs it; None while nobody does.
        others: As for a report of tests.
    """
    stated = None if statement is None else stated_fields(statement, missing(statement))
    template = environment().get_template("page.html")
    return template.render(page=page, stated=stated, record=record, signature=signature, others=others)
