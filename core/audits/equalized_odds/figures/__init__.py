"""Charts of the equalized odds test."""

from typing import Any

from core.audits.equalized_odds.figures import answers, calibration, null
from core.audits.equalized_odds.verdict import EqualizedOddsFinding
from core.claim_charts import chart_of_parts
from core.data.labels import condition
from core.figures.chart import Chart
from core.language.told import say


def _too_small(finding: EqualizedOddsFinding) -> list[str]:
    """The groups with too few people to be compared in some stratum."""
    attributes = finding.result.detail.attributes
    pairs = ((one, gap) for one, gap in zip(attributes, finding.gaps, strict=True))
    return list(dict.fromkeys(condition(one.name, one.groups[group]) for one, gap in pairs for _, group in gap.small))


CHARTS: dict[str, Chart[Any]] = {
    "fair dummies null": Chart(  # verbatim
        say("Could it be chance?"),
        say(
            "The bars: how well groups drawn at random explain the answers, draw by draw. The line: how well "
            "people's own groups do. If the line is among the bars, chance explains it; if it is left of "
            "nearly all bars, chance is an unlikely explanation. The p-value is the share of draws that do "
            "as well as people's own groups (hatched)."
        ),
        null.draw,
        null.applies,
    ),
    "fair dummies gap": chart_of_parts(  # verbatim
        "fair dummies gap",  # verbatim
        say("How large the difference is"),
        say(
            "How far two compared groups lie apart, in percentage points. Every difference shown to be too large is "
            "drawn, the one of the headline first. Where none is, the clearest is drawn, and the one that could be "
            "largest. The bars go from the lower to the upper bound: a difference is too large where "
            "its whole bar lies right of the dashed line, and tolerated only where it lies left of it."
        ),
        slide="sure",
        too_few=_too_small,
    ),
    "fair dummies means": chart_of_parts(  # verbatim
        "fair dummies means",  # verbatim
        say("How large the difference is"),
        say(
            "How much larger the mean of one group is than that of another, among people who are alike in what "
            "counts, on the whole and from low to high in parts: the mean answer, or where people with the same "
            "answer are compared the mean outcome. A difference is too large where its whole bar lies beyond a "
            "dashed line, on either side, and tolerated only where every part lies between the two. The first bar "
            "of an attribute has the bounds that decide, which take in every part."
        ),
        slide="who",
        of=lambda finding: finding.drawn_means,
    ),
    "fair dummies answers": Chart(  # verbatim
        say("Answers and outcomes of each group"),
        say(
            "Compare the groups with each other: where they are treated alike, their diamonds lie at "
            "about the same height or place. Diamonds are medians, the bar holds the middle half of the "
            "people, a thin line nine in ten. Where there is only yes or no, they are shares with a 95% "
            "interval."
        ),
        answers.draw,
        answers.applies,
        slide="who",
    ),
    "fair dummies attribute model": Chart(  # verbatim
        say("Is it known who belongs to which group?"),
        say(
            "To draw groups at random, the test learned on other rows who is likely to belong to which "
            "group. Where it learned that rightly, diamonds lie on the dotted line; if they lie far off, the "
            "p-value cannot be trusted."
        ),
        calibration.draw,
        calibration.applies,
    ),
}
