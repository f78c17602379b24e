"""Algorithm 1 of papers/fair-dummies.md, and fair dummies of the training rows: groups that depend on nothing but the
outcome (section 2.3). Imports torch: import it in functions.
"""

from dataclasses import dataclass

import numpy as np
import torch
from torch import nn

from core.audits.equalized_odds.densities import GroupDensities
from core.protected_status.training import reproducible
from core.workflows.mitigation.descent import Tensors, batches, error, shown, stepped
from core.workflows.mitigation.networks import Fitted, Training, started
from core.workflows.mitigation.prepared import PreparedRows
from core.workflows.mitigation.settings import FairDummiesPenalty

_HIDDEN = 32
_LEAST_SPREAD = 0.01


@dataclass(frozen=True)
class Dummies:
    """How the protected attribute of n rows is drawn anew.

    Attributes:
        strata: Places of the rows of each class, among which the attribute is permuted; empty where the outcome is a
            number.
        shares: Cumulated probability of the levels of the attribute given the outcome, shape (n, l); (0, l) where it is
            a class.
        members: Places of the rows of each level whose attribute may be taken.
    """

    strata: tuple[np.ndarray, ...]
    shares: np.ndarray
    members: tuple[np.ndarray, ...]

    def draw(self, rng: np.random.Generator) -> np.ndarray:
        """Whose attribute each row gets, shape (n,), int64: permuted in classes, or of a level drawn by eq. 4."""
        if self.strata:
            drawn = np.empty(sum(map(len, self.strata)), dtype=np.int64)
            for rows in self.strata:
                drawn[rows] = rng.permutation(rows)
            return drawn
        levels = (rng.random((len(self.shares), 1)) > self.shares[:, :-1]).sum(axis=1)
        if all(len(one) == 1 for one in self.members):
            return np.asarray(np.concatenate(self.members)[levels])
        drawn = np.empty(len(levels), dtype=np.int64)
        for level, members in enumerate(self.members):
            drawn[levels == level] = rng.choice(members, int((levels == level).sum()))
        return drawn


def dummies_of(rows: PreparedRows) -> Dummies:
    """Ready to draw: exact for classes; for numbers by the densities that the test uses too."""
    if rows.classes:
        strata = tuple(np.flatnonzero(rows.y == label) for label in range(rows.classes))
        return Dummies(strata, np.empty((0, rows.groups)), ())
    levels = 1 + int(rows.levels.max())
    densities = GroupDensities.learned(rows.y, rows.levels, levels)
    members = tuple(np.flatnonzero(rows.levels == level) for level in range(levels))
    if rows.values is None:
        members = tuple(one[:1] for one in members)
    return Dummies((), np.cumsum(densities.at(rows.y), axis=1), members)


def fit_fair_dummies(penalty: FairDummiesPenalty, training: Training) -> Fitted:
    """Train a model, started at the baseline, towards answers that are as independent of the group as fair dummies.

    The covariance penalty is that of the text, ‖cov(Ŷ, A) − cov(Ŷ, Ã)‖² with both sides centred (the authors' code
    centres one and compares all second moments); for classes it is taken within each, see :func:`covariances`. Groups
    enter as standardised indicators, and class probabilities standardised within each class (:func:`within_classes`):
    independence given the class does not depend on their scale, while a penalty that does is cheapest to lower by
    answering everybody nearly the same, which leaves the dependence where it was.

    Args:
        penalty: Weights and steps of the two sides.
        training: What is fitted; its strength is λ of eq. 3, and its seed that of the dummies, the batches and the
            discriminator.

    Raises:
        AuditError: The training diverged.
        CancelledError: ``on_progress`` asked to stop.
    """
    rows, strength = training.rows, training.strength
    rng = np.random.default_rng(training.seed)
    dummies = dummies_of(rows)
    with reproducible(training.seed):
        data = Tensors.of(rows)
        model = started(training.baseline, rows)
        judge = discriminator(2 * data.targets.shape[1] + data.indicators.shape[1])
        sides = [
            torch.optim.Adam(judge.parameters(), lr=penalty.learning_rate, fused=True),
            training.optimiser(model, penalty.learning_rate),
        ]

        def step() -> float:
            drawn = data.indicators[torch.from_numpy(dummies.draw(rng))]
            losses = []
            for picked in batches(len(rows), penalty.batch):
                x, y = data.x[picked], data.targets[picked]
                true, fake = data.indicators[picked], drawn[picked]
                for _ in range(penalty.looks):
                    answers = _seen(model(x), y, rows.classes).detach()
                    stepped(sides[0], told_apart(judge, answers, true, fake, y))
                for _ in range(penalty.steps):
                    given = model(x)
                    answers = _seen(given, y, rows.classes)
                    unfair = told_apart(judge, answers, fake, true, y) + penalty.gamma * covariances(
                        answers, true - fake, y
                    )
                    loss = (1 - strength) * error(given, y, rows.classes) + strength * unfair
                    losses.append(stepped(sides[1], loss))
            return float(np.mean(losses))

        return training.descended(model, step, penalty.epochs, averaged=True)


