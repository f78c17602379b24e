"""The exact test: against every permutation of tiny tables, closed moments, and what a seed may change."""

import itertools
import math
from collections.abc import Callable

import numpy as np
import pytest
from scipy.stats import binom, ks_2samp, kstest

from core.audits.equalized_odds.levels import AttributeLevels
from core.audits.equalized_odds.permuting import SHRUNK, permutation_test
from core.audits.equalized_odds.question import Question
from core.audits.equalized_odds.resampling import merged, permuted
from core.audits.equalized_odds.result import Strata
from core.base.progress import ignore_progress


def levels(codes: np.ndarray, *, ordered: bool = False) -> AttributeLevels:
    size = int(codes.max()) + 1
    return AttributeLevels(codes, np.eye(size), ordered=ordered, groups=np.arange(size), together=0)


def losses_of(
    score: np.ndarray,
    strata: np.ndarray,
    codes: np.ndarray,
    *,
    dummies: int = 999,
    seed: int = 0,
    ordered: bool = False,
) -> tuple[float, np.ndarray]:
    found = permutation_test(
        Question(score, False, Strata((), strata, exact=True), score),
        levels(codes, ordered=ordered),
        dummies,
        rng=np.random.default_rng(seed),
        on_progress=ignore_progress,
    )
    return found.statistic, found.null


def p_value(statistic: float, null: np.ndarray) -> float:
    return (1 + int((null <= statistic).sum())) / (len(null) + 1)


def loss_by_hand(score: np.ndarray, strata: np.ndarray, codes: np.ndarray) -> float:
    """The statistic for groups, one person and one group at a time, as the module's text says it."""
    held, size = np.zeros(len(score)), codes.max() + 1
    for stratum in set(strata):
        there = strata == stratum
        held[there] = (score[there] - score[there].mean()) / score[there].std()
    within, everywhere = 0.0, 0.0
    for level in range(size):
        total, spread, shares, ghosts = 0.0, 0.0, [], 0.0
        for stratum in set(strata):
            there = strata == stratum
            mine = there & (codes == level)
            share = mine.sum() / there.sum()
            spread_here = there.sum() * share * (1 - share)
            within += (1 - share) * held[mine].sum() ** 2 / (spread_here + SHRUNK * there.sum())
            total, spread = total + held[mine].sum(), spread + spread_here
            ghosts += SHRUNK * there.sum()
            shares.append(share)
        everywhere += (1 - np.mean(shares)) * total**2 / (spread + ghosts)
    parts = len(set(strata))
    gain = within if parts == 1 else (within / math.sqrt(parts) + everywhere) / (1 / math.sqrt(parts) + 1)
    return 1 - gain / len(score)


@pytest.mark.parametrize("codes", [(0, 1, 0, 1, 1, 0, 0, 1), (0, 1, 2, 2, 1, 0, 1, 0)], ids=["two", "three"])
@pytest.mark.parametrize("strata", [(0,) * 8, (0, 1, 0, 1, 0, 1, 1, 0)], ids=["one stratum", "two strata"])
@pytest.mark.parametrize("labels", [True, False], ids=["labels", "scores"])
def test_the_null_is_that_of_all_permutations(codes, strata, labels) -> None:
    """All orders of eight people's groups, or those within strata, are equally likely."""
    rng = np.random.default_rng(0)
    score = np.array([0.0, 1, 1, 0, 1, 1, 0, 0]) if labels else rng.standard_normal(8)
    codes, strata = np.array(codes), np.array(strata)
    every = np.array(sorted(set(itertools.permutations(codes.tolist()))))
    every = every[[all(sorted(one[strata == s]) == sorted(codes[strata == s]) for s in set(strata)) for one in every]]
    by_hand = np.round([loss_by_hand(score, strata, one) for one in every], 9)
    losses, ways = np.unique(by_hand, return_counts=True)

    statistic, null = losses_of(score, strata, codes, dummies=20_000)

    assert statistic == pytest.approx(loss_by_hand(score, strata, codes), abs=1e-9)
    place = np.abs(null[:, None] - losses).argmin(axis=1)
    assert null == pytest.approx(losses[place], abs=1e-8)
    found, expected = np.bincount(place, minlength=len(losses)) / 20_000, ways / ways.sum()
    assert (np.abs(found - expected) < 5 * np.sqrt(expected / 20_000)).all()
    assert p_value(statistic, null) == pytest.approx(ways[losses <= statistic + 1e-8].sum() / ways.sum(), abs=0.02)


@pytest.mark.parametrize("drawn", ["as counts", "row by row", "of a table of counts"])
def test_sums_have_the_moments_of_permutations(drawn) -> None:
    """Means and covariances of sums over a random order, in closed form (Fisher 1935; finite populations)."""
    rng, counts = np.random.default_rng(1), np.array([30, 0, 20, 10])
    values = rng.standard_normal(60) if drawn == "row by row" else np.repeat([1.0, 2.0, 7.0], [10, 20, 30])
    if drawn == "of a table of counts":
        kinds, times = np.array([7.0, 1.0, 7.0, 2.0]), np.array([13, 10, 17, 20])
        sums = permuted(kinds, counts, 40_000, times=times, rng=rng)
        oracle = np.add.reduceat(rng.permuted(np.tile(values, (20_000, 1)), axis=1), [0, 30, 50], axis=1)
        for level, place in ((0, 0), (2, 1), (3, 2)):
            assert ks_2samp(sums[:, level], oracle[:, place]).pvalue > 1e-3
    else:
        sums = permuted(values, counts, 40_000, rng=rng)
    n, share = 60, counts / 60
    covariance = n**2 / (n - 1) * values.var() * (np.diag(share) - np.outer(share, share))
    assert sums.sum(axis=1) == pytest.approx(np.full(40_000, values.sum()))
    assert sums.mean(axis=0) == pytest.approx(counts * values.mean(), abs=4 * np.sqrt(covariance.max() / 40_000))
    assert np.cov(sums.T) == pytest.approx(covariance, abs=0.03 * covariance.max())


