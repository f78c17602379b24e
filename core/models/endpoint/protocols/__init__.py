"""The table of protocols. A new one adds its module and its line here.

A protocol is three functions without any connection: ``request`` (rows to path and bytes), ``reply`` (bytes to answers)
and ``about`` (the path that tells of the model, empty where there is none) with ``version_in`` (what it told).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from core.models.endpoint.protocols import mlflow, open_inference, plain
from core.models.endpoint.rows import Reply, Rows
from core.models.endpoint.settings import EndpointSettings


class Codec(Protocol):
    """How rows are written and answers are read."""

    def request(self, endpoint: EndpointSettings, rows: Rows) -> tuple[str, bytes]:
        """The path behind the server's name, and what is posted there."""

    def reply(self, endpoint: EndpointSettings, content: bytes, asked: int) -> Reply:
        """The answers in what came back; raises a ModelError that says what is wrong with it."""

    def about(self, endpoint: EndpointSettings) -> str:
        """The path that tells of the model; empty where there is none."""

    def version_in(self, content: bytes) -> str:
        """What it tells: which versions there are, as text."""


PROTOCOLS: Mapping[str, Codec] = {"open inference": open_inference, "mlflow": mlflow, "plain": plain}
