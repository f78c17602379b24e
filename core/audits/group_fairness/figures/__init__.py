"""Charts of groups and prediction sets."""

from core.audits.group_fairness.figures import claims, coverage, impact, rates
from core.audits.group_fairness.verdict import GroupFairnessFinding
from core.figures.chart import Chart
from core.language.told import say

CHARTS: dict[str, Chart[GroupFairnessFinding]] = {
    "claims": Chart(
        say("How groups fare beside each other"),
        say(
            "How much worse a group fares than those it is compared with, with bounds. A cross is shown to be worse "
            "than tolerated (the dashed line). A circle is shown not to be. An open square is not settled."
        ),
        claims.draw,
        claims.applies,
        slide="who",
    ),
    "claims intersections": Chart(  # verbatim
        say("How people fare who belong to several groups"),
        say(
            "The same for people who belong to groups of several attributes at once, beside everybody else. Bounds "
            "hold for all of them together."
        ),
        claims.draw_intersections,
        claims.applies_to_intersections,
    ),
    "groups impact": Chart(  # verbatim
        say("Impact ratio of each group"),
        say(
            "How often a group gets the favourable decision (for numbers: an answer above the median), "
            "divided by the same of the group that gets it most often (grey, at 1). Left of the dashed line, "
            "the four-fifths screening ratio, look closer; right of it nothing is proved. The intervals hold "
            "all together."
        ),
        impact.draw,
        impact.applies,
    ),
    "groups rates": Chart(  # verbatim
        say("How the model errs in each group"),
        say(
            "Diamonds and circles are the two measures named beside them; compare each across groups. An "
            "interval holds by itself; the table of differences has intervals that hold together. Groups too "
            "small to judge say so and are never called fair."
        ),
        rates.draw,
        lambda finding: finding.result.detail.has_outcomes,
    ),
    "fair dummies coverage": Chart(  # verbatim
        say("How often the outcome is in the prediction set"),
        say(
            "A prediction set holds the outcomes that the model does not rule out; for numbers it is a "
            "range. It should hold the true outcome as often as asked for (dotted line), in every group. "
            "Diamond: the set is made for the group. Circle: one rule for everybody, by which some groups "
            "may get less."
        ),
        coverage.draw,
        coverage.applies,
    ),
    "fair dummies set sizes": Chart(  # verbatim
        say("How unsure the model is in each group"),
        say(
            "The larger the sets a group needs to hold the outcome as often (diamonds), the less the model "
            "knows about its people. Intervals are about the mean size of the sets as they were made."
        ),
        coverage.draw_sizes,
        coverage.applies_sizes,
    ),
}
