"""To be built by the metrics part."""

from typing import Literal

from core.metric import AbstractLearnedMetric


class ProtectedStatus(AbstractLearnedMetric):
    """Settings."""

    kind: Literal["protected_status"] = "protected_status"
