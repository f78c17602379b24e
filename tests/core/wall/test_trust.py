"""Where the system has no wall: which files are opened all the same, and what is said of the others."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from core.base.errors import ModelError
from core.cli.app import app
from core.wall import sandbox, trust
from core.wall.behind import open_behind
from core.wall.trust import WITHOUT_WALL, require_wall
from core.workflows.examples import SAMPLE_MODELS

STRANGE = "tests.core.wall.strange_inside"


@pytest.fixture(autouse=True)
def no_wall(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "landlock_version", lambda: 0)
    monkeypatch.setattr(sandbox, "can_filter", lambda: False)
    monkeypatch.setattr(trust, "_trusted", set())
    monkeypatch.delenv(WITHOUT_WALL, raising=False)


@pytest.fixture
def strange(tmp_path: Path) -> Path:
    path = tmp_path / "model.ubj"
    path.write_bytes(b"a stranger's")
    return path


def test_a_strangers_file_is_refused_with_what_could_happen_and_what_to_do(strange: Path) -> None:
    with pytest.raises(ModelError) as refused:
        require_wall(strange, "model.ubj")
    assert "cannot confine it" in refused.value.what
    assert "could reach the network" in refused.value.what
    assert "--trust-file" in refused.value.advice
    assert WITHOUT_WALL in refused.value.advice


def test_every_sample_model_passes_by_its_bytes_whatever_its_name(tmp_path: Path) -> None:
    for sample in SAMPLE_MODELS.glob("*.skops"):
        other = tmp_path / "x"
        other.write_bytes(sample.read_bytes())
        require_wall(other, "x")
        other.write_bytes(sample.read_bytes()[:-1] + b"x")
        with pytest.raises(ModelError):
            require_wall(other, sample.name)


def test_a_trusted_file_passes_and_one_beside_it_does_not(strange: Path, tmp_path: Path) -> None:
    trust.trust(strange)
    require_wall(strange, "model.ubj")
    changed = tmp_path / "changed"
    changed.write_bytes(b"another")
    with pytest.raises(ModelError):
        require_wall(changed, "changed")


def test_a_format_says_whether_its_files_need_a_wall(strange: Path) -> None:
    with pytest.raises(ModelError, match="cannot confine it"):
        open_behind(STRANGE, strange, {}, name="model.ubj")
    assert open_behind(STRANGE, strange, {}, name="model.onnx", needs_wall=False).said["read"] == "a stranger's"


def test_an_operator_lets_all_pass_by_one_and_nothing_else(strange: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(WITHOUT_WALL, "yes")
    with pytest.raises(ModelError):
        require_wall(strange, "model.ubj")
    monkeypatch.setenv(WITHOUT_WALL, "1")
    require_wall(strange, "model.ubj")


def test_the_command_line_names_files_to_trust(strange: Path, tmp_path: Path) -> None:
    table = tmp_path / "t.csv"
    table.write_text("a,b\n1,2\n")
    ran = CliRunner().invoke(
        app, ["audit", "--table", str(table), "--out", str(tmp_path), "--trust-file", str(strange)]
    )
    assert isinstance(ran.exception, Exception)
    assert trust._trusted == {trust._fingerprint(strange)}
