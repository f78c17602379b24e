"""People who belong together: oracles by loops, and the law that copies of a table say what the table says once."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.audits.transport.losses import CellLosses, halves_together, told_apart
from core.inference.clusters import ratio_error
from core.inference.sampling import Sampling
from core.inference.transport import draws as drawing
from core.inference.transport.costs import AbstractCost, ClassCost, QuadraticCost
from core.inference.transport.doubts import doubts
from core.inference.transport.draws import Draws
from core.inference.transport.envelope import Envelope
from core.inference.transport.local import Local, pooled_variances
from core.inference.transport.methods import closed_form, estimate_value
from core.inference.transport.prices import Prices
from core.inference.transport.rises import by_rise
from core.inference.transport.sample import CellSample
from core.inference.transport.split_check import Split, split_check

CELLS = 6


def some_people(seed: int, people: int = 60) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Cluster, ascending cell and loss of people; clusters reach into several cells."""
    rng = np.random.default_rng(seed)
    cell = np.sort(np.append(np.arange(CELLS), rng.integers(CELLS, size=people - CELLS)))
    clusters = np.unique(rng.integers(people // 3, size=people), return_inverse=True)[1]
    return clusters, cell, (rng.random(people) < 0.4).astype(np.float64)


def summed(clusters: np.ndarray, cell: np.ndarray, losses: np.ndarray, half: np.ndarray | None = None) -> CellSample:
    return CellLosses(losses, cell, CELLS, sampling=Sampling(clusters)).sample(half)


def costs(seed: int) -> AbstractCost:
    return QuadraticCost(np.random.default_rng(seed).normal(size=(CELLS, 2)), np.zeros(CELLS, dtype=np.int64))


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10_000))
def test_the_variance_of_a_mean_is_that_of_the_ratio_of_sums_over_clusters(seed: int) -> None:
    clusters, cell, losses = some_people(seed)
    sample, gains = summed(clusters, cell, losses), np.random.default_rng(seed).normal(size=CELLS)
    assert sample.independent == len(np.unique(clusters))
    _, error = ratio_error(np.bincount(clusters, gains[cell]), np.bincount(clusters))
    assert np.sqrt(sample.spread(gains) / sample.freedom) == pytest.approx(error, rel=1e-9)


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10_000))
def test_errors_of_losses_are_added_up_by_cluster(seed: int) -> None:
    clusters, cell, losses = some_people(seed)
    sample = summed(clusters, cell, losses)
    gains, weight = np.random.default_rng(seed).normal(size=(2, CELLS))
    mean = gains[cell].mean()
    of_person = gains[cell] - mean + weight[cell] * (losses - sample.losses[cell])
    by_hand = [of_person[clusters == each].sum() for each in range(clusters.max() + 1)]
    found, shares = sample.scores(gains, weight)
    assert found == pytest.approx(np.array(by_hand), abs=1e-12)
    assert shares == pytest.approx(1 / len(cell))
    assert sample.spread(gains, weight) == pytest.approx(np.sum(np.square(by_hand)) / len(cell))


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 10_000), budget=st.sampled_from([0.05, 0.4]))
def test_what_is_spent_varies_as_much_as_clusters_make_it(seed: int, budget: float) -> None:
    sample, cost = summed(*some_people(seed)), costs(seed)
    prices = Prices.of(Envelope.build(sample.losses, cost), sample)
    for place in range(len(prices.steps)):
        taken = prices.steps[: place + 1]
        spent = np.bincount(prices.envelope.source[taken], prices.envelope.cost[taken], CELLS)
        assert prices.deviation[place] ** 2 == pytest.approx(sample.spread(spent), rel=1e-6, abs=1e-9)
    low, high = prices.possible(budget)
    assert low <= prices.best(budget) <= high
    every = [sample.spread(prices.gains(place)) for place in range(low, high + 1)]
    assert every[prices.widest(low, high) - low] == pytest.approx(max(every))


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 10_000), copies=st.sampled_from([2, 5]), budget=st.sampled_from([0.0, 0.1, np.inf]))
def test_copies_say_what_the_table_says_once(seed: int, copies: int, budget: float) -> None:
    """Every person so many times, with the role, is the table of single people: value, error, splits and doubts."""
    _, cell, losses = some_people(seed)
    people, half = np.arange(len(cell)), np.random.default_rng(seed).integers(2, size=len(cell)).astype(np.int8)
    cost = costs(seed)
    alone = CellLosses(losses, cell, CELLS)
    once = (alone.sample(), alone.sample(half))
    each = tuple(np.repeat(one, copies) for one in (people, cell, losses))
    often = (summed(*each), summed(*each, half=half))
    envelopes = [Envelope.build(one[0].losses, cost) for one in (once, often)]
    locals_ = [Local.of(Prices.of(e, s[0]), s[0], budget) for e, s in zip(envelopes, (once, often), strict=True)]
    plain, clustered = map(closed_form, locals_)
    assert clustered.value == pytest.approx(plain.value)
    assert clustered.standard_error == pytest.approx(plain.standard_error, rel=1e-6, abs=1e-9)
    assert (locals_[0].low, locals_[0].high) == (locals_[1].low, locals_[1].high)
    first, second = (split_check((Split.build(s[1], cost),), budget) for s in (once, often))
    assert second.value == pytest.approx(first.value)
    assert second.standard_error == pytest.approx(first.standard_error, rel=1e-6, abs=1e-9)
    found = [
        doubts("closed form", e, Draws(s[0], 50, 0), budget) for e, s in zip(envelopes, (once, often), strict=True)
    ]
    assert found[1].people == pytest.approx(found[0].people)
    assert found[1].skewness == pytest.approx(found[0].skewness, abs=1e-9)
    assert found[1].kink == pytest.approx(found[0].kink, abs=1e-6)


