"""Training of the sample networks: baseline, projection and SenSR, on class-balanced batches.

Baseline and projection follow App. F.3 of papers/gradient-flow-test.md. SenSR (sensitive subspace robustness;
Yurochkin, Bower and Sun, ICLR 2020) trains on people moved to where the network does worst: first freely along the
sensitive subspace, then in any direction at the price lambda d², with lambda steered so that the mean d² stays at the
budget.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812

from core.base.settings import Settings, setting

THREADS = 1
"""The networks are so small that a second thread only waits; and one keeps the result independent of the cores."""


class Training(Settings):
    """Adam on class-balanced batches."""

    hidden: int = setting(50, label="Hidden units", help="Width of the one hidden ReLU layer.", ge=1)
    learning_rate: float = setting(1e-4, label="Learning rate", help="Step size of Adam.", gt=0)
    batch: int = setting(250, label="Batch", help="Rows per step, half of each class.", ge=2)
    steps: int = setting(8_000, label="Steps", help="Training steps.", ge=1)
    weight_decay: float = setting(0.0, label="Weight decay", help="Strength of the ridge on all weights.", ge=0)


class SenSR(Training):
    """Adam on batches moved by the two attacks."""

    hidden: int = 100
    learning_rate: float = 3e-4
    steps: int = 3_000
    weight_decay: float = 1e-2
    subspace_steps: int = setting(20, label="Subspace steps", help="Adam steps along the sensitive subspace.", ge=0)
    subspace_step_size: float = setting(0.5, label="Subspace step size", help="In encoded units.", gt=0)
    full_steps: int = setting(10, label="Full steps", help="Adam steps in every direction.", ge=0)
    full_step_size: float = setting(0.005, label="Full step size", help="In encoded units.", gt=0)
    budget: float = setting(0.01, label="Budget", symbol="ε", help="Mean squared fair distance allowed.", gt=0)


def network(inputs: int, hidden: int, classes: int) -> nn.Sequential:
    """One hidden ReLU layer."""
    return nn.Sequential(nn.Linear(inputs, hidden), nn.ReLU(), nn.Linear(hidden, classes))


def train_baseline(x: np.ndarray, y: np.ndarray, recipe: Training, seed: int) -> nn.Sequential:
    """A plain network; ``x`` (n, d), ``y`` (n,) class numbers."""
    return _train(x, y, recipe, seed, lambda module, rows, labels: rows)


def train_project(x: np.ndarray, y: np.ndarray, free: np.ndarray, recipe: Training, seed: int) -> nn.Sequential:
    """A network blind to the sensitive subspace ``free`` (q, d): the projection is folded into its first layer."""
    projection = np.eye(x.shape[1]) - free.T @ free
    module = _train(x @ projection, y, recipe, seed, lambda module, rows, labels: rows)
    first = module[0]
    if not isinstance(first, nn.Linear):
        raise TypeError("the first layer is linear")
    with torch.no_grad():
        first.weight.copy_(first.weight.double() @ torch.from_numpy(projection))
    return module


def train_sensr(x: np.ndarray, y: np.ndarray, free: np.ndarray, recipe: SenSR, seed: int) -> nn.Sequential:
    """A network trained on the worst similar people; ``free`` (q, d) spans the sensitive subspace."""
    attack = _Attack(torch.from_numpy(free).float(), recipe)
    return _train(x, y, recipe, seed, attack)


class _Attack:
    """Moves a batch to where the network does worst; keeps the price of fair distance between batches.

    Small moves are inversely proportional to the price, so d² goes with its inverse square: after every batch the
    price is multiplied by the square root of spent over budget, within a factor of two.
    """

    def __init__(self, free: Tensor, recipe: SenSR) -> None:
        self.free = free
        self.recipe = recipe
        self.price = 2.0

    def __call__(self, module: nn.Module, rows: Tensor, labels: Tensor) -> Tensor:
        recipe = self.recipe
        along = _ascend(
            lambda a: F.cross_entropy(module(rows + a @ self.free), labels, reduction="sum"),
            torch.zeros(len(rows), len(self.free)),
            recipe.subspace_steps,
            recipe.subspace_step_size,
        )
        start = rows + along @ self.free
        moved = _ascend(
            lambda d: (
                F.cross_entropy(module(start + d), labels, reduction="sum") - self.price * self._distance(d).sum()
            ),
            torch.zeros_like(rows),
            recipe.full_steps,
            recipe.full_step_size,
        )
        spent = float(self._distance(moved).mean())
        self.price = max(1e-5, self.price * float(np.clip(np.sqrt(spent / recipe.budget), 0.5, 2.0)))
        return start + moved

    def _distance(self, moved: Tensor) -> Tensor:
        """Squared fair distance d² of each displacement, shape (n,)."""
        return moved.square().sum(dim=1) - (moved @ self.free.T).square().sum(dim=1)


def _ascend(objective: Callable[[Tensor], Tensor], start: Tensor, steps: int, step_size: float) -> Tensor:
    """Adam steps uphill from ``start``."""
    point = start.requires_grad_()
    optimiser = torch.optim.Adam([point], lr=step_size, maximize=True)
    for _ in range(steps):
        (point.grad,) = torch.autograd.grad(objective(point), point)
        optimiser.step()
    return point.detach()


def _train(
    x: np.ndarray,
    y: np.ndarray,
    recipe: Training,
    seed: int,
    prepare: Callable[[nn.Module, Tensor, Tensor], Tensor],
) -> nn.Sequential:
    """Adam on cross-entropy over class-balanced batches, each passed through ``prepare``; deterministic given seed."""
    threads, state = torch.get_num_threads(), torch.get_rng_state()
    torch.set_num_threads(THREADS)
    torch.manual_seed(seed)
    try:
        module = network(x.shape[1], recipe.hidden, int(y.max()) + 1)
        rows, labels = torch.from_numpy(x).float(), torch.from_numpy(y)
        optimiser = torch.optim.Adam(module.parameters(), lr=recipe.learning_rate, weight_decay=recipe.weight_decay)
        for picked in _balanced_batches(y, recipe, np.random.default_rng(seed)):
            batch = prepare(module, rows[picked], labels[picked])
            optimiser.zero_grad()
            F.cross_entropy(module(batch), labels[picked]).backward()  # type: ignore[no-untyped-call]
            optimiser.step()
    finally:
        torch.set_num_threads(threads)
        torch.set_rng_state(state)
    return module.eval()


def _balanced_batches(y: np.ndarray, recipe: Training, rng: np.random.Generator) -> Iterator[Tensor]:
    members = [np.flatnonzero(y == label) for label in range(int(y.max()) + 1)]
    share = recipe.batch // len(members)
    for _ in range(recipe.steps):
        yield torch.from_numpy(np.concatenate([rng.choice(rows, share) for rows in members]))
