"""Models, metrics and rows for the tests of the search."""

from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import torch
from torch import nn

from core.audits.gradient_flow.engine import SearchBench
from core.audits.gradient_flow.settings import GradientFlow
from core.audits.gradient_flow.tally import SearchedRows, Totals
from core.base.progress import ignore_progress
from core.contracts.metric import FittedMetric
from core.data.dataset import Dataset, Roles
from core.data.encoder import Encoder, NumericColumn
from core.metrics import Expert
from core.models.module import ModuleModel


def settings(**values: Any) -> GradientFlow:
    """The published search unless something else is asked for."""
    published = {"steps": 500, "step_size": 0.01, "integrator": "euler", "precision": "float64"}
    return GradientFlow(**{"metric": Expert(), **published, **values})


def metric_of(matrix: np.ndarray) -> FittedMetric:
    d = len(matrix)
    return FittedMetric("test", tuple(f"x{i}" for i in range(d)), matrix, np.empty((0, d)), np.empty(0))


def all_but(basis: np.ndarray) -> FittedMetric:
    """Orthonormal rows of ``basis`` are free; every other direction counts with weight 1."""
    return metric_of(np.eye(basis.shape[1]) - basis.T @ basis)


def rows_of(x: np.ndarray, y: np.ndarray, cell: np.ndarray | None = None) -> SearchedRows:
    cell = np.zeros(len(x), dtype=np.int32) if cell is None else cell
    return SearchedRows(
        np.asarray(x, dtype=float), np.asarray(y, dtype=np.int64), np.arange(len(x)), cell, int(cell.max()) + 1
    )


def search(module: nn.Module, rows: SearchedRows, metric: FittedMetric, **values: Any) -> Totals:
    return SearchBench.of(settings(**values), module).search(rows, metric, ignore_progress)


def ends(module: nn.Module, rows: SearchedRows, metric: FittedMetric, **values: Any) -> np.ndarray:
    """Where the search took the rows, shape (n, d)."""
    found: np.ndarray = SearchBench.of(settings(**values), module).states(rows, metric)[-1]
    return found


def perceptron(*widths: int, seed: int = 0, activation: type[nn.Module] = nn.ReLU, bias: bool = True) -> nn.Sequential:
    generator = torch.Generator().manual_seed(seed)
    layers: list[nn.Module] = []
    for inside, outside in pairwise(widths):
        linear = nn.Linear(inside, outside, bias=bias).double()
        for parameter in linear.parameters():
            parameter.data = torch.randn(parameter.shape, generator=generator, dtype=torch.float64) / inside**0.5
        layers += [linear, activation()]
    return nn.Sequential(*layers[:-1]).requires_grad_(False)


def hidden_kind(module: nn.Module) -> nn.Module:
    """The same function in a form that only the general path understands."""
    return nn.Sequential(nn.Flatten(), module)


def normal_rows(n: int, d: int, classes: int = 2, seed: int = 0) -> SearchedRows:
    rng = np.random.default_rng(seed)
    return rows_of(rng.standard_normal((n, d)), rng.integers(classes, size=n), rng.integers(3, size=n).astype(np.int32))


def published(name: str, store: Any) -> nn.Module:
    """A network of reference/adult_51668.npz, in float64."""
    if name == "reduction":
        return Mixture(*(store[f"reduction_{part}"] for part in ("coef", "intercept", "weight")))
    w1, b1, w2, b2 = (torch.from_numpy(store[f"{name}_{part}"]) for part in ("W1", "b1", "W2", "b2"))
    first, last = nn.Linear(*w1.shape).double(), nn.Linear(*w2.shape).double()
    for layer, weight, bias in ((first, w1, b1), (last, w2, b2)):
        layer.weight.data, layer.bias.data = weight.T.contiguous(), bias
    return nn.Sequential(first, nn.ReLU(), last).requires_grad_(False)


class Mixture(nn.Module):
    """p(y = 1) = sum of weighted sigmoids, as log-probabilities."""

    def __init__(self, coef: np.ndarray, intercept: np.ndarray, weight: np.ndarray) -> None:
        super().__init__()
        for name, values in (("coef", coef), ("intercept", intercept), ("log_weight", np.log(weight))):
            self.register_buffer(name, torch.from_numpy(values))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        z = x @ self.coef + self.intercept
        no, yes = (nn.functional.logsigmoid(side * z) + self.log_weight for side in (-1, 1))
        return torch.stack([no.logsumexp(1), yes.logsumexp(1)], dim=1)


def table(n: int = 300, d: int = 4, seed: int = 0) -> Dataset:
    """A table of numbers x0.., an outcome that depends on x0 and x1, and two protected attributes."""
    rng = np.random.default_rng(seed)
    x = rng.standard_normal((n, d))
    frame = pd.DataFrame({f"x{i}": x[:, i] for i in range(d)})
    frame["outcome"] = np.where(x[:, 0] + x[:, 1] + rng.standard_normal(n) > 0, "yes", "no")
    frame["sex"] = np.where(x[:, 1] + rng.standard_normal(n) > 0, "male", "female")
    frame["race"] = rng.choice(["A", "B", "C"], n, p=[0.6, 0.35, 0.05])
    features = tuple(f"x{i}" for i in range(d))
    return Dataset.build(
        frame, Roles(outcome="outcome", favourable="yes", protected=("sex", "race"), features=features)
    )


def model_of(module: nn.Module, d: int = 4) -> ModuleModel:
    encoder = Encoder(columns=tuple(NumericColumn(name=f"x{i}") for i in range(d)))
    return ModuleModel(module, encoder, ("no", "yes"), "test model")


def reference(real_data: Path, name: str) -> Any:
    return np.load(real_data / "reference" / name)
