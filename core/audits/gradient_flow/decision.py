"""How a reader looks at a gradient-flow result: tolerance, error rate, stopping time and statistic."""

from typing import Literal

from core.base.settings import name_of_choice, setting
from core.contracts.decision import DecisionSettings
from core.language.told import say

Statistic = Literal["loss ratio", "error-rate ratio"]


class GradientFlowDecision(DecisionSettings):
    """What turns the search's losses into a verdict."""

    kind: Literal["gradient_flow"] = "gradient_flow"
    delta: float = setting(
        1.25,
        label=say("Tolerance: ratio of errors"),
        symbol="δ",
        help=say(
            "How much worse similar people may be treated before it counts as a violation. 1.25 is the "
            "four-fifths rule turned around: a screening convention, not a legal threshold."
        ),
        ge=1.0,
        le=100.0,
    )
    stop_at: int | None = setting(
        None,
        label=say("Stop the search after"),
        symbol="T",
        unit=say("steps"),
        help=say("Read the result as if the search had stopped here; empty reads all of it."),
        ge=1,
    )
    statistic: Statistic = setting(
        "loss ratio",
        label=say("Statistic"),
        help=say("Which of the two statistics gives the verdict; both are always computed and shown."),
        names={"loss ratio": say("loss ratio"), "error-rate ratio": say("error-rate ratio")},
    )


def name_of(statistic: Statistic) -> str:
    """What people call a statistic, amid a sentence."""
    return name_of_choice(GradientFlowDecision, "statistic", statistic)


def heading_of(statistic: Statistic) -> str:
    """The same as a heading."""
    return say("Loss ratio") if statistic == "loss ratio" else say("Error-rate ratio")
