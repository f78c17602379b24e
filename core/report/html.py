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
from core.result import AuditResult
from core.study import Study

_TEMPLATES = Path(__file__).parent / "templates"


@dataclass(frozen=True)
class ReportFigure:
    """A figure as the page embeds it.

    Attributes:
        name: Its name in the table of figures.
        key: Its name in the page.
        title: What it shows.
        caption: How to read it.
        alt: What it says, in words.
        data: The figure as JSON that cannot end its script element.
        height: In pixels.
    """

    name: str
    key: str
    title: str
    caption: str
    alt: str
    data: Markup
    height: int


def render(study: Study, results: tuple[AuditResult, ...]) -> str:
    """The report of a study's results under its decision settings, as a whole HTML document."""
    together = Together.of(study, results)
    report = build(study, together)
    template = environment().get_template("report.html")
    figures = {
        section.key: (_metric_figures(section.key, finding.result), _charts(section.key, finding))
        for section, finding in zip(report.tests, together.findings, strict=True)
    }
    return template.render(report=report, figures=figures, plotly=plotly_js(), config=CONFIG)


def _charts(test: str, finding: AbstractFinding[Any, Any]) -> tuple[ReportFigure, ...]:
    return tuple(embedded(test, name, chart, finding.drawing(name)) for name, chart in finding.charts.items())


def _metric_figures(test: str, result: AuditResult) -> tuple[ReportFigure, ...]:
    metric, encoder = result.metric, result.model.encoder
    if metric is None:
        return ()
    shown = []
    if FREE_SHARES.applies(metric, encoder):
        shown.append(embedded(test, "free shares", FREE_SHARES, FREE_SHARES.draw(metric, encoder)))
    if PROBES.applies(metric):
        shown.append(embedded(test, "probes", PROBES, PROBES.draw(metric)))
    return tuple(shown)


def embedded(test: str, name: str, chart: Chart[...], drawn: Drawing) -> ReportFigure:
    """A drawing as a page embeds it; ``test`` keeps its key apart from those of other tests."""
    return ReportFigure(
        name=name,
        key=f"{test}-{name.replace(' ', '-')}",
        title=chart.title,
        caption=chart.caption,
        alt=drawn.alt,
        data=_json_for_script(drawn.figure.to_json()),
        height=int(drawn.figure.layout.height or 400),
    )


def _json_for_script(text: str) -> Markup:
    """JSON without a character that HTML could take for markup."""
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return Markup(text)  # noqa: S704


@cache
def plotly_js() -> Markup:
    """The drawing library, to be embedded once a page."""
    from plotly.offline import get_plotlyjs

    return Markup(get_plotlyjs().replace("</script", "<\\/script"))  # noqa: S704


@cache
def environment() -> jinja2.Environment:
    """The templates of all pages."""
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
