"""Decision settings of a column sensitivity test: measure, tolerance, error rate, and which attribute is shown."""

from typing import Literal

from core.base.settings import setting
from core.contracts.decision import DecisionSettings
from core.language.told import say
from core.language.units import POINTS, Unit

ColumnMeasure = Literal["change", "slope"]


class ColumnSensitivityDecision(DecisionSettings):
    """What turns the scores into a verdict; none of it runs anything again."""

    kind: Literal["column_sensitivity"] = "column_sensitivity"
    attribute: str = setting(
        "",
        label=say("Protected attribute"),
        help=say("The attribute that charts and tables show. The verdict is about all of them."),
        empty=say("the one that decides"),
    )
    measure: ColumnMeasure = setting(
        "change",
        label=say("Measure"),
        help=say(
            "Change: how far the answer moves when the person is put into the other group. Slope: how far it "
            "would move if the model went on as steeply as it begins (P of the paper)."
        ),
        names={"change": say("Change of the answer"), "slope": say("Slope of the answer (P)")},
    )
    delta: float = setting(
        0.05,
        label=say("Tolerance: change of the answer"),
        symbol="δ",
        help=say("How far the answer may move on average, in percentage points of probability."),
        ge=0.0,
        le=1.0,
    )

    def unit(self, *, numbers: bool = False) -> Unit:
        """See the base class."""
        return POINTS
