"""How a reader looks at a gradient-flow result: tolerance, error rate, stopping time and statistic."""

from typing import Literal

from core.decision import DecisionSettings
from core.language.told import say
from core.settings import setting

Statistic = Literal["loss ratio", "error-rate ratio"]


class GradientFlowDecision(DecisionSettings):
    """What turns the search's losses into a verdict."""

    kind: Literal["gradient_flow"] = "gradient_flow"
    delta: float = setting(
        1.25,
        label="Tolerance",
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
        unit="steps",
        help=say("Read the result as if the search had stopped here; empty reads all of it."),
        ge=1,
    )
    statistic: Statistic = setting(
        "loss ratio",
        label="Statistic",
        help=say("Which of the two tests gives the verdict; both are always computed and shown."),
    )
