"""Charts of the transport test."""

from core.audits.transport.figures import budget, cells, draws, flows, map
from core.audits.transport.verdict import TransportFinding
from core.claim_charts import chart_of_parts, estimate_chart
from core.figures.chart import Chart
from core.language.told import say

CHARTS: dict[str, Chart[TransportFinding]] = {
    "transport interval": estimate_chart(  # verbatim
        zero=say("treated alike"),
    ),
    "transport map": Chart(  # verbatim
        say("Who has similar people judged worse, and who these are"),
        say(
            "− (blue): so many of the group have similar people on whom the model does worse. + (orange): so many "
            "others have similar people in this group on whom it does. Where both happen, the difference is shown. "
            "Where several groups are judged as badly, people are divided among them."
        ),
        map.draw,
        lambda finding: not finding.undefined,
    ),
    "transport flows": Chart(  # verbatim
        say("To which groups these similar people belong"),
        say(
            "How many people of the group on the left have similar people of the group on top, on whom the model does "
            "worse. An empty tile: nobody. Where several groups are judged as badly, people are divided among them."
        ),
        flows.draw,
        lambda finding: not finding.undefined,
    ),
    "transport budget": Chart(  # verbatim
        say("What another budget would have found"),
        say(
            "The larger the budget, the more unlike people may be who are compared, and the larger the rise. "
            "The band reaches from the lower to the upper bound, computed at the dots."
        ),
        budget.draw,
        lambda finding: finding.budget_matters,
    ),
    "transport price": Chart(  # verbatim
        say("What a little more budget buys"),
        say(
            "How fast the rise grows at each budget. A high price says that comparing people only slightly "
            "more unlike would find much more."
        ),
        budget.draw_price,
        lambda finding: finding.budget_matters,
    ),
    "transport costs": chart_of_parts(  # verbatim
        "transport costs",  # verbatim
        say("If the costs were wrong"),
        say(
            "The rise with bounds that hold whatever the costs are, as long as each is wrong by no more than the "
            "factor. Where a cross stays beyond the dashed line, the violation does not depend on exact costs."
        ),
    ),
    "transport draws": Chart(  # verbatim
        say("How the error is spread"),
        say(
            "The draws of the chosen method: by how much the estimate may be off. The line is the normal "
            "approximation. Where both differ, a bound that takes the error for normal is doubtful."
        ),
        draws.draw,
        lambda finding: not finding.undefined and len(draws.errors(finding)) > 0,
    ),
    "transport cells": Chart(  # verbatim
        say("How many people are alike"),
        say(
            "People who agree in all columns that tell people apart, and in the outcome, are alike. The "
            "hatched bar: people like whom there is nobody else, whose answers rest on one person each."
        ),
        cells.draw,
    ),
}
