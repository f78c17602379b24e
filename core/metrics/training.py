"""Several small networks trained at once: each has its own start, its own rows to stop by and its own best epoch."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import torch

PATIENCE = 8
"""Training ends once no network has become better for this many epochs on the rows it stops by."""

_BATCHES = 40
"""Gradient steps an epoch takes about, between the limits of the batch size."""


@dataclass(frozen=True)
class PaddedRows:
    """Rows of each of m networks, padded to the same number.

    Attributes:
        place: Positions among all rows, shape (m, k).
        weight: Weight of each, the same in total for every group; zero for padding; shape (m, k).
    """

    place: torch.Tensor
    weight: torch.Tensor

    @classmethod
    def of(cls, chosen: np.ndarray, codes: np.ndarray, groups: int) -> PaddedRows:
        """The rows that ``chosen``, shape (m, n), bool, marks for each network."""
        longest = int(chosen.sum(axis=1).max())
        place = np.zeros((len(chosen), longest), dtype=np.int64)
        weight = np.zeros(place.shape, dtype=np.float32)
        for network, own in enumerate(chosen):
            rows = np.flatnonzero(own)
            size = np.bincount(codes[rows], minlength=groups)
            place[network, : len(rows)] = rows
            weight[network, : len(rows)] = 1 / size[codes[rows]]
        return cls(torch.from_numpy(place), torch.from_numpy(weight))

    def batches(self, generator: torch.Generator) -> Iterator[PaddedRows]:
        """All rows once, in an order of its own for each network."""
        networks, rows = self.place.shape
        order = torch.rand(networks, rows, generator=generator).argsort(dim=1)
        size = min(max(64, rows // _BATCHES), 4096)
        for chosen in torch.split(order, size, dim=1):
            yield PaddedRows(self.place.gather(1, chosen), self.weight.gather(1, chosen))


class Learning:
    """m networks with one hidden layer of h tanh units for p inputs and g groups, fitted by Adam to the log-loss.

    What one network learns does not depend on the others but for the draws of ``generator``.
    """

    def __init__(
        self, inputs: np.ndarray, codes: np.ndarray, *, groups: int, hidden: int, networks: int, seed: int
    ) -> None:
        self._generator = torch.Generator().manual_seed(seed)
        self._inputs = torch.from_numpy(inputs.astype(np.float32))
        self._codes = torch.from_numpy(codes.astype(np.int64))
        self._parameters = [
            self._start(networks, inputs.shape[1], hidden),
            torch.zeros(networks, 1, hidden, requires_grad=True),
            self._start(networks, hidden, groups),
            torch.zeros(networks, 1, groups, requires_grad=True),
        ]

    def _start(self, networks: int, inputs: int, outputs: int) -> torch.Tensor:
        drawn = torch.randn(networks, inputs, outputs, generator=self._generator) / math.sqrt(inputs)
        drawn.requires_grad = True
        return drawn

    def best(self, learning: PaddedRows, stopping: PaddedRows, epochs: int) -> tuple[list[np.ndarray], np.ndarray]:
        """Parameters of each network at the epoch that did best on ``stopping``, float64, and that epoch, shape (m,).

        The parameters are the hidden layer's weights and shifts and the answer's, shapes (m, p, h), (m, 1, h),
        (m, h, g) and (m, 1, g).
        """
        optimiser = torch.optim.AdamW(self._parameters, lr=0.01, weight_decay=1e-3)
        networks = len(learning.place)
        lowest, at = torch.full((networks,), torch.inf), torch.zeros(networks, dtype=torch.int64)
        best = [parameter.detach().clone() for parameter in self._parameters]
        for epoch in range(1, epochs + 1):
            for batch in learning.batches(self._generator):
                optimiser.zero_grad()
                self._losses(batch).sum().backward()  # type: ignore[no-untyped-call]
                optimiser.step()
            with torch.no_grad():
                loss = self._losses(stopping)
            better = loss < lowest
            lowest, at = torch.where(better, loss, lowest), torch.where(better, epoch, at)
            for kept, parameter in zip(best, self._parameters, strict=True):
                kept[better] = parameter.detach()[better]
            if epoch - int(at.max()) >= PATIENCE:
                break
        return [kept.numpy().astype(float) for kept in best], at.numpy()

    def _losses(self, rows: PaddedRows) -> torch.Tensor:
        """Each network's log-loss of its rows, shape (m,)."""
        first, shift, second, base = self._parameters
        logits = torch.tanh(self._inputs[rows.place] @ first + shift) @ second + base
        told = logits.log_softmax(dim=2).gather(2, self._codes[rows.place][:, :, None])[:, :, 0]
        losses: torch.Tensor = -(rows.weight * told).sum(dim=1) / rows.weight.sum(dim=1).clamp(min=1e-12)
        return losses
