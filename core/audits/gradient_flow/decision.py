"""How a reader looks at a gradient-flow result: tolerance, error rate, stopping time and statistic."""

from typing import Any, Literal

from typing_extensions import override

from core.base.settings import name_of_choice, setting
from core.contracts.decision import DecisionSettings
from core.language.told import say

Statistic = Literal["loss ratio", "error-rate ratio"]


class GradientFlowDecision(DecisionSettings):
    """What turns the search's losses into a verdict."""

    kind: Literal["gradient_flow"] = "gradient_flow"
    delta: float = setting(
        1.25,
        label=say("Tolerance: times as far off"),
        symbol="δ",
        help=say(
            "How many times as far off the model may be for similar people: its loss, or how often it errs. 1.25 is "
            "the four-fifths rule turned around: a screening convention, not a legal threshold."
        ),
        ge=1.0,
        le=100.0,
    )
    stop_at: int | None = setting(
        None,
        label=say("Stop the search after"),
        symbol="T",
        unit=say("steps"),
        help=say(
            "Read the search as if it had stopped here; empty reads all of it. People who could exist are looked for "
            "at its end only, so that what is said of them stays."
        ),
        ge=1,
    )
    statistic: Statistic = setting(
        "loss ratio",
        label=say("Statistic"),
        help=say("Which of the two statistics gives the verdict; both are always computed and shown."),
        names={"loss ratio": say("loss ratio"), "error-rate ratio": say("error-rate ratio")},
    )

    @override
    def misjudges(self, audit: Any) -> str:
        if self.stop_at is None or self.stop_at <= audit.steps:
            return ""
        return say(
            "The search is read up to step {stop_at} (stop_at), and takes {steps} (steps).",
            stop_at=self.stop_at,
            steps=audit.steps,
        )


def name_of(statistic: Statistic) -> str:
    """What people call a statistic, amid a sentence."""
    return name_of_choice(GradientFlowDecision, "statistic", statistic)


def heading_of(statistic: Statistic) -> str:
    """The same as a heading."""
    return say("Loss ratio") if statistic == "loss ratio" else say("Error-rate ratio")
