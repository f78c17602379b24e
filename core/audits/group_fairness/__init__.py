"""Group fairness: how protected groups fare beside each other, and how sure a model is in each."""

from core.audits.group_fairness.decision import GroupFairnessDecision
from core.audits.group_fairness.settings import GroupFairness
from core.contracts.kind import Kind
from core.language.told import say

KIND = Kind(
    name="group_fairness",
    settings=GroupFairness,
    decision=GroupFairnessDecision,
    title=say("Group fairness test"),
    asks=say("Do people of one protected group fare worse than those of others, and by how much?"),
    needs=say("only predictions: classes, probabilities or numbers; outcomes and groups."),
    gives=say(
        "who fares worse than whom, in which direction and by how much, with bounds; rates, impact ratios and errors "
        "of every group. Judged is who is turned away among people with the favourable outcome, or who is chosen where "
        "outcomes are not known: more than 10 percentage points is too much unless you say otherwise, or a rate below "
        "four fifths of the others'. Of numbers it is how far they lie above outcomes on average: more than a tenth of "
        "the outcomes' spread is too much."
    ),
    about=say(
        "The audit compares each protected group, and people who belong to several, with everybody else or a group you "
        "choose. With outcomes it asks who is turned away among people with the favourable outcome, without them who "
        "is chosen. Other columns accuse nobody: they show where a difference lies, and whether people who are alike "
        "in them differ too."
    ),
    citation=(
        say(
            "New York City Local Law 144 and its rules, 6 RCNY § 5-300; Cherian and Candès, “Statistical "
            "inference for fairness auditing”, 2023; Romano, Barber, Sabatti and Candès, “With malice toward "
            "none”, 2020"
        )
    ),
    topics=("dummies", "data"),
    notion=say("Group fairness"),
    settles=say("whether groups are treated alike"),
    compared=say("Who is compared"),
    takes_numbers=True,
    by_predictions=True,
)
