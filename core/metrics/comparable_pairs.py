"""To be built by the metrics part."""

from typing import Literal

from core.metric import AbstractMetric


class ComparablePairs(AbstractMetric):
    """Settings."""

    kind: Literal["comparable_pairs"] = "comparable_pairs"
