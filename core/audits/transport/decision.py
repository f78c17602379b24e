"""Decision settings of a transport test: tolerance, error rate, budget, loss and the way to the interval."""

import math
from typing import Literal, Self

from pydantic import model_validator

from core.base.settings import setting
from core.caveats.assumptions import is_proposed
from core.contracts.decision import DecisionSettings
from core.inference.transport.methods import Method
from core.language.told import say
from core.language.units import PLAIN, POINTS, Unit

Loss = Literal["0-1", "log", "squared"]


LARGEST: dict[Loss, float] = {"0-1": 1.0, "log": math.inf, "squared": 2.0}
"""The most that a person's loss can be."""

TOLD_IN: dict[Loss, Unit] = {"0-1": POINTS, "log": PLAIN, "squared": PLAIN}
"""What a rise of a mean loss is told in."""


CONVENTION = say(
    "3.65 percentage points are a starting value for any use: of 100 people at most 3.65 more may be judged wrongly. "
    "It is the choice of the paper that proposed the test, and no legal threshold."
)
"""What the proposed tolerance means, and where it comes from."""


class TransportDecision(DecisionSettings):
    """What turns a transport test into a verdict; none of it runs anything again."""

    kind: Literal["transport"] = "transport"
    delta: float = setting(
        0.0365,
        label=say("Tolerance: rise of the overall error"),
        symbol="δ",
        help=say(
            "How much the mean loss may rise when people are compared with similar people who are treated "
            "worse. With the 0-1 loss it is a rise of the error rate: how many more in 100 may be judged wrongly."
        ),
        ge=0.0,
        le=100.0,
    )
    budget: float | None = setting(
        None,
        label=say("Budget for comparisons"),
        symbol="ε",
        help=say(
            "Mean cost that may be spent on comparing people. It counts only where costs lie between 0 and infinity."
        ),
        empty=say("proposed from the costs"),
        ge=0.0,
        le=1e12,
    )
    loss: Loss = setting(
        "0-1",
        label=say("Loss"),
        help=say("What counts as being treated worse: a wrong decision, or a worse probability."),
        names={
            "0-1": say("Wrong decisions (0-1)"),
            "log": say("Logarithm of the probability"),
            "squared": say("Squared error"),
        },
    )
    method: Method = setting(
        "directional derivative",  # verbatim
        label=say("Method for the bounds"),
        help=say(
            "The directional-derivative bootstrap kept its error rates in every simulated case. The closed "
            "form and Efron's bootstrap ignore kinks of the value, where their upper bound may be too low. The "
            "paper's own two ways claim nothing where they are known to fail."
        ),
        names={
            "m out of n": say("m-out-of-n bootstrap"),  # verbatim
            "m out of n, chosen from the data": say("m-out-of-n bootstrap, m chosen from the data"),  # verbatim
            "directional derivative": say("Directional-derivative bootstrap"),  # verbatim
            "closed form": say("Normal approximation (closed form)"),  # verbatim
            "Efron": say("Efron's bootstrap"),
            "m out of n, as published": say("m-out-of-n bootstrap, as the paper has it"),  # verbatim
            "numerical": say("Numerical bootstrap, as the paper has it"),
        },
    )

    def unit(self, *, numbers: bool = False) -> Unit:
        """See the base class."""
        return TOLD_IN[self.loss]

    @model_validator(mode="after")
    def _tolerance_is_possible(self) -> Self:
        if self.delta > (largest := LARGEST[self.loss]):
            raise ValueError(
                say(
                    "the tolerance must be at most {largest}: this loss cannot rise by more",
                    largest=TOLD_IN[self.loss].tolerance(largest),
                )
            )
        return self


def by_convention(decision: TransportDecision) -> bool:
    """Whether the tolerance is the proposed one, of which :data:`CONVENTION` tells."""
    return decision.loss == "0-1" and is_proposed(decision)
