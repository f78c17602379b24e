"""The verdict about a learned metric where the true one is known: false claims at the boundary, coverage, power.

Six independent normal columns; the group depends on x1 alone, so that x1 is the one direction that is truly free. The
model answers by x0 and, with ``weight``, by x1: its true ratio is that of a search under the metric that frees x1, and
the tolerance is put there, so that every claim is false.
"""

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import pytest
import torch
from torch import nn

from core.audits.gradient_flow.decision import GradientFlowDecision
from core.base.errors import MetricError
from core.contracts.metric import AbstractMetric
from core.data.dataset import Dataset, Roles
from core.inference.estimate import Verdict
from core.metrics import ProtectedStatus, SensitiveSubspace
from core.models.module import ModuleModel
from core.run import find, run_audit
from tests.core.audits.gradient_flow.cases import all_but, model_of, rows_of, search, settings

D = 6
SLOPE = 1.5
FLOW = {"regularisation": 50.0, "steps": 25, "step_size": 0.04, "integrator": "etd2rk"}


@dataclass(frozen=True)
class Design:
    """How many rows teach the metric, how much the model uses x1, and how many rows are audited."""

    learning: int
    weight: float
    audited: int = 1000


@dataclass(frozen=True)
class Rates:
    """Shares of the repeats: false violations, false clearings, bounds on the wrong side, and intervals that cover.

    A table whose metric is refused has no claim, false or true: it counts among the repeats, and in ``refused``.
    """

    violations: float
    clearings: float
    too_high: float
    too_low: float
    covered: float
    refused: float


def people(n: int, weight: float, rng: np.random.Generator) -> Dataset:
    x = rng.standard_normal((n, D))
    names = tuple(f"x{i}" for i in range(D))
    frame = pd.DataFrame(dict(zip(names, x.T, strict=True)))
    frame["outcome"] = np.where(rng.random(n) < 1 / (1 + np.exp(-SLOPE * x[:, 0] - weight * x[:, 1])), "yes", "no")
    frame["sex"] = np.where(rng.random(n) < 1 / (1 + np.exp(-0.8 * x[:, 1])), "male", "female")
    return Dataset.build(frame, Roles(outcome="outcome", favourable="yes", protected=("sex",), features=names))


def model(weight: float) -> ModuleModel:
    module = nn.Linear(D, 2).double()
    coefficients = torch.zeros(2, D).double()
    coefficients[1, 0], coefficients[1, 1] = SLOPE, weight
    module.weight.data, module.bias.data = coefficients, torch.zeros(2).double()
    return model_of(module.requires_grad_(False), D)


@cache
def truth(weight: float) -> float:
    """The mean ratio of 10,000 people under the metric that frees x1."""
    data = model(weight).encode(people(10_000, weight, np.random.default_rng(99)))
    ratio = search(model(weight).module(), rows_of(data.x, data.y), all_but(np.eye(D)[1:2]), **FLOW).ratio
    return float(ratio.mean())


def rates(
    metric: AbstractMetric, design: Design, repeats: int, delta: float | None = None, alpha: float = 0.05
) -> Rates:
    """Audit fresh tables, with the tolerance at the true value unless said."""
    true, seen = truth(design.weight), []
    audit = settings(metric=metric, **FLOW)
    for seed in range(repeats):
        table = people(design.learning + design.audited, design.weight, np.random.default_rng([seed, 5]))
        try:
            result = run_audit(model(design.weight), table, audit, seed=seed)
        except MetricError:
            seen.append((False, False, False, False, True, True))
            continue
        decision = GradientFlowDecision(delta=true if delta is None else delta, alpha=alpha)
        one = find(result, decision)
        verdicts = (one.verdict is Verdict.VIOLATION, one.verdict is Verdict.NO_VIOLATION)
        ends = (one.lower_bound > true, one.upper_bound < true, one.interval.low <= true <= one.interval.high)
        seen.append((*verdicts, *ends, False))
    shares = Rates(*np.mean(seen, axis=0).tolist())
    print(f"{type(metric).__name__} {design} truth {true:.4f} delta {delta}: {shares}")
    return shares


def subspace(design: Design) -> SensitiveSubspace:
    share = design.learning / (design.learning + design.audited)
    return SensitiveSubspace(held_out=share, include_protected_columns=False)


