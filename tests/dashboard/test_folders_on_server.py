"""Folders that the operator offers: picked by name, drawn from, counted; nothing else can be read."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from core.base.errors import DataError, SourceError
from core.base.files import FileRef, FileStore, FolderRef, state_of, table_folder, table_folders
from core.base.progress import ignore_progress
from core.sources.folder.table import FolderTable
from dashboard.jobs.takeover import take_over
from dashboard.jobs.tasks_of_folders import TASKS_OF_FOLDERS, look_into_folder, plan_count, read_folder
from dashboard.jobs.wanted import files_in
from tests.dashboard.walking import assert_sound, click, draft_of, named, open_page, settled, texts

ROWS = 4_000


@pytest.fixture
def loans(folders_to_pick_from: Path) -> Iterator[pd.DataFrame]:
    rng = np.random.default_rng(3)
    sex, repaid = rng.choice(["f", "m"], ROWS), rng.choice(["yes", "no"], ROWS)
    approved = np.where(rng.random(ROWS) < 0.8, repaid, "no")
    frame = pd.DataFrame({"sex": sex, "income": rng.normal(size=ROWS), "repaid": repaid, "prediction": approved})
    (folder := folders_to_pick_from / "loans").mkdir()
    for place in range(2):
        frame.iloc[2_000 * place : 2_000 * (place + 1)].to_parquet(folder / f"{place}.parquet")
    yield frame
    shutil.rmtree(folder)


def picked() -> AppTest:
    app = open_page("data")
    named(app.radio, "data.way").set_value("Pick a folder on this server")
    return settled(app)


def test_a_folder_is_drawn_from_and_then_counted_in_the_columns_that_have_a_role(loans: pd.DataFrame) -> None:
    app = picked()
    app.number_input(key="data.folder_rows").set_value(1_000)
    click(settled(app), "data.draw")
    assert_sound(app)
    assert "4,000 rows in 2 files" in texts(app)
    click(app, "roles.yes")
    click(app, "data.count")
    assert_sound(app)
    assert "All rows are counted." in texts(app)
    draft, files = draft_of(app), FileStore()
    assert isinstance(draft.data, FolderTable)
    assert draft.data.title == "loans"
    assert all((files.root / name).is_file() for name in draft.data.kept_as)
    table = draft.data.load(files)
    assert draft.roles.counts == "people"
    assert table["people"].sum() == ROWS
    assert "income" not in table
    by_hand = loans.groupby(["sex", "repaid", "prediction"]).size()
    assert table.groupby(["sex", "repaid", "prediction"])["people"].sum().to_dict() == by_hand.to_dict()


def test_nothing_is_offered_that_lies_elsewhere(
    loans: pd.DataFrame, folders_to_pick_from: Path, tmp_path: Path
) -> None:
    loans.to_parquet(tmp_path / "secret.parquet")
    (folders_to_pick_from / "elsewhere").symlink_to(tmp_path)
    assert table_folders() == ("loans",)
    for name in ("elsewhere", "..", "../loans", str(tmp_path), "", "."):
        with pytest.raises(SourceError, match="There is no folder"):
            table_folder(name)
    (folders_to_pick_from / "loans" / "2.parquet").symlink_to(tmp_path / "secret.parquet")
    with pytest.raises(SourceError, match="leads out of it"):
        table_folder("loans")
    app = picked()
    assert "leads out of it" in texts(app)
    (folders_to_pick_from / "elsewhere").unlink()


@pytest.mark.parametrize("uploads", [0, 1])
def test_what_was_read_of_a_folder_is_kept_of_jobs_that_had_no_upload(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, uploads: int
) -> None:
    monkeypatch.setenv("EVENHAND_HOME", str(tmp_path / "home"))
    table = FolderTable(folder=FolderRef(name="loans", sha256="0" * 64, bytes=9, rows=30), columns=("sex",))
    upload = FileRef(name="model.onnx", sha256="1" * 64, bytes=9)
    arguments = {"source": table.model_dump(mode="json"), "others": [upload.model_dump(mode="json")] * uploads}
    (left := tmp_path / "left" / "files").mkdir(parents=True)
    for name in (*table.kept_as, f"{'0' * 64}.forged.kinds"):
        (left / name).write_bytes(b"rows")
    take_over(left.parent, TASKS_OF_FOLDERS["read_folder"], arguments, {})
    kept = {path.name for path in FileStore().root.glob("*")}
    assert kept == (set() if uploads else set(table.kept_as))
    assert files_in(arguments)["0" * 64] == ""


def test_copies_are_refused_wherever_they_are_before_rows_are_counted(
    tmp_path: Path, folders_to_pick_from: Path
) -> None:
    (folder := folders_to_pick_from / "twice").mkdir()
    frame = pd.DataFrame({"sex": [*"fm"] * 200, "income": np.random.default_rng(1).normal(size=400)})
    frame = frame.assign(repaid=[*"yynn"] * 100)
    for place in range(2):
        frame.to_parquet(folder / f"{place}.parquet")
    files, before = FileStore(tmp_path), state_of(folder)
    drawn = look_into_folder({"folder": "twice", "rows": 1_000}, files, ignore_progress)["drawn"]
    files.link(folder, FolderTable.model_validate(drawn).folder)
    roles = {"outcome": "repaid", "favourable": "y", "protected": ["sex"], "features": ["income"]}
    planned = plan_count({"drawn": drawn, "roles": roles}, files, ignore_progress)
    assert planned["left"] == []
    with pytest.raises(DataError, match="Of 800 rows that were compared with all others 400 are exact copies"):
        read_folder({"source": planned["counted"]}, files, ignore_progress)
    frame.head(30).to_parquet(folder / "1.parquet")
    assert state_of(folder) != before
    shutil.rmtree(folder)
