"""Decision settings of the text sensitivity test: what the verdict is about, the measure, tolerance and error rate."""

from typing import Any, Literal, Self, get_args

from pydantic import model_validator

from core.base.settings import name_of_choice, setting
from core.contracts.decision import DecisionSettings
from core.language.told import say
from core.language.units import PLAIN, POINTS, Unit

TextMeasure = Literal["P1", "P2", "P3", "P4", "P5", "CF"]
Judged = Literal["swaps", "reference"]

MEASURES: tuple[TextMeasure, ...] = get_args(TextMeasure)
SIGNED: tuple[TextMeasure, ...] = ("P3", "P5")
"""Measures that multiply by the embedding, and so have a signed form."""

DEFAULT_TOLERANCE: dict[Judged, float] = {"swaps": 0.05, "reference": 0.0}


class TextSensitivityDecision(DecisionSettings):
    """What turns the measures into a verdict; none of it runs anything again.

    Without a tolerance it gets the default of what is judged.
    """

    kind: Literal["text_sensitivity"] = "text_sensitivity"
    judged: Judged = setting(
        "swaps",
        label=say("What the verdict is about"),
        help=say(
            "Swaps: how far the model's answer moves when words that name a group are exchanged. Reference: "
            "how much more the model leans on protected information than a second model does, on the same "
            "texts."
        ),
        names={"swaps": say("Exchanged words (counterfactuals)"), "reference": say("Comparison with the second model")},
    )
    measure: TextMeasure = setting(
        "P3",
        label=say("Measure"),
        help=say(
            "Which sensitivity is shown, and compared with the second model's. P3 and P5 count per size of a "
            "word's embedding, so that models whose embeddings differ in size can be compared."
        ),
        names={
            "P1": say("All words alike (P1)"),
            "P2": say("Words that give the group away (P2)"),
            "P3": say("Words that give the group away, by embedding (P3)"),
            "P4": say("Words that name a group (P4)"),
            "P5": say("Words that name a group, by embedding (P5)"),
            "CF": say("Exchanged words (CF)"),
        },
    )
    signed: bool = setting(
        False,
        label=say("Signed embedding, as printed"),
        help=say("P3 and P5 multiply by the embedding itself, whose entries may be negative, instead of its size."),
    )
    delta: float = setting(
        label=say("Tolerance: change of the answer"),
        symbol="δ",
        help=say(
            "Swaps: how far the probability may move on average, 5 percentage points by default. Reference: the "
            "difference of the measure that is tolerated, 0 by default."
        ),
        ge=0.0,
        le=100.0,
    )

    def unit(self, *, numbers: bool = False) -> Unit:
        """See the base class."""
        return POINTS if self.verdict_measure == "CF" else PLAIN

    @property
    def verdict_measure(self) -> TextMeasure:
        """The measure that the verdict rests on."""
        return "CF" if self.judged == "swaps" else self.measure

    def is_signed(self, measure: TextMeasure) -> bool:
        """Whether ``measure`` is taken in its signed form."""
        return self.signed and measure in SIGNED

    @model_validator(mode="after")
    def _tolerance_is_possible(self) -> Self:
        if self.judged == "swaps" and self.delta > 1:
            raise ValueError("the tolerance must be at most 1: exchanged words cannot move more than all probability")
        return self

    @model_validator(mode="before")
    @classmethod
    def _default_tolerance(cls, values: Any) -> Any:
        if not isinstance(values, dict) or values.get("delta") is not None:
            return values
        return {**values, "delta": DEFAULT_TOLERANCE.get(values.get("judged", "swaps"), 0.0)}


def measure_name(measure: TextMeasure, decision: TextSensitivityDecision) -> str:
    """A measure in words."""
    name = name_of_choice(TextSensitivityDecision, "measure", measure)
    return say("{name}, signed", name=name) if decision.is_signed(measure) else name
