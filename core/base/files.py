"""Evenhand's folder: private, never full, written whole. An upload is known by its SHA-256 and lies there once."""

import hashlib
import os
import secrets
import shutil
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from platformdirs import user_cache_path

from core.base.errors import SettingsError, SourceError, StorageError
from core.base.settings import Settings, setting
from core.language.told import localized, say

PARTIAL = ".partial"
"""How the name of a file ends that is still being written."""
RESERVE = 10 * 2**20
"""Bytes that no upload may take from the disk: room for choices, the list of runs and results."""
_ENOUGH = 2**18
"""Bytes with which choices and the list of runs still find room."""
_QUOTA, _GIGABYTES = "EVENHAND_QUOTA_GB", 20.0
_MODELS, _TABLES = "EVENHAND_MODELS", "EVENHAND_FOLDERS"
_PIECE = 2**23


def home() -> Path:
    """The folder that holds uploads, results and jobs: ``EVENHAND_HOME``, or the user's cache folder."""
    chosen = os.environ.get("EVENHAND_HOME")
    return Path(chosen) if chosen else user_cache_path("evenhand")


def model_files() -> dict[str, Path]:
    """Files in the folder for large models that the operator names in ``EVENHAND_MODELS``, by name; no links."""
    folder = os.environ.get(_MODELS, "")
    try:
        found = sorted(Path(folder).iterdir()) if folder else []
        return {path.name: path for path in found if path.is_file() and not path.is_symlink() and path.name[0] != "."}
    except OSError:
        return {}


def table_folders() -> tuple[str, ...]:
    """Names of the folders of Parquet files, or such files, in the folder that the operator names in
    ``EVENHAND_FOLDERS``; no links.
    """
    root = os.environ.get(_TABLES, "")
    try:
        found = sorted(Path(root).iterdir()) if root else []
        return tuple(
            one.name
            for one in found
            if not one.is_symlink()
            and one.name[0] != "."
            and (one.is_dir() or one.suffix.lower() in (".parquet", ".pq"))
        )
    except OSError:
        return ()


def table_folder(name: str) -> Path:
    """Where a folder of :func:`table_folders` lies, whose files all lie within it.

    Raises:
        SourceError: There is none of this name, or a link in it leads out of it.
    """
    root = os.environ.get(_TABLES, "")
    path = Path(root).resolve() / name
    if not root or Path(name).name != name or name[:1] in ("", ".") or path.is_symlink() or not path.exists():
        raise SourceError(
            say("There is no folder {name} to pick from.", name=repr(name)),
            advice=say("Choose another one, or ask whoever runs this machine."),
        )
    if any(not one.resolve().is_relative_to(path) for one in path.rglob("*") if one.is_symlink()):
        raise SourceError(
            say("A link in the folder {name} leads out of it.", name=repr(name)),
            advice=say("Ask whoever runs this machine to put the files themselves there."),
        )
    return path


def state_of(folder: Path) -> str:
    """A fingerprint of the names, sizes and times of change of all files at a path: another one once one is changed."""
    found = hashlib.sha256()
    for one in sorted((folder, *folder.rglob("*"))):
        known = one.stat()
        found.update(f"{one.relative_to(folder)}\0{known.st_size}\0{known.st_mtime_ns}\0".encode())
    return found.hexdigest()


def number_of_machine(variable: str, default: float) -> float:
    """A setting of the machine that is a number from 0; 0 switches off what it limits.

    Raises:
        SettingsError: The environment variable holds something else.
    """
    given = os.environ.get(variable, "")
    try:
        number = float(given) if given else default
    except ValueError:
        number = -1.0
    if not 0 <= number < float("inf"):
        raise SettingsError(
            say("The environment variable {variable} is {given}.", variable=variable, given=repr(given)),
            advice=say("Give it a number; 0 means no limit."),
        )
    return number


