"""A disk that is full or may not be written: what was kept is read, what cannot be kept is said in a sentence."""

import errno
import os
import sqlite3
from collections import namedtuple
from pathlib import Path

import pytest

from core.base import files
from core.base.errors import SettingsError, StorageError
from core.base.files import FileStore, write_whole
from dashboard.jobs.job import Failure
from dashboard.jobs.table import JobTable
from tests.hostile.disks import fill, full_disk, read_only, small_disk


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("EVENHAND_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def all_files(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.rglob("*") if path.is_file())


def test_a_file_that_does_not_fit_is_refused_before_a_byte_is_written(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr(files.shutil, "disk_usage", lambda _: usage(30, 0, 2**20 + files.RESERVE))
    with pytest.raises(StorageError, match=r"no room for these 2\.1 MB: 1\.0 MB are left on the disk"):
        FileStore().put(bytes(2 * 2**20), "large.csv")
    assert not home.exists()
    assert FileStore().put(bytes(2**19), "small.csv").bytes == 2**19


def test_a_home_does_not_outgrow_its_quota(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EVENHAND_QUOTA_GB", "0.003")
    kept = FileStore().put(b"1" * 2_000_000, "first.csv")
    with pytest.raises(StorageError, match=r"may keep 0\.003 GB"):
        FileStore().put(b"2" * 2_000_000, "second.csv")
    assert FileStore().put(b"1" * 2_000_000, "first again.csv").sha256 == kept.sha256
    monkeypatch.setenv("EVENHAND_QUOTA_GB", "0")
    FileStore().put(b"2" * 2_000_000, "second.csv")
    monkeypatch.setenv("EVENHAND_QUOTA_GB", "much")
    with pytest.raises(SettingsError, match="EVENHAND_QUOTA_GB is 'much'"):
        FileStore().put(b"3", "third.csv")


@pytest.mark.parametrize("fault", [OSError(errno.ENOSPC, "No space"), KeyboardInterrupt()])
def test_what_could_not_be_written_leaves_nothing_behind(
    home: Path, monkeypatch: pytest.MonkeyPatch, fault: BaseException
) -> None:
    def half(path: Path, content: bytes) -> None:
        with path.open("wb") as stream:
            stream.write(content[:10])
        raise fault

    monkeypatch.setattr(Path, "write_bytes", half)
    with pytest.raises(StorageError if isinstance(fault, OSError) else KeyboardInterrupt):
        FileStore().put(bytes(1000), "a.csv")
    assert all_files(home) == []


def test_the_list_of_runs_is_read_on_a_full_disk_and_says_that_it_cannot_be_changed(home: Path) -> None:
    table = JobTable()
    job = table.add("audit", {"n": 1}, "code", "local")
    table.finish(job.id, "done", {"answer": 1})
    assert all_files(home) == sorted([f"{job.id}.json", f"{job.id}.json", "jobs.sqlite"])
    with full_disk():
        assert table.get(job.id) == table.add("audit", {"n": 1}, "code", "local")
        assert [found.answer for found in table.in_state("done")] == [{"answer": 1}]
        with pytest.raises(StorageError, match="cannot be changed"):
            table.add("audit", {"n": 2}, "code", "local")
        with pytest.raises(StorageError, match="cannot be changed"):
            table.withdraw(job.id, "local")
    assert table.in_state("queued") == []
    assert table.add("audit", {"n": 2}, "code", "local").state == "queued"


def test_the_list_of_runs_is_read_where_nothing_may_be_written(home: Path) -> None:
    table = JobTable()
    job = table.add("audit", {"n": 1}, "code", "local")
    table.finish(job.id, "failed", failure=Failure("DataError", "The table is empty."))
    with read_only(home / "jobs"):
        found = table.get(job.id)
        assert found is not None
        assert found.failure == Failure("DataError", "The table is empty.")
        with pytest.raises(StorageError, match="cannot be changed"):
            table.add("audit", {"n": 2}, "code", "local")


def test_an_empty_home_that_may_not_be_written_holds_no_runs(home: Path) -> None:
    home.mkdir()
    with read_only(home):
        assert JobTable().in_state("done", "queued") == []


def test_fifty_megabytes_on_a_disk_of_thirty(home: Path) -> None:
    home.mkdir()
    with small_disk(home, 30) as mounted:
        if not mounted:
            pytest.skip("This user may not mount; the tests above do the same without a disk of their own.")
        table = JobTable()
        job = table.add("audit", {"n": 1}, "code", "local")
        with pytest.raises(StorageError, match=r"no room for these 52\.4 MB"):
            FileStore().put(bytes(50 * 2**20), "large.csv")
        assert all_files(home / "files") == []
        filler = fill(home)
        with pytest.raises(StorageError, match="disk is full"):
            write_whole(home / "files" / "x", b"x")
        assert table.get(job.id) is not None
        with pytest.raises(StorageError):
            table.finish(job.id, "done", {"n": 1})
        filler.unlink()
        table.finish(job.id, "done", {"n": 1})
        assert [found.id for found in table.in_state("done")] == [job.id]


def test_a_row_holds_nothing_of_what_was_asked_and_answered(home: Path) -> None:
    table = JobTable()
    job = table.add("read_table", {"favourable": "marker-asked"}, "code", "local")
    table.finish(job.id, "done", {"cell": "marker-answered"})
    other = table.add("read_table", {"favourable": "another"}, "code", "local")
    table.finish(other.id, "failed", failure=Failure("DataError", "Row 3 holds 'marker-failed'."))
    for path in (home / "jobs").glob("jobs.sqlite*"):
        assert b"marker" not in path.read_bytes()
    found = table.get(other.id)
    assert found is not None
    assert found.failure is not None
    assert "marker-failed" in found.failure.error.what


def test_rows_of_the_version_before_are_read(home: Path) -> None:
    table = JobTable()
    job = table.add("audit", {"n": 1}, "code", "local")
    (home / "jobs" / "asked" / f"{job.id}.json").unlink()
    assert table.get(job.id) is None
    with sqlite3.connect(home / "jobs" / "jobs.sqlite") as connection:
        connection.execute("UPDATE jobs SET arguments = '{\"n\": 1}', answer = '[1]', state = 'done'")
    found = table.get(job.id)
    assert found is not None
    assert (found.arguments, found.answer, found.state) == ({"n": 1}, [1], "done")


def test_nobody_else_can_read_what_is_kept(home: Path) -> None:
    home.mkdir(mode=0o755)
    (home / "old").write_text("a result of the version before")
    (home / "old").chmod(0o644)
    before = os.umask(0o022)
    try:
        files.make_private()
        FileStore().put(b"x", "x")
        JobTable().add("audit", {}, "code", "local")
    finally:
        os.umask(before)
    for path in (home, *home.rglob("*")):
        assert path.stat().st_mode & 0o777 == (0o700 if path.is_dir() else 0o600), path
