"""To be built by the metrics part."""

from typing import Literal

from core.metric import AbstractLearnedMetric


class SensitiveSubspace(AbstractLearnedMetric):
    """Settings."""

    kind: Literal["sensitive_subspace"] = "sensitive_subspace"
