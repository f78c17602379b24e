"""The report as one HTML file that needs no network: text and tables first, figures drawn from data beside them."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import jinja2
import plotly.graph_objects as go
from markupsafe import Markup

from core.figures import METRIC_FIGURES, RESULT_FIGURES
from core.figures.theme import CONFIG
from core.plan import AuditPlan
from core.report.model import build
from core.result import AuditResult

_TEMPLATES = Path(__file__).parent / "templates"


@dataclass(frozen=True)
class ReportFigure:
    """A figure as the page embeds it.

    Attributes:
        key: Its name in the page.
        title: What it shows.
        caption: How to read it.
        alt: What it says, in words.
        data: The figure as JSON that cannot end its script element.
        height: In pixels.
    """

    key: str
    title: str
    caption: str
    alt: str
    data: Markup
    height: int


def render(plan: AuditPlan, result: AuditResult) -> str:
    """The report of ``result`` under the plan's reading, as a whole HTML document."""
    report = build(plan, result)
    template = _environment().get_template("report.html")
    return template.render(
        report=report,
        metric_figures=_metric_figures(result),
        figures=_result_figures(plan, result),
        tables={"groups": report.groups, "sweep": report.sweep},
        plotly=_plotly_js(),
        config=CONFIG,
    )


def _result_figures(plan: AuditPlan, result: AuditResult) -> tuple[ReportFigure, ...]:
    return tuple(
        _figure(key, chart.title, chart.caption, chart.alt(result, plan.reading), chart.draw(result, plan.reading))
        for key, chart in RESULT_FIGURES.items()
        if chart.applies(result)
    )


def _metric_figures(result: AuditResult) -> tuple[ReportFigure, ...]:
    metric, encoder = result.metric, result.model.encoder
    shown: list[tuple[str, tuple[object, ...]]] = [("free shares", (metric, encoder))]
    if metric.probes:
        shown.append(("probes", (metric,)))
    return tuple(
        _figure(key, chart.title, chart.caption, chart.alt(*given), chart.draw(*given))
        for key, given in shown
        for chart in (METRIC_FIGURES[key],)
    )


def _figure(key: str, title: str, caption: str, alt: str, drawn: go.Figure) -> ReportFigure:
    key = key.replace(" ", "-")
    return ReportFigure(key, title, caption, alt, _json_for_script(drawn.to_json()), int(drawn.layout.height or 400))


def _json_for_script(text: str) -> Markup:
    """JSON without a character that HTML could take for markup."""
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return Markup(text)  # noqa: S704


@cache
def _plotly_js() -> Markup:
    from plotly.offline import get_plotlyjs

    return Markup(get_plotlyjs().replace("</script", "<\\/script"))  # noqa: S704


@cache
def _environment() -> jinja2.Environment:
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
