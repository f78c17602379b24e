"""Files by what is in them: an upload is known by the SHA-256 of its bytes and lies on disk once."""

import hashlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

from platformdirs import user_cache_path

from core.errors import SourceError
from core.settings import Settings, setting


def home() -> Path:
    """The folder that holds uploads, results and jobs: ``EVENHAND_HOME``, or the user's cache folder."""
    chosen = os.environ.get("EVENHAND_HOME")
    return Path(chosen) if chosen else user_cache_path("evenhand")


class FileRef(Settings):
    """A file, named by its content."""

    name: str = setting(label="File name", help="The name the file had when it was uploaded.")
    sha256: str = setting(label="SHA-256", help="The fingerprint of the file's bytes.", pattern="^[0-9a-f]{64}$")
    bytes: int = setting(label="Size", help="The size of the file.", unit="bytes", ge=0)

    @property
    def suffix(self) -> str:
        """The lower-case ending of the name with its dot, or an empty string."""
        return Path(self.name).suffix.lower()


class FileStore:
    """Content-addressed files in one folder.

    Args:
        root: The folder; ``<home>/files`` by default. Created on the first ``put``.
    """

    def __init__(self, root: Path | None = None) -> None:
        self.root = root if root is not None else home() / "files"

    def put(self, content: bytes, name: str) -> FileRef:
        """Keep ``content`` (once, however often it is put) and return its reference."""
        ref = FileRef(name=Path(name).name, sha256=hashlib.sha256(content).hexdigest(), bytes=len(content))
        target = self.root / ref.sha256
        if not self.holds(ref):
            self.root.mkdir(parents=True, exist_ok=True)
            descriptor, temporary = tempfile.mkstemp(dir=self.root)
            with os.fdopen(descriptor, "wb") as stream:
                stream.write(content)
            os.replace(temporary, target)
        return ref

    def holds(self, ref: FileRef) -> bool:
        """Whether the file lies here, in its full length."""
        found = self.root / ref.sha256
        return found.is_file() and found.stat().st_size == ref.bytes

    def path(self, ref: FileRef) -> Path:
        """Where the file's bytes lie.

        Raises:
            SourceError: No file with this fingerprint is kept here, or only a part of it.
        """
        if not self.holds(ref):
            raise SourceError(
                f"The file {ref.name} is not on this machine.",
                where=f"SHA-256 {ref.sha256[:12]}…",
                advice="Upload it again, or put it beside the record on the command line.",
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
