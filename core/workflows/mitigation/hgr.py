"""The penalty of Mary, Calauzènes and El Karoui (2019), by kernel densities. Imports torch: import it in functions.

The squared maximum correlation of Hirschfeld, Gebelein and Rényi between answer and group is at most their chi-square
divergence from independence. Given the outcome it is computed in each class, or along a grid of the outcome, and
averaged over the people there.
"""

import math

import numpy as np
import torch

from core.protected_status.training import reproducible
from core.workflows.mitigation.descent import Tensors, batches, error, shown, stepped
from core.workflows.mitigation.networks import Fitted, Training, started
from core.workflows.mitigation.settings import HGRPenalty

_POINTS = 24
_REACH = 3.0
_FEWEST = 5
"""A class with fewer rows in a batch says nothing about it."""


def fit_hgr(penalty: HGRPenalty, training: Training) -> Fitted:
    """Train a model, started at the baseline, on (1 − λ) times its error and λ times :func:`chi_square`.

    Raises:
        AuditError: The training diverged.
        CancelledError: ``on_progress`` asked to stop.
    """
    rows, strength = training.rows, training.strength
    with reproducible(training.seed):
        data, codes = Tensors.of(rows), torch.from_numpy(rows.codes)
        numbers = rows.values is not None
        model = started(training.baseline, rows)
        optimiser = training.optimiser(model, penalty.learning_rate)

        def step() -> float:
            losses = []
            for picked in batches(len(rows), penalty.batch):
                given, y = model(data.x[picked]), data.targets[picked]
                answers = shown(given, rows.classes)
                if numbers:
                    members = _kernels(data.indicators[picked, 0], 1)
                else:
                    members = torch.nn.functional.one_hot(codes[picked], rows.groups).float()
                unfair = chi_square(answers, y, members)
                loss = (1 - strength) * error(given, y, rows.classes) + strength * unfair
                losses.append(stepped(optimiser, loss))
            return float(np.mean(losses))

        return training.descended(model, step, penalty.epochs)


def chi_square(answers: torch.Tensor, targets: torch.Tensor, members: torch.Tensor) -> torch.Tensor:
    """The mean chi-square divergence of answer and group from independence given the outcome.

    It is 0 where they are independent; the columns of several class probabilities are looked at one by one and summed.

    Args:
        answers: Class probabilities, shape (n, k), or standardised numbers, shape (n, 1).
        targets: Indicators of the classes, shape (n, k), or standardised numbers, shape (n, 1).
        members: Indicators of the groups, shape (n, g); of a protected attribute that is a number the kernels of its
            values at g points.
    """
    if targets.shape[1] == 1:
        return _along(answers[:, 0], targets[:, 0], members)
    found = answers.new_zeros(())
    for inside in targets.T > 0.5:
        if int(inside.sum()) >= _FEWEST:
            for column in answers[inside].T:
                found = found + inside.float().mean() * divergence(_kernels(column, 1).T @ members[inside])
    return found


def _along(answers: torch.Tensor, outcomes: torch.Tensor, members: torch.Tensor) -> torch.Tensor:
    """For numbers: densities of answer and outcome together, by product kernels; averaged along the outcome."""
    of_answers, of_outcomes = _kernels(answers, 2), _kernels(outcomes, 2)
    joint = torch.einsum("ni,nj,ng->jig", of_answers, of_outcomes, members)
    weight = joint.sum(dim=(1, 2)) / joint.sum()
    return sum((share * divergence(one) for share, one in zip(weight, joint, strict=True)), answers.new_zeros(()))


def divergence(joint: torch.Tensor) -> torch.Tensor:
    """Σ p²(i, a) / (p(i) p(a)) − 1 of masses (points, g), which need not sum to one."""
    p = joint / joint.sum().clamp_min(1e-12)
    product = p.sum(dim=1, keepdim=True) * p.sum(dim=0, keepdim=True)
    found: torch.Tensor = (p**2 / product.clamp_min(1e-12)).sum() - 1
    return found


def _kernels(values: torch.Tensor, dimensions: int) -> torch.Tensor:
    """Gaussian kernels of standardised values at points between -3 and 3, shape (n, points); Silverman's width."""
    n = len(values)
    width = (n * (dimensions + 2) / 4) ** (-1 / (dimensions + 4))
    standardised = (values - values.mean()) / values.std().clamp_min(1e-6)
    points = torch.linspace(-_REACH, _REACH, _POINTS)
    heights: torch.Tensor = torch.exp(-0.5 * ((standardised[:, None] - points) / width) ** 2)
    return heights.div(width * math.sqrt(2 * math.pi))
