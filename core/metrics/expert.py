"""To be built by the metrics part."""

from typing import Literal

from core.metric import AbstractMetric


class Expert(AbstractMetric):
    """Settings."""

    kind: Literal["expert"] = "expert"
