"""Accumulated prediction sensitivity of text classifiers (papers/prediction-sensitivity.md)."""

from core.audits.text_sensitivity.decision import TextSensitivityDecision
from core.audits.text_sensitivity.settings import TextSensitivity
from core.contracts.kind import Kind
from core.language.told import say

KIND = Kind(
    name="text_sensitivity",
    settings=TextSensitivity,
    decision=TextSensitivityDecision,
    title=say("Text sensitivity test"),
    asks=(
        say("Does the model's answer to a text rely on words that reveal a person's group, such as “she” or “actress”?")
    ),
    needs=say("a model that reads texts, itself; texts with or without outcomes and groups."),
    gives=(
        say(
            "how far answers move when such words are exchanged, and on which words each answer relies. More "
            "than 5 percentage points on average is too much unless you say otherwise."
        )
    ),
    about=(
        say(
            "The audit asks how much a text classifier relies on words that reveal a person's group. It "
            "exchanges words that name a group for their counterparts and looks how far the answer moves. It "
            "also measures how fast the answer reacts to each word, and weights that by how much the word "
            "reveals of the group."
        )
    ),
    citation=(
        "Krishna, Gupta, Verma, Dhamala, Pruksachatkun and Chang, “Measuring fairness of text "
        "classifiers via prediction sensitivity”, ACL 2022"  # verbatim
    ),
    topics=("text_sensitivity", "data"),
    reads="texts",
)
