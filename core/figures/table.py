"""The table of figures: pure functions from results to plotly figures. A new one adds its file and its line here."""

from core.audits import AuditDecision
from core.figures.chart import ResultChart
from core.result import AuditResult

RESULT_FIGURES = {}


def figures_of(result: AuditResult, decision: AuditDecision) -> dict[str, ResultChart]:
    """The figures that have something to show, by name, in the order of the table."""
    return {
        name: chart
        for name, chart in RESULT_FIGURES.items()
        if chart.audit == result.audit.kind and chart.applies(result, decision)
    }


__all__ = ["RESULT_FIGURES", "ResultChart", "figures_of"]
