"""The networks of the gradient-flow paper: baseline, projection and SenSR, on class-balanced batches.

Baseline and projection follow App. F.3 of papers/gradient-flow-test.md; SenSR moves people as
:class:`core.workflows.mitigation.similar.Attack` does, and trains on the moved ones alone. The sample models were
trained with these. Imports torch: import it in functions.
"""

from collections.abc import Callable, Iterator

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812

from core.base.settings import Settings
from core.protected_status.training import reproducible
from core.workflows.mitigation.descent import stepped
from core.workflows.mitigation.networks import network
from core.workflows.mitigation.settings import SenSR as Moves
from core.workflows.mitigation.similar import Attack


class BalancedTraining(Settings):
    """Adam on class-balanced batches.

    Attributes:
        hidden: Width of the one hidden layer of rectified units.
        learning_rate: Step size.
        batch: Rows a step, as many of each class.
        steps: Training steps.
        weight_decay: Strength of the ridge on all weights.
    """

    hidden: int = 50
    learning_rate: float = 1e-4
    batch: int = 250
    steps: int = 8_000
    weight_decay: float = 0.0


class RobustTraining(BalancedTraining):
    """Adam on batches of moved people.

    Attributes:
        moves: How people are moved to where the network does worst.
    """

    hidden: int = 100
    learning_rate: float = 3e-4
    steps: int = 3_000
    weight_decay: float = 1e-2
    moves: Moves = Moves()


def train_baseline(x: np.ndarray, y: np.ndarray, recipe: BalancedTraining, seed: int) -> nn.Sequential:
    """A plain network; ``x`` (n, d), ``y`` (n,) class numbers."""
    return _train(x, y, recipe, seed, lambda module, rows, labels: rows)


def train_project(x: np.ndarray, y: np.ndarray, free: np.ndarray, recipe: BalancedTraining, seed: int) -> nn.Sequential:
    """A network blind to the sensitive subspace ``free`` (q, d): the projection is folded into its first layer."""
    projection = np.eye(x.shape[1]) - free.T @ free
    module = _train(x @ projection, y, recipe, seed, lambda module, rows, labels: rows)
    first = module[0]
    if not isinstance(first, nn.Linear):
        raise TypeError("The first layer is not linear.")
    with torch.no_grad():
        first.weight.copy_(first.weight.double() @ torch.from_numpy(projection))
    return module


def train_sensr(x: np.ndarray, y: np.ndarray, free: np.ndarray, recipe: RobustTraining, seed: int) -> nn.Sequential:
    """A network trained on the worst similar people; ``free`` (q, d) spans the sensitive subspace."""
    tensor = torch.from_numpy(free).float()
    attack = Attack(recipe.moves, tensor, torch.eye(x.shape[1]) - tensor.T @ tensor, int(y.max()) + 1)
    return _train(x, y, recipe, seed, attack)


def _train(
    x: np.ndarray,
    y: np.ndarray,
    recipe: BalancedTraining,
    seed: int,
    prepare: Callable[[nn.Module, Tensor, Tensor], Tensor],
) -> nn.Sequential:
    """Adam on cross-entropy over class-balanced batches, each passed through ``prepare``; deterministic given seed."""
    with reproducible(seed):
        module = network(x.shape[1], int(y.max()) + 1, recipe.hidden)
        rows, labels = torch.from_numpy(x).float(), torch.from_numpy(y)
        optimiser = torch.optim.Adam(module.parameters(), lr=recipe.learning_rate, weight_decay=recipe.weight_decay)
        for picked in _balanced_batches(y, recipe, np.random.default_rng(seed)):
            batch = prepare(module, rows[picked], labels[picked])
            stepped(optimiser, F.cross_entropy(module(batch), labels[picked]))
    return module.eval()


def _balanced_batches(y: np.ndarray, recipe: BalancedTraining, rng: np.random.Generator) -> Iterator[Tensor]:
    members = [np.flatnonzero(y == label) for label in range(int(y.max()) + 1)]
    share = recipe.batch // len(members)
    for _ in range(recipe.steps):
        yield torch.from_numpy(np.concatenate([rng.choice(rows, share) for rows in members]))
