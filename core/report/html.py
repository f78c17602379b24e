"""The report as one HTML file that needs no network: text and tables first, figures drawn from data beside them."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup

from core.figures.chart import Chart, Drawing
from core.figures.metric import FREE_SHARES, PROBES
from core.figures.theme import CONFIG
from core.finding import AbstractFinding
from core.report.model import build
from core.report.multiple_tests import Together
from core.report.signature import SignedBy
from core.report.stated import for_reading
from core.report.statement import Statement
from core.report.templating import css_string, policy, templates
from core.result import AuditResult
from core.study import Study

_TEMPLATES = Path(__file__).parent / "templates"


@dataclass(frozen=True)
class ReportFigure:
    """A figure as a page embeds it.

    Attributes:
        page: The test or the workflow it belongs to.
        name: Its name among the figures there.
        chart: What it shows, and how to read it.
        drawing: The figure, and what it says in words.
    """

    page: str
    name: str
    chart: Chart[...]
    drawing: Drawing

    @property
    def key(self) -> str:
        """Its name in the whole document."""
        return f"{self.page}-{self.name.replace(' ', '-')}"

    @property
    def data(self) -> Markup:
        """The figure as JSON that cannot end its script element."""
        return _json_for_script(self.drawing.figure.to_json())

    @property
    def height(self) -> int:
        """In pixels."""
        return int(self.drawing.figure.layout.height or 400)


def render(
    study: Study,
    results: tuple[AuditResult, ...],
    statement: Statement | None = None,
    record: str = "record.json",
    signature: SignedBy | None = None,
    *,
    others: str = "",
) -> str:
    """The report of a study's results under its decision settings, as a whole HTML document.

    Args:
        study: What was run.
        results: What came out, one a test.
        statement: What people state about it; what they do not state is marked, and a reason is printed beside no
            other tolerance than the one it was given for.
        record: The name of the record's file.
        signature: Who signs it; None while nobody does.
        others: That other audits of the same model on the same rows ended worse, where nobody signs it yet.
    """
    stated = None if statement is None else for_reading(statement, study)
    report = build(study, Together.of(study, results), stated, record, signed=signature is not None)
    template = environment().get_template("report.html")
    figures = {
        section.key: (_metric_figures(section.key, section.finding.result), _charts(section.key, section.finding))
        for section in report.tests
    }
    return template.render(report=report, figures=figures, signature=signature, others=others)


def _charts(test: str, finding: AbstractFinding[Any, Any]) -> tuple[ReportFigure, ...]:
    return tuple(ReportFigure(test, name, chart, finding.drawing(name)) for name, chart in finding.charts.items())


def _metric_figures(test: str, result: AuditResult) -> tuple[ReportFigure, ...]:
    metric, encoder = result.metric, result.model.encoder
    if metric is None:
        return ()
    shown = []
    if FREE_SHARES.applies(metric, encoder):
        shown.append(ReportFigure(test, "free shares", FREE_SHARES, FREE_SHARES.draw(metric, encoder)))  # verbatim
    if PROBES.applies(metric):
        shown.append(ReportFigure(test, "probes", PROBES, PROBES.draw(metric)))
    return tuple(shown)


def _json_for_script(text: str) -> Markup:
    """JSON without a character that HTML could take for markup."""
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return Markup(text)  # noqa: S704


@cache
def _scripts() -> tuple[Markup, ...]:
    """What runs in a page: the drawing library, and the lines that draw with it."""
    from plotly.offline import get_plotlyjs

    drawing = (_TEMPLATES / "figures.js").read_text(encoding="utf-8")
    return tuple(Markup(text.replace("</script", "<\\/script")) for text in (get_plotlyjs(), drawing))  # noqa: S704


@cache
def _policy() -> str:
    """The page's Content-Security-Policy; plotly writes styles of its own while it draws."""
    return policy(_scripts(), images="data: blob:")  # verbatim


@cache
def environment() -> jinja2.Environment:
    """The templates of all pages."""
    made = templates(_TEMPLATES)
    made.filters["css_string"] = lambda text: Markup(css_string(text))  # noqa: S704 - no character is left as it is
    made.globals |= {"scripts": _scripts, "policy": _policy, "config": CONFIG}
    return made
