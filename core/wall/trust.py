"""Which files may be opened where the system has no wall: those that ship here, and those an operator names."""

import hashlib
import os
from pathlib import Path

from core.base.errors import ModelError
from core.language.options import option
from core.language.told import say
from core.wall.sandbox import REPOSITORY, missing_walls

WITHOUT_WALL = "EVENHAND_MODELS_WITHOUT_WALL"
"""``1``: every file may; by whoever runs the dashboard."""
_SHIPPED = REPOSITORY / "sample_models"
_trusted: set[str] = set()


def trust(path: Path) -> None:
    """Let a file be opened by this process whatever the system has.

    Raises:
        OSError: It cannot be read.
    """
    _trusted.add(_fingerprint(path))


def are_refused() -> bool:
    """Whether this system refuses files that only a wall makes safe, those that are trusted apart."""
    return bool(missing_walls()) and os.environ.get(WITHOUT_WALL) != "1"


def require_wall(path: Path, name: str) -> None:
    """Check that the system has every wall, or that the file is one that may do without.

    Raises:
        ModelError: Neither.
    """
    if not are_refused() or _is_shipped(path):
        return
    if _trusted and _fingerprint(path) in _trusted:
        return
    raise ModelError(
        say(
            "Files of this kind are read by the library that wrote them, and this system cannot confine it. {missing}",
            missing=" ".join(missing_walls()),
        ),
        where=name,
        advice=say(
            "Bring the model as ONNX or safetensors, or its answers as a column, or use Linux with Landlock "
            "and seccomp. If you know who made the file, trust it in Python or on the command line "
            "({option}), or have the operator set {variable}.",
            option=option("trust_file"),
            variable=WITHOUT_WALL,
        ),
    )


def _is_shipped(path: Path) -> bool:
    """Whether the file is, byte for byte, one of the sample models."""
    size = path.stat().st_size
    alike = [one for one in _SHIPPED.iterdir() if one.is_file() and one.stat().st_size == size]
    return bool(alike) and _fingerprint(path) in map(_fingerprint, alike)


def _fingerprint(path: Path) -> str:
    """SHA-256 of the file's bytes."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
