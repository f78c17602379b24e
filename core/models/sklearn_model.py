"""To be built by the models part."""

from typing import Literal

from core.model import AbstractModelSource


class SklearnFile(AbstractModelSource):
    """Settings."""

    kind: Literal["sklearn"] = "sklearn"
