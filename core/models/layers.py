"""Torch layers that the loaders build models from. Imports torch, so it is imported inside functions only."""

import copy

import numpy as np
import torch
from torch import nn

ACTIVATIONS: dict[str, type[nn.Module]] = {
    "relu": nn.ReLU,
    "leaky relu": nn.LeakyReLU,
    "elu": nn.ELU,
    "gelu": nn.GELU,
    "silu": nn.SiLU,
    "softplus": nn.Softplus,
    "tanh": nn.Tanh,
    "sigmoid": nn.Sigmoid,
    "identity": nn.Identity,
}


class ZeroFirst(nn.Module):
    """One logit z as the two logits [0, z]: softmax of these is [1 - sigmoid(z), sigmoid(z)]."""

    def forward(self, z: torch.Tensor) -> torch.Tensor:
        """(n, 1) to (n, 2)."""
        return torch.cat([torch.zeros_like(z), z], dim=1)


class LogOdds(nn.Module):
    """The probability p of the second class as two logits: softmax of [log(1 - p), log p] is [1 - p, p]."""

    def forward(self, p: torch.Tensor) -> torch.Tensor:
        """(n, 1) to (n, 2); p is kept a rounding away from 0 and 1."""
        least = torch.finfo(p.dtype).eps
        p = p.clamp(least, 1 - least)
        return torch.cat([torch.log1p(-p), torch.log(p)], dim=1)


class LogSigmoids(nn.Module):
    """One-versus-rest scores as log-probabilities up to a constant: p_k = sigmoid(z_k) / sum of sigmoid(z_j)."""

    def forward(self, z: torch.Tensor) -> torch.Tensor:
        """(n, k) to (n, k)."""
        return nn.functional.logsigmoid(z)


def two_logits(module: nn.Module) -> nn.Module:
    """A one-logit module as a two-logit one; [0, z] is folded into a last ``Linear`` where there is one."""
    if isinstance(module, nn.Sequential) and len(module) and isinstance(module[-1], nn.Linear):
        return nn.Sequential(*list(module)[:-1], _widened(module[-1]))
    return nn.Sequential(module, ZeroFirst())


def linear(weight: np.ndarray | torch.Tensor, bias: np.ndarray | torch.Tensor | None) -> nn.Linear:
    """A frozen ``Linear`` with these parameters (outputs, inputs) and (outputs,), in their own dtype."""
    kept = torch.tensor(weight) if isinstance(weight, np.ndarray) else weight.clone()
    if bias is None:
        offset = torch.zeros(kept.shape[0], dtype=kept.dtype)
    else:
        offset = torch.tensor(bias) if isinstance(bias, np.ndarray) else bias.clone()
    layer = nn.Linear(kept.shape[1], kept.shape[0], device="meta", dtype=kept.dtype)
    layer.weight = nn.Parameter(kept, requires_grad=False)
    layer.bias = nn.Parameter(offset.to(kept.dtype), requires_grad=False)
    return layer


def perceptron(layers: list[nn.Linear], activation: str) -> nn.Sequential:
    """Linear, activation, Linear, ..., Linear, frozen and in eval mode."""
    stages: list[nn.Module] = []
    for layer in layers[:-1]:
        stages += [layer, ACTIVATIONS[activation]()]
    return nn.Sequential(*stages, copy.deepcopy(layers[-1])).eval().requires_grad_(False)


def _widened(last: nn.Linear) -> nn.Linear:
    bias = last.bias if last.bias is not None else torch.zeros(1, dtype=last.weight.dtype)
    return linear(
        torch.cat([torch.zeros_like(last.weight), last.weight]).detach(),
        torch.cat([torch.zeros_like(bias), bias]).detach(),
    )
