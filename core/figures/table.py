"""The table of figures: pure functions from results to plotly figures. A new one adds its file and its line here."""

from core.audits import AuditDecision
from core.audits.transport.figures import budget as transport_budget
from core.audits.transport.figures import cells as transport_cells
from core.audits.transport.figures import estimate as transport_estimate
from core.audits.transport.figures import flows as transport_flows
from core.audits.transport.figures import map as transport_map
from core.figures.chart import ResultChart
from core.result import AuditResult

RESULT_FIGURES = {
    "transport interval": ResultChart(
        "transport",
        "Estimate and tolerance",
        "The diamond is the rise if people were judged like similar people on whom the model does worse, and the bar "
        "its interval. The triangle is the lower bound: beyond the dashed line it rises more than tolerated.",
        transport_estimate.draw,
        transport_estimate.alt,
    ),
    "transport map": ResultChart(
        "transport",
        "Who is moved where",
        "By how many people each group shrinks (−, blue) or grows (+, orange) when people are moved to similar people "
        "on whom the model does worse. Where a group grows, people of others would be judged worse if they were judged "
        "like it. Of several best ways to move people one is shown, always the same.",
        transport_map.draw,
        transport_map.alt,
        transport_map.applies,
    ),
    "transport flows": ResultChart(
        "transport",
        "From which group to which",
        "How many people of the group on the left are moved to similar people of the group on top, on whom the model "
        "does worse. An empty tile: nobody. Of several best ways to move people one is shown, always the same.",
        transport_flows.draw,
        transport_flows.alt,
        transport_map.applies,
    ),
    "transport budget": ResultChart(
        "transport",
        "What another budget would have found",
        "The larger the budget, the more unlike people may be who are compared, and the larger the rise. The band "
        "reaches from the lower to the upper bound, computed at the dots.",
        transport_budget.draw,
        transport_budget.alt,
        transport_budget.applies,
    ),
    "transport price": ResultChart(
        "transport",
        "What a little more budget buys",
        "How fast the rise grows at each budget. A high price says that comparing people only slightly more unlike "
        "would find much more.",
        transport_budget.draw_price,
        transport_budget.alt_price,
        transport_budget.applies,
    ),
    "transport cells": ResultChart(
        "transport",
        "How many people are of the same kind",
        "People who agree in all columns that tell people apart, and in the outcome, are of one kind. The hatched bar: "
        "people who are alone in theirs, whose answers rest on one person each.",
        transport_cells.draw,
        transport_cells.alt,
    ),
}


def figures_of(result: AuditResult, decision: AuditDecision) -> dict[str, ResultChart]:
    """The figures that have something to show, by name, in the order of the table."""
    return {
        name: chart
        for name, chart in RESULT_FIGURES.items()
        if chart.audit == result.audit.kind and chart.applies(result, decision)
    }


__all__ = ["RESULT_FIGURES", "ResultChart", "figures_of"]
