"""What the worker keeps of what a child left, read as a stranger's: by name, by kind, up to a size, and checked.

Files are kept under the SHA-256 of the bytes that were read here, results if they hold numbers and text only. Every
byte is copied, so nothing that a child ever held open is kept, and no link is followed on the way.
"""

import hashlib
import json
import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from core.base.errors import RecordError
from core.base.files import FileStore, home, require_room, write_whole
from core.protected_status import memo
from core.records.codec import ARRAYS, TREE, keep_saved, read_saved
from dashboard.jobs.code import code_fingerprint
from dashboard.jobs.outbox import LOG, folders, is_of, origin, references
from dashboard.jobs.task import CODE, Task

MOST_BYTES = {TREE: 64 << 20, ARRAYS: 1 << 30, CODE: 64}
"""Of the parts of a result."""
MOST_BYTES_OF_A_FILE = 2 << 30
MOST_LOG = 64 << 10

_SHA256 = re.compile("[0-9a-f]{64}")
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK


class OutboxError(Exception):
    """A child left what no task leaves; the reason is for the log."""


def take_over(folder: Path, task: Task, arguments: dict[str, Any], answer: Any = None) -> None:
    """Keep what the task declares of what lies in the folder of a job that has ended.

    Raises:
        OutboxError: Something is not what it should be, or the job speaks of a file that it neither had nor left.
        OSError, EvenhandError: It cannot be read or kept.
    """
    uploads = {ref.sha256 for ref in references(arguments)}
    told = [answer, *(_take_result(folder, name, uploads) for name in task.results(arguments))]
    named = {ref.sha256 for tree in told for ref in references(tree)}
    left = _take_files(folder, named) if task.leaves_files else set()
    if task.leaves_files and not uploads:
        _take_readings(folder, arguments)
    if task.leaves_weights:
        _take_weights(folder, uploads)
    if strange := named - uploads - left:
        raise OutboxError(f"the job names files that are not its own: {', '.join(sorted(strange))}")


def take_log(folder: Path, log: Path) -> None:
    """Keep the beginning of what the child wrote into its log, if it wrote anything."""
    with suppress(OutboxError, OSError), _opened(folder) as here:
        written = _read(here, LOG, MOST_LOG, cut=True)
        if written:
            log.parent.mkdir(parents=True, exist_ok=True)
            log.write_bytes(written)


def _take_files(folder: Path, named: set[str]) -> set[str]:
    """Fingerprints of the files that the child left; those that it ``named`` are now kept."""
    with _opened(folder, "files") as here:
        names = [name for name in os.listdir(here) if _SHA256.fullmatch(name) and not _is_link(here, name)]
        for name in names:
            content = _read(here, name, MOST_BYTES_OF_A_FILE)
            if hashlib.sha256(content).hexdigest() != name:
                raise OutboxError("a file is not what its name says")
            if name in named:
                FileStore().put(content, name)
    return set(names)


def _take_readings(folder: Path, arguments: dict[str, Any]) -> None:
    """Keep what was read of folders of tables; of a job that had uploads it may have been forged by one."""
    with _opened(folder, "files") as here:
        names = {name for table in folders(arguments) for name in table.kept_as} & set(os.listdir(here))
        for name in names:
            if not _is_link(here, name):
                content = _read(here, name, MOST_BYTES_OF_A_FILE)
                require_room(len(content))
                write_whole(FileStore().root / name, content)


def _take_result(folder: Path, name: str, uploads: set[str]) -> Any:
    """The tree of a result that the child left, now kept; None if it left none."""
    with _opened(folder, "results") as results:
        if name not in os.listdir(results) or _is_link(results, name):
            return None
    with _opened(folder, "results", name) as here:
        found = set(os.listdir(here))
        contents = {part: _read(here, part, most) for part, most in MOST_BYTES.items() if part in found}
    try:
        tree, _ = read_saved(contents[TREE], contents[ARRAYS])
    except (KeyError, RecordError) as error:
        raise OutboxError("a result is none") from error
    if contents.get(CODE) != code_fingerprint().encode():
        contents.pop(CODE, None)
    kept = home() / "results" / name
    if not (is_of(kept, uploads) and _is_whole(kept)):
        keep_saved(contents | {origin(kept).name: _written(uploads)}, kept)
    return tree


def _is_whole(kept: Path) -> bool:
    """Whether a kept result can be read, and this code found it."""
    try:
        read_saved((kept / TREE).read_bytes(), (kept / ARRAYS).read_bytes())
        return (kept / CODE).read_text() == code_fingerprint()
    except (OSError, RecordError):
        return False


def _take_weights(folder: Path, uploads: set[str]) -> None:
    kept = home() / "status"
    with _opened(folder, "status") as here:
        for name in os.listdir(here):
            path = kept / name
            if not memo.is_name(name) or _is_link(here, name) or is_of(path, uploads):
                continue
            content = _read(here, name, memo.MOST_BYTES)
            kept.mkdir(parents=True, exist_ok=True)
            origin(path).write_bytes(_written(uploads))
            memo.store(kept, name, content)


def _written(uploads: set[str]) -> bytes:
    return json.dumps(sorted(uploads)).encode()


@contextmanager
def _opened(folder: Path, *names: str) -> Iterator[int]:
    """The descriptor of a folder that the child may have put something else in the place of."""
    descriptor = os.open(folder, _FOLDER)
    try:
        for name in names:
            try:
                inner = os.open(name, _FOLDER, dir_fd=descriptor)
            except OSError as error:
                raise OutboxError(f"{name} is no folder") from error
            os.close(descriptor)
            descriptor = inner
        yield descriptor
    finally:
        os.close(descriptor)


def _is_link(folder: int, name: str) -> bool:
    return stat.S_ISLNK(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode)


def _read(folder: int, name: str, most: int, *, cut: bool = False) -> bytes:
    """The bytes of a plain file of which there is no second name.

    Raises:
        OutboxError: It is something else, or longer than ``most`` and not to be ``cut``.
    """
    try:
        descriptor = os.open(name, _FILE, dir_fd=folder)
    except OSError as error:
        raise OutboxError(f"{name} cannot be opened") from error
    with os.fdopen(descriptor, "rb") as stream:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode) or found.st_nlink != 1:
            raise OutboxError(f"{name} is no file of the job")
        content = stream.read(most + 1)
    if len(content) > most and not cut:
        raise OutboxError(f"{name} is too large")
    return content[:most]
