"""The model that only wants to be right. Imports torch: import it in functions."""

import numpy as np
import torch
from torch import nn

from core.base.progress import OnProgress
from core.models import layers
from core.protected_status.training import reproducible
from core.workflows.mitigation.descent import Tensors, batches, descend, error, stepped, tensor
from core.workflows.mitigation.networks import Fitted, finished, network
from core.workflows.mitigation.prepared import PreparedRows
from core.workflows.mitigation.settings import Base


def fit_baseline(rows: PreparedRows, base: Base, seed: int, on_progress: OnProgress, what: str) -> Fitted:
    """Least squares, logistic regression (with scikit-learn's ridge, C = 1), or a network.

    The network is trained on squared error or cross-entropy.

    Raises:
        AuditError: A network's training diverged.
        CancelledError: ``on_progress`` asked to stop.
    """
    if base.hidden:
        return _network(rows, base, seed, on_progress, what)
    return _logistic(rows) if rows.classes else _least_squares(rows)


def _least_squares(rows: PreparedRows) -> Fitted:
    design = np.column_stack([rows.x, np.ones(len(rows))])
    solution = np.linalg.lstsq(design, rows.y)[0]
    return linear(solution[None, :-1], solution[-1:], 0)


def _logistic(rows: PreparedRows) -> Fitted:
    from sklearn.linear_model import LogisticRegression

    found = LogisticRegression(max_iter=2_000).fit(rows.x, rows.y, rows.weights)
    if len(found.coef_) == 1:
        both = np.array([[-0.5], [0.5]])
        return linear(both * found.coef_, both[:, 0] * found.intercept_, rows.classes)
    return linear(found.coef_, found.intercept_, rows.classes)


def linear(weight: np.ndarray, bias: np.ndarray, classes: int) -> Fitted:
    """A linear model with weights (k or 1, d) and biases (k or 1,)."""
    return Fitted(nn.Sequential(layers.linear(weight, bias)).eval(), classes)


def _network(rows: PreparedRows, base: Base, seed: int, on_progress: OnProgress, what: str) -> Fitted:
    weights = None if rows.weights is None else tensor(rows.weights)
    with reproducible(seed):
        data = Tensors.of(rows)
        module = network(rows.x.shape[1], data.targets.shape[1], base.hidden)
        optimiser = torch.optim.AdamW(
            module.parameters(), lr=base.learning_rate, weight_decay=base.weight_decay, fused=True
        )

        def step() -> float:
            losses = [
                stepped(
                    optimiser,
                    error(
                        module(data.x[picked]),
                        data.targets[picked],
                        rows.classes,
                        None if weights is None else weights[picked],
                    ),
                )
                for picked in batches(len(rows), base.batch)
            ]
            return float(np.mean(losses))

        trained = descend(module, step, epochs=base.epochs, averaged=False, on_progress=on_progress, what=what)
        return finished(trained, rows)
