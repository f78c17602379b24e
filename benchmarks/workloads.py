"""The work that is timed: Adult's size, a 39-50-2 perceptron, and the plain search everything is compared with."""

import os
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
import torch
from torch import nn

from core.audits.gradient_flow.engine import SearchBench
from core.audits.gradient_flow.settings import GradientFlow
from core.audits.gradient_flow.tally import SearchedRows
from core.base.files import FileStore
from core.base.progress import ignore_progress
from core.contracts.metric import FittedMetric
from core.metrics import Expert
from core.workflows.examples import open_example

ROWS, COLUMNS, HIDDEN = 9045, 39, 50


def perceptron(activation: type[nn.Module] = nn.ReLU) -> nn.Sequential:
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(COLUMNS, HIDDEN), activation(), nn.Linear(HIDDEN, 2)).eval().requires_grad_(False)


def adult_baseline() -> tuple[nn.Module, SearchedRows, FittedMetric]:
    """The sample network of Adult, the 9,045 rows of its ready-made audit, and who is similar in it."""
    folder = Path(os.environ.get("EVENHAND_DATA", Path(__file__).parents[2] / "shared" / "data"))
    if not (folder / "adult").exists():
        pytest.skip(f"No data in {folder}; set EVENHAND_DATA.")
    with TemporaryDirectory() as home:
        files = FileStore(Path(home))
        plan = open_example("adult-baseline", files).plans[0]
        dataset = plan.model.dataset(plan.data.load(files), plan.roles)
        model = plan.model.load(files, dataset)
        data = model.encode(plan.audit.rows(model, dataset))
    fitted = plan.audit.fair_metric.fit(data, np.random.default_rng(0))
    some = SearchedRows(data.x, data.y, np.arange(len(data)), np.zeros(len(data), dtype=np.int32), 1)
    return model.module(), some, fitted


def rows(n: int = ROWS) -> SearchedRows:
    rng = np.random.default_rng(0)
    x, y = rng.standard_normal((n, COLUMNS)), rng.integers(2, size=n)
    return SearchedRows(x, y, np.arange(n, dtype=np.int32), rng.integers(4, size=n).astype(np.int32), 4)


def metric() -> FittedMetric:
    free = np.linalg.qr(np.random.default_rng(1).standard_normal((COLUMNS, 2)))[0].T
    names = tuple(f"x{i}" for i in range(COLUMNS))
    return FittedMetric("two free directions", names, np.eye(COLUMNS) - free.T @ free, free, np.empty(0))


def bench(module: nn.Module, **values: object) -> SearchBench:
    """The published search unless something else is asked for."""
    published = {"steps": 500, "step_size": 0.01, "integrator": "euler"}
    return SearchBench.of(GradientFlow.model_validate({"metric": Expert(), **published, **values}), module)


def searching(one: SearchBench, some: SearchedRows) -> Callable[[], object]:
    fitted = metric()
    return lambda: one.search(some, fitted, ignore_progress)


def plain_autograd(module: nn.Module, some: SearchedRows, steps: int = 500) -> Callable[[], torch.Tensor]:
    """All rows in one batch, loss and penalty differentiated together, eq. 2.8 as it is written."""
    start, y = torch.from_numpy(some.x).float(), torch.from_numpy(some.y)
    sigma = torch.from_numpy(metric().matrix).float()

    def run() -> torch.Tensor:
        x = start.clone()
        for _ in range(steps):
            x = x.detach().requires_grad_()
            moved = x - start
            loss = nn.functional.cross_entropy(module(x), y, reduction="sum")
            (gradient,) = torch.autograd.grad(loss - 50.0 * (moved @ sigma * moved).sum(), x)
            x = x + 0.01 * gradient
        return x.detach()

    return run


def fastest(functions: Sequence[Callable[[], object]], repeats: int, clock: Callable[[], float]) -> list[float]:
    """The shortest time of each function, taken in turns so that what else the machine does falls on all alike."""
    found = [float("inf")] * len(functions)
    for _ in range(repeats):
        for place, function in enumerate(functions):
            started = clock()
            function()
            found[place] = min(found[place], clock() - started)
    return found


def on_one_thread(function: Callable[[], list[float]]) -> list[float]:
    """Run with torch on one thread, where processor time is not blurred by other programs."""
    allowed = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        return function()
    finally:
        torch.set_num_threads(allowed)


wall, processor = time.perf_counter, time.process_time