def test_the_noise_that_few_clusters_hide_is_that_of_equal_people() -> None:
    """A cell of 4 clusters of 3 equal people has the variance 3 sigma² per person; its clusters show 3/4 of it."""
    rng = np.random.default_rng(3)
    found = []
    for _ in range(4000):
        losses = np.repeat(rng.normal(size=8), 3)
        sample = summed(np.repeat(np.arange(8), 3), np.repeat([0, 1], 12), losses)
        shown = sample.spread(np.zeros(CELLS), np.array([1.0, 0, 0, 0, 0, 0]))
        hidden = sample.masses[0] * pooled_variances(sample)[0]
        found.append((shown / sample.masses[0], hidden / sample.masses[0]))
    shown, hidden = np.mean(found, axis=0)
    assert shown == pytest.approx(3 * 3 / 4, rel=0.03)
    assert shown + hidden == pytest.approx(3, rel=0.03)


def test_draws_are_of_whole_clusters() -> None:
    sample = summed(*some_people(1))
    draws = Draws(sample, 30, 4)
    together = draws.together
    assert together is not None
    table = np.zeros((together.clusters, CELLS))
    np.add.at(table, (together.cluster, together.cell), together.count)
    counts, masses = (np.concatenate(list(some)) for some in (draws.counts(9), draws.masses(9)))
    assert (counts.sum(axis=1) == 9).all()
    people = counts @ table
    assert masses == pytest.approx(people / people.sum(axis=1, keepdims=True))
    assert draws.independent == together.clusters
    assert draws.scale(9) == pytest.approx(np.sqrt(60 * 9 / together.clusters))


def test_many_clusters_are_joined_at_random_before_they_are_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drawing, "_MOST_CLUSTERS", 5)
    sample = summed(*some_people(2))
    assert sample.together is not None
    draws = Draws(sample, 10, 0)
    assert draws.together is not None
    assert draws.independent == draws.together.clusters == 5
    assert draws.together.people.sum() == sample.n
    assert draws.together.total.sum() == pytest.approx(sample.total.sum())
    assert np.bincount(draws.together.cell, draws.together.count, CELLS) == pytest.approx(sample.people)


@pytest.mark.parametrize("budget", [0.0, 0.2])
def test_drawn_errors_have_the_size_that_clusters_give_them(budget: float) -> None:
    clusters, cell, losses = some_people(5, people=600)
    sample = summed(clusters, cell, losses)
    envelope, draws = Envelope.build(sample.losses, costs(5)), Draws(sample, 2000, 1)
    local = Local.of(Prices.of(envelope, sample), sample, budget)
    wanted = np.sqrt(sample.spread(local.gains, local.weight) + sample.masses @ local.noise)
    assert local.linear(draws).studentised.std() == pytest.approx(wanted, rel=0.1)
    for size in (draws.independent, 40):
        assert local.mean_errors(draws, size).std() == pytest.approx(wanted, rel=0.1)


def test_rises_keep_the_clusters() -> None:
    """With free moves and known losses the error is that of the mean of people's own rises, by cluster."""
    clusters, cell, _ = some_people(7)
    losses = np.arange(CELLS) / CELLS
    sample = summed(clusters, cell, losses[cell])
    envelope = Envelope.build(losses, ClassCost(np.arange(CELLS) // 3))
    merged, fewer = by_rise(sample, envelope)
    _, error = ratio_error(np.bincount(clusters, envelope.free_gain[cell]), np.bincount(clusters))
    found = estimate_value("closed form", fewer, Draws(merged, 10, 0), 0.0)
    assert found.value == pytest.approx(envelope.free_gain[cell].mean())
    assert (found.upper_bound(0.05) - found.value) / 1.6448536 == pytest.approx(error)


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 10_000))
def test_halves_are_of_whole_clusters_dealt_evenly_where_they_begin(seed: int) -> None:
    clusters, cell, losses = some_people(seed)
    half = halves_together(cell, clusters, np.random.default_rng(seed))
    first = np.array([cell[clusters == each].min() for each in range(len(half))])
    for each in range(CELLS):
        dealt = half[first == each]
        assert abs(2 * dealt.sum() - len(dealt)) <= 1
    sample = summed(clusters, cell, losses, half=half)
    assert sample.together is not None
    for part in (0, 1):
        assert sample.half(part).n == (half[clusters] == part).sum()
        assert sample.half(part).independent == (half == part).sum()
        assert sample.together.of_half(part).people.sum() == sample.half(part).n


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 10_000))
def test_the_order_of_rows_and_the_names_of_clusters_change_nothing(seed: int) -> None:
    clusters, cell, losses = some_people(seed)
    rng = np.random.default_rng(seed)
    order, names = rng.permutation(len(cell)), rng.permutation(clusters.max() + 1)
    one = told_apart(clusters, cell, losses)
    other = told_apart(names[clusters][order], cell[order], losses[order])

    def sums(codes: np.ndarray, rows: np.ndarray) -> np.ndarray:
        return np.stack([np.bincount(codes, some[rows]) for some in (cell, losses, cell * losses)])

    assert sums(one, np.arange(len(cell))) == pytest.approx(sums(other, order))
