"""Weights of protected status models trained before, so that a preview and the audit after it train once.

A memo and nothing else: without it the same weights are trained again, to the last byte.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from core.base.errors import StorageError
from core.base.files import home, write_whole

if TYPE_CHECKING:
    import torch

MOST_BYTES = 1 << 30
"""What all kept weights may weigh; the oldest go first."""

_ENDING = ".safetensors"


def key(*parts: object) -> str:
    """SHA-256 of what decides the weights: the parts as text, the libraries, and the program's own text modules."""
    digest = hashlib.sha256(_program().encode())
    for part in parts:
        written = str(part).encode("utf-8", "surrogatepass")
        digest.update(len(written).to_bytes(8, "big") + written)
    return digest.hexdigest()


def recall(key: str) -> tuple[dict[str, torch.Tensor], dict[str, str]] | None:
    """Tensors and what was noted with them; None if they are not kept or not readable."""
    from safetensors import SafetensorError, safe_open

    path = _folder() / f"{key}{_ENDING}"
    try:
        with safe_open(path, framework="pt") as held:
            found = {name: held.get_tensor(name) for name in held.keys()}  # noqa: SIM118 - not a mapping
            noted = dict(held.metadata() or {})
    except (OSError, SafetensorError):
        return None
    return found, noted


def keep(key: str, tensors: Mapping[str, torch.Tensor], notes: Mapping[str, str]) -> None:
    """Keep tensors; a folder that cannot be written to keeps nothing."""
    import torch
    from safetensors.torch import save

    content = save(
        {name: tensor.detach().clone(memory_format=torch.contiguous_format) for name, tensor in tensors.items()},
        dict(notes),
    )
    if len(content) > MOST_BYTES:
        return
    with suppress(OSError, StorageError):
        store(_folder(), f"{key}{_ENDING}", content)


def store(folder: Path, name: str, content: bytes) -> None:
    """Put a file of weights into a folder of them, and make room for it.

    Raises:
        StorageError: The folder cannot be written to.
    """
    write_whole(folder / name, content)
    total = 0
    for path in sorted(kept(folder), key=lambda path: path.stat().st_mtime, reverse=True):
        total += path.stat().st_size
        if total > MOST_BYTES:
            for beside in folder.glob(f"{path.stem}.*"):
                beside.unlink(missing_ok=True)


def kept(folder: Path) -> list[Path]:
    """The files of weights in a folder."""
    return [path for path in folder.glob(f"*{_ENDING}") if is_name(path.name)]


def is_name(name: str) -> bool:
    """Whether a file of weights has such a name."""
    return re.fullmatch(f"[0-9a-f]{{64}}{re.escape(_ENDING)}", name) is not None


def _folder() -> Path:
    return home() / "status"


@cache
def _program() -> str:
    """Every line of the code that tokenises and trains, and the versions of what it calls."""
    here = Path(__file__).resolve().parent
    digest = hashlib.sha256()
    networks = (here.parent / "models" / "formats").glob("*/network.py")
    for path in sorted((*here.glob("*.py"), *(here.parent / "text").glob("*.py"), *networks)):
        digest.update(path.read_bytes())
    libraries = ("torch", "transformers", "tokenizers", "numpy")
    return digest.hexdigest() + "".join(f"{name}={version(name)};" for name in libraries)
