"""The simulation of Fig. 1 as published: every cell of its grid and the ratio of every person in five cells.

The data and numbers are shared/data/reference/simulation.npz (see its README).
"""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import nn

from core.audits.gradient_flow.tally import Totals
from core.workflows.papers.gradient_flow import FIGURE_1_FLOW, search_logistics, searched, turned_metric
from tests.core.audits.gradient_flow.cases import reference, rows_of

GRIDS = [("test_stat", angle) for angle in (0, 5, 10, 20)] + [("single_bias_test_stat", angle) for angle in (0, 5, 10)]
TIMES_BIAS = {"test_stat": 2, "single_bias_test_stat": 1}
EPSILON = 1e-16
TINY_LOSSES = [(0, 0), (0, 20), (20, 0), *((20, j) for j in range(15, 21))]


def logistic(coefficients: np.ndarray, intercept: float) -> nn.Module:
    """One of those models as an ordinary layer, which the search for perceptrons understands."""
    layer = nn.Linear(2, 2).double()
    layer.weight.data = torch.from_numpy(np.stack([np.zeros(2), coefficients]))
    layer.bias.data = torch.tensor([0.0, intercept], dtype=torch.float64)
    return nn.Sequential(layer).requires_grad_(False)


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
    totals = search_logistics(store["x"], store["y"], coefficients, angle)
    ratios = ratios_as_published(totals, np.tile(store["y"], len(cells))).reshape(len(cells), n)
    return np.asarray(ratios.mean(1) - 1.645 * ratios.std(1) / n**0.5)


@pytest.mark.parametrize(("name", "angle"), [("test_stat", 0), ("test_stat", 20), ("single_bias_test_stat", 5)])
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
    found = ratios_as_published(searched(module, rows, turned_metric(angle, 2), FIGURE_1_FLOW)[0], rows.y)
    np.testing.assert_allclose(found, store[f"ratios_pick_{angle}"][pick], rtol=1e-9)
