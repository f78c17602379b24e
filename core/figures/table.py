"""The table of figures: pure functions from results to plotly figures. A new one adds its file and its line here."""

from core.audits import AuditDecision
from core.audits.equalized_odds.figures import answers as fair_dummies_answers
from core.audits.equalized_odds.figures import calibration as fair_dummies_calibration
from core.audits.equalized_odds.figures import gap as fair_dummies_gap
from core.audits.equalized_odds.figures import null as fair_dummies_null
from core.audits.groups.figures import coverage as fair_dummies_coverage
from core.audits.groups.figures import impact as groups_impact
from core.audits.groups.figures import rates as groups_rates
from core.audits.groups.figures import subgroups as fair_dummies_subgroups
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
    "fair dummies null": ResultChart(
        "equalized_odds",
        "Could it be chance?",
        "The bars: how well groups drawn at random explain the answers, draw by draw. The line: how well people's own "
        "groups do. Among the bars it could be chance; left of nearly all of them, the answers go with the group. The "
        "p-value is the share of draws that do as well as people's own groups (hatched).",
        fair_dummies_null.draw,
        fair_dummies_null.alt,
        fair_dummies_null.applies,
    ),
    "fair dummies gap": ResultChart(
        "equalized_odds",
        "How large the difference is",
        "The largest difference between two groups who are compared, in percentage points: of the shares above "
        "any one threshold. The bars are bounds that hold for all attributes together; a difference is "
        "tolerated only where its whole bar lies left of the dashed line.",
        fair_dummies_gap.draw,
        fair_dummies_gap.alt,
        fair_dummies_gap.applies,
    ),
    "fair dummies answers": ResultChart(
        "equalized_odds",
        "Answers and outcomes of each group",
        "Compare the groups with each other: where the model treats them alike, their diamonds lie at about the same "
        "height or place. Diamonds are medians, the bar holds the middle half of the people, a thin line nine in ten. "
        "Where there is only yes or no, they are shares with a 95% interval.",
        fair_dummies_answers.draw,
        fair_dummies_answers.alt,
        fair_dummies_answers.applies,
    ),
    "fair dummies attribute model": ResultChart(
        "equalized_odds",
        "Is it known who belongs to which group?",
        "To draw groups at random, the test learned on other rows who is likely to belong to which group. Where it "
        "learned that rightly, diamonds lie on the dotted line; if they lie far off, the p-value cannot be trusted.",
        fair_dummies_calibration.draw,
        fair_dummies_calibration.alt,
        fair_dummies_calibration.applies,
    ),
    "groups impact": ResultChart(
        "equalized_odds",
        "Impact ratio of each group",
        "How often a group gets the favourable decision (for numbers: an answer above the median), divided by the same "
        "of the group that gets it most often (grey, at 1). Left of the dashed line, the four-fifths screening ratio, "
        "look closer; right of it nothing is proved. The intervals hold all together.",
        groups_impact.draw,
        groups_impact.alt,
        groups_impact.applies,
    ),
    "groups rates": ResultChart(
        "equalized_odds",
        "How the model errs in each group",
        "Diamonds and circles are the two measures named beside them; compare each across groups. An interval holds by "
        "itself; the table of differences has intervals that hold together. Groups too small to judge say so and are "
        "never called fair.",
        groups_rates.draw,
        groups_rates.alt,
    ),
    "subgroups": ResultChart(
        "equalized_odds",
        "Subgroups that fare worst",
        "How much worse a subgroup fares than everybody else, with bounds that hold for all subgroups together. A "
        "cross is flagged: worse than tolerated (the dashed line). A circle is certified: not worse than tolerated. An "
        "open square has insufficient evidence for either.",
        fair_dummies_subgroups.draw,
        fair_dummies_subgroups.alt,
        fair_dummies_subgroups.applies,
    ),
    "fair dummies coverage": ResultChart(
        "equalized_odds",
        "How often the outcome is in the prediction set",
        "A prediction set holds the outcomes that the model does not rule out; for numbers it is a range. It should "
        "hold the true outcome as often as asked for (dotted line), in every group. Diamond: the set is made for the "
        "group. Circle: one rule for everybody, by which some groups may get less.",
        fair_dummies_coverage.draw,
        fair_dummies_coverage.alt,
        fair_dummies_coverage.applies,
    ),
    "fair dummies set sizes": ResultChart(
        "equalized_odds",
        "How unsure the model is in each group",
        "The larger the sets a group needs to hold the outcome as often (diamonds), the less the model knows about its "
        "people. Intervals are about the mean size of the sets as they were made.",
        fair_dummies_coverage.draw_sizes,
        fair_dummies_coverage.alt_sizes,
        fair_dummies_coverage.applies_sizes,
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
