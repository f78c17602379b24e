"""Errors around a sample, each by hand or price by price, and the memory that a system says is free."""

import math
import resource
from dataclasses import replace
from math import sqrt
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from core.inference.resampled import ResampledEstimate
from core.inference.transport import memory
from core.inference.transport.costs import ClassCost, DenseCost
from core.inference.transport.draws import Draws
from core.inference.transport.envelope import Envelope
from core.inference.transport.local import Local, pooled_variances
from core.inference.transport.m_choice import choose_size
from core.inference.transport.memory import free_memory, memory_needed, require_memory
from core.inference.transport.methods import (
    Method,
    closed_form,
    default_size,
    directional_derivative,
    estimate_value,
    m_out_of_n,
)
from core.inference.transport.prices import Prices
from core.inference.transport.sample import CellSample
from core.inference.transport.together import Clusters
from tests.core.inference.transport.designs import quadratic
from tests.core.inference.transport.test_people_together import costs, some_people, summed

POPULATION = quadratic(12, decisions=False, share=0.6)
BUDGET = POPULATION.budget
SAMPLE = POPULATION.sample(60, np.random.default_rng(0))


def around() -> Local:
    return Local.of(Prices.of(Envelope.build(SAMPLE.losses, POPULATION.cost), SAMPLE), SAMPLE, BUDGET)


def every_gain(local: Local) -> np.ndarray:
    """At each possible price, shape (p, K)."""
    return np.array([local.prices.gains(place) for place in range(local.low, local.high + 1)])


def test_possible_prices_lie_on_both_sides_of_the_optimal_one() -> None:
    local = around()
    assert (local.low, local.high) == local.prices.possible(BUDGET)
    assert local.low < local.best < local.high
    spreads = [SAMPLE.spread(gains) for gains in every_gain(local)]
    assert SAMPLE.spread(local.widest) == max(spreads) > SAMPLE.spread(local.gains) > spreads[0]


def test_gains_may_vary_most_at_the_largest_possible_price() -> None:
    """55 of 100 gain 1 for nothing, the others for 1 each: where a budget of 0.47 covers that, nobody differs."""
    costs = np.full((3, 3), math.inf)
    np.fill_diagonal(costs, 0.0)
    costs[:2, 2] = 0.0, 1.0
    sample = CellSample(np.array([[55, 45, 0]]), np.zeros((1, 3)), np.zeros((1, 3)), np.array([0.0, 0.0, 1.0]))
    local = Local.of(Prices.of(Envelope.build(sample.losses, DenseCost(costs)), sample), sample, 0.47)
    assert (local.low, local.best, local.high) == (0, 1, 1)
    assert local.gains.tolist() == [1.0, 1.0, 0.0]
    assert local.widest.tolist() == [1.0, 0.0, 0.0]
    assert closed_form(local).standard_error == pytest.approx(sqrt(0.55 * 0.45 / 99))


def test_roots_are_studentised_means_and_how_much_lower_other_possible_prices_are() -> None:
    local = around()
    draws = Draws(SAMPLE, 40, 1)
    away = np.concatenate(list(draws.masses(60))) - SAMPLE.masses
    bend = (away @ (every_gain(local) - local.gains).T).min(axis=1)
    assert (bend < 0).any()
    found = directional_derivative(local, draws)
    np.testing.assert_allclose(found.roots, np.sort(local.linear(draws).studentised + sqrt(60) * bend), atol=1e-12)


def test_roots_of_m_people_look_at_the_dual_objective_at_possible_prices_alone() -> None:
    local = around()
    draws, size = Draws(SAMPLE, 40, 1), default_size(60)
    at = (
        BUDGET * local.prices.price[local.low : local.high + 1]
        + np.concatenate(list(draws.masses(size))) @ every_gain(local).T
    )
    own = at[:, local.best - local.low]
    studentised = np.sort(local.linear(draws).studentised)
    expected = studentised[own.argsort(kind="stable").argsort()] + sqrt(size) * (at.min(axis=1) - own)
    np.testing.assert_allclose(m_out_of_n(local, draws, BUDGET).roots, np.sort(expected), atol=1e-12)


def test_each_name_stands_for_its_size() -> None:
    local = around()
    draws = Draws(SAMPLE, 40, 3)
    sizes: dict[Method, int] = {
        "m out of n": default_size(60),
        "m out of n, chosen from the data": choose_size(local.prices.envelope, draws, BUDGET),
        "Efron": 60,
    }
    assert len(set(sizes.values())) == 3
    for method, size in sizes.items():
        found = estimate_value(method, local.prices.envelope, draws, BUDGET)
        assert isinstance(found, ResampledEstimate)
        np.testing.assert_array_equal(found.roots, m_out_of_n(local, draws, BUDGET, size).roots)


