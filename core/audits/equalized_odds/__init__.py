"""The equalized odds test by fair dummies (papers/fair-dummies.md)."""

from core.audits.equalized_odds.decision import EqualizedOddsDecision
from core.audits.equalized_odds.settings import EqualizedOdds
from core.contracts.kind import Kind
from core.language.told import say

KIND = Kind(
    name="equalized_odds",
    settings=EqualizedOdds,
    decision=EqualizedOddsDecision,
    title=say("Equalized odds test"),
    asks=(
        say(
            "Do people with the same outcome get the same answers, whatever group they belong to? Or, if you "
            "choose so, do all groups get the same answers (demographic parity), or does the same answer "
            "mean the same (calibration)?"
        )
    ),
    needs=say(
        "only predictions: classes, probabilities or numbers; groups; and outcomes, unless it asks of all people."
    ),
    gives=(
        say(
            "whether answers depend on the group, and how far groups lie apart. Unless you say otherwise, "
            "more than 10 percentage points is too much; of an outcome that is a number, more than a tenth "
            "of its spread."
        )
    ),
    about=(
        say(
            "The test asks whether the answers depend on a protected attribute among people who have "
            "the same outcome. It draws everybody's group anew many times: these fair dummies go with the "
            "outcomes as the true groups do, but no answer depends on them. The test then looks whether the "
            "true groups explain the answers better than the fair dummies ever do."
        )
    ),
    citation=(
        say("Romano, Bates and Candès, “Achieving equalized odds by resampling sensitive attributes”, NeurIPS 2020")
    ),
    topics=("dummies", "data"),
    notion=say("Group fairness"),
    settles=say("whether groups are treated alike"),
    compared=say("Who is compared"),
    takes_numbers=True,
    by_predictions=True,
    beside=("group_fairness",),
)
