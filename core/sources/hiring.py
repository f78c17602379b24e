"""To be built by the data part."""

from typing import Literal

from core.source import AbstractSource


class Hiring(AbstractSource):
    """Settings."""

    kind: Literal["hiring"] = "hiring"
