"""A model file from the folder that the operator names, for what is too large to be uploaded."""

import os
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core.base.files import FileStore, model_files
from tests.builders_text import make_archive
from tests.dashboard.walking import assert_sound, click, draft_of, settled, texts
from tests.dashboard.walking_texts import with_texts


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Of the operator's; a link in it and a hidden file are not offered."""
    found = tmp_path / "models"
    found.mkdir()
    (found / "tiny.zip").write_bytes(make_archive())
    (found / "run.pkl").write_bytes(b"\x80\x04cos\nsystem\n(S'true'\ntR.")
    (found / ".hidden.zip").write_bytes(b"")
    (found / "link.zip").symlink_to("/etc/hostname")
    monkeypatch.setenv("EVENHAND_MODELS", str(found))
    return found


def chosen(app: AppTest, name: str) -> AppTest:
    app.selectbox(key="model.on_server").set_value(name)
    return settled(app)


def test_what_is_refused_or_gone_is_a_sentence_and_a_sound_model_is_tried_as_if_uploaded(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = click(with_texts(), "step_next")
    assert app.selectbox(key="model.on_server").options == ["run.pkl (0 MB)", "tiny.zip (0 MB)"]
    app = chosen(app, "run.pkl")
    assert_sound(app)
    assert "run.pkl" in texts(app)
    assert app.error
    assert draft_of(app).model is None
    with monkeypatch.context() as broken:
        broken.setattr(FileStore, "put_file", _gone)
        app = chosen(app, "tiny.zip")
        assert_sound(app)
        assert app.error
    app = chosen(chosen(app, "run.pkl"), "tiny.zip")
    assert_sound(app)
    assert not app.error
    model = draft_of(app).model
    assert FileStore().path(model.file).read_bytes() == (folder / "tiny.zip").read_bytes()
    assert not list(FileStore().root.glob(".*"))


def test_without_a_folder_or_with_one_that_is_not_there_nothing_is_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("EVENHAND_MODELS", raising=False)
    assert model_files() == {}
    monkeypatch.setenv("EVENHAND_MODELS", "/nowhere/at/all")
    assert model_files() == {}


def _gone(store: FileStore, path: Path, name: str, on_progress: object) -> None:
    raise FileNotFoundError(2, "No such file or directory", str(path))


def test_a_file_that_is_brought_again_stays_where_a_running_job_may_open_it(folder: Path, tmp_path: Path) -> None:
    """A wall lets a job open the file that was there when it began, not another of the same bytes in its place."""
    store = FileStore(tmp_path / "files")
    ref = store.put_file(folder / "tiny.zip", "tiny.zip")
    before = store.path(ref).stat()
    os.utime(store.path(ref), (0, 0))
    assert store.put_file(folder / "tiny.zip", "tiny.zip") == ref
    after = store.path(ref).stat()
    assert (after.st_ino, after.st_mtime >= before.st_mtime) == (before.st_ino, True), "the same, as good as new"
    assert [path.name for path in store.root.iterdir()] == [ref.sha256]
