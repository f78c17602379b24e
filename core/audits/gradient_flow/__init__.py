"""The gradient-flow loss-ratio test (papers/gradient-flow-test.md)."""

from core.audits.gradient_flow.decision import GradientFlowDecision
from core.audits.gradient_flow.settings import GradientFlow
from core.contracts.kind import Kind
from core.language.told import say

KIND = Kind(
    name="gradient_flow",
    settings=GradientFlow,
    decision=GradientFlowDecision,
    title=say("Gradient-flow test"),
    asks=(say("If a person changed a little in what must not matter, how much further off could the model be?")),
    needs=say("the model itself, with gradients: a neural network or a linear model."),
    gives=(
        say(
            "how many times as far off the model becomes (its loss, which is larger the less chance it gives the right "
            "answer); more than 1.25 times is too much unless you say otherwise."
        )
    ),
    about=(
        say(
            "For every audited person the test searches for a similar person, as the fair metric understands "
            "it, whom the model misjudges more. It then compares the model's loss on the two. What the search "
            "finds may lie between people, so that only people who could exist accuse the model. An average ratio "
            "of 1 means that nobody similar was found who is misjudged more."
        )
    ),
    citation="Maity, Xue, Yurochkin and Sun, “Statistical inference for individual fairness”, ICLR 2021",  # verbatim
    topics=("statistic", "search", "metric", "data"),
)
