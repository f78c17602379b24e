"""The simulation of Fig. 1 as published: every cell of its grid and the ratio of every person in five cells.

The data and numbers are shared/data/reference/simulation.npz (see its README).
"""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import nn

from core.audits.gradient_flow.tally import SearchedRows, Totals
from core.contracts.metric import FittedMetric
from tests.core.audits.gradient_flow.cases import metric_of, reference, rows_of, search

GRIDS = [("test_stat", angle) for angle in (0, 5, 10, 20)] + [("single_bias_test_stat", angle) for angle in (0, 5, 10)]
TIMES_BIAS = {"test_stat": 2, "single_bias_test_stat": 1}
EPSILON = 1e-16
TINY_LOSSES = [(0, 0), (0, 20), (20, 0), *((20, j) for j in range(15, 21))]


class EveryLogistic(nn.Module):
    """Logistic models whose coefficients ride along as columns 2-4 of each row and never move."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        own = x[:, 2:].detach()
        z = (x[:, :2] * own[:, :2]).sum(1) + own[:, 2]
        return torch.stack([torch.zeros_like(z), z], dim=1)


def logistic(coefficients: np.ndarray, intercept: float) -> nn.Module:
    """One of those models as an ordinary layer, which the search for perceptrons understands."""
    layer = nn.Linear(2, 2).double()
    layer.weight.data = torch.from_numpy(np.stack([np.zeros(2), coefficients]))
    layer.bias.data = torch.tensor([0.0, intercept], dtype=torch.float64)
    return nn.Sequential(layer).requires_grad_(False)


def turned_metric(angle: int, columns: int) -> FittedMetric:
    """(0, 1) turned by this many degrees is held; the direction across it, and every further column, is free."""
    turn = np.radians(angle)
    held = np.zeros(columns)
    held[:2] = -np.sin(turn), np.cos(turn)
    return metric_of(np.outer(held, held))


def flow(module: nn.Module, rows: SearchedRows, metric: FittedMetric) -> Totals:
    """The search of App. E.1: 400 Euler steps of 0.02 t^(-2/3), λ = 100."""
    return search(
        module,
        rows,
        metric,
        regularisation=100.0,
        steps=400,
        step_size=0.02,
        schedule="decreasing",
        integrator="euler",
    )


def as_published(loss: np.ndarray, y: np.ndarray) -> np.ndarray:
    """The exact loss as the authors' float64 arithmetic gives it.

    From simulation/loss_linear.py of their repository: 1e-16 is added to the odds of class 1 (which changes them below
    1 only) and to the probability of the true class before its logarithm. No probability moves by more than 5e-16
    (checked here), yet a loss of 1e-9 loses half its digits, which shifts some T_n by 1e-6. So does the last bit of p:
    odds / (1 + odds) is the same number and misses T_n by up to 4e-8 in twelve cells.
    """
    odds = np.expm1(loss) ** np.where(y == 1, -1.0, 1.0) + EPSILON
    p = 1 / (1 + 1 / odds)
    probability = np.where(y == 1, p, 1 - p) + EPSILON
    np.testing.assert_allclose(probability, np.exp(-loss), rtol=0, atol=5e-16)
    return np.asarray(-np.log(probability))


def ratios_as_published(totals: Totals, y: np.ndarray) -> np.ndarray:
    """Published loss after over before; the exact losses are those of the search's end and start points."""
    end, start = (as_published(loss, y) for loss in (totals.ratio * totals.loss_start, totals.loss_start))
    return np.asarray(end / start)


def lower_bounds(store: Any, name: str, angle: int, cells: np.ndarray) -> np.ndarray:
    """mean - 1.645 std / sqrt(n) of the ratios, dividing by n, at these cells; all are rows of one search."""
    grid, n = store["theta_grid"], len(store["x"])
    coefficients = np.array([(grid[i], grid[j], TIMES_BIAS[name] * store["bias"][i, j]) for i, j in cells])
    x = np.hstack([np.tile(store["x"], (len(cells), 1)), np.repeat(coefficients, n, axis=0)])
    rows = rows_of(x, np.tile(store["y"], len(cells)))
    totals = flow(EveryLogistic(), rows, turned_metric(angle, 5))
    ratios = ratios_as_published(totals, rows.y).reshape(len(cells), n)
    return np.asarray(ratios.mean(1) - 1.645 * ratios.std(1) / n**0.5)


@pytest.mark.parametrize(("name", "angle"), GRIDS)
def test_figure_1_is_reproduced_where_losses_are_tiny_and_on_a_sample_of_its_grid(
    real_data: Path, name: str, angle: int
) -> None:
    store = reference(real_data, "simulation.npz")
    cells = np.vstack([TINY_LOSSES, np.random.default_rng(angle).integers(21, size=(8, 2))])
    expected = store[f"{name}_{angle}"][cells[:, 0], cells[:, 1]]
    np.testing.assert_allclose(lower_bounds(store, name, angle, cells), expected, rtol=1e-9)


@pytest.mark.long
@pytest.mark.parametrize(("name", "angle"), GRIDS)
def test_every_cell_of_figure_1_is_reproduced(real_data: Path, name: str, angle: int) -> None:
    store = reference(real_data, "simulation.npz")
    cells = np.stack(np.meshgrid(np.arange(21), np.arange(21), indexing="ij"), axis=-1).reshape(-1, 2)
    found = lower_bounds(store, name, angle, cells).reshape(21, 21)
    np.testing.assert_allclose(found, store[f"{name}_{angle}"], rtol=1e-9)


@pytest.mark.parametrize("angle", [0, 5, 10])
@pytest.mark.parametrize("pick", range(5))
def test_the_ratio_of_every_person_is_reproduced(real_data: Path, angle: int, pick: int) -> None:
    store = reference(real_data, "simulation.npz")
    i, j = store["pick"][pick]
    module = logistic(store["theta_grid"][[i, j]], 2 * store["bias"][i, j])
    rows = rows_of(store["x"], store["y"])
    found = ratios_as_published(flow(module, rows, turned_metric(angle, 2)), rows.y)
    np.testing.assert_allclose(found, store[f"ratios_pick_{angle}"][pick], rtol=1e-9)
