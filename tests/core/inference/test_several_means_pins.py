"""Means of several groups by clusters, written out, and corners of their intervals and p-values."""

import math
from itertools import combinations

import numpy as np
import pytest
from scipy.stats import t

from core.inference.sampling import Sampling
from core.inference.several import Largest
from core.inference.several_means import _equal_tailed, drawn_together, several_means
from core.inference.studentised import Studentised, studentised

DRAWS = np.arange(-999.0, 1_000.0)


def test_a_rank_that_is_not_whole_is_the_next_further_out() -> None:
    """0.02499 of 2,000 are 49.98: with the end itself 49 of 1,999 draws lie beyond."""
    assert _equal_tailed(Studentised(0.0, 1.0, DRAWS, np.ones(1_999)), 0.04998) == (-951.0, 951.0)


@pytest.mark.parametrize(("sign", "mean"), [(1.0, 2.0), (-1.0, 0.0)])
def test_of_few_clusters_either_end_is_the_outer_one_of_the_draws_and_of_students_t(sign: float, mean: float) -> None:
    """Draws that lie ten times further out on one side than on the other, where Student's t takes over."""
    skewed = sign * np.where(DRAWS > 0, DRAWS / 100, DRAWS / 1_000)
    low, high = _equal_tailed(Studentised(mean, 0.5, skewed, np.ones(1_999), degrees=5), 0.05)
    far, near = 0.5 * 9.5, 0.5 * t.isf(0.025, 5)
    above, below = (near, far) if sign > 0 else (far, near)
    assert (low, high) == pytest.approx((mean - below, mean + above))


def test_groups_of_clusters_are_judged_by_bonferroni_and_pairs_by_their_largest_t_written_out() -> None:
    """Ninety clusters that reach into two of three groups each; every rank and every covariance by itself."""
    rng, alpha, seed = np.random.default_rng(1), 0.1, 4
    clusters = np.repeat(np.arange(90), 4)
    codes = (clusters + np.tile([0, 0, 1, 1], 90)) % 3
    values = rng.random(360) + rng.random(90)[clusters]
    found = several_means(values, codes, 3, alpha, draws=99, seed=seed, sampling=Sampling(clusters))
    draws = math.ceil(50 / (alpha / 3)) - 1
    one, shared = drawn_together(values, codes, np.arange(3), clusters, draws=draws, seed=seed)
    place = math.floor(alpha / 6 * (draws + 1) + 1e-9)
    for group in range(3):
        ascending = np.sort(one[group].t)
        ends = one[group].mean - np.array([ascending[-place], ascending[place - 1]]) * one[group].error
        assert [found.low[group], found.high[group]] == pytest.approx(ends)
    errors, largest, observed = {}, np.zeros(draws), 0.0
    for a, b in combinations(range(3), 2):
        own, drawn = shared[a, b]
        errors[a, b] = math.sqrt(one[a].error ** 2 + one[b].error ** 2 - 2 * own)
        apart = np.abs(one[a].deviations - one[b].deviations)
        largest = np.maximum(largest, apart / np.sqrt(one[a].errors ** 2 + one[b].errors ** 2 - 2 * drawn))
        observed = max(observed, abs(one[a].mean - one[b].mean) / errors[a, b])
    critical = np.sort(largest)[math.ceil((1 - alpha) * (draws + 1) - 1e-9) - 1]
    for (a, b), error in errors.items():
        assert found.differences_high[a, b] - found.differences[a, b] == pytest.approx(critical * error)
        assert found.differences[b, a] - found.differences_low[b, a] == pytest.approx(critical * error)
    assert found.p_value == pytest.approx((1 + np.count_nonzero(largest >= observed)) / (draws + 1))


def test_constant_groups_differ_for_certain_also_where_others_are_too_alike_for_an_interval() -> None:
    """Five in a hundred resamples hold only zeros of both of the first two groups, whose means are not the same."""
    values = np.concatenate([np.arange(30) < 1, np.arange(30) < 2, np.full(30, 0.25), np.full(30, 0.75)])
    found = several_means(values, np.repeat(np.arange(4), 30), 4, 0.01, draws=99, seed=0)
    assert found.differences_high[0, 1] == math.inf
    assert (found.differences_low[3, 2], found.differences_high[3, 2]) == (0.5, 0.5)
    assert (np.diag(found.differences_low) == 0).all()
    assert (np.diag(found.differences_high) == 0).all()


def test_resamples_that_move_both_groups_alike_are_not_apart() -> None:
    """Means of 10 and of 12 in 30 lie half an error apart; where both move by as many there is no t."""
    members = [np.arange(30) < 10, np.arange(30) < 12]
    found = several_means(np.concatenate(members).astype(float), np.repeat([0, 1], 30), 2, 0.1, draws=999, seed=3)
    first, second = (studentised(one, draws=999, seed=4 + place) for place, one in enumerate(members))
    ones = [np.round(30 * (one.mean + one.deviations)) for one in (first, second)]
    alike = ones[1] - ones[0] == 2
    distance = np.abs(first.deviations - second.deviations) / np.hypot(first.errors, second.errors)
    observed = (second.mean - first.mean) / math.hypot(first.error, second.error)
    assert np.count_nonzero(alike) > 50
    assert found.p_value == (1 + np.count_nonzero((distance >= observed) & ~alike)) / 1_000


def test_groups_of_clusters_that_are_constant_apart_are_as_unlike_as_draws_can_tell() -> None:
    """Some resamples of 120 clusters hold none of the ten of a group, which tells nothing."""
    clusters = np.repeat(np.arange(120), 3)
    codes = clusters // 10
    found = several_means(codes.astype(float), codes, 12, 0.5, draws=4_999, seed=0, sampling=Sampling(clusters))
    assert found.p_value == 1 / 5_000


@pytest.mark.parametrize("degrees", [3, 12])
def test_the_critical_value_of_means_that_move_as_one_is_students(degrees: int) -> None:
    found = Largest.of_covariance(np.full((2, 2), 4.0), 0, degrees=degrees).critical(0.1)
    assert found == pytest.approx(t.isf(0.05, degrees), rel=0.03)
