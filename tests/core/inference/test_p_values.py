"""p-values: of Monte-Carlo tests against scipy, Holm's against brute force, joined ones by hand, level and power."""

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import combine_pvalues, norm, permutation_test

from core.inference.p_values import mean_normal_score, monte_carlo_p, rank_at
from core.inference.resampled import ResampledEstimate
from core.inference.several import holm


def test_it_is_that_of_scipys_permutation_test() -> None:
    rng = np.random.default_rng(0)
    first, second = rng.normal(0.8, 1.0, 12), rng.normal(0.0, 1.0, 15)
    ours = permutation_test(
        (first, second), lambda a, b: a.mean() - b.mean(), n_resamples=199, alternative="greater", rng=1
    )
    extreme = np.count_nonzero(ours.null_distribution >= ours.statistic * (1 - 1e-14))
    assert monte_carlo_p(extreme, 199) == ours.pvalue


def test_under_the_null_every_rank_is_equally_likely_so_that_the_level_is_exact() -> None:
    draws = np.random.default_rng(2).random((4_000, 20))
    p = np.array([monte_carlo_p(np.count_nonzero(row[1:] >= row[0]), 19) for row in draws])
    assert p.min() == 1 / 20
    assert p.max() == 1.0
    for alpha in (0.05, 0.25, 0.5):
        assert abs((p <= alpha + 1e-12).mean() - alpha) < 4 * np.sqrt(alpha * (1 - alpha) / 4_000)


def test_the_error_of_a_bound_is_that_of_its_rank() -> None:
    """Draws one apart: the rank of an alpha quantile of B draws has a binomial standard deviation."""
    found = ResampledEstimate(0.0, 4, np.arange(999.0))
    for alpha in (0.05, 0.3):
        expected = np.sqrt(999 * alpha * (1 - alpha)) / np.sqrt(4)
        assert found.lower_error(alpha) == pytest.approx(expected)
        assert found.upper_error(alpha) == pytest.approx(expected)


def test_it_is_stouffers_score_without_the_gain_of_independence() -> None:
    p = np.array([0.01, 0.2, 0.04, 0.6])
    joined, _ = mean_normal_score(p, finest=0.001)
    assert joined == pytest.approx(norm.sf(combine_pvalues(p, method="stouffer").statistic / 2))


def test_equal_p_values_are_joined_to_themselves_with_the_error_of_their_draws() -> None:
    assert mean_normal_score(np.full(5, 0.03), finest=0.01) == pytest.approx((0.03, math.sqrt(0.03 * 0.97 / 500)))
    assert mean_normal_score(np.ones(3), finest=0.01) == (1.0, 0.0)


def test_a_split_that_sees_nothing_does_not_silence_the_others() -> None:
    joined, _ = mean_normal_score(np.array([0.001, 0.001, 1.0]), finest=0.001)
    assert joined == pytest.approx(norm.cdf((2 * norm.ppf(0.001) + norm.ppf(0.9995)) / 3))


def test_the_error_is_how_far_other_splits_would_move_it() -> None:
    rng = np.random.default_rng(0)
    found = np.array([mean_normal_score(norm.cdf(rng.normal(-1.5, 0.8, 5)), finest=1e-4) for _ in range(2_000)])
    assert found[:, 1].mean() == pytest.approx(found[:, 0].std(), rel=0.1)


def split_scores(rng: np.random.Generator, size: float, parts: int, repeats: int = 1_500) -> np.ndarray:
    """Normal scores of five random splits of 64 people: differences of one half along those of the other."""
    people = rng.standard_normal((repeats, 64, parts))
    people[:, :, 0] += size / 8
    scores = []
    for _ in range(5):
        order = rng.random((repeats, 64)).argsort(axis=1)
        mixed = np.take_along_axis(people, order[:, :, None], axis=1)
        learned, found = mixed[:, :32].sum(axis=1), mixed[:, 32:].sum(axis=1) / math.sqrt(32)
        scores.append((learned * found).sum(axis=1) / np.linalg.norm(learned, axis=1))
    return norm.sf(np.array(scores).T)


@pytest.mark.parametrize("parts", [1, 2, 20])
def test_level_and_power_beside_a_single_split_and_twice_the_median(parts) -> None:
    """False rejections .054, .045, .048 of one split, .028, .022, .015 joined, .012, .010, .008 of twice the median."""
    rng = np.random.default_rng(1)
    fair = np.array([mean_normal_score(p, finest=1e-6)[0] for p in split_scores(rng, 0.0, parts)])
    assert (fair <= 0.05).mean() <= 0.05
    unfair = split_scores(rng, 3.6 * parts**0.15, parts)
    joined = np.array([mean_normal_score(p, finest=1e-6)[0] for p in unfair])
    found = (joined <= 0.05).mean()
    assert found > (unfair[:, 0] <= 0.05).mean()
    assert found > (2 * np.median(unfair, axis=1) <= 0.05).mean() + 0.03


@given(st.lists(st.floats(0, 1), min_size=1, max_size=7))
def test_holm_is_the_closure_of_bonferroni(p_values: list[float]) -> None:
    """A hypothesis's adjusted p is the largest Bonferroni p over every set of hypotheses that holds it."""
    p, k = np.array(p_values), len(p_values)
    sets = [subset for size in range(1, k + 1) for subset in combinations(range(k), size)]
    brute = [max(min(1.0, len(s) * p[list(s)].min()) for s in sets if i in s) for i in range(k)]
    np.testing.assert_allclose(holm(p), brute)


def test_a_test_without_a_value_is_not_counted() -> None:
    found = holm(np.array([0.01, np.nan, 0.04]))
    assert found[[0, 2]].tolist() == pytest.approx([0.02, 0.04])
    assert np.isnan(found[1])


@pytest.mark.parametrize("draws", [199, 1_999, 10_000])
def test_ranks_are_exact_to_the_last_digit(draws: int) -> None:
    for k in range(1, draws + 2):
        alpha = k / (draws + 1)
        assert rank_at(alpha, draws) == k
        assert rank_at(float(np.nextafter(alpha, 0.0)), draws) == k - 1
        assert rank_at(float(np.nextafter(alpha, 1.0)), draws) == k