def network(design: Design) -> ProtectedStatus:
    share = design.learning / (design.learning + design.audited)
    return ProtectedStatus(held_out=share, include_protected_columns=False)


def test_a_subspace_learned_from_few_rows_rarely_claims_what_is_false() -> None:
    """Given the metric, 18 of 40 such audits of 1,000 rows found a violation, and the interval covered in 1."""
    design = Design(300, 0.7, audited=300)
    shares = rates(subspace(design), design, 4)
    assert shares.violations <= 1 / 4
    assert shares.clearings <= 1 / 4
    assert shares.covered >= 3 / 4


@pytest.mark.long
@pytest.mark.parametrize("weight", [0.3, 0.7, 1.2])
@pytest.mark.parametrize("learning", [300, 1000, 3000])
def test_a_learned_subspaces_claims_are_false_as_often_as_alpha(learning: int, weight: float) -> None:
    design, repeats = Design(learning, weight), 200
    shares = rates(subspace(design), design, repeats)
    limit = 0.05 + 2 * (0.05 * 0.95 / repeats) ** 0.5
    assert shares.violations <= limit
    assert shares.clearings <= limit
    assert shares.covered >= 0.93


@pytest.mark.long
@pytest.mark.parametrize("learning", [300, 1000])
def test_a_fair_model_is_accused_as_often_as_alpha(learning: int) -> None:
    """Every error of the direction finds something: 25% of such tables were violations at alpha .1."""
    design, repeats = Design(learning, 0.0), 200
    assert rates(subspace(design), design, repeats, alpha=0.1).violations <= 0.1 + 2 * (0.1 * 0.9 / repeats) ** 0.5


@pytest.mark.long
@pytest.mark.parametrize(("learning", "found"), [(300, 0.2), (1000, 0.8), (3000, 0.95)])
def test_a_strong_bias_is_found_with_a_learned_subspace(learning: int, found: float) -> None:
    design = Design(learning, 1.2)
    assert rates(subspace(design), design, 40, delta=1.1).violations >= found


@pytest.mark.long
@pytest.mark.parametrize("weight", [0.0, 0.3, 0.7, 1.2])
@pytest.mark.parametrize(("learning", "repeats"), [(300, 200), (1000, 100), (3000, 40)])
def test_a_network_claims_what_is_false_as_often_as_alpha(learning: int, repeats: int, weight: float) -> None:
    """Learned from 300 rows, a network accused a fair model in 21 of 40 tables."""
    shares = rates(network(Design(learning, weight)), Design(learning, weight), repeats)
    limit = 0.05 + 2 * (0.05 * 0.95 / repeats) ** 0.5
    assert shares.violations <= limit
    assert shares.clearings <= limit


@pytest.mark.long
@pytest.mark.parametrize(("learning", "cleared"), [(300, 0.4), (1000, 0.85)])
def test_a_fair_model_is_cleared_with_a_network(learning: int, cleared: float) -> None:
    """One network of 300 rows cleared 2 in 100 of them, for it errs by its training alone; eight clear 59."""
    design = Design(learning, 0.0)
    assert rates(network(design), design, 40, delta=1.25).clearings >= cleared


RACES = {
    "alike": np.array([[0, 1.0, 0, 0, 0, 0], [0, 0, 1.0, 0, 0, 0], [0, 0, 0, 1.0, 0, 0], [0] * 6]),
    "uneven": np.array([[0, 1.2, 0, 0, 0, 0], [0, 0, 0.7, 0, 0, 0], [0, 0, 0, 0.35, 0, 0], [0] * 6]),
}
"""Log-odds of four groups: one of each of x1, x2 and x3, which span the free directions, and one of none of them."""