@pytest.mark.parametrize("together", [False, True])
def test_noise_of_losses_is_added_to_the_error_of_a_mean(together: bool) -> None:
    sample = summed(*some_people(5)) if together else SAMPLE
    draws = Draws(sample, 20, 1)
    plain = replace(around(), prices=replace(around().prices, sample=sample), gains=np.arange(len(sample.masses)) / 9)
    noisy = replace(plain, noise=np.full(len(sample.masses), 0.09))
    added = noisy.mean_errors(draws, 12) - replace(plain, noise=np.zeros(len(sample.masses))).mean_errors(draws, 12)
    np.testing.assert_allclose(added, 0.3 * draws.normal())


def test_errors_by_clusters_hold_the_noise_of_losses() -> None:
    """Of a resample's own mean, of its own error by clusters and of the sample's."""
    sample = summed(*some_people(5))
    draws, prices = Draws(sample, 20, 1), Prices.of(Envelope.build(sample.losses, costs(5)), sample)
    local = replace(Local.of(prices, sample, 0.2), noise=np.full(6, 0.09))
    together = sample.together
    assert together is not None
    own = together.scores(local.gains, local.weight, sample.losses)
    drawn = np.concatenate(list(draws.counts(together.clusters)))
    whole = drawn @ together.people
    mean = drawn @ own / whole
    off = np.sum(drawn * (own - mean[:, None] * together.people) ** 2, axis=1)
    found = sqrt(own @ own / 60 + 0.09) * (sqrt(60) * mean + 0.3 * draws.normal()) / np.sqrt(60 * off / whole**2 + 0.09)
    np.testing.assert_allclose(local.linear(draws).studentised, found)
    small = replace(local, gains=local.gains / 1e3, weight=local.weight / 1e3, noise=local.noise / 1e6)
    np.testing.assert_allclose(small.linear(draws).studentised, found / 1e3)


