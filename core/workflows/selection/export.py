"""A model of the path as a file that can be uploaded for an audit of its own."""

from __future__ import annotations

import tempfile
from pathlib import Path

from core.workflows.selection.path import FittedPath


def write_model(path: FittedPath, index: int) -> bytes:
    """Model ``index`` as safetensors: one linear layer in float64 with the encoder and the outcomes in its card."""
    import torch
    from torch import nn

    from core.models.formats.safetensors.source import write_mlp

    outputs, width = path.coefficients.shape[1:]
    layer = nn.Linear(width, outputs, dtype=torch.float64)
    with torch.no_grad():
        layer.weight.copy_(torch.from_numpy(path.coefficients[index]))
        layer.bias.copy_(torch.from_numpy(path.intercepts[index]))
    with tempfile.TemporaryDirectory(prefix="evenhand-") as folder:
        target = Path(folder) / "model.safetensors"
        write_mlp(target, nn.Sequential(layer), encoder=path.encoder, classes=path.classes)
        return target.read_bytes()
