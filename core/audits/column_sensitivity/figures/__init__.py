"""Charts of the column sensitivity test."""

from typing import Any

from core.audits.column_sensitivity.figures import distribution, slope
from core.claim_charts import chart_of_parts, estimate_chart
from core.figures.chart import Chart
from core.language.told import say

CHARTS: dict[str, Chart[Any]] = {
    "column sensitivity interval": estimate_chart(  # verbatim
        zero=say("the group changes nothing"),
    ),
    "column sensitivity groups": chart_of_parts(  # verbatim
        "column sensitivity groups",  # verbatim
        say("Group by group"),
        say(
            "How far the answers move for people of each group; the intervals hold for all groups together. "
            "Groups too small to judge say so and are never called fair. p-values of the mean change are adjusted for "
            "all groups of all attributes, and for the shares decided otherwise."
        ),
        slide="who",
    ),
    "column sensitivity flips": chart_of_parts(  # verbatim
        "column sensitivity flips",  # verbatim
        say("How many would be decided otherwise"),
        say(
            "The share of people who would get another predicted outcome in some other group, each with its own "
            "interval. p-values of “no more than the tolerance” are adjusted for all groups of all attributes, and for "
            "the mean changes."
        ),
    ),
    "column sensitivity distribution": Chart(  # verbatim
        say("How far the answer moves from person to person"),
        say("Each bar holds the people whose answer moves so far. Hatched: beyond the tolerance."),
        distribution.draw,
        distribution.applies,
    ),
    "column sensitivity slope": Chart(  # verbatim
        say("What the slope promises and what happens"),
        say(
            "People sorted by the slope, in bins of about equal size; the diamond is their mean change, the "
            "bar holds the middle half. Below the dotted line the answer moves less than the slope promises, "
            "above it more."
        ),
        slope.draw,
        slope.applies,
    ),
}
