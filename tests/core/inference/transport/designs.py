"""Populations whose audit value is known, and samples from them."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.stats import binom

from core.inference.evidence import Estimated
from core.inference.resampled import Checked
from core.inference.transport.costs import AbstractCost, ClassCost, QuadraticCost
from core.inference.transport.draws import Draws
from core.inference.transport.envelope import Envelope
from core.inference.transport.methods import Method, estimate_value
from core.inference.transport.sample import CellSample
from core.inference.transport.split_check import MANY_SPLITS, Split, split_check

METHODS: tuple[Method, ...] = (
    "directional derivative",
    "m out of n",
    "m out of n, chosen from the data",
    "closed form",
    "Efron",
)


@dataclass(frozen=True)
class Population:
    """Cells with their true shares and losses, and a budget.

    Attributes:
        cost: Between the cells.
        masses: f*, shape (K,).
        losses: True mean loss of each cell, shape (K,).
        budget: Mean cost that may be spent.
        noisy: Whether people of a cell have losses 0 and 1 with this mean, instead of all the same.
    """

    cost: AbstractCost
    masses: np.ndarray
    losses: np.ndarray
    budget: float = 0.0
    noisy: bool = False

    @property
    def value(self) -> float:
        """The true audit value."""
        return float(Envelope.build(self.losses, self.cost).value(self.masses, self.budget))

    def sample(self, n: int, rng: np.random.Generator) -> CellSample:
        """n people, split at random within each cell."""
        people = rng.multinomial(n, self.masses)
        first = (people + rng.integers(0, 2, len(people))) // 2
        return of_people(np.stack([first, people - first]), self.losses, rng if self.noisy else None)


def dealt_again(sample: CellSample, rng: np.random.Generator) -> CellSample:
    """The same people with losses 0 and 1, dealt to two halves again within each cell."""
    people, ones = sample.people, sample.total.sum(axis=0).astype(np.int64)
    first = (people + rng.integers(0, 2, len(people))) // 2
    count, of_first = np.stack([first, people - first]), rng.hypergeometric(ones, people - ones, first)
    total = np.stack([of_first, ones - of_first]).astype(np.float64)
    return CellSample(count, total, total, sample.asked)


def of_people(count: np.ndarray, losses: np.ndarray, rng: np.random.Generator | None = None) -> CellSample:
    """A sample with these people in each half and cell, shape (2, K); losses 0 and 1 where ``rng`` is given.

    Where nobody is, the model was asked and answered the true mean.
    """
    if rng is None:
        return CellSample(count, count * losses, count * losses**2, losses)
    total = rng.binomial(count, losses).astype(np.float64)
    return CellSample(count, total, total, losses)


def quadratic(cells: int, *, decisions: bool, share: float, labels: int = 2) -> Population:
    """Squared distances within a label, losses that follow the features; the budget a share of the total cost."""
    rng = np.random.default_rng(cells)
    points = rng.normal(size=(cells, 3))
    label = np.arange(cells) % labels
    score = 1 / (1 + np.exp(-points @ np.array([1.0, -1.0, 0.5])))
    losses = np.where(label == 0, score, 1 - score)
    masses = rng.dirichlet(np.full(cells, 2.0))
    losses = (losses > 0.5).astype(np.float64) if decisions else losses
    cost = QuadraticCost(points, label)
    total = Envelope.build(losses, cost).total_cost(masses)
    return Population(cost, masses, losses, share * total)


def at_breakpoint(cells: int, *, decisions: bool, share: float) -> Population:
    """The same with the budget exactly where a step ends, so that two prices are optimal for the population."""
    plain = quadratic(cells, decisions=decisions, share=share)
    budgets = Envelope.build(plain.losses, plain.cost).curve(plain.masses).budgets
    nearest = float(budgets[np.argmin(np.abs(budgets - plain.budget))])
    return Population(plain.cost, plain.masses, plain.losses, nearest)


def free(cells: int, value: float) -> Population:
    """Costs 0 within kinds of four and infinite between; wrong decisions for one group of some kinds."""
    rng = np.random.default_rng(cells)
    kind, group = np.arange(cells) // 4, np.arange(cells) % 4
    masses = rng.dirichlet(np.full(cells, 2.0))
    moved = np.array([masses[(kind == each) & (group > 0)].sum() for each in range(cells // 4)])
    order = rng.permutation(cells // 4)
    worse = order[np.cumsum(moved[order]) <= 1.2 * value]
    losses = ((group == 0) & np.isin(kind, worse)).astype(np.float64)
    return Population(ClassCost(kind), masses, losses)


def fair(cells: int) -> Population:
    """The same loss for everybody of a kind."""
    made = free(cells, 0.0)
    return Population(made.cost, made.masses, (np.arange(cells) // 4 % 2).astype(np.float64))


def noisy(cells: int, kind_size: int, excess: float) -> Population:
    """Losses 0 and 1 within cells; the first cell of every kind has a larger mean loss by ``excess``."""
    rng = np.random.default_rng(cells)
    kind = np.arange(cells) // kind_size
    losses = rng.uniform(0.1, 0.5, cells // kind_size)[kind] + excess * (np.arange(cells) % kind_size == 0)
    return Population(ClassCost(kind), rng.dirichlet(np.full(cells, 3.0)), losses, noisy=True)


@dataclass(frozen=True)
class Rates:
    """Shares of simulated samples.

    Attributes:
        covered: The two-sided interval covers the truth, at nominal 0.95.
        above: The one-sided lower bound exceeds the truth (type I error of the test), at nominal 0.05.
        below: The one-sided upper bound is below the truth, at nominal 0.05.
        samples: How many were simulated.
    """

    covered: float
    above: float
    below: float
    samples: int

    @property
    def type_1_holds(self) -> bool:
        """Whether the type I error is at most 0.05 + 2 Monte-Carlo standard errors."""
        return self.above <= 0.05 + 2 * (0.05 * 0.95 / self.samples) ** 0.5

    def type_1_holds_among(self, comparisons: int) -> bool:
        """Whether so many false alarms are no surprise at a type I error of 0.05, among so many ``comparisons``.

        Of 400 rates that are all 0.05, nine exceed 0.05 + 2 Monte-Carlo standard errors in the mean. So the exact
        binomial tail is held against 0.05 / comparisons (Bonferroni): up to 77 false alarms among 1,000.
        """
        return float(binom.sf(round(self.above * self.samples) - 1, self.samples, 0.05)) > 0.05 / comparisons

    def coverage_holds(self, most: float = 0.97) -> bool:
        """Whether coverage is from 0.93 to ``most``, up to 2 Monte-Carlo standard errors."""
        low, high = (2 * (end * (1 - end) / self.samples) ** 0.5 for end in (0.93, most))
        return 0.93 - low <= self.covered <= most + high


def answers(population: Population, methods: tuple[Method, ...], sample: CellSample, draws: Draws) -> list[Estimated]:
    """What each method says of one sample, with the split check where losses are noisy."""
    envelope = Envelope.build(sample.losses, population.cost)
    found = [estimate_value(method, envelope, draws, population.budget) for method in methods]
    if not population.noisy:
        return list(found)
    rng = np.random.default_rng((draws.seed, sample.n))
    splits = tuple(Split.build(dealt_again(sample, rng), population.cost) for _ in range(MANY_SPLITS))
    check = split_check(splits, population.budget)
    return [Checked(one, check) for one in found]


def simulate(
    population: Population,
    n: int,
    samples: int,
    ask: Callable[[CellSample, Draws], list[Estimated]],
    draws: int = 599,
) -> list[Rates]:
    """How often each of the answers that ``ask`` gives is right."""
    truth, rng, outcomes = population.value, np.random.default_rng(n), []
    for seed in range(samples):
        sample = population.sample(n, rng)
        outcomes.append([_outcome(one, truth) for one in ask(sample, Draws(sample, draws, seed))])
    return [Rates(*map(float, each), samples) for each in np.mean(outcomes, axis=0)]


def _outcome(found: Estimated, truth: float) -> tuple[bool, bool, bool]:
    interval = found.two_sided(0.05)
    return (
        interval.low <= truth + 1e-12 and truth - 1e-12 <= interval.high,
        found.lower_bound(0.05) > truth + 1e-12,
        found.upper_bound(0.05) < truth - 1e-12,
    )
