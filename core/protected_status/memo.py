"""Weights of protected status models trained before, so that a preview and the audit after it train once.

A memo and nothing else: without it the same weights are trained again, to the last byte.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Mapping
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from core.files import home

if TYPE_CHECKING:
    import torch

MOST_BYTES = 1 << 30
"""What all kept weights may weigh; the ones not used for longest go first."""

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
        with safe_open(path, framework="pt") as kept:
            found = {name: kept.get_tensor(name) for name in kept.keys()}  # noqa: SIM118 - not a mapping
            noted = dict(kept.metadata() or {})
        path.touch()
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
    folder = _folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        descriptor, temporary = tempfile.mkstemp(dir=folder)
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(content)
        os.replace(temporary, folder / f"{key}{_ENDING}")
        _make_room(folder)
    except OSError:
        return


def _make_room(folder: Path) -> None:
    kept = sorted(folder.glob(f"*{_ENDING}"), key=lambda path: path.stat().st_mtime, reverse=True)
    total = 0
    for path in kept:
        total += path.stat().st_size
        if total > MOST_BYTES:
            path.unlink(missing_ok=True)


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
