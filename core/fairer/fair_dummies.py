"""Algorithm 1 of papers/fair-dummies.md. Imports torch: import it in functions."""

from __future__ import annotations

import numpy as np
import torch
from torch import nn

from core.fairer.descent import Tensors, batches, descend, error, shown, tensor
from core.fairer.drawing import dummies_of
from core.fairer.networks import Fitted, finished, started
from core.fairer.rows import Rows
from core.fairer.settings import FairDummiesPenalty
from core.progress import OnProgress
from core.status.training import reproducible

_HIDDEN = 32


def fit_fair_dummies(
    rows: Rows,
    plain: Fitted,
    penalty: FairDummiesPenalty,
    strength: float,
    *,
    decay: float,
    seed: int,
    on_progress: OnProgress,
    what: str,
) -> Fitted:
    """Train a model, started at the plain one, towards answers that are as independent of the group as fair dummies.

    The covariance penalty is that of the text, ‖cov(Ŷ, A) − cov(Ŷ, Ã)‖² with both sides centred (the authors' code
    centres one and compares all second moments). Groups enter as standardised indicators.

    Args:
        rows: Training rows.
        plain: Where the training starts.
        penalty: How.
        strength: λ of eq. 3, from 0 to below 1.
        decay: Weight decay.
        seed: Seed of the dummies, the batches and the discriminator.
        on_progress: Told every epoch; may raise to stop.
        what: What is trained, for progress.

    Raises:
        AuditError: The training diverged.
        CancelledError: ``on_progress`` asked to stop.
    """
    rng = np.random.default_rng(seed)
    dummies = dummies_of(rows)
    with reproducible(seed):
        data = Tensors.of(rows)
        model = started(plain, rows)
        judge = discriminator(2 * data.targets.shape[1] + data.indicators.shape[1])
        sides = [
            torch.optim.Adam(judge.parameters(), lr=penalty.learning_rate, fused=True),
            torch.optim.AdamW(model.parameters(), lr=penalty.learning_rate, weight_decay=decay, fused=True),
        ]

        def step() -> float:
            drawn = tensor(rows.standardised(dummies.draw(rng)))
            losses = []
            for picked in batches(len(rows), penalty.batch):
                x, y = data.x[picked], data.targets[picked]
                true, fake = data.indicators[picked], drawn[picked]
                for _ in range(penalty.looks):
                    sides[0].zero_grad()
                    answers = shown(model(x), rows.classes).detach()
                    told_apart(judge, answers, true, fake, y).backward()  # type: ignore[no-untyped-call]
                    sides[0].step()
                for _ in range(penalty.steps):
                    sides[1].zero_grad()
                    given = model(x)
                    answers = shown(given, rows.classes)
                    unfair = told_apart(judge, answers, fake, true, y) + penalty.gamma * covariances(
                        answers, true - fake
                    )
                    loss = (1 - strength) * error(given, y, rows.classes) + strength * unfair
                    loss.backward()  # type: ignore[no-untyped-call]
                    sides[1].step()
                    losses.append(float(loss.detach()))
            return float(np.mean(losses))

        trained = descend(model, step, epochs=penalty.epochs, averaged=True, on_progress=on_progress, what=what)
        return finished(trained, rows)


def discriminator(inputs: int) -> nn.Sequential:
    """Reads answers, groups and outcomes and gives the log-odds that the groups are the true ones."""
    return nn.Sequential(
        nn.Linear(inputs, _HIDDEN), nn.ReLU(), nn.Linear(_HIDDEN, _HIDDEN), nn.ReLU(), nn.Linear(_HIDDEN, 1)
    )


def covariances(answers: torch.Tensor, differences: torch.Tensor) -> torch.Tensor:
    """Squared norm of cov(Ŷ, A) − cov(Ŷ, Ã) = cov(Ŷ, A − Ã); answers (n, k), differences of the groups (n, q)."""
    centred = answers - answers.mean(dim=0)
    return ((centred.T @ (differences - differences.mean(dim=0)) / len(answers)) ** 2).sum()


def told_apart(
    judge: nn.Sequential, answers: torch.Tensor, real: torch.Tensor, fake: torch.Tensor, y: torch.Tensor
) -> torch.Tensor:
    """Mean of −log d̂(Ŷ, real, Y) − log(1 − d̂(Ŷ, fake, Y)); with the two exchanged it is the model's side."""
    groups = torch.cat([real, fake])
    odds = judge(torch.cat([answers.repeat(2, 1), groups, y.repeat(2, 1)], dim=1))[:, 0]
    half = len(answers)
    return nn.functional.softplus(torch.cat([-odds[:half], odds[half:]])).mean() * 2
