"""Decision settings of the shared-answers test."""

from collections.abc import Mapping
from typing import Any, Literal

from core.base.settings import setting
from core.contracts.decision import DecisionSettings
from core.language.units import Unit

PEOPLE = Unit(100.0, "% of people")


class SharedAnswersDecision(DecisionSettings):
    """What turns the share into a verdict."""

    kind: Literal["shared_answers"] = "shared_answers"
    delta: float = setting(0.1, label="Tolerance", symbol="δ", help="The largest tolerated share.", ge=0.0, le=1.0)

    @classmethod
    def unit_of_tolerance(cls, chosen: Mapping[str, Any], *, numbers: bool = False) -> Unit:
        """See the base class."""
        return PEOPLE
