"""How often verdicts and bounds are wrong: simulations of many tables."""

import numpy as np
import pandas as pd
import pytest

from core.audits.transport.decision import TransportDecision
from core.audits.transport.engine import _halved
from core.audits.transport.settings import CellColumn
from core.inference.estimate import Verdict
from core.inference.transport.constrained import LIMITED_SPLITS, Constrained, LimitedSplit
from core.inference.transport.constraints import Constraints, Leaving
from core.inference.transport.costs import AbstractCost, QuadraticCost
from core.inference.transport.draws import Draws
from core.inference.transport.envelope import Envelope
from core.inference.transport.methods import Method
from core.inference.transport.program import Program
from core.inference.transport.sample import CellSample
from tests.core.audits.transport.cases import dataset_of, run
from tests.findings import found as finding_of

CELLS, PEOPLE, ALPHA = 24, 1000, 0.05


class Population:
    """Cells at random places, two outcomes, two groups; at most ``at_most`` may be moved out of the first group."""

    def __init__(self, seed: int, budget: float, at_most: float, losses: np.ndarray | None = None) -> None:
        self.rng = np.random.default_rng(seed)
        points, label = self.rng.normal(size=(CELLS, 2)), np.arange(CELLS) % 2
        self.cost: AbstractCost = QuadraticCost(points, label)
        self.losses = self.rng.uniform(size=CELLS) if losses is None else losses
        self.masses = (self.rng.dirichlet(np.full(CELLS, 3.0)) + 0.02) / (1 + 0.02 * CELLS)
        first = np.flatnonzero(np.arange(CELLS) // 2 % 2 == 0)
        self.limits = Constraints((Leaving("first", first, at_most),), ())
        self.budget = budget
        self.value = Program.build(self.losses, self.cost).solve(self.masses, budget, self.limits).value

    def sample(self, *, noisy: bool) -> CellSample:
        count = self.rng.multinomial(PEOPLE // 2, self.masses, size=2)
        if noisy:
            total = self.rng.binomial(count, self.losses).astype(np.float64)
            return CellSample(count, total, total, self.losses)
        return CellSample(count, count * self.losses, count * self.losses**2, self.losses)

    def bounds(self, sample: CellSample, method: Method, seed: int) -> tuple[float, float]:
        dealt = [self.dealt(sample) for _ in range(LIMITED_SPLITS)] if sample.variances.any() else []
        splits = tuple(LimitedSplit(one, *_halved(one, self.cost)) for one in dealt)
        constrained = Constrained(self.limits, (Program.build(sample.losses, self.cost),), (splits,))
        envelope = Envelope.build(sample.losses, self.cost)
        found = constrained.estimate(0, envelope, Draws(sample, 400, seed), self.budget, method)
        return found.lower_bound(ALPHA), found.upper_bound(ALPHA)

    def dealt(self, sample: CellSample) -> CellSample:
        """The people of a noisy sample, whose losses are 0 or 1, in two other random halves."""
        wrong, right = sample.total.sum(axis=0).astype(int), (sample.count - sample.total).sum(axis=0).astype(int)
        first = self.rng.binomial(np.stack([wrong, right]), 0.5)
        total, other = np.stack([first, np.stack([wrong, right]) - first], axis=1).astype(np.float64)
        return CellSample((total + other).astype(int), total, total, sample.asked)

    def misses(self, repetitions: int, method: Method, *, noisy: bool = False) -> tuple[float, float]:
        """How often the true value lies below the lower bound, and above the upper bound."""
        bounds = [self.bounds(self.sample(noisy=noisy), method, seed) for seed in range(repetitions)]
        low, high = np.array(bounds).T
        return float((low > self.value).mean()), float((high < self.value).mean())


def test_lines_are_never_below_the_value_and_touch_it_at_the_sample() -> None:
    population = Population(1, budget=0.3, at_most=0.1)
    sample = population.sample(noisy=False)
    program = Program.build(sample.losses, population.cost)
    constrained = Constrained(population.limits, (program,), ((),))
    solution = constrained.solve(0, sample.masses, population.budget)
    lines = constrained._lines(0, solution, Draws(sample, 200, 0), population.budget)
    assert len(lines.start) > 2
    assert lines.at(sample.masses)[0] == pytest.approx(solution.value, abs=1e-12)
    for masses in np.random.default_rng(0).dirichlet(np.ones(CELLS), size=5):
        value = constrained.solve(0, masses, population.budget).value
        assert value <= lines.at(masses).min() + 1e-9
    low, high = population.bounds(sample, "directional derivative", 0)
    assert low < solution.value < high


@pytest.mark.long
@pytest.mark.parametrize(
    ("budget", "at_most", "method"),
    [
        (0.3, 0.1, "directional derivative"),
        (0.3, 0.1, "m out of n"),
        (0.05, 0.1, "directional derivative"),
        (100.0, 0.1, "directional derivative"),
        (0.3, 0.25, "directional derivative"),
    ],
    ids=["both bind", "both bind, m out of n", "small budget", "redundant budget", "loose limit"],
)
def test_bounds_under_limits_keep_their_error_rates(budget: float, at_most: float, method: Method) -> None:
    repetitions = 200
    low, high = Population(0, budget, at_most).misses(repetitions, method)
    two_errors = 2 * np.sqrt(ALPHA * (1 - ALPHA) / repetitions)
    assert low <= ALPHA + two_errors
    assert high <= ALPHA + two_errors


@pytest.mark.long
def test_chance_is_no_violation_under_limits() -> None:
    """With the same loss everywhere the true value is 0, and the estimate is well above it."""
    population = Population(0, 0.3, 0.1, losses=np.full(CELLS, 0.3))
    assert population.value == pytest.approx(0.0, abs=1e-12)
    low, _ = population.misses(150, "directional derivative", noisy=True)
    assert low <= ALPHA + 2 * np.sqrt(ALPHA * (1 - ALPHA) / 150)


@pytest.mark.long
@pytest.mark.parametrize("noisy", [False, True], ids=["a loss for each kind", "losses differ within kinds"])
def test_at_the_true_value_both_claims_are_rare(noisy: bool) -> None:
    """Six jobs, two sexes; women are decided wrongly more often in half of the jobs, men never more often."""
    rng = np.random.default_rng(3)
    jobs, share = 6, np.array([0.1, 0.25, 0.15, 0.2, 0.1, 0.2])
    rate = np.array([[0.3, 0.3], [0.5, 0.2], [0.4, 0.1], [0.1, 0.1], [0.6, 0.3], [0.2, 0.2]])
    if not noisy:
        rate = (rate > 0.35).astype(np.float64)
    women = 0.4
    # Only the men can be moved to somebody who is treated worse: the women of their job.
    value = float((share * (1 - women) * (rate[:, 0] - rate[:, 1])).sum())
    counts = dict.fromkeys(Verdict, 0)
    repetitions, decision = 400, TransportDecision(delta=value)
    for _ in range(repetitions):
        job, sex = rng.choice(jobs, 800, p=share), (rng.random(800) >= women).astype(int)
        good = rng.choice(["no", "yes"], 800)
        wrong = rng.random(800) < rate[job, sex]
        says = np.where(wrong, np.where(good == "yes", "no", "yes"), good)
        frame = pd.DataFrame(
            {"job": job.astype(str), "sex": np.where(sex, "Male", "Female"), "good": good, "says": says}
        )
        dataset = dataset_of(frame, protected=("sex",), features=("job",))
        detail, _ = run(dataset, columns=(CellColumn(name="job"),), seed=int(rng.integers(2**31)), draws=600)
        counts[finding_of(detail, decision).verdict] += 1
    most = (ALPHA + 2 * np.sqrt(ALPHA * (1 - ALPHA) / repetitions)) * repetitions
    assert counts[Verdict.VIOLATION] <= most
    assert counts[Verdict.NO_VIOLATION] <= most
    assert counts[Verdict.VIOLATION] + counts[Verdict.NO_VIOLATION] > 0