def make_private() -> None:
    """Let nobody but this user read what this process and its children write, and what lies in the folder already."""
    os.umask(0o077)
    for folder, _, names in os.walk(home()):
        for path, mode in ((folder, 0o700), *((os.path.join(folder, name), 0o600) for name in names)):
            with suppress(OSError):  # it went, or is not ours
                if not os.path.islink(path) and os.stat(path).st_mode & 0o777 != mode:
                    os.chmod(path, mode)


def trouble() -> str:
    """Why nothing new can be kept: the disk is ``full`` or ``locked``; empty if nothing speaks against it."""
    folder = _nearest()
    if not os.access(folder, os.W_OK):
        return "locked"
    return "full" if shutil.disk_usage(folder).free < _ENOUGH else ""


def _nearest() -> Path:
    """The home, or the nearest folder above it that is there."""
    return next(path for path in (home().absolute(), *home().absolute().parents) if path.exists())


def require_room(size: int) -> None:
    """See to it that ``size`` more bytes fit, on the disk and into the quota.

    Raises:
        StorageError: They do not.
    """
    free = shutil.disk_usage(_nearest()).free - RESERVE
    if size > free:
        raise StorageError(
            say(
                "There is no room for these {size} MB: {free} MB are left on the disk.",
                size=localized(f"{size / 1e6:,.1f}"),
                free=localized(f"{max(free, 0) / 1e6:,.1f}"),
            ),
            where=str(home()),
            advice=say("Delete audits that you no longer need, or free some room on the disk."),
        )
    quota = number_of_machine(_QUOTA, _GIGABYTES) * 1e9
    if quota and size + _bytes_used() > quota:
        raise StorageError(
            say(
                "Evenhand may keep {quota} GB, and these {size} MB do not fit any more.",
                quota=localized(f"{quota / 1e9:g}"),
                size=localized(f"{size / 1e6:,.1f}"),
            ),
            where=str(home()),
            advice=say("Delete audits that you no longer need, or set {variable} higher.", variable=_QUOTA),
        )


