"""p-values of several random splits as one: by hand, and its level and power where each half has its differences."""

import math

import numpy as np
import pytest
from scipy.stats import combine_pvalues, norm

from core.inference.joined import mean_normal_score


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
