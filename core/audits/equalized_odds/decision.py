"""Decision settings of the equalized odds test: tolerance, error rate, and which attribute is shown."""

from typing import Literal

from core.base.settings import setting
from core.contracts.decision import DecisionSettings
from core.language.told import say
from core.language.units import POINTS, SPREADS, Unit


class EqualizedOddsDecision(DecisionSettings):
    """What turns the test into a verdict; none of it runs anything again."""

    kind: Literal["equalized_odds"] = "equalized_odds"
    delta: float = setting(
        0.1,
        label=say("Tolerance: difference between groups"),
        symbol="δ",
        help=say(
            "The largest difference between groups that is tolerated: of the shares with an answer above any "
            "threshold, among people with the same outcome; where answers are numbers, of their means, as a "
            "share of the outcome's standard deviation. A difference is tolerated only if it is shown to be "
            "so small."
        ),
        ge=0.0,
        le=1.0,
    )
    attribute: str = setting(
        "",
        label=say("Protected attribute"),
        help=say("The attribute that charts and tables show. The verdict is about all of them."),
        empty=say("the one with the smallest p-value"),
    )

    def unit(self, *, numbers: bool = False) -> Unit:
        """See the base class."""
        return SPREADS if numbers else POINTS
