"""Derivatives of a classifier's probabilities by its word embeddings: one forward pass and K - 1 backward ones a batch.

They are taken at the model's own precision (float32), before position and normalisation. Nothing of the network is
touched: its parameters stay frozen, and what it is differentiated by is a copy of its embeddings.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from core.text.network import AbstractTextNetwork
from core.text.tokens import Tokens, padded

if TYPE_CHECKING:
    import torch

NUMBERS_AT_ONCE = 2**17
"""Numbers of the word embeddings in one batch, padding among them; layers hold dozens of times as many.

More at once is no faster, and takes memory in proportion (benchmarks/README.md).
"""
ACCELERATED = 2**20
"""The same on an accelerator, which fewer would leave idle: 1,365 tokens of BERT-base, in 1 GB of its memory."""


@dataclass(frozen=True)
class Gradients:
    """Derivatives of the K probabilities of B texts of up to N tokens with D numbers each; zero on padding.

    Attributes:
        probabilities: f(x), shape (B, K), float64.
        pooled: What the last layer read, shape (B, H), float32.
        embeddings: x, shape (B, N, D), float32.
        weighted: wᵀJ, that is Σ_k w_k |∂f_k/∂x|, shape (B, N, D), float32.
        by_class: Σ_d |∂f_k/∂x_d|, shape (B, N, K), float32.
    """

    probabilities: np.ndarray
    pooled: np.ndarray
    embeddings: np.ndarray
    weighted: np.ndarray
    by_class: np.ndarray

    @property
    def finite(self) -> np.ndarray:
        """Whether everything about a text is a finite number, shape (B,), bool."""
        finite: np.ndarray = np.isfinite(self.probabilities).all(axis=1) & np.isfinite(self.weighted).all(axis=(1, 2))
        return finite


def at_once(network: AbstractTextNetwork) -> int:
    """Tokens of one batch, padding among them."""
    return (ACCELERATED if network.accelerated else NUMBERS_AT_ONCE) // network.width


def differentiate(
    network: AbstractTextNetwork, tokens: Sequence[Tokens], weights: np.ndarray | None = None
) -> Gradients:
    """wᵀJ with J(k, i) = |∂f_k/∂x_i| (papers/prediction-sensitivity.md, eq. 1) for one batch of texts.

    Each backward pass takes a class of every text, its least probable one first. The most probable class needs none:
    Σ_k f_k = 1, so its derivative is minus the sum of the others'. In this order nothing is lost where softmax is
    rounded to 1.

    Args:
        network: The classifier.
        tokens: The texts' tokens, at least one each.
        weights: w, shape (K,); ones if None.
    """
    import torch

    ids, mask = padded(tokens, network.device)
    with torch.enable_grad():
        x = network.word_embeddings(ids).detach().requires_grad_()
        pooled = network.pooled(x, mask)
        f = softmax(network.head()(pooled))
        classes = f.shape[1]
        w = x.new_ones(classes) if weights is None else torch.from_numpy(weights).to(x)
        weighted, rest = torch.zeros_like(x), torch.zeros_like(x)
        by_class = x.new_zeros((*ids.shape, classes))

        def add(derivative: torch.Tensor, of: torch.Tensor) -> None:
            size = derivative.detach().abs()
            weighted.addcmul_(size, w[of].view(-1, 1, 1))
            by_class.scatter_(2, of.view(-1, 1, 1).expand(-1, size.shape[1], 1), size.sum(2, keepdim=True))

        order = f.detach().argsort(dim=1, stable=True).unbind(dim=1)
        for place, of in enumerate(order[:-1]):
            chosen = f.gather(1, of.unsqueeze(1)).sum()
            (derivative,) = torch.autograd.grad(chosen, x, retain_graph=place < classes - 2)
            rest -= derivative
            add(derivative, of)
        add(rest, order[-1])
    f, pooled, x, weighted, by_class = (one.detach().cpu() for one in (f, pooled, x, weighted, by_class))
    return Gradients(f.double().numpy(), pooled.numpy(), x.numpy(), weighted.numpy(), by_class.numpy())


def softmax(logits: torch.Tensor) -> torch.Tensor:
    """Probabilities of logits, (B, K) -> (B, K); one logit z counts as [0, z]."""
    import torch

    if logits.shape[1] == 1:
        logits = torch.cat([torch.zeros_like(logits), logits], dim=1)
    return logits.softmax(dim=1)