def make_folder(folder: Path) -> None:
    """Make a folder where it is missing.

    Raises:
        StorageError: The disk is full or may not be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StorageError.of(error) from error


def write_whole(path: Path, content: bytes) -> None:
    """Write a file, all of it or nothing; its folder is made where it is missing.

    Raises:
        StorageError: The disk is full or may not be written.
    """
    fresh = path.with_name(f".{secrets.token_hex(8)}{PARTIAL}")
    try:
        make_folder(path.parent)
        fresh.write_bytes(content)
        os.replace(fresh, path)
    except OSError as error:
        raise StorageError.of(error) from error
    finally:
        with suppress(OSError):
            fresh.unlink(missing_ok=True)


def _bytes_used() -> int:
    total = 0
    for folder, _, names in os.walk(home()):
        for name in names:
            with suppress(OSError):
                total += os.lstat(os.path.join(folder, name)).st_size
    return total


class FileRef(Settings):
    """A file, named by its content."""

    name: str = setting(label=say("File name"), help=say("The name the file had when it was brought."))
    sha256: str = setting(label="SHA-256", help=say("The fingerprint of the file's bytes."), pattern="^[0-9a-f]{64}$")
    bytes: int = setting(label=say("Size"), help=say("The size of the file."), unit=say("bytes"), ge=0)

    @property
    def suffix(self) -> str:
        """The lower-case ending of the name with its dot, or an empty string."""
        return Path(self.name).suffix.lower()


class FolderRef(FileRef):
    """A folder of Parquet files, or a large one, named by what identifies it; it is read where it lies.

    ``sha256`` is of the names, sizes and footers of its files, ``bytes`` all they have.
    """

    rows: int = setting(label=say("Rows"), help=say("The rows of all files."), unit=say("rows"), ge=0)


class FileStore:
    """Content-addressed files in one folder.

    Args:
        root: The folder; ``<home>/files`` by default. Created on the first ``put``.
    """

    def __init__(self, root: Path | None = None) -> None:
        self.root = root if root is not None else home() / "files"

    def put(self, content: bytes, name: str) -> FileRef:
        """Keep ``content`` (once, however often it is put) and return its reference.

        Raises:
            StorageError: There is no room for it, or the folder may not be written.
        """
        ref = FileRef(name=Path(name).name, sha256=hashlib.sha256(content).hexdigest(), bytes=len(content))
        if not self._renewed(ref):
            require_room(len(content))
            write_whole(self.root / ref.sha256, content)
        return ref

    def put_file(self, path: Path, name: str, on_progress: Callable[[float], object] | None = None) -> FileRef:
        """Keep a copy of a file, read in pieces, and return its reference.

        Args:
            path: The file.
            name: What the copy is called.
            on_progress: Told the share that is copied.

        Raises:
            StorageError: There is no room for it, or the folder may not be written.
        """
        size, fresh = path.stat().st_size, self.root / f".{secrets.token_hex(8)}{PARTIAL}"
        require_room(size)
        make_folder(self.root)
        digest, copied = hashlib.sha256(), 0
        try:
            with path.open("rb") as source, fresh.open("xb") as target:
                while piece := source.read(_PIECE):
                    digest.update(piece)
                    target.write(piece)
                    copied += len(piece)
                    if on_progress is not None:
                        on_progress(min(copied / max(size, 1), 1.0))
            ref = FileRef(name=Path(name).name, sha256=digest.hexdigest(), bytes=copied)
            if not self._renewed(ref):
                os.replace(fresh, self.root / ref.sha256)
        except OSError as error:
            raise StorageError.of(error) from error
        finally:
            with suppress(OSError):
                fresh.unlink(missing_ok=True)
        return ref

    def _renewed(self, ref: FileRef) -> bool:
        """Whether the file lies here already, and from now on counts as put just now.

        No other takes its place, also one of the same bytes: a job may open the file that lay there when it began.
        """
        if not self.holds(ref):
            return False
        with suppress(OSError):
            os.utime(self.root / ref.sha256)
        return True

    def link(self, path: Path, ref: FolderRef) -> FolderRef:
        """Keep in mind where a folder lies; nothing of it is copied.

        Raises:
            StorageError: The folder of this store may not be written.
        """
        self.lead(ref.sha256, path.resolve())
        return ref

    def lead(self, name: str, where: Path) -> None:
        """Have a name here lead to what lies elsewhere, unless a file has it.

        Raises:
            StorageError: The folder of this store may not be written.
        """
        make_folder(self.root)
        target = self.root / name
        try:
            if target.is_symlink() and target.readlink() != where:
                target.unlink(missing_ok=True)
            if not target.exists():
                with suppress(FileExistsError):  # another process was faster
                    target.symlink_to(where)
        except OSError as error:
            raise StorageError.of(error) from error

    def holds(self, ref: FileRef) -> bool:
        """Whether the file lies here, in its full length; of a folder, whether it is known where it lies."""
        found = self.root / ref.sha256
        if isinstance(ref, FolderRef):
            return found.is_symlink() and found.exists()
        return found.is_file() and found.stat().st_size == ref.bytes

    def path(self, ref: FileRef) -> Path:
        """Where the file's bytes lie.

        Raises:
            SourceError: No file with this fingerprint is kept here, or only a part of it.
        """
        if not self.holds(ref):
            raise SourceError(
                say("The file {name} is not on this machine.", name=ref.name),
                where=f"SHA-256 {ref.sha256[:12]}…",
                advice=say("Bring it again; where a record is repeated, put it beside the record."),
            )
        return self.root / ref.sha256


def files_of(settings: Settings) -> tuple[FileRef, ...]:
    """Every file the settings name, each once."""
    return tuple(dict.fromkeys(_references(settings)))


def _references(settings: Settings) -> Iterator[FileRef]:
    for name in type(settings).model_fields:
        value = getattr(settings, name)
        for item in value if isinstance(value, tuple) else (value,):
            if isinstance(item, FileRef):
                yield item
            elif isinstance(item, Settings):
                yield from _references(item)
