"""The folder of one job: a home of its own, in which the job's files lie as links and in which alone it may write.

A child that was taken over can fill its folder with what it likes, and change nothing of anybody else's. When the job
has ended, the worker takes from the folder what the task declares (``dashboard.jobs.takeover``); the rest goes.
"""

import json
import os
import uuid
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from core.base.errors import SourceError
from core.base.files import FileRef, FileStore, home, table_folder
from core.protected_status import memo
from core.sources.folder.table import FolderTable
from dashboard.jobs.job import Job
from dashboard.jobs.task import Task

RUNNING = "running"
"""Where the folders of jobs lie, below Evenhand's home."""
JOB = "job.json"
"""What the child is told: the task, its arguments, where its log will lie, and what it may read."""
LOG = "log"

MOST_WRITTEN = 8 << 30
MOST_ENTRIES = 10_000
"""What the folder may come to hold, in bytes and in entries."""

_FOLDERS = ("files", "results", "status", "temporary")


def prepare(folder: Path, task: Task, job: Job, log: Path) -> list[Path]:
    """Make the folder of a job, with links to what it may read; returns the uploads among it.

    Args:
        folder: Where; what lies there goes.
        task: The job's task.
        job: The job.
        log: Where its log will lie when it has ended.
    """
    discard(folder)
    for name in _FOLDERS:
        (folder / name).mkdir(mode=0o700, parents=True)
    real = home().absolute()
    (real / "data").mkdir(parents=True, exist_ok=True)
    (folder / "data").symlink_to(real / "data")
    uploads = {ref.sha256 for ref in references(job.arguments)}
    left = [real / "results" / name for name in task.results(job.arguments)]
    left += memo.kept(real / "status") if task.leaves_weights else []
    brought = [path for path in (real / "files" / name for name in uploads) if path.is_file()]
    readable = [*brought, *(path for path in left if is_of(path, uploads)), *_of_folders(job.arguments)]
    for path in readable:
        (folder / path.relative_to(real)).symlink_to(path)
    if named := job.arguments.get("folder"):
        with suppress(SourceError):  # the task says so
            readable.append(table_folder(named))
    told = {"kind": job.kind, "arguments": job.arguments, "log": str(log), "readable": list(map(str, readable))}
    (folder / JOB).write_text(json.dumps(told))
    return brought


def holds_too_much(folder: Path) -> bool:
    """Whether a job has filled its folder beyond what one may; looks at no more than it takes to say so."""
    left, entries, total = [folder], 0, 0
    while left:
        with suppress(OSError), os.scandir(left.pop()) as found:
            for entry in found:
                entries += 1
                if entries > MOST_ENTRIES:
                    return True
                if entry.is_dir(follow_symlinks=False):
                    left.append(Path(entry.path))
                else:
                    total += entry.stat(follow_symlinks=False).st_blocks * 512
    return total > MOST_WRITTEN


def discard(folder: Path) -> None:
    """Remove a folder, however deep it is and whatever its rights are; links are removed and not followed."""
    left = [folder]
    while left:
        here = left.pop()
        with suppress(FileNotFoundError):
            if here.is_symlink() or not here.is_dir():
                here.unlink()
                continue
            here.chmod(0o700)
            for path in list(here.iterdir()):
                if path.is_dir() and not path.is_symlink():
                    path.chmod(0o700)
                    left.append(path.rename(folder.with_name(f"{folder.name}-{uuid.uuid4().hex}")))
                else:
                    path.unlink()
            here.rmdir()


def origin(left: Path) -> Path:
    """The file beside a result or weights that names the uploads which lay in the folder of the job that left them."""
    return left / "from.json" if left.suffix == "" else left.with_suffix(".from.json")


def is_of(left: Path, uploads: set[str]) -> bool:
    """Whether a kept result or kept weights were left by a job that had none but these uploads.

    What another job left may have been forged by an upload of its own, so a job does not rest on it.
    """
    try:
        return set(json.loads(origin(left).read_bytes())) <= uploads
    except (OSError, ValueError):
        return False


def _of_folders(arguments: Any) -> Iterator[Path]:
    """Where folders of tables lie that the operator offers, and what was read of them before."""
    files = FileStore()
    for table in folders(arguments):
        with suppress(SourceError):  # the task says so
            ref = files.link(table_folder(table.folder.name), table.folder)
            yield from (
                path for name in (ref.sha256, *table.kept_as) if (path := files.root.absolute() / name).exists()
            )


def references(tree: Any) -> Iterator[FileRef]:
    """Every file that a JSON tree names."""
    for here in _objects(tree):
        if here.keys() == FileRef.model_fields.keys():
            with suppress(ValidationError):
                yield FileRef.model_validate(here)


def folders(tree: Any) -> set[FolderTable]:
    """Every folder of Parquet files that a JSON tree names as a table."""
    found = set[FolderTable]()
    for here in _objects(tree):
        if here.get("kind") == "folder" and "compared" in here:
            with suppress(ValidationError):
                found.add(FolderTable.model_validate(here))
    return found


def _objects(tree: Any) -> Iterator[dict[str, Any]]:
    left = [tree]
    while left:
        here = left.pop()
        if isinstance(here, dict):
            yield here
            left += here.values()
        elif isinstance(here, list | tuple):
            left += here
