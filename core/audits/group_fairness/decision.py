"""Decision settings of groups: tolerance, error rate, and the attribute whose prediction sets are shown."""

from collections.abc import Mapping
from typing import Any, Literal

from core.decision import DecisionSettings
from core.language.told import say
from core.settings import setting
from core.units import POINTS, Unit


class GroupFairnessDecision(DecisionSettings):
    """What turns groups and subgroups into a verdict; none of it runs anything again."""

    kind: Literal["group_fairness"] = "group_fairness"
    delta: float = setting(
        0.05,
        label=say("Tolerance for subgroups"),
        help=say(
            "By how much more often a subgroup may be wronged than everybody else; for answers that are "
            "numbers, the share of the mean error by which its own may be larger."
        ),
        ge=0.0,
        le=1.0,
    )
    attribute: str = setting(
        "",
        label=say("Protected attribute"),
        help=say("The attribute whose prediction sets are shown. The verdict is about subgroups of all columns."),
        empty=say("the first one"),
    )

    @classmethod
    def unit_of_tolerance(cls, chosen: Mapping[str, Any], *, numbers: bool = False) -> Unit:
        """See the base class."""
        return Unit(100.0, say("percent of the mean error")) if numbers else POINTS
