"""A small network that predicts a protected attribute, and how steeply its answers change with its inputs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

MEMBERS = 8
"""Networks whose answers are averaged. Told from 300 rows, the direction of one network lay a squared sine of .25 from
the truth, that of eight .16."""

_ROWS = 16_000
"""Members beside the first learn from so many rows together: of many rows the chance of training is small, and an
average takes long."""

_BLOCK = 4096
"""Rows whose gradients are held at once."""


@dataclass(frozen=True)
class ProtectedNetwork:
    """One hidden layer of tanh units: centred logits tanh(z W + b) V + c over g groups.

    Attributes:
        hidden_weight: W, shape (p, h).
        hidden_bias: b, shape (h,).
        weight: V, columns summing to zero over groups, shape (h, g).
        bias: c, shape (g,).
        epochs: Epochs trained until the best one, on average.
    """

    hidden_weight: np.ndarray
    hidden_bias: np.ndarray
    weight: np.ndarray
    bias: np.ndarray
    epochs: float

    def probability(self, z: np.ndarray) -> np.ndarray:
        """Probability of each group if all groups were equally frequent, shape (n, g)."""
        from scipy.special import softmax

        logits = np.tanh(z @ self.hidden_weight + self.hidden_bias) @ self.weight + self.bias
        probability: np.ndarray = softmax(logits, axis=1)
        return probability

    def mean_outer_product(self, other: ProtectedNetwork, z: np.ndarray) -> np.ndarray:
        """E[Σ_k ∇_z f_k ∇_z g_kᵀ] over the rows of ``z``, made symmetric, shape (p, p).

        f_k are the centred logits of this network and g_k those of the other, which may be the same.
        """
        total = np.zeros((z.shape[1], z.shape[1]))
        for start in range(0, len(z), _BLOCK):
            rows = z[start : start + _BLOCK]
            for own, others in zip(self._gradients(rows), other._gradients(rows), strict=True):
                total += own.T @ others
        return (total + total.T) / (2 * len(z))

    def _gradients(self, z: np.ndarray) -> Iterator[np.ndarray]:
        """The gradient of each group's centred logit at each row, W (s ∘ V_k) with s = 1 - tanh², shape (n, p)."""
        slope = 1 - np.tanh(z @ self.hidden_weight + self.hidden_bias) ** 2
        return ((slope * weight) @ self.hidden_weight.T for weight in self.weight.T)


def train_network(
    z: np.ndarray,
    codes: np.ndarray,
    groups: int,
    part: np.ndarray,
    *,
    hidden: int,
    epochs: int,
    seed: int,
) -> ProtectedNetwork:
    """The average of up to ``MEMBERS`` networks, as one network with all their hidden units.

    Each is fitted by Adam to the log-loss in which every group weighs the same; each leaves one part of the rows to
    decide which epoch was its best, in turn. Deterministic given ``seed``: one thread, its own generator; torch's
    global state is left as it was.

    Args:
        z: Standardised columns, shape (n, p).
        codes: Group of each row, shape (n,), int; every group occurs in every part.
        groups: Number of groups g.
        part: Part of each row, shape (n,), int; two parts at least.
        hidden: Width of each network.
        epochs: Longest training.
        seed: Of the initial weights and the order of rows.
    """
    import torch

    from core.metrics.training import Learning, PaddedRows

    members = min(MEMBERS, 1 + _ROWS // len(z))
    stopping = part == np.resize(np.unique(part), members)[:, None]
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        with torch.enable_grad():
            training = Learning(z, codes, groups=groups, hidden=hidden, networks=members, seed=seed)
            learned, held_out = (PaddedRows.of(rows, codes, groups) for rows in (~stopping, stopping))
            found, at = training.best(learned, held_out, epochs)
    finally:
        torch.set_num_threads(threads)
    first, shift, second, base = found
    weight, bias = second.reshape(-1, groups) / members, base.mean(axis=(0, 1))
    return ProtectedNetwork(
        hidden_weight=np.concatenate(list(first), axis=1),
        hidden_bias=shift.ravel(),
        weight=weight - weight.mean(axis=1, keepdims=True),
        bias=bias - bias.mean(),
        epochs=float(at.mean()),
    )
