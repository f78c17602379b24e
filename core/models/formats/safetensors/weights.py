"""The tensors of a safetensors file whose header was checked."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from core.base.errors import ModelError
from core.language.told import say

if TYPE_CHECKING:
    import torch


def read_weights(
    path: Path, keys: Iterable[str], where: str, *, advice: str, as_stored: bool = False
) -> dict[str, torch.Tensor]:
    """Copies of some tensors of finite numbers; nothing refers to the file afterwards.

    Args:
        path: The file; :func:`core.models.formats.safetensors.header.read_header` has accepted it.
        keys: Names of tensors that its header declares.
        where: How errors name the file.
        advice: What to do if the file cannot be read.
        as_stored: Keep the type they are stored in instead of float32.

    Raises:
        ModelError: The file is damaged, or a number in it is not finite.
    """
    import torch
    from safetensors import SafetensorError, safe_open

    weights: dict[str, torch.Tensor] = {}
    try:
        with safe_open(path, "pt") as file:
            for key in keys:
                stored = file.get_tensor(key)
                weights[key] = stored.to(stored.dtype if as_stored else torch.float32, copy=True)
    except (SafetensorError, OSError, KeyError) as error:
        raise ModelError(say("The weights cannot be read."), where=f"{where}: {error!s:.200}", advice=advice) from error
    for key, value in weights.items():
        if not torch.isfinite(value).all():
            raise ModelError(
                say("A weight is not a finite number."),
                where=say("{name}, tensor {tensor}", name=where, tensor=f"{key!r:.80}"),
                advice=say("The training probably diverged: bring a network from before it did."),
            )
    return weights
