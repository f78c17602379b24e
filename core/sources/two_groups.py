"""To be built by the data part."""

from typing import Literal

from core.source import AbstractSource


class TwoGroups(AbstractSource):
    """Settings."""

    kind: Literal["two_groups"] = "two_groups"
