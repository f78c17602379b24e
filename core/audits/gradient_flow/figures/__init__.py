"""Charts of the gradient-flow test."""

from typing import Any

from core.audits.gradient_flow.figures import changes, ratios, robustness, sweep
from core.claim_charts import chart_of_parts, estimate_chart
from core.figures.chart import Chart
from core.language.told import say

GIVEN = say(
    "The dotted line is the value chosen. Crosses lie beyond the tolerance, filled circles within it; squares are not "
    "settled. Every point is what the search alone finds, with its definition of similar taken as given."
)


def _varied(setting: str, title: str, meaning: str) -> Chart[Any]:
    return Chart(
        title,
        say("{meaning} {reading}", meaning=meaning, reading=GIVEN),
        robustness.draw_varied(setting),
        lambda finding: setting in finding.parts,
    )


CHARTS: dict[str, Chart[Any]] = {
    "intervals": estimate_chart(
        zero=say("treated alike"),
        level=1.0,
    ),
    "ratios": Chart(
        say("Person by person"),
        say(
            "Each person, or text, is compared with the most misjudged similar one that was found. Hatched: beyond the "
            "tolerance."
        ),
        ratios.draw,
    ),
    "sweep": Chart(
        say("What a shorter search would have found"),
        say(
            "What the search alone would find had it stopped earlier, between its bounds. A line still rising says "
            "that a longer search may find more. A diamond is the verdict's estimate: people who could exist near the "
            "end of the search may be misjudged more than the point where it ended, or less."
        ),
        sweep.draw,
    ),
    "groups": chart_of_parts(
        "groups",
        say("Group by group: misjudged more, for better or worse"),
        say(
            "Groups are those of the people from whom the search starts. A large number says that similar people are "
            "misjudged more, to their advantage or not; it does not say that the group is harmed. The intervals hold "
            "for all groups together. Groups too small to judge say so and are never called fair."
        ),
        level=lambda claims: (1.0, ""),
        slide="who",
    ),
    "changes": Chart(
        say("What differs in the person found"),
        say(
            "In how many people the most misjudged similar person found has another value, and by how much numbers "
            "then lie apart on average; + or - where nearly all of them, nine in ten, go that way. Deeper blue is more "
            "often."
        ),
        changes.draw,
        lambda finding: finding.detail.changes is not None,
    ),
    "rotations": _varied(
        "rotations",
        say("If the definition of similar were turned"),
        say("The result with the free direction turned away from the chosen one."),
    ),
    "other_weights": _varied(
        "other_weights",
        say("If similarity weighed more or less"),
        say("A small weight lets the search reach people who are less similar; a large one holds it close."),
    ),
    "other_penalties": _varied(
        "other_penalties",
        say("If the definition of similar were learned with another penalty"),
        say("A strong ridge smooths what is learned about the groups; a weak one follows the rows."),
    ),
    "resampled": Chart(
        say("If the definition of similar were learned from other rows"),
        say(
            "The estimate under metrics learned from random halves of the rows the metric was learned from. "
            "The band is the interval of what the search finds, which includes how far these lie apart."
        ),
        robustness.draw_resampled,
        lambda finding: finding.detail.relearned is not None and len(finding.detail.relearned.angles) > 0,
    ),
}
