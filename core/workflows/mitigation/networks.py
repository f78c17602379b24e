"""The models that are fitted, linear ones and networks with one hidden layer, and what every method is given for it.

Imports torch: import it in functions.
"""

import copy
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import torch
from torch import nn

from core.base.progress import OnProgress, ignore_progress
from core.contracts.metric import FittedMetric
from core.language.told import say
from core.workflows.mitigation.descent import descend
from core.workflows.mitigation.prepared import PreparedRows
from core.workflows.mitigation.settings import Base


class Answering(Protocol):
    """What can be tried: a model, or a rule that has no file."""

    def answers(self, x: np.ndarray) -> np.ndarray:
        """Class probabilities of prepared columns (n, d), shape (n, k), or numbers, shape (n,)."""


@dataclass(frozen=True)
class Fitted:
    """A fitted model.

    Attributes:
        module: Maps prepared columns (n, d) to logits (n, k), or to the number in its own units (n, 1); float64.
        classes: k; 0 where the outcome is a number.
    """

    module: nn.Sequential
    classes: int

    def answers(self, x: np.ndarray) -> np.ndarray:
        """Class probabilities, shape (n, k), or numbers, shape (n,); float64."""
        with torch.no_grad():
            given = self.module(torch.from_numpy(np.asarray(x, dtype=np.float64)))
        return np.asarray(given.softmax(dim=1).numpy() if self.classes else given[:, 0].numpy())


def network(inputs: int, outputs: int, hidden: int) -> nn.Sequential:
    """A linear model, or with ``hidden`` > 0 a network with one layer of so many rectified units."""
    if not hidden:
        return nn.Sequential(nn.Linear(inputs, outputs))
    return nn.Sequential(nn.Linear(inputs, hidden), nn.ReLU(), nn.Linear(hidden, outputs))


def finished(module: nn.Module, rows: PreparedRows) -> Fitted:
    """A trained copy in float64, frozen, that answers in the outcome's own units where it is a number."""
    kept = copy.deepcopy(module).double().eval().requires_grad_(False)
    if not isinstance(kept, nn.Sequential):
        raise TypeError(f"{type(kept).__name__} is no sequence of layers.")
    last = kept[-1]
    if not rows.classes and isinstance(last, nn.Linear):
        last.weight.mul_(rows.spread)
        last.bias.mul_(rows.spread).add_(rows.centre)
    return Fitted(kept, rows.classes)


def started(fitted: Fitted, rows: PreparedRows) -> nn.Sequential:
    """A trainable float32 copy of a fitted model that answers in standardised numbers: :func:`finished` undone."""
    kept = copy.deepcopy(fitted.module).requires_grad_(False)
    last = kept[-1]
    if not rows.classes and isinstance(last, nn.Linear):
        last.bias.sub_(rows.centre).div_(rows.spread)
        last.weight.div_(rows.spread)
    return kept.float().train().requires_grad_(True)


@dataclass(frozen=True)
class Training:
    """A model to be fitted, whatever the method; each method is a function of its settings and a training.

    Attributes:
        rows: Training rows.
        baseline: The model of the same kind that only wants to be right, fitted to these rows; the training starts
            there.
        strength: λ, from 0 to below 1.
        base: What is fitted.
        seed: Seed of every random choice.
        on_progress: Told how far it is; may raise to stop.
        what: What is fitted, for progress.
        metric: Who counts as similar; None for methods that do not ask.
    """

    rows: PreparedRows
    baseline: Fitted
    strength: float
    base: Base
    seed: int
    on_progress: OnProgress = ignore_progress
    what: str = say("Fitting a fairer model")
    metric: FittedMetric | None = None

    def optimiser(self, module: nn.Module, learning_rate: float) -> torch.optim.Optimizer:
        """Adam with the base's weight decay, or none for a linear model."""
        decay = self.base.weight_decay if self.base.hidden else 0.0
        return torch.optim.AdamW(module.parameters(), lr=learning_rate, weight_decay=decay, fused=True)

    def descended(
        self, module: nn.Sequential, step: Callable[[], float], epochs: int, *, averaged: bool = False
    ) -> Fitted:
        """``module`` trained, and finished; see :func:`core.workflows.mitigation.descent.descend`."""
        trained = descend(module, step, epochs=epochs, averaged=averaged, on_progress=self.on_progress, what=self.what)
        return finished(trained, self.rows)
