"""Charts of the text sensitivity test."""

from collections.abc import Sequence
from typing import Any

from core.audits.text_sensitivity.figures import (
    classes,
    confidence,
    groups,
    pair,
    words,
)
from core.claim_charts import chart_of_parts, estimate_chart
from core.claims import Claim
from core.figures.chart import Chart
from core.language.told import say

TEXTS = ("text", "texts")


def _baseline(claims: Sequence[Claim]) -> tuple[float, str]:
    """Where exchanged words lie, without a p-value of being better than themselves."""
    return claims[-1].estimate, say("dotted: exchanged words (CF)")


CHARTS: dict[str, Chart[Any]] = {
    "sensitivity interval": estimate_chart(),  # verbatim
    "sensitivity flips": chart_of_parts(  # verbatim
        "sensitivity flips",  # verbatim
        say("How often the predicted class changes"),
        say(
            "The share of texts that get another predicted class when the words that name a group are "
            "exchanged, each with its own interval. Groups and classes with few texts say so and are never "
            "called fair."
        ),
        rows=TEXTS,
        slide="who",
    ),
    "sensitivity groups": Chart(  # verbatim
        say("How the measure is spread in each group"),
        say(
            "The diamond is the mean of a group's texts with its interval; the intervals hold together for "
            "all groups of an attribute. The wide grey bar holds the middle half of the texts, the thin one "
            "nine in ten."
        ),
        groups.draw,
        groups.applies,
    ),
    "sensitivity words": Chart(  # verbatim
        say("The words that carry the sensitivity"),
        say(
            "The higher a word stands, the more the model relies on it; the farther right, the more it gives "
            "the group away. Words in the upper right corner do both: through them protected information can "
            "enter the answer."
        ),
        words.draw,
        words.applies,
    ),
    "sensitivity classes": Chart(  # verbatim
        say("Which words move which class"),
        say(
            "How strongly the probability of each class reacts to a word, on average over the texts with the "
            "word. Deeper blue is stronger."
        ),
        classes.draw,
        classes.applies,
    ),
    "sensitivity pair": Chart(  # verbatim
        say("Both models on the same texts"),
        say(
            "Texts by how much more the audited model leans on protected information than the second one; "
            "hatched to the right of 0, where it leans more. The diamond is the mean difference with its "
            "interval."
        ),
        pair.draw,
        pair.applies,
    ),
    "sensitivity confidence": Chart(  # verbatim
        say("The measure and the model's confidence"),
        say(
            "Texts in bins of about equal size by how sure the model is of its answer; the diamond is the "
            "mean, the bar holds the middle half. An unsure model reacts to every word, so that the measure "
            "falls with confidence whatever the words mean."
        ),
        confidence.draw,
        confidence.applies,
    ),
    "sensitivity status": chart_of_parts(  # verbatim
        "sensitivity status",  # verbatim
        say("How well the protected status model tells the groups"),
        say(
            "Measured on texts that it did not learn from, with 95% intervals. Where it does no better than "
            "guessing, what it says about words means nothing."
        ),
        rows=TEXTS,
        level=lambda claims: (1 / len(claims), say("guessing")),
    ),
    "sensitivity annotations": chart_of_parts(  # verbatim
        "sensitivity annotations",  # verbatim
        say("Do the measures agree with people?"),
        say(
            "How well each measure agrees with what people found biased: 1 is complete agreement, 0 none. "
            "Exchanged words are the baseline; a measure to the right of the dotted line agrees better."
        ),
        rows=TEXTS,
        level=_baseline,
    ),
    "sensitivity information": chart_of_parts(  # verbatim
        "sensitivity information",  # verbatim
        say("How much the measures tell about people's judgement"),
        say(
            "Mutual information, which also sees agreement that is not a straight line: 0 says that the "
            "measure tells nothing about what people found biased."
        ),
        rows=TEXTS,
        level=_baseline,
    ),
}