def test_a_hundred_million_people_are_permuted_as_counts() -> None:
    values, times = np.array([0.0, 1.0]), np.array([70_000_000, 30_000_000])
    counts = np.array([65_000_000, 25_000_000, 10_000_000])
    sums = permuted(values, counts, 4_999, times=times, rng=np.random.default_rng(2))
    spread = np.sqrt(counts * (1 - counts / 1e8) * 0.21)
    assert (np.abs(sums.mean(axis=0) - 0.3 * counts) / (spread / np.sqrt(4_999)) < 4).all()
    assert sums.std(axis=0) == pytest.approx(spread, rel=0.05)


def test_million_rows_are_drawn_from_counts_with_the_moments_of_permutations() -> None:
    values, counts = np.repeat([0.0, 1.0], [700_000, 300_000]), np.array([650_000, 250_000, 100_000])
    sums = permuted(values, counts, 9_999, rng=np.random.default_rng(2))
    spread = np.sqrt(counts * (1 - counts / 1e6) * 0.21)
    assert (np.abs(sums.mean(axis=0) - 0.3 * counts) / (spread / 100) < 4).all()
    assert sums.std(axis=0) == pytest.approx(spread, rel=0.04)


def test_near_values_are_merged_without_the_groups_and_keep_their_sum() -> None:
    values = np.random.default_rng(3).standard_t(2, 5_000)
    coarse = merged(values, 3, 128)
    assert len(np.unique(coarse)) <= 128
    assert coarse.sum() == pytest.approx(values.sum())
    assert ((values - coarse) ** 2).sum() < 0.01 * ((values - values.mean()) ** 2).sum()
    assert (np.diff(coarse[np.argsort(values)]) >= 0).all()
    assert np.array_equal(merged(values[:100], 3, 128), values[:100])
    assert np.array_equal(merged(np.arange(5_000) % 9, 3, 128), np.arange(5_000) % 9)


@pytest.mark.parametrize("ordered", [False, True], ids=["groups", "a number"])
@pytest.mark.parametrize("rows", [40, 3_000], ids=["row by row", "as counts"])
def test_p_values_are_uniform(rows, ordered) -> None:
    rng = np.random.default_rng(4)
    p = []
    for _ in range(100):
        strata = rng.integers(3, size=rows)
        codes = (rng.random(rows) * (4 + strata) / 2).astype(np.int64)
        codes[: codes.max() + 1] = np.arange(codes.max() + 1)
        score = strata + rng.standard_exponential(rows)
        p.append(p_value(*losses_of(score, strata, codes, dummies=99, seed=int(rng.integers(2**31)), ordered=ordered)))
    p = np.array(p)
    assert kstest(p - rng.random(100) / 100, "uniform").pvalue > 0.005
    assert (p <= 0.05).sum() <= binom.ppf(0.999, 100, 0.05)


Shape = Callable[[np.ndarray], np.ndarray]
SEEN: dict[str, tuple[Shape, bool]] = {
    "a rise with a number": (lambda codes: codes / 10, True),
    "a bend with a number": (lambda codes: np.abs(codes - 9.5) / 5, True),
    "one group of twenty": (lambda codes: 0.9 * (codes == 3), False),
}


@pytest.mark.parametrize("shape", SEEN)
def test_differences_between_many_levels_are_seen(shape) -> None:
    effect, ordered = SEEN[shape]
    rng, found = np.random.default_rng(5), 0
    for seed in range(20):
        codes, strata = rng.integers(20, size=600), rng.integers(2, size=600)
        score = strata + rng.standard_normal(600) + effect(codes)
        found += p_value(*losses_of(score, strata, codes, dummies=199, seed=seed, ordered=ordered)) <= 0.05
    assert found >= 16


def test_opposite_differences_do_not_cancel_and_equal_ones_add_up() -> None:
    rng = np.random.default_rng(6)
    codes, strata = np.arange(4_000) % 2, np.arange(4_000) // 2 % 8
    noise = rng.standard_normal(4_000)
    opposite = losses_of(noise + 0.15 * codes * np.where(strata % 2, 1, -1), strata, codes)
    equal = losses_of(noise + 0.15 * codes, strata, codes)
    assert p_value(*opposite) <= 0.01
    assert equal[0] < opposite[0]


def test_a_seed_changes_the_p_value_by_its_monte_carlo_error_only() -> None:
    """With one random half to learn from it went from .002 to .088 over seeds of one table."""
    rng = np.random.default_rng(7)
    strata, codes = rng.integers(2, size=1_000), rng.integers(2, size=1_000)
    score = (rng.random(1_000) < 0.3 + 0.4 * strata + 0.065 * codes).astype(np.float64)
    p = np.array([p_value(*losses_of(score, strata, codes, dummies=1_999, seed=seed)) for seed in range(30)])
    assert 0.002 < p.mean() < 0.2
    assert p.std() < 1.5 * math.sqrt(p.mean() * (1 - p.mean()) / 2_000)


def test_multiplying_and_shifting_within_strata_changes_nothing() -> None:
    rng = np.random.default_rng(8)
    strata, codes, score = rng.integers(3, size=90), rng.integers(3, size=90), rng.standard_normal(90)
    first, second = losses_of(score, strata, codes), losses_of(score * 2.0**strata + 7 * strata, strata, codes)
    assert second[0] == pytest.approx(first[0], abs=1e-12)
    assert second[1] == pytest.approx(first[1], abs=1e-12)