def discriminator(inputs: int) -> nn.Sequential:
    """Reads answers, groups and outcomes and gives the log-odds that the groups are the true ones."""
    return nn.Sequential(
        nn.Linear(inputs, _HIDDEN), nn.ReLU(), nn.Linear(_HIDDEN, _HIDDEN), nn.ReLU(), nn.Linear(_HIDDEN, 1)
    )


def covariances(answers: torch.Tensor, differences: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
    """Squared norm of cov(Ŷ, A) − cov(Ŷ, Ã) = cov(Ŷ, A − Ã); for classes its mean over the people in each.

    Under equalized odds it is zero within every class as well as over all. Over all (the paper's way), classes in which
    the groups differ in opposite directions cancel.

    Args:
        answers: One column for each class, shape (n, k), or standardised numbers, shape (n, 1).
        differences: Of the indicators of true groups and fair dummies, shape (n, q).
        targets: Indicators of the classes, shape (n, k), or standardised numbers, shape (n, 1).
    """
    members = targets if targets.shape[1] > 1 else torch.ones_like(targets)
    people = members.sum(dim=0).clamp_min(1)
    centred = [one - members @ ((members.T @ one) / people[:, None]) for one in (answers, differences)]
    products = torch.einsum("nc,nk,nq->ckq", members, *centred) / people[:, None, None]
    return (people / len(answers) * (products**2).sum(dim=(1, 2))).sum()


def within_classes(answers: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
    """Answers (n, k) with mean 0 and standard deviation 1 in each class of ``targets`` (n, k), column by column.

    Standard deviations below about 0.01 are not blown up to 1.
    """
    people = targets.sum(dim=0).clamp_min(1)[:, None]
    centred = answers - targets @ ((targets.T @ answers) / people)
    variances = (targets.T @ centred**2) / people
    return centred / (targets @ variances + _LEAST_SPREAD**2).sqrt()


def _seen(given: torch.Tensor, targets: torch.Tensor, classes: int) -> torch.Tensor:
    """What the penalty sees of an answer."""
    answers = shown(given, classes)
    return within_classes(answers, targets) if classes else answers


def told_apart(
    judge: nn.Sequential, answers: torch.Tensor, real: torch.Tensor, fake: torch.Tensor, y: torch.Tensor
) -> torch.Tensor:
    """Mean of −log d̂(Ŷ, real, Y) − log(1 − d̂(Ŷ, fake, Y)); with the two exchanged it is the model's side."""
    groups = torch.cat([real, fake])
    odds = judge(torch.cat([answers.repeat(2, 1), groups, y.repeat(2, 1)], dim=1))[:, 0]
    half = len(answers)
    return nn.functional.softplus(torch.cat([-odds[:half], odds[half:]])).mean() * 2
