"""To be built by the data part."""

from typing import Literal

from core.source import AbstractSource


class Adult(AbstractSource):
    """Settings."""

    kind: Literal["adult"] = "adult"
