"""Gradients of a perceptron written out by hand, in place, with the metric's eigenbasis folded into the weights.

For pre-activations a_l, activations h_l = s(a_l) and output weights W, the loss gradient flows back as
delta_l = W_{l+1}ᵀ delta_{l+1} times s'(a_l), which h_l alone tells: h_l > 0 for ReLU. With two classes the loss depends
on one number, the log-odds against the true class, so that the last layer becomes a row vector and folds into the step
before it.
"""

from collections.abc import Callable

import numpy as np
import torch
from torch import nn

from core.audits.gradient_flow.fields import PROCESSOR, AbstractBlock, AbstractField, against, uphill

InPlace = Callable[[torch.Tensor], torch.Tensor]
"""Changes every number of a tensor, and gives it."""


def _one_less_square(h: torch.Tensor) -> torch.Tensor:
    return torch.addcmul(h.new_ones(()), h, h, value=-1, out=h)


def _less_square(h: torch.Tensor) -> torch.Tensor:
    return torch.addcmul(h, h, h, value=-1, out=h)


ACTIVATIONS: dict[type[nn.Module], tuple[InPlace, InPlace]] = {
    nn.ReLU: (torch.Tensor.relu_, torch.Tensor.sign_),
    nn.Tanh: (torch.Tensor.tanh_, _one_less_square),
    nn.Sigmoid: (torch.Tensor.sigmoid_, _less_square),
    nn.ELU: (nn.functional.elu_, lambda h: h.clamp_(max=0.0).add_(1.0)),
}
"""Each activation, and its derivative from what it gave."""


def linear_layers(module: nn.Module) -> list[nn.Linear]:
    """The linear layers of a perceptron with known activations, in order; empty if the module is anything else.

    Layers that do nothing in eval mode are passed over, and so is a last log-softmax, which changes no loss.
    """
    layers = [layer for layer in _flat(module) if not isinstance(layer, nn.Identity | nn.Dropout)]
    if layers and isinstance(layers[-1], nn.LogSoftmax):
        layers = layers[:-1]
    linear, between = layers[::2], layers[1::2]
    if len(layers) % 2 == 0 or not all(map(_is_known, between)) or _hooked(module):
        return []
    found = [layer for layer in linear if type(layer) is nn.Linear]
    return found if len(found) == len(linear) else []


def _is_known(layer: nn.Module) -> bool:
    return type(layer) in ACTIVATIONS and getattr(layer, "alpha", 1.0) == 1.0


def _flat(module: nn.Module) -> list[nn.Module]:
    if type(module) is nn.Sequential:
        return [layer for child in module for layer in _flat(child)]
    return [module]


def _hooked(module: nn.Module) -> bool:
    return any(part._forward_hooks or part._forward_pre_hooks for part in module.modules())


class PerceptronField(AbstractField):
    """A perceptron whose activations are known.

    Args:
        module: A module for which :func:`linear_layers` finds layers.
        vectors: Eigenvectors of the metric's matrix as columns, (d, d), float64.
        dtype: Precision of the search.
        device: Where the search computes.
    """

    def __init__(
        self, module: nn.Module, vectors: np.ndarray, dtype: torch.dtype, device: torch.device = PROCESSOR
    ) -> None:
        super().__init__(module, vectors, dtype, device)
        layers = linear_layers(self._exact)
        self.activations = [ACTIVATIONS[type(one)] for one in _flat(self._exact) if type(one) in ACTIVATIONS]
        weights: list[torch.Tensor] = [layer.weight for layer in layers]
        biases: list[torch.Tensor] = [
            torch.zeros(layer.out_features).double() if layer.bias is None else layer.bias for layer in layers
        ]
        if len(layers) > 1 and len(weights[-1]) == 2:
            weights[-1], biases[-1] = weights[-1][1:] - weights[-1][:1], biases[-1][1:] - biases[-1][:1]
        self.first, self.first_bias = weights[0], biases[0]
        weights[0] = weights[0] @ self.vectors
        forth = [weight.to(dtype).contiguous().to(device) for weight in weights]
        back = [weight.T.to(dtype).contiguous().to(device) for weight in weights]
        self.two_classes = len(forth[-1]) == 1
        if self.two_classes:
            back[-2] = back[-2] * forth[-1]
        self.forth, self.back = forth, back
        self.biases = [bias[:, None].to(dtype).to(device) for bias in biases]

    def block(self, x: np.ndarray, y: np.ndarray) -> AbstractBlock:
        """See the base class."""
        return _PerceptronBlock(self, x, y)


class _PerceptronBlock(AbstractBlock):
    """Threads take turns at Python between torch's kernels, so that views and scaled weights are made once."""

    def __init__(self, field: PerceptronField, x: np.ndarray, y: np.ndarray) -> None:
        n = len(x)
        self._field = field
        self._y = torch.from_numpy(np.ascontiguousarray(y)).to(field.device)
        exact = torch.from_numpy(np.ascontiguousarray(x, dtype=np.float64))
        self._start = torch.addmm(field.first_bias[:, None], field.first, exact.T).to(field.dtype).to(field.device)
        self._layers = [self._start.new_empty(len(weight), n) for weight in field.forth]
        through = self._layers[:-2] if field.two_classes else self._layers[:-1]
        self._flows = [torch.empty_like(layer) for layer in through]
        self._sign = (1 - 2 * self._y).to(field.dtype)
        self._signed_bias = self._sign * field.biases[-1][0]
        self._odds = self._start.new_empty(n)
        self._push = self._start.new_empty(n)
        self._flow = self._scaled_by = self._scaled = torch.empty(0)
        if field.two_classes:
            self._top, self._top_weights = self._layers[-2].T, field.forth[-1][0]

    def evaluate(self, z: torch.Tensor) -> None:
        field, layers = self._field, self._layers
        torch.addmm(self._start, field.forth[0], z, out=layers[0])
        for place in range(1, len(layers)):
            below = field.activations[place - 1][0](layers[place - 1])
            if place == len(layers) - 1 and field.two_classes:
                torch.mv(self._top, self._top_weights, out=self._odds)
            else:
                torch.addmm(field.biases[place], field.forth[place], below, out=layers[place])
        flow = self._last_but_one() if field.two_classes else uphill(layers[-1], self._y[None], 0)
        at = len(layers) - (2 if field.two_classes else 1)
        while at > 0:
            below = field.activations[at - 1][1](layers[at - 1])
            flow = torch.mm(field.back[at], flow, out=self._flows[at - 1]).mul_(below)
            at -= 1
        self._flow = flow

    def add_gradient(self, out: torch.Tensor, push: torch.Tensor) -> None:
        if push is not self._scaled_by:
            self._scaled_by, self._scaled = push, self._field.back[0] * push
        out.addmm_(self._scaled, self._flow)

    def _last_but_one(self) -> torch.Tensor:
        """The flow into the last hidden layer; the row vector above it is folded into ``back``."""
        torch.addcmul(self._signed_bias, self._odds, self._sign, out=self._odds)
        torch.sigmoid(self._odds, out=self._push).mul_(self._sign)
        return self._field.activations[-1][1](self._layers[-2]).mul_(self._push)

    def answer(self) -> tuple[torch.Tensor, torch.Tensor]:
        if self._field.two_classes:
            return self._odds, (self._odds > 0) | ((self._odds == 0) & (self._y == 1))
        return against(self._layers[-1], self._y)
