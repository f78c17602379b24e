"""A small network that predicts a protected attribute, and how steeply its answers change with its inputs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import torch

PATIENCE = 8
"""Training stops after this many epochs without a better loss on the rows kept for that."""

_BATCHES = 40
"""Gradient steps an epoch takes about, between the limits of the batch size."""


@dataclass(frozen=True)
class ProtectedNetwork:
    """One hidden layer of tanh units: centred logits tanh(z W + b) V + c over g groups.

    Attributes:
        hidden_weight: W, shape (p, h).
        hidden_bias: b, shape (h,).
        weight: V, columns summing to zero over groups, shape (h, g).
        bias: c, shape (g,).
        epochs: Epochs trained until the best one.
    """

    hidden_weight: np.ndarray
    hidden_bias: np.ndarray
    weight: np.ndarray
    bias: np.ndarray
    epochs: int

    def probability(self, z: np.ndarray) -> np.ndarray:
        """Probability of each group if all groups were equally frequent, shape (n, g)."""
        from scipy.special import softmax

        logits = np.tanh(z @ self.hidden_weight + self.hidden_bias) @ self.weight + self.bias
        probability: np.ndarray = softmax(logits, axis=1)
        return probability

    def mean_outer_product(self, other: ProtectedNetwork, z: np.ndarray) -> np.ndarray:
        """E[Σ_k ∇_z f_k ∇_z g_kᵀ] over the rows of ``z``, made symmetric, shape (p, p).

        f_k are the centred logits of this network and g_k those of the other, which may be the same. ∇f_k = W (s ∘ V_k)
        with s = 1 - tanh², so the mean is W (E[s s'ᵀ] ∘ V V'ᵀ) W'ᵀ: one product of small matrices.
        """
        inner = (self._slope(z).T @ other._slope(z) / len(z)) * (self.weight @ other.weight.T)
        product = self.hidden_weight @ inner @ other.hidden_weight.T
        symmetric: np.ndarray = (product + product.T) / 2
        return symmetric

    def _slope(self, z: np.ndarray) -> np.ndarray:
        slope: np.ndarray = 1 - np.tanh(z @ self.hidden_weight + self.hidden_bias) ** 2
        return slope


def train_network(
    z: np.ndarray,
    codes: np.ndarray,
    groups: int,
    stopping: np.ndarray,
    *,
    hidden: int,
    epochs: int,
    rng: np.random.Generator,
) -> ProtectedNetwork:
    """Fit by Adam to the log-loss in which every group weighs the same; keep the epoch that does best on ``stopping``.

    Deterministic given ``rng``: one thread, its own generator; global state of torch is left as it was.

    Args:
        z: Standardised columns, shape (n, p).
        codes: Group of each row, shape (n,), int; every group occurs among the rows trained on.
        groups: Number of groups g.
        stopping: Rows that decide when to stop and are not trained on, shape (n,), bool.
        hidden: Width h.
        epochs: Longest training.
        rng: Initial weights and the order of rows.
    """
    import torch

    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        with torch.enable_grad():
            return _train(z, codes, groups, stopping, hidden=hidden, epochs=epochs, seed=int(rng.integers(2**62)))
    finally:
        torch.set_num_threads(threads)


def _train(
    z: np.ndarray, codes: np.ndarray, groups: int, stopping: np.ndarray, *, hidden: int, epochs: int, seed: int
) -> ProtectedNetwork:
    import torch

    generator = torch.Generator().manual_seed(seed)
    rows, labels = torch.from_numpy(z), torch.from_numpy(codes.astype(np.int64))
    learning = torch.from_numpy(np.flatnonzero(~stopping))
    checking = torch.from_numpy(np.flatnonzero(stopping))

    def start(inputs: int, outputs: int) -> torch.Tensor:
        drawn = torch.randn(inputs, outputs, generator=generator, dtype=torch.float64)
        started: torch.Tensor = (drawn / inputs**0.5).requires_grad_()
        return started

    first, second = start(z.shape[1], hidden), start(hidden, groups)
    shift = torch.zeros(hidden, dtype=torch.float64, requires_grad=True)
    base = torch.zeros(groups, dtype=torch.float64, requires_grad=True)
    parameters = [first, shift, second, base]
    balance = 1 / torch.bincount(labels[learning], minlength=groups).clamp(min=1).double()

    def loss(chosen: torch.Tensor) -> torch.Tensor:
        logits = torch.tanh(rows[chosen] @ first + shift) @ second + base
        weight = balance / balance.sum()
        return torch.nn.functional.cross_entropy(logits, labels[chosen], weight=weight)

    optimiser = torch.optim.AdamW(parameters, lr=0.01, weight_decay=1e-3)
    size = min(max(64, len(learning) // _BATCHES), 4096)

    def epoch() -> float:
        order = learning[torch.randperm(len(learning), generator=generator)]
        for chosen in torch.split(order, size):
            optimiser.zero_grad()
            loss(chosen).backward()  # type: ignore[no-untyped-call]
            optimiser.step()
        with torch.no_grad():
            return float(loss(checking))

    best, number = _best_epoch(epoch, parameters, epochs)
    weight, bias = best[2], best[3]
    return ProtectedNetwork(
        best[0], best[1], weight - weight.mean(axis=1, keepdims=True), bias - bias.mean(), epochs=number
    )


def _best_epoch(
    epoch: Callable[[], float], parameters: list[torch.Tensor], epochs: int
) -> tuple[list[np.ndarray], int]:
    """Run epochs until the loss has not improved for ``PATIENCE`` of them; the best parameters and their epoch."""
    best: list[np.ndarray] = []
    lowest, at = np.inf, 0
    for number in range(1, epochs + 1):
        value = epoch()
        if value < lowest:
            lowest, at = value, number
            best = [parameter.detach().numpy().copy() for parameter in parameters]
        elif number - at >= PATIENCE:
            break
    return best, at