@pytest.mark.parametrize("together", [None, Clusters.of(np.arange(20) // 2, np.arange(20) // 10, np.zeros(20))])
def test_where_everybody_gains_alike_no_draw_differs(together: Clusters | None) -> None:
    """By 3, more than 1: all go to the third kind, where nobody is."""
    nothing = np.zeros((1, 3))
    sample = CellSample(np.array([[10, 10, 0]]), nothing, nothing, np.array([0.0, 0.0, 3.0]), together)
    envelope = Envelope.build(sample.losses, ClassCost(np.zeros(3, dtype=np.int64)))
    local = Local.of(Prices.of(envelope, sample), sample, 0.0)
    assert local.gains.tolist() == [3.0, 3.0, 0.0]
    assert local.linear(Draws(sample, 9, 0)).studentised.tolist() == [0.0] * 9


def test_a_resample_without_the_one_who_gains_has_a_tenth_of_the_sample_s_deviation() -> None:
    """Its own is 0; one of twenty gains 1."""
    sample = CellSample(np.array([[1, 19, 0]]), np.zeros((1, 3)), np.zeros((1, 3)), np.array([0.0, 0.0, 1.0]))
    envelope = Envelope.build(sample.losses, ClassCost(np.array([0, 1, 0])))
    draws = Draws(sample, 40, 0)
    roots = Local.of(Prices.of(envelope, sample), sample, 0.0).linear(draws).studentised
    without = np.concatenate(list(draws.masses(20)))[:, 0] == 0
    assert 5 < without.sum() < 35
    np.testing.assert_allclose(roots[without], -sqrt(20) / 20 / 0.1)


def test_two_of_three_people_tell_the_variance_of_all() -> None:
    """Losses 0 and 1: squared deviations of 1/4 each, over one degree of freedom; every cell counts one of 1/2 more."""
    total = np.array([[1.0, 1.0, 0.0]])
    sample = CellSample(np.array([[2, 1, 0]]), total, total, np.full(3, 0.5))
    assert pooled_variances(sample).tolist() == [(0.5 + 0.5) / 2, 0.5 / 1, 0.0]


def test_one_cell_whose_losses_differ_is_noise_enough() -> None:
    """All four people of the first cell move to the second: weight -1 there, and 4 times 1 / 2 more here."""
    total = np.array([[1.0, 2.0]])
    sample = CellSample(np.array([[4, 2]]), total, total, np.full(2, 0.5))
    envelope = Envelope.build(sample.losses, ClassCost(np.zeros(2, dtype=np.int64)))
    local = Local.of(Prices.of(envelope, sample), sample, 0.0)
    np.testing.assert_allclose(local.weight, [-1.0, 2.0])
    pooled = 4 * 0.25 * 0.75 / (3 + 1)
    np.testing.assert_allclose(local.noise, [(0.75 + pooled) / 4, 2**2 * pooled / 2])


def test_few_people_leave_one_degree_of_freedom() -> None:
    """A single one as well."""
    for people in (1, 2, 3):
        sample = CellSample(np.array([[people, 0]]), np.zeros((1, 2)), np.zeros((1, 2)), np.zeros(2))
        assert sample.freedom == max(people - 1, 1)


def test_one_person_makes_a_cell_s_loss_and_nobody_leaves_it_to_the_model() -> None:
    total = np.array([[0.25, 0.0], [0.0, 0.0]])
    assert CellSample(np.array([[1, 0], [0, 0]]), total, total**2, np.full(2, 0.5)).losses.tolist() == [0.25, 0.5]


@pytest.mark.parametrize("factor", [1e-4, 1.0, 1e4])
def test_variances_are_in_the_square_of_the_losses_unit(factor: float) -> None:
    """Of 0 and 1 and of two alike, which rounding leaves apart in the twelfth digit."""
    total, squares = np.array([[1.0, 2 * 0.3]]) * factor, np.array([[1.0, 2 * 0.09 * (1 + 1e-12)]]) * factor**2
    found = CellSample(np.array([[2, 2]]), total, squares, np.zeros(2)).variances
    np.testing.assert_allclose(found, [factor**2 / 4, 0.0])


def test_what_few_clusters_hide_is_worked_out_over_one_degree_of_freedom() -> None:
    """Two of a kind, with losses 0 and 1, and one alone: squared deviations of 1/4 each, of which each counts 1/2 more.

    As where each row stands for itself, of which the clusters of single people show (1/4 + 1/4) / 2 of the first kind.
    """
    together, losses = Clusters.of(np.arange(3), np.array([0, 0, 1]), np.array([0.0, 1.0, 1.0])), np.array([0.5, 1.0])
    assert together.hidden_noise(losses).tolist() == [0.5 / 2, 0.5 / 1]
    total = np.array([[1.0, 1.0]])
    alone = pooled_variances(CellSample(np.array([[2, 1]]), total, total, losses))
    assert (alone - together.hidden_noise(losses)).tolist() == [0.25, 0.0]


def test_one_cluster_in_each_kind_tells_no_variance() -> None:
    together = Clusters.of(np.array([0, 0, 1]), np.array([0, 0, 1]), np.array([0.0, 1.0, 1.0]))
    assert together.hidden_noise(np.array([0.5, 1.0])).tolist() == [0.0, 0.0]


def test_clusters_of_a_half_are_numbered_from_0_and_no_more_than_wanted_stay_as_they_are() -> None:
    together = Clusters.of(np.array([0, 1, 1, 2, 2, 2]), np.array([0, 0, 1, 0, 0, 1]), np.zeros(6))
    dealt = replace(together, half=np.array([1, 0, 1]))
    assert [dealt.of_half(half).people.tolist() for half in (0, 1)] == [[2], [1, 3]]
    assert together.joined(3, 0) is together
    assert together.joined(2, 0).clusters == 2


def test_resamples_need_twenty_four_bytes_for_each_cell() -> None:
    assert memory_needed(100, cost="classes", draws=7) == memory_needed(100, cost="classes") + 24 * 7 * 100


def system(
    folder: Path, patch: pytest.MonkeyPatch, *, available: int, data: int, allowed: int, group: tuple[str, int] | None
) -> None:
    """A Linux with kB available, pages of this process's data, bytes it may hold, and a group's limit and use."""
    files = {
        "proc/meminfo": f"MemTotal:       99 kB\nMemAvailable:   {available} kB\n",
        "proc/self/statm": f"1 2 3 4 5 {data} 7\n",
    }
    if group is not None:
        files |= {"sys/fs/cgroup/memory.max": f"{group[0]}\n", "sys/fs/cgroup/memory.current": f"{group[1]}\n"}
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    patch.setattr(memory, "Path", lambda name: folder / name.lstrip("/"))
    patch.setattr(resource, "getrlimit", lambda which: {resource.RLIMIT_DATA: (allowed, -1)}[which])
    patch.setattr(memory, "sys", SimpleNamespace(platform="linux"))
    patch.setattr(memory, "os", SimpleNamespace(sysconf={"SC_PAGE_SIZE": 4096}.__getitem__))


@pytest.mark.parametrize(("allowed", "group", "free"), [
    (resource.RLIM_INFINITY, None, 1024 * 1000),
    (resource.RLIM_INFINITY, ("max", 5000), 1024 * 1000),
    (50 * 4096, None, (50 - 30) * 4096),
    (900 * 4096, None, 1024 * 1000),
    (resource.RLIM_INFINITY, ("9000", 5000), 4000),
    (50 * 4096, ("9000", 5000), 4000),
    (30 * 4096 + 7, ("9000", 5000), 7),
])  # fmt: skip
def test_free_is_what_the_tightest_limit_leaves(
    allowed: int, group: tuple[str, int] | None, free: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    system(tmp_path, monkeypatch, available=1000, data=30, allowed=allowed, group=group)
    assert free_memory() == free
    require_memory(free, 2)
    monkeypatch.setattr(memory, "sys", SimpleNamespace(platform="darwin"))
    assert free_memory() == math.inf
