"""A learned metric as part of the uncertainty: the test given the metric, and the rule that heeds other metrics.

Rows have three independent normal features; the group depends on x1 alone, by a logistic law, so x1 is the only truly
free direction. The model answers by x0 alone, so with the true metric every ratio is 1. A metric learned from few rows
leaks into x0 and finds ratios above 1 that other learning rows would not have found; one that hardly shows the group is
not learned at all.
"""

from contextlib import suppress
from dataclasses import dataclass

import numpy as np
import pandas as pd
import pytest
import torch
from torch import nn

from core.audits.gradient_flow.decision import GradientFlowDecision
from core.audits.gradient_flow.engine import estimate_of
from core.audits.gradient_flow.result import GradientFlowDetail
from core.base.errors import MetricError
from core.data.dataset import Dataset, Roles
from core.data.encoded import EncodedDataset
from core.inference.estimate import Verdict
from core.metrics import SensitiveSubspace
from core.models.module import ModuleModel
from core.run import run_audit
from tests.core.audits.gradient_flow.cases import model_of, rows_of, search, settings
from tests.findings import found, verdict_of

D = 3
SLOPE = 2.2
ALPHA = 0.05
READING = GradientFlowDecision(alpha=ALPHA)


@dataclass(frozen=True)
class Design:
    """How strongly x1 tells the group (log-odds a unit), and how many rows teach the metric."""

    signal: float
    learning: int


HIDDEN, WEAK, STRONG = Design(0.2, 60), Design(2.0, 60), Design(3.0, 1200)


def people(n: int, signal: float, rng: np.random.Generator) -> Dataset:
    x = rng.standard_normal((n, D))
    frame = pd.DataFrame({f"x{i}": x[:, i] for i in range(D)})
    frame["outcome"] = np.where(rng.random(n) < 1 / (1 + np.exp(-SLOPE * x[:, 0])), "yes", "no")
    frame["sex"] = np.where(rng.random(n) < 1 / (1 + np.exp(-signal * x[:, 1])), "male", "female")
    return Dataset.build(
        frame, Roles(outcome="outcome", favourable="yes", protected=("sex",), features=tuple(frame)[:D])
    )


def model() -> ModuleModel:
    module = nn.Linear(D, 2).double()
    weight = torch.zeros(2, D).double()
    weight[1, 0] = SLOPE
    module.weight.data, module.bias.data = weight, torch.zeros(2).double()
    return model_of(module.requires_grad_(False), D)


def encoded(n: int, signal: float, rng: np.random.Generator) -> EncodedDataset:
    return model().encode(people(n, signal, rng))


def audited(design: Design, seed: int, resamples: int = 25) -> GradientFlowDetail:
    """A whole audit of 400 rows beside the learning rows."""
    n = design.learning + 400
    metric = SensitiveSubspace(held_out=design.learning / n)
    audit = settings(metric=metric, steps=100, step_size=0.01, metric_resamples=resamples)
    rows = people(n, design.signal, np.random.default_rng(seed))
    detail: GradientFlowDetail = run_audit(model(), rows, audit, seed=seed).detail
    return detail


def plain(detail: GradientFlowDetail) -> Verdict:
    """The verdict that takes the metric as given."""
    verdict: Verdict = verdict_of(found(detail, READING).given_metric, READING.delta, ALPHA)
    return verdict


def details_of(design: Design, repeats: int) -> list[GradientFlowDetail]:
    """Audits of fresh tables, of those that teach a metric."""
    details = []
    for seed in range(repeats):
        with suppress(MetricError):
            details.append(audited(design, seed))
    return details


@pytest.mark.parametrize("repeats", [10, pytest.param(100, marks=pytest.mark.long)])
def test_rows_that_hardly_show_the_group_teach_no_metric(repeats: int) -> None:
    assert len(details_of(HIDDEN, repeats)) <= 0.1 * repeats


def share_taken_back(design: Design, repeats: int) -> tuple[int, float]:
    """How often the metric as given shows no violation, and how many of these verdicts the rule takes back."""
    details = details_of(design, repeats)
    clear = [detail for detail in details if plain(detail) is Verdict.NO_VIOLATION]
    taken = [found(detail, READING).verdict is Verdict.INSUFFICIENT for detail in clear]
    print(f"{design}: {len(clear)} of {repeats} without a violation, {sum(taken)} of them taken back")
    return len(clear), float(np.mean(taken))


def check_error_rate_given_the_metric(design: Design, seed: int, pool: int, repeats: int, n: int = 1000) -> None:
    """Type I error at delta = truth, and coverage, over samples of rows under one learned metric."""
    rng = np.random.default_rng(seed)
    metric = SensitiveSubspace().fit(encoded(design.learning, design.signal, rng), rng)
    data = encoded(pool, design.signal, rng)
    ratio = search(model().module(), rows_of(data.x, data.y), metric, steps=100).ratio
    truth = ratio.mean()
    estimates = [estimate_of(ratio[rng.integers(pool, size=n)]) for _ in range(repeats)]
    false = np.mean([one.lower_bound(ALPHA) > truth for one in estimates])
    ends = [one.two_sided(ALPHA) for one in estimates]
    covered = np.mean([end.low <= truth <= end.high for end in ends])
    print(f"{design} metric {seed}: truth {truth:.4f}, type I {false:.4f}, coverage {covered:.4f}")
    assert truth > 1.0001
    assert false <= ALPHA + 2 * (ALPHA * (1 - ALPHA) / repeats) ** 0.5
    assert 0.93 <= covered <= 0.97


@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize("design", [WEAK, STRONG], ids=["weak", "strong"])
def test_given_a_learned_metric_error_rate_and_coverage_hold(design: Design, seed: int) -> None:
    check_error_rate_given_the_metric(design, seed, pool=8_000, repeats=1500)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("design", [WEAK, STRONG], ids=["weak", "strong"])
def test_given_a_learned_metric_error_rate_and_coverage_hold_at_length(design: Design, seed: int) -> None:
    check_error_rate_given_the_metric(design, seed, pool=100_000, repeats=20_000)


@pytest.mark.long
@pytest.mark.parametrize(("design", "low", "high"), [(WEAK, 0.35, 1.0), (STRONG, 0.0, 0.02)], ids=["weak", "strong"])
def test_the_rule_fires_where_it_should_at_length(design: Design, low: float, high: float) -> None:
    clear, taken = share_taken_back(design, 100)
    assert clear > 20
    assert low <= taken <= high
