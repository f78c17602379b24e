"""Adversarial debiasing by fairlearn. Imports torch: import it in functions."""

import math
import warnings

import numpy as np
import torch
from torch import nn

from core.protected_status.training import reproducible
from core.workflows.mitigation.networks import Fitted, Training, started
from core.workflows.mitigation.prepared import PreparedRows
from core.workflows.mitigation.settings import AdversarialPenalty

_HIDDEN = 32


def fit_adversarial(penalty: AdversarialPenalty, training: Training) -> Fitted:
    """Train a model, started at the baseline, against a network that guesses group, or number, from answer and outcome.

    fairlearn weighs the adversary by α where the error weighs 1; here α = λ / (1 − λ). It also takes from the error's
    gradient its part along the adversary's, at any α, so that λ = 0 is not the baseline. Weights are averaged over
    the second half of the epochs, since the last ones depend on where the two sides just are.

    Raises:
        AuditError: The training diverged.
        CancelledError: ``on_progress`` asked to stop.
    """
    rows, strength = training.rows, training.strength
    from fairlearn.adversarial import AdversarialFairnessClassifier, AdversarialFairnessRegressor

    # fairlearn seeds torch by a number between 0 and 1 that becomes 0: weights and order of the rows come from here.
    order = np.random.default_rng(training.seed).permutation(len(rows))
    with reproducible(training.seed):
        model = started(training.baseline, rows)
        kind = AdversarialFairnessClassifier if rows.classes else AdversarialFairnessRegressor
        mitigation = kind(
            backend="torch",
            predictor_model=_two_or_more(model, rows.classes),
            adversary_model=_adversary(rows),
            predictor_optimizer=lambda one: training.optimiser(one, penalty.learning_rate),
            constraints="equalized_odds",
            learning_rate=penalty.learning_rate,
            alpha=strength / (1 - strength),
            epochs=1,
            batch_size=penalty.batch,
            shuffle=True,
            warm_start=True,
            random_state=training.seed,
        )
        outcome = rows.y if rows.classes else rows.targets[:, 0]
        attribute = rows.codes if rows.values is None else rows.indicators

        def step() -> float:
            try:
                mitigation.fit(rows.x[order], outcome[order], sensitive_features=attribute[order])
            except RuntimeError:
                return math.nan
            finite = all(bool(torch.isfinite(parameter).all()) for parameter in model.parameters())
            return 0.0 if finite else math.nan

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return training.descended(model, step, penalty.epochs, averaged=True)


class _SecondOfTwo(nn.Module):
    """Logits of two classes as the logit of the second, (n, 2) to (n, 1)."""

    def forward(self, logits: torch.Tensor) -> torch.Tensor:
        return logits[:, 1:] - logits[:, :1]


def _two_or_more(model: nn.Sequential, classes: int) -> nn.Module:
    """With the end that fairlearn's losses expect; the model itself is trained within it."""
    if not classes:
        return model
    return (
        nn.Sequential(model, _SecondOfTwo(), nn.Sigmoid()) if classes == 2 else nn.Sequential(model, nn.LogSoftmax(1))
    )


def _adversary(rows: PreparedRows) -> nn.Sequential:
    columns = 1 if rows.classes in (0, 2) else rows.classes
    layers = (nn.Linear(2 * columns, _HIDDEN), nn.ReLU(), nn.Linear(_HIDDEN, _HIDDEN), nn.ReLU())
    if rows.values is not None:
        return nn.Sequential(*layers, nn.Linear(_HIDDEN, 1))
    if rows.groups == 2:
        return nn.Sequential(*layers, nn.Linear(_HIDDEN, 1), nn.Sigmoid())
    return nn.Sequential(*layers, nn.Linear(_HIDDEN, rows.groups), nn.LogSoftmax(1))
