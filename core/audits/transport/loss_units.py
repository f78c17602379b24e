"""How a rise of a mean loss is told: its name, its unit, its digits."""

from dataclasses import dataclass

from core.audits.transport.decision import TOLD_IN, Loss, TransportDecision
from core.language.told import Retelling, say, say_as
from core.language.units import Unit

_ROUNDING = 1e-12


@dataclass(frozen=True)
class LossUnit(Retelling):
    """How a rise of a mean loss is told.

    Attributes:
        called: The loss in a word.
        name: What rises, with its article.
        heading: The same as a heading.
        rise: Its rise.
        told_in: What a rise is told in.
        single: The loss of one person.
        alike: What people of whom none is treated worse are, on average.
    """

    called: str
    name: str
    heading: str
    rise: str
    told_in: Unit
    single: str
    alike: str

    @property
    def factor(self) -> float:
        """What a loss is multiplied by to be shown."""
        return self.told_in.factor

    @property
    def unit(self) -> str:
        """What follows the number, with the blank before it."""
        return f" {self.told_in.name}".rstrip()

    def shown(self, value: float) -> float:
        """A loss as it is shown; what is left of 0 by rounding is 0."""
        return 0.0 if abs(value) < _ROUNDING else self.factor * value

    @property
    def axis(self) -> str:
        """The measure as the title of an axis."""
        return say("{rise}, {unit}", rise=self.rise, unit=self.told_in.name) if self.told_in.name else self.rise


LOSS_UNITS: dict[Loss, LossUnit] = {
    "0-1": LossUnit(
        say_as("a loss", "0-1"),
        say("the error rate"),
        say_as("of a model", "Error rate"),
        say("rise of the error rate"),
        TOLD_IN["0-1"],
        say_as("the loss of a person", "error"),
        say("are judged wrongly equally often"),
    ),
    "log": LossUnit(
        say_as("a loss", "log"),
        say("the mean logarithmic loss"),
        say("Mean logarithmic loss"),
        say("rise of the mean logarithmic loss"),
        TOLD_IN["log"],
        say_as("the loss of a person", "logarithmic loss"),
        say("have the same mean logarithmic loss"),
    ),
    "squared": LossUnit(
        say_as("a loss", "squared"),
        say("the mean squared error"),
        say("Mean squared error"),
        say("rise of the mean squared error"),
        TOLD_IN["squared"],
        say_as("the loss of a person", "squared error"),
        say("have the same mean squared error"),
    ),
}


def amount(value: float, loss: Loss, *, beside: float | None = None) -> str:
    """A rise of a mean loss with its unit, and digits that tell it from ``beside``: ``6.10 percentage points``."""
    return LOSS_UNITS[loss].told_in.text(0.0 if abs(value) < _ROUNDING else value, beside=beside)


def tolerance(decision: TransportDecision) -> str:
    """The tolerance in the unit of the loss, with the digits it was given: ``3.65``."""
    return LOSS_UNITS[decision.loss].told_in.plain_tolerance(decision.delta)


def tolerated(decision: TransportDecision) -> str:
    """The same with its unit: ``3.65 percentage points``."""
    return LOSS_UNITS[decision.loss].told_in.tolerance(decision.delta)
