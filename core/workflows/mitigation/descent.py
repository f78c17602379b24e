"""Stochastic gradient descent that every fit here shares. Imports torch: import it in functions."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import torch
from torch import nn
from torch.optim.swa_utils import AveragedModel

from core.base.errors import AuditError
from core.base.progress import OnProgress, Progress
from core.language.told import say
from core.workflows.mitigation.prepared import PreparedRows


@dataclass(frozen=True)
class Tensors:
    """Rows as float32 tensors: columns (n, d), targets (n, k or 1), standardised indicators of the groups (n, q)."""

    x: torch.Tensor
    targets: torch.Tensor
    indicators: torch.Tensor

    @classmethod
    def of(cls, rows: PreparedRows) -> Tensors:
        """All rows."""
        return cls(tensor(rows.x), tensor(rows.targets), tensor(rows.indicators))


def tensor(array: np.ndarray) -> torch.Tensor:
    """An array as a float32 tensor of its own."""
    return torch.tensor(np.asarray(array), dtype=torch.float32)


def error(
    given: torch.Tensor, targets: torch.Tensor, classes: int, weights: torch.Tensor | None = None
) -> torch.Tensor:
    """Mean cross-entropy of logits, each counting as ``weights`` (n,) say, or mean squared error of standardised
    numbers.
    """
    if weights is not None:
        return (weights * nn.functional.cross_entropy(given, targets, reduction="none")).mean()
    if classes:
        return nn.functional.cross_entropy(given, targets)
    return nn.functional.mse_loss(given, targets)


def shown(given: torch.Tensor, classes: int) -> torch.Tensor:
    """What a penalty sees of an answer: the class probabilities, or the standardised number."""
    return given.softmax(dim=1) if classes else given


def batches(n: int, size: int) -> Iterator[torch.Tensor]:
    """Every row once, in random batches of ``size`` (0: one batch of all rows), by torch's global generator."""
    if not size or size >= n:
        yield torch.arange(n)
        return
    order = torch.randperm(n)
    yield from torch.split(order[: n - n % size], size)


def stepped(optimiser: torch.optim.Optimizer, loss: torch.Tensor) -> float:
    """One step down a loss, whose value is returned."""
    optimiser.zero_grad()
    loss.backward()  # type: ignore[no-untyped-call]
    optimiser.step()
    return float(loss.detach())


def descend(
    module: nn.Sequential,
    step: Callable[[], float],
    *,
    epochs: int,
    averaged: bool,
    on_progress: OnProgress,
    what: str,
) -> nn.Module:
    """Train ``module`` by calling ``step`` (it returns its mean loss) once an epoch.

    Args:
        module: What is trained, in place.
        step: One epoch; a loss that is not finite says that it diverged.
        epochs: How many.
        averaged: Whether the answer is the mean of the weights after each epoch of the second half, rather than the
            last ones: two sides that play against each other circle around the point they are after, and their mean
            is nearer to it (Yazıcı et al. 2019).
        on_progress: Told every epoch; may raise to stop.
        what: What is trained, for progress.

    Raises:
        AuditError: The loss or a weight is not a finite number.
        CancelledError: ``on_progress`` asked to stop.
    """
    mean = AveragedModel(module)
    for epoch in range(epochs):
        on_progress(Progress(epoch / epochs, what))
        loss = step()
        if not math.isfinite(loss):
            raise AuditError(
                say("The training diverged: a loss or a weight is not a finite number."),
                where=say("{what}, epoch {epoch}", what=what, epoch=epoch + 1),
                advice=say("Choose a smaller learning rate or a smaller λ."),
            )
        if epoch >= epochs // 2:
            mean.update_parameters(module)
    on_progress(Progress(1.0, what))
    return mean.module if averaged else module
