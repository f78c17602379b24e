"""How a reader looks at a result: tolerance, error rate, stopping time. Changing them runs nothing again."""

from typing import Literal

from core.settings import Settings, setting

Statistic = Literal["loss ratio", "error-rate ratio"]


class Reading(Settings):
    """What turns a result into a verdict."""

    delta: float = setting(
        1.25,
        label="Tolerance",
        symbol="δ",
        help="How much worse similar people may be treated before it counts as a violation. 1.25 is the four-fifths "
        "rule turned around: a screening convention, not a legal threshold.",
        ge=1.0,
        le=100.0,
    )
    alpha: float = setting(
        0.05,
        label="Error rate",
        symbol="α",
        help="How often the test may find a violation where there is none.",
        ge=0.0001,
        le=0.5,
    )
    stop_at: int | None = setting(
        None,
        label="Stop the search after",
        symbol="T",
        unit="steps",
        help="Read the result as if the search had stopped here; empty reads all of it.",
        ge=1,
    )
    statistic: Statistic = setting(
        "loss ratio",
        label="Statistic",
        help="Which of the two tests gives the verdict; both are always computed and shown.",
    )
