"""How a rise of a mean loss is told: its name, its unit, its digits."""

from __future__ import annotations

from dataclasses import dataclass

from core.audits.transport.decision import Loss, TransportDecision
from core.phrases import number

_ROUNDING = 1e-12


@dataclass(frozen=True)
class LossUnit:
    """How a rise of a mean loss is told.

    Attributes:
        name: What rises, with its article.
        factor: What a loss is multiplied by to be shown.
        unit: What follows the number, with the blank before it.
        single: The loss of one person.
    """

    name: str
    factor: float
    unit: str
    single: str

    def shown(self, value: float) -> float:
        """A loss as it is shown; what is left of 0 by rounding is 0."""
        return 0.0 if abs(value) < _ROUNDING else self.factor * value

    @property
    def axis(self) -> str:
        """The measure as the title of an axis."""
        return f"rise of {self.name}" + (f",{self.unit}" if self.unit else "")


LOSS_UNITS: dict[Loss, LossUnit] = {
    "0-1": LossUnit("the error rate", 100.0, " percentage points", "error"),
    "log": LossUnit("the mean logarithmic loss", 1.0, "", "logarithmic loss"),
    "squared": LossUnit("the mean squared error", 1.0, "", "squared error"),
}


def amount(value: float, loss: Loss, decimals: int | None = None) -> str:
    """A rise of a mean loss with its unit: ``6.10 percentage points``, ``0.12``."""
    measure = LOSS_UNITS[loss]
    return f"{number(measure.shown(value), decimals)}{measure.unit}"


def tolerance(decision: TransportDecision) -> str:
    """The tolerance in the unit of the loss, with the digits it was given: ``3.65``."""
    return f"{LOSS_UNITS[decision.loss].factor * decision.delta:.10g}"
