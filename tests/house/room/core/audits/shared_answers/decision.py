"""Decision settings of the shared-answers test."""

from typing import Literal

from core.decision import DecisionSettings
from core.settings import setting


class SharedAnswersDecision(DecisionSettings):
    """What turns the share into a verdict."""

    kind: Literal["shared_answers"] = "shared_answers"
    delta: float = setting(0.1, label="Tolerance", symbol="δ", help="The largest tolerated share.", ge=0.0, le=1.0)
