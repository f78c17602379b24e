"""To be built by the data part."""

from typing import Literal

from core.source import AbstractSource


class Compas(AbstractSource):
    """Settings."""

    kind: Literal["compas"] = "compas"
