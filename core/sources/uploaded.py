"""To be built by the data part."""

from typing import Literal

from core.source import AbstractSource


class UploadedTable(AbstractSource):
    """Settings."""

    kind: Literal["table"] = "table"
