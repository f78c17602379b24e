"""Group fairness: rates and errors of groups, subgroups that are wronged, and how sure a model is in each group."""

from core.kind import Kind
from core.language.told import say

KIND = Kind(
    name="group_fairness",
    stem="GroupFairness",
    title=say("Group fairness test"),
    asks=(
        say(
            "How do decisions and errors fall in each group, and which combinations of groups fare worse "
            "than everybody else?"
        )
    ),
    needs=say("only predictions: classes, probabilities or numbers; outcomes and groups."),
    gives=(
        say(
            "rates, impact ratios and errors of every group, which subgroups are wronged, and how sure the "
            "model is in each group. More than 5 percentage points more often than everybody else is too "
            "much unless you say otherwise; of errors in a number, more than 5% of the mean error."
        )
    ),
    about=(
        say(
            "The audit compares how often groups get the favourable decision and how often the model errs "
            "about them. It then looks at combinations of columns, such as sex and region. It says which of "
            "these subgroups fare worse than everybody else, with bounds that hold for all of them together. "
            "Prediction sets tell how sure the model is in each group."
        )
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
    compared=say("Who is compared"),
    takes_numbers=True,
    by_predictions=True,
)
