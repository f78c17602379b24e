"""The transport test, FaiTH (papers/faith.md)."""

from core.audits.transport.decision import TransportDecision
from core.audits.transport.settings import Transport
from core.contracts.kind import Kind
from core.language.told import say

KIND = Kind(
    name="transport",
    settings=Transport,
    decision=TransportDecision,
    title=say("Transport test"),
    asks=(
        say(
            "If people were judged like similar people of other groups in the table, how many more would be "
            "judged wrongly?"
        )
    ),
    needs=say("only predictions; with the model itself it can ask about the same person in every other group."),
    gives=(
        say(
            "the rise of the error rate, and between which groups it runs. More than 3.65 percentage points "
            "is too much unless you say otherwise."
        )
    ),
    about=(
        say(
            "The test compares people with similar people in the table whose recorded outcome is the same. It "
            "supposes that everybody were judged like the similar people on whom the model does worst, as "
            "far as the budget allows. It then asks by how much the model's mean loss would rise. A rise of "
            "0 means that similar people are judged alike."
        )
    ),
    citation=say("Xue, Yurochkin and Sun, “Auditing ML models for individual bias and unfairness”, AISTATS 2020"),
    topics=("transport", "data"),
    by_predictions=True,
    beside=("equalized_odds", "group_fairness"),
)
