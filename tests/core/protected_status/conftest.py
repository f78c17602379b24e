from collections.abc import Callable
from pathlib import Path

import pytest

from core.base.files import FileStore
from core.models.text import TextModel
from tests.builders_text import make_network, make_text_model


@pytest.fixture(scope="session")
def model() -> TextModel:
    return make_text_model(network=make_network(embedding=8, hidden=8))


@pytest.fixture
def files(tmp_path: Path) -> FileStore:
    return FileStore(tmp_path / "files")


@pytest.fixture
def memo_at(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[str], Path]:
    """Keeps trained weights in a folder of the test's own."""

    def choose(name: str) -> Path:
        monkeypatch.setenv("EVENHAND_HOME", str(tmp_path / name))
        return tmp_path / name / "status"

    return choose