def four_groups(n: int, name: str, weight: float, rng: np.random.Generator, *, together: int = 1) -> Dataset:
    """As :func:`people`, with four groups; ``together`` rows of a person are of one group and half alike."""
    person = np.repeat(np.arange(n // together), together)
    alike = rng.standard_normal((n // together, D))
    x = alike[person] if together == 1 else (alike[person] + rng.standard_normal((len(person), D))) / 2**0.5
    score = alike @ RACES[name].T - np.log(-np.log(rng.random((n // together, 4))))
    frame = people(len(person), 0.0, rng).frame.drop(columns="sex")
    frame[[f"x{i}" for i in range(D)]] = x
    odds = 0.2 * x[:, 0] + weight * x[:, 1]
    frame["outcome"] = np.where(rng.random(len(person)) < 1 / (1 + np.exp(-odds)), "yes", "no")
    frame["race"], frame["person"] = np.array(list("abcd"))[score.argmax(axis=1)][person], person.astype(str)
    belongs_to = {} if together == 1 else {"belongs_to": "person"}
    roles = Roles(
        outcome="outcome",
        favourable="yes",
        protected=("race",),
        features=tuple(f"x{i}" for i in range(D)),
        **belongs_to,
    )
    return Dataset.build(frame, roles)


def four_groups_model(weight: float) -> ModuleModel:
    module = nn.Linear(D, 2).double()
    coefficients = torch.zeros(2, D).double()
    coefficients[1, 0], coefficients[1, 1] = 0.2, weight
    module.weight.data, module.bias.data = coefficients, torch.zeros(2).double()
    return model_of(module.requires_grad_(False), D)


def four_groups_audited(
    name: str, weight: float, rows: tuple[int, int], repeats: int, *, together: int = 1
) -> tuple[float, list[Any]]:
    """The true ratio, that of a search along x1, x2 and x3, and what audits of such tables find: none where refused."""
    learning, audited = rows
    judged_model = four_groups_model(weight)
    data = judged_model.encode(four_groups(10_000, name, weight, np.random.default_rng(99), together=together))
    true = search(judged_model.module(), rows_of(data.x, data.y), all_but(np.eye(D)[1:4]), **FLOW).ratio.mean()
    audit = settings(metric=subspace(Design(learning, weight, audited)), **FLOW)
    seen = []
    for seed in range(repeats):
        table = four_groups(sum(rows), name, weight, np.random.default_rng([seed, 8]), together=together)
        try:
            result = run_audit(judged_model, table, audit, seed=seed)
        except MetricError:
            continue
        seen.append(find(result, GradientFlowDecision(delta=float(true))))
    print(f"{name} {weight} {rows} in {together}s: {repeats - len(seen)} of {repeats} tables refused")
    return float(true), seen


@pytest.mark.long
@pytest.mark.parametrize(("name", "found"), [("alike", 0.6), ("uneven", 0.35)])
def test_a_direction_of_four_groups_is_shown_nearly_as_often_as_its_real_error_allows(name: str, found: float) -> None:
    """3,000 rows of which 900 teach; a z-test with the real error, which nobody knows, finds 88 of 100.

    By the mean turn of all directions 62 were shown, and none where one direction is hardly told.
    """
    _, seen = four_groups_audited(name, 1.2, (900, 2100), 80)
    values = np.array([one.estimate for one in seen])
    tolerance = values.mean() - 3.05 * values.std(ddof=1)
    assert sum(one.lower_bound > tolerance for one in seen) / 80 >= found


@pytest.mark.long
@pytest.mark.parametrize("together", [1, 5])
@pytest.mark.parametrize("learning", [300, 1000, 3000])
@pytest.mark.parametrize("weight", [0.0, 0.4, 1.2])
@pytest.mark.parametrize("name", RACES)
def test_claims_about_four_groups_are_false_as_often_as_alpha(
    name: str, weight: float, learning: int, together: int
) -> None:
    repeats = 100
    _, seen = four_groups_audited(name, weight, (learning, 1000), repeats, together=together)
    limit = 0.05 + 2 * (0.05 * 0.95 / repeats) ** 0.5
    assert sum(one.verdict is Verdict.VIOLATION for one in seen) / repeats <= limit
    assert sum(one.verdict is Verdict.NO_VIOLATION for one in seen) / repeats <= limit


def test_four_groups_of_few_rows_are_audited() -> None:
    true, seen = four_groups_audited("uneven", 1.2, (300, 300), 2)
    assert 1.2 < true < 2
    for one in seen:
        relearned = one.detail.relearned
        assert relearned.along.mean() < relearned.turned.mean()
        assert one.inference.direction.directions == 3
        assert one.verdict is Verdict.INSUFFICIENT
