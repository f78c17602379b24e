"""Type I error and coverage of both tests where the truth is known (statistics.md, section 5).

The search treats rows independently, so a large pool of searched rows is a population whose mean ratio and ratio of
error rates are known exactly; samples are drawn from it with replacement.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest
import torch
from torch import nn

from core.audits.gradient_flow import histogram
from core.audits.gradient_flow.tally import SearchedRows
from core.contracts.metric import FittedMetric
from core.inference.estimate import Estimate
from core.inference.moments import mean_from_sums, ratio_of_error_rates, ratio_upper_by_counts
from core.inference.tails import tail_of
from tests.core.audits.gradient_flow.cases import metric_of, perceptron, rows_of, search
from tests.measured import measured

ALPHA = 0.05


@dataclass(frozen=True)
class Population:
    ratio: np.ndarray
    start: np.ndarray
    end: np.ndarray


def two_groups(n: int, rng: np.random.Generator) -> tuple[nn.Module, SearchedRows, FittedMetric]:
    """App. E's two groups under a logistic model that leans on the first coordinate; labels with real noise."""
    group = rng.random(n) < 0.1
    x = np.where(group, 1.5, -1.5)[:, None] * np.array([1.0, 0.0]) + 0.25 * rng.standard_normal((n, 2))
    weight = np.array([0.8, -2.0])
    y = rng.random(n) < 1 / (1 + np.exp(-x @ np.array([0.3, -2.0])))
    module = nn.Linear(2, 2).double()
    module.weight.data = torch.from_numpy(np.stack([0 * weight, weight]))
    module.bias.data = torch.zeros(2).double()
    return module, rows_of(x, y), metric_of(np.diag([0.0, 1.0]))


def network(n: int, rng: np.random.Generator) -> tuple[nn.Module, SearchedRows, FittedMetric]:
    """A ReLU network on six normal features, one of them free; labels drawn from a softened copy of it."""
    module, x = perceptron(6, 12, 2, seed=5), rng.standard_normal((n, 6))
    with torch.no_grad():
        chance = torch.softmax(0.7 * module(torch.from_numpy(x)), 1)[:, 1].numpy()
    return module, rows_of(x, rng.random(n) < chance), metric_of(np.diag([0.0, 1, 1, 1, 1, 1]))


DESIGNS = {"two groups": (two_groups, {"regularisation": 100.0, "steps": 200, "step_size": 0.005})}
DESIGNS["network"] = (network, {"regularisation": 50.0, "steps": 100, "step_size": 0.01})


def population(design: str, n: int) -> Population:
    draw, values = DESIGNS[design]
    module, rows, metric = draw(n, np.random.default_rng(11))
    found = search(module, rows, metric, **values)
    with torch.no_grad():
        start = module(torch.from_numpy(rows.x)).argmax(1).numpy() != rows.y
    loss_end = found.ratio * found.loss_start
    return Population(found.ratio, start, loss_end > np.log(2))


@dataclass(frozen=True)
class Sample:
    """An estimate, and the upper bound that a clearing asks for beside its own; that of counts for error rates."""

    estimate: Estimate
    beside: float = -np.inf


def estimates(found: Population, n: int, repeats: int, seed: int) -> tuple[list[Sample], list[Sample]]:
    rng = np.random.default_rng(seed)
    losses, errors = [], []
    for _ in range(repeats):
        rows = rng.integers(len(found.ratio), size=n)
        excess, start, end = found.ratio[rows] - 1, found.start[rows], found.end[rows]
        losses.append(Sample(mean_from_sums(float(excess.sum()), float(excess @ excess), n)))
        counts = int(end.sum()), int(start.sum()), int((start & end).sum())
        errors.append(Sample(ratio_of_error_rates(*counts, n), ratio_upper_by_counts(*counts, ALPHA)))
    return losses, errors


def rates(found: list[Sample], truth: float) -> tuple[float, float, float]:
    """Shares of false alarms and of false clearings at delta = truth, and coverage of the two-sided interval."""
    false = np.mean([one.estimate.lower_bound(ALPHA) > truth for one in found])
    cleared = np.mean([max(one.estimate.upper_bound(ALPHA), one.beside) < truth for one in found])
    intervals = [one.estimate.two_sided(ALPHA) for one in found]
    return float(false), float(cleared), float(np.mean([each.low <= truth <= each.high for each in intervals]))


def check(design: str, pool: int, n: int, repeats: int, note: Callable[[str, object], None] = lambda *_: None) -> None:
    found = population(design, pool)
    truths = found.ratio.mean(), found.end.mean() / found.start.mean()
    for name, results, truth in zip(("loss", "error"), estimates(found, n, repeats, seed=n), truths, strict=True):
        false, cleared, covered = rates(results, float(truth))
        print(f"{design} n={n} {name} ratio: truth {truth:.4f}, type I {false:.4f}, coverage {covered:.4f}")
        note(
            *measured(
                f"{design}, {name} ratio, {'normal' if name == 'loss' else 'normal and exact'} bounds",
                n=n,
                repeats=repeats,
                false_violations=false,
                false_clearings=cleared,
            )
        )
        assert false <= ALPHA + 2 * (ALPHA * (1 - ALPHA) / repeats) ** 0.5
        assert 0.93 <= covered <= 0.97
    assert truths[0] > 1.02
    assert truths[1] > 1.02


@pytest.mark.parametrize("design", DESIGNS)
def test_both_tests_keep_their_error_rate_and_coverage(design: str) -> None:
    check(design, pool=20_000, n=1000, repeats=1500)


@pytest.mark.long
@pytest.mark.parametrize("n", [500, 1000, 5000])
@pytest.mark.parametrize("design", DESIGNS)
def test_both_tests_keep_their_error_rate_and_coverage_at_length(
    design: str, n: int, record_property: Callable[[str, object], None]
) -> None:
    check(design, pool=200_000, n=n, repeats=20_000, note=record_property)


def heavy_ratios(n: int, rng: np.random.Generator) -> np.ndarray:
    """Ratios as they come from a model that is nearly sure of many rows: Pareto with index 1.6, mean 8/3."""
    return 1 + rng.pareto(1.6, n)


def test_the_tail_diagnostic_fires_where_the_normal_interval_fails() -> None:
    rng, truth, n = np.random.default_rng(12), 1 + 1 / 0.6, 500
    covered, doubtful = [], []
    for _ in range(300):
        ratios = heavy_ratios(n, rng)
        interval = mean_from_sums(float((ratios - 1).sum()), float(((ratios - 1) ** 2).sum()), n).two_sided(ALPHA)
        covered.append(interval.low <= truth <= interval.high)
        doubtful.append(tail_of(histogram.middles(histogram.edges()), histogram.count(ratios[None] - 1)[0]).doubtful)
    assert np.mean(covered) < 0.9
    assert np.mean(doubtful) > 0.95


@pytest.mark.parametrize("design", DESIGNS)
def test_the_tail_diagnostic_is_silent_where_the_normal_interval_holds(design: str) -> None:
    found, rng = population(design, 20_000), np.random.default_rng(13)
    doubtful = [
        tail_of(found.ratio[rows], np.ones(1000, dtype=np.int64)).doubtful
        for rows in rng.integers(20_000, size=(100, 1000))
    ]
    assert np.mean(doubtful) < 0.1
