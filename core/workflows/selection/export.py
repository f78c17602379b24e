"""A model of the path as a file that can be uploaded for an audit of its own."""

from core.workflows.selection.path import FittedPath


def write_model(path: FittedPath, index: int) -> bytes:
    """Model ``index`` as safetensors: one linear layer in float64 with the encoder and the outcomes in its card."""
    import torch
    from torch import nn

    from core.models.formats.safetensors.source import mlp_bytes

    outputs, width = path.coefficients.shape[1:]
    layer = nn.Linear(width, outputs, dtype=torch.float64)
    with torch.no_grad():
        layer.weight.copy_(torch.from_numpy(path.coefficients[index]))
        layer.bias.copy_(torch.from_numpy(path.intercepts[index]))
    return mlp_bytes(nn.Sequential(layer), encoder=path.encoder, classes=path.classes)
