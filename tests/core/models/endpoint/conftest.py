"""A model server of one's own for each test, and a folder for its answers."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.models.endpoint.address import ALLOWED
from tests.model_server import ModelServer, serving


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[ModelServer]:
    monkeypatch.setenv("EVENHAND_HOME", str(tmp_path))
    with serving(ModelServer()) as running:
        monkeypatch.setenv(ALLOWED, f"127.0.0.1:{running.port}")
        yield running
