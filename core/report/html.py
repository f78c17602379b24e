"""The report as one HTML file that needs no network: text and tables first, figures drawn from data beside them."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import jinja2
from markupsafe import Markup

from core.figures import METRIC_FIGURES, InputChart, ResultChart, figures_of
from core.figures.theme import CONFIG
from core.plan import AuditPlan
from core.report.model import build
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
    """The report of a study's results under its readings, as a whole HTML document."""
    report = build(study, results)
    template = environment().get_template("report.html")
    figures = {
        section.key: (_metric_figures(section.key, result), _result_figures(section.key, plan, result))
        for section, plan, result in zip(report.tests, study.plans, results, strict=True)
    }
    return template.render(report=report, figures=figures, plotly=plotly_js(), config=CONFIG)


def _result_figures(test: str, plan: AuditPlan, result: AuditResult) -> tuple[ReportFigure, ...]:
    return tuple(
        figure_of(test, name, chart, (result, plan.reading)) for name, chart in figures_of(result, plan.reading).items()
    )


def _metric_figures(test: str, result: AuditResult) -> tuple[ReportFigure, ...]:
    metric, encoder = result.metric, result.model.encoder
    if metric is None:
        return ()
    shown: list[tuple[str, tuple[object, ...]]] = [] if encoder.is_embedding else [("free shares", (metric, encoder))]
    if metric.probes:
        shown.append(("probes", (metric,)))
    return tuple(figure_of(test, name, METRIC_FIGURES[name], given) for name, given in shown)


def figure_of(test: str, name: str, chart: ResultChart | InputChart, given: tuple[object, ...]) -> ReportFigure:
    """A figure as a page embeds it; ``test`` keeps its key apart from those of other tests."""
    drawn = chart.draw(*given)
    return ReportFigure(
        name=name,
        key=f"{test}-{name.replace(' ', '-')}",
        title=chart.title,
        caption=chart.caption,
        alt=chart.alt(*given),
        data=_json_for_script(drawn.to_json()),
        height=int(drawn.layout.height or 400),
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
