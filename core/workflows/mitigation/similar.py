"""Methods that treat similar people alike: projection and SenSR. Imports torch: import it in functions."""

import itertools
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import torch
from torch import nn

from core.contracts.metric import FittedMetric
from core.protected_status.training import reproducible
from core.workflows.mitigation.baseline import fit_baseline
from core.workflows.mitigation.descent import Tensors, batches, error, stepped, tensor
from core.workflows.mitigation.networks import Fitted, Training, started
from core.workflows.mitigation.settings import Projection, SenSR

_FIRST_PRICE = 2.0
_LEAST_PRICE = 1e-5


def fit_projection(method: Projection, training: Training) -> Fitted:
    """The baseline's own training on columns from which the share λ of every free direction is taken out.

    The projection is folded into the first layer, so that the model reads the columns as they are.

    Raises:
        AuditError: A network's training diverged.
        CancelledError: ``on_progress`` asked to stop.
    """
    free = _free(training)
    projection = np.eye(free.shape[1]) - training.strength * free.T @ free
    rows = replace(training.rows, x=training.rows.x @ projection)
    fitted = fit_baseline(rows, training.base, training.seed, training.on_progress, training.what)
    first = fitted.module[0]
    if isinstance(first, nn.Linear):
        with torch.no_grad():
            first.weight.copy_(first.weight @ torch.from_numpy(projection))
    return fitted


def fit_sensr(method: SenSR, training: Training) -> Fitted:
    """Train a model, started at the baseline, on (1 - λ) times its error and λ times that of people moved to harm.

    Raises:
        AuditError: The training diverged.
        CancelledError: ``on_progress`` asked to stop.
    """
    rows, strength = training.rows, training.strength
    with reproducible(training.seed):
        data = Tensors.of(rows)
        model = started(training.baseline, rows)
        attack = Attack(method, tensor(_free(training)), tensor(_known(training).matrix), rows.classes)
        optimiser = training.optimiser(model, method.learning_rate)
        drawn = (picked for _ in itertools.count() for picked in batches(len(rows), method.batch))

        def step() -> float:
            picked = next(drawn)
            x, y = data.x[picked], data.targets[picked]
            moved = attack(model, x, y) if strength else x
            loss = (1 - strength) * error(model(x), y, rows.classes)
            return stepped(optimiser, loss + strength * error(model(moved), y, rows.classes))

        return training.descended(model, step, method.steps)


@dataclass
class Attack:
    """Moves people to where a model does worst, and keeps the price of fair distance from batch to batch.

    Small moves are inversely proportional to the price, so d² goes with its inverse square: after every batch the price
    is multiplied by the square root of spent over budget, within a factor of two.

    Attributes:
        method: Steps and budget.
        free: Directions along which moving costs nothing, shape (q, d).
        matrix: The quadratic form of the fair distance, shape (d, d).
        classes: As for :func:`core.workflows.mitigation.descent.error`.
        price: What a unit of d² costs.
    """

    method: SenSR
    free: torch.Tensor
    matrix: torch.Tensor
    classes: int
    price: float = _FIRST_PRICE

    def __call__(self, model: nn.Module, rows: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
        """Rows (n, d) moved, each for its own target."""
        method, n = self.method, len(rows)
        along = _ascended(
            lambda a: n * error(model(rows + a @ self.free), targets, self.classes),
            torch.zeros(n, len(self.free)),
            method.free_steps,
            method.free_step_size,
        )
        start = rows + along @ self.free
        moved = _ascended(
            lambda d: n * error(model(start + d), targets, self.classes) - self.price * self.squared(d).sum(),
            torch.zeros_like(rows),
            method.priced_steps,
            method.priced_step_size,
        )
        spent = float(self.squared(moved).mean())
        self.price = max(_LEAST_PRICE, self.price * float(np.clip(np.sqrt(spent / method.budget), 0.5, 2.0)))
        return start + moved

    def squared(self, moved: torch.Tensor) -> torch.Tensor:
        """d² of each move, shape (n,)."""
        found: torch.Tensor = ((moved @ self.matrix) * moved).sum(dim=1)
        return found


def _ascended(
    objective: Callable[[torch.Tensor], torch.Tensor], start: torch.Tensor, steps: int, step_size: float
) -> torch.Tensor:
    """Adam's steps uphill."""
    point = start.requires_grad_()
    optimiser = torch.optim.Adam([point], lr=step_size, maximize=True)
    for _ in range(steps):
        (point.grad,) = torch.autograd.grad(objective(point), point)
        optimiser.step()
    return point.detach()


def _known(training: Training) -> FittedMetric:
    if training.metric is None:
        raise TypeError("The method compares similar people, and nobody said who is.")
    return training.metric


def _free(training: Training) -> np.ndarray:
    return _known(training).free
