"""To be built by the models part."""

from typing import Literal

from core.model import AbstractModelSource


class PredictionColumns(AbstractModelSource):
    """Settings."""

    kind: Literal["predictions"] = "predictions"
