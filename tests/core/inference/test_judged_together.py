"""Several estimates, or all groups of several attributes, judged together: by oracle, by law, by simulation."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest

from core.base.thresholds import FEWEST_ROWS
from core.inference.bounded import means_with_zero
from core.inference.estimate import Estimate, Verdict
from core.inference.evidence import Adjusted, AtLeast
from core.inference.excess import GroupSample, excesses
from core.inference.mean import mean_of
from core.inference.resampled import ResampledEstimate
from core.inference.several import holm
from core.inference.several_means import several_means
from core.inference.share import Share
from core.inference.studentised import studentised
from tests.findings import verdict_of


def ladder(tests: int) -> Adjusted:
    """An estimate of 100 whose 199 roots are 1 to 199, n = 1: the bound of rank r is 100 - r."""
    return Adjusted(ResampledEstimate(100.0, 1, np.arange(1.0, 200.0)), tests)


def test_bounds_and_p_values_share_the_error_rate() -> None:
    alone, one = ladder(1), ladder(2)
    assert alone.lower_bound(0.05) == 100 - 190
    assert one.lower_bound(0.05) == 100 - 195
    assert one.upper_bound(0.05) == alone.upper_bound(0.05) == 100 - 10
    assert (one.two_sided(0.1).low, one.two_sided(0.1).high, one.two_sided(0.1).confidence) == (-95.0, 95.0, 0.9)
    assert alone.p_value(100 - 190) == 11 / 200
    assert one.p_value(100 - 196) == 2 * 5 / 200
    assert one.p_value(200.0) == 1.0
    assert verdict_of(one, -96.0, 0.05) is Verdict.VIOLATION
    assert verdict_of(one, -95.0, 0.05) is Verdict.INSUFFICIENT
    assert verdict_of(one, 90.0, 0.05) is Verdict.NO_VIOLATION


def test_an_undefined_estimate_stays_undefined() -> None:
    none = Adjusted(ResampledEstimate(math.nan, 0, np.empty(0), undefined="Nothing."), 3)
    assert math.isnan(none.p_value(0.0))
    assert verdict_of(none, 0.0, 0.05) is Verdict.INSUFFICIENT


@given(st.integers(1, 199), st.sampled_from([0.01, 0.03, 0.05, 0.1, 0.3, 0.5]), st.integers(1, 7))
@settings(max_examples=200, deadline=None)
def test_the_adjusted_p_value_is_at_most_alpha_exactly_where_the_bound_exceeds_delta(
    rank: int, alpha: float, tests: int
) -> None:
    one = ladder(tests)
    for delta in (100.0 - rank, np.nextafter(100.0 - rank, -math.inf)):
        assert (one.p_value(float(delta)) <= alpha) == (one.lower_bound(alpha) > delta)


@given(
    st.tuples(st.floats(-2, 2), st.floats(0.01, 1)),
    st.tuples(st.floats(-2, 2), st.floats(0.01, 1)),
    st.floats(0.001, 0.5),
    st.floats(-2, 2),
)
@settings(max_examples=200, deadline=None)
def test_what_was_found_accuses_alone_and_clears_where_what_may_be_there_does_too(
    first: tuple[float, float], second: tuple[float, float], alpha: float, delta: float
) -> None:
    found, at_most = (Estimate(value, error, 50) for value, error in (first, second))
    both = AtLeast(found, at_most)
    assert (both.value, both.standard_error) == first
    verdict, alone, beside = (verdict_of(one, delta, alpha) for one in (both, found, at_most))
    assert (verdict is Verdict.VIOLATION) == (alone is Verdict.VIOLATION)
    assert (verdict is Verdict.NO_VIOLATION) == (
        alone is not Verdict.VIOLATION and max(one.upper_bound(alpha) for one in (found, at_most)) <= delta
    )
    assert not (verdict is Verdict.NO_VIOLATION and Verdict.VIOLATION in (alone, beside))
    near = abs(both.lower_bound(alpha) - delta) < 1e-9
    assert near or (both.p_value(delta) <= alpha) == (both.lower_bound(alpha) > delta)
    ends, own = both.two_sided(alpha), found.two_sided(alpha)
    assert (ends.low, ends.high) == (own.low, max(own.high, at_most.two_sided(alpha).high))


@pytest.mark.parametrize(("count", "n", "most"), [(0, 9, 0.05), (3, 29, 0.05), (29, 29, 0.9), (7, 200, 0.0)])
def test_the_p_value_of_a_share_is_the_exact_binomial_one(count: int, n: int, most: float) -> None:
    expected = binomtest(count, n, most, alternative="greater").pvalue if most else float(count == 0)
    assert Share(count, n).p_at_most(most) == pytest.approx(expected, abs=1e-12)
    assert math.isnan(Share(0, 0).p_at_most(0.05))


@given(st.integers(0, 40), st.floats(0.0, 1.0), st.sampled_from([0.01, 0.05, 0.2]))
@settings(max_examples=100, deadline=None)
def test_the_p_value_of_a_share_agrees_with_its_lower_bound(count: int, most: float, alpha: float) -> None:
    share = Share(count, 40)
    if abs(share.lower_bound(alpha) - most) > 1e-9:
        assert (share.p_at_most(most) <= alpha) == (share.lower_bound(alpha) > most)


def samples(rng: np.random.Generator, sizes: tuple[int, ...], mean: float) -> list[GroupSample]:
    return [
        GroupSample("race", str(place), np.minimum(mean * rng.gamma(2, 0.5, n), 1), Share(0, n))
        for place, n in enumerate(sizes)
    ]


def judged(found: list[GroupSample], delta: float, seed: int = 0, draws: int = 1_999):
    return excesses(found, delta, lambda place: means_with_zero(found[place].values, draws=draws, seed=seed + place))


def test_every_group_is_judged_by_its_mean_and_by_its_share_with_holms_adjustment() -> None:
    rng = np.random.default_rng(0)
    small = GroupSample("race", "small", np.full(29, 0.4), Share(0, 29))
    changed = GroupSample("sex", "changed", np.full(500, 0.01), Share(60, 500))
    nobody = GroupSample("sex", "nobody", np.empty(0), Share(0, 0))
    inside = GroupSample("sex", "inside", rng.uniform(0, 0.08, 500), Share(3, 500))
    found = judged([small, changed, nobody, inside], 0.05)
    raw_small = 1 / 2_000
    raw_changed = binomtest(60, 500, 0.05, alternative="greater").pvalue
    raw_inside = binomtest(3, 500, 0.05, alternative="greater").pvalue
    expected = holm(np.array([raw_small, 1.0, np.nan, 1.0, 1.0, raw_changed, np.nan, raw_inside]))
    assert [one.p_mean for one in found] == pytest.approx(expected[:4], nan_ok=True)
    assert [one.p_changed for one in found] == pytest.approx(expected[4:], nan_ok=True)
    assert found[0].p_value == pytest.approx(5 * raw_small)
    assert math.isnan(found[2].p_value)
    assert [one.rows for one in found] == [29, 500, 0, 500]


def test_groups_at_the_tolerance_are_called_beyond_it_no_more_often_than_stated() -> None:
    """Groups of 5 to 200 rows whose means lie at delta, all at once; then one small group far beyond is found."""
    repeats, false, power = 150, 0, 0
    for seed in range(repeats):
        rng = np.random.default_rng(seed)
        fair = samples(rng, (5, 20, 29, 60, 200), 0.05)
        false += min(one.p_value for one in judged(fair, 0.05, seed, 499)) <= 0.05
        far = [*samples(rng, (200, 200), 0.02), *samples(rng, (20,), 0.4)]
        power += judged(far, 0.05, seed, 499)[2].p_value <= 0.05
    assert false / repeats <= 0.05 + 2 * math.sqrt(0.05 * 0.95 / repeats)
    assert power / repeats >= 0.95


def test_a_sample_that_is_nearly_constant_shows_no_violation_by_that_alone() -> None:
    """98% at .051 and 2% at 0, delta = .05: the mean is .04998. The bootstrap alone rejected in 34% to 41%."""
    repeats = 200
    false = sum(
        mean_of(
            np.where(np.random.default_rng(seed).random(50) < 0.98, 0.051, 0.0), draws=199, seed=seed, largest=1.0
        ).lower_bound(0.05)
        > 0.05
        for seed in range(repeats)
    )
    assert false / repeats <= 0.05 + 2 * math.sqrt(0.05 * 0.95 / repeats)


def test_ranks_of_several_means_are_those_of_the_draws_written_out() -> None:
    """Ends at a third of the error rate, the critical |t| of the pairs, and (1 + k) / (B + 1): each rank by itself."""
    rng, alpha, seed = np.random.default_rng(3), 0.1, 5
    members = [rng.lognormal(0, 0.7, n) for n in (40, 60, FEWEST_ROWS)]
    values, codes = np.concatenate(members), np.repeat(np.arange(3), [40, 60, FEWEST_ROWS])
    found = several_means(values, codes, 3, alpha, draws=99, seed=seed)
    level = alpha / 3
    draws = math.ceil(50 / level) - 1
    drawn = [studentised(one, draws=draws, seed=seed + 1 + place) for place, one in enumerate(members)]
    place = math.floor(level / 2 * (draws + 1))
    for one, low, high in zip(drawn, found.low, found.high, strict=True):
        descending = sorted(one.t, reverse=True)
        assert low == pytest.approx(one.mean - descending[place - 1] * one.error, rel=1e-12)
        assert high == pytest.approx(one.mean - descending[-place] * one.error, rel=1e-12)
    pairs, observed = [(0, 1), (0, 2), (1, 2)], 0.0
    largest = [
        max(
            abs(drawn[i].deviations[b] - drawn[j].deviations[b]) / math.hypot(drawn[i].errors[b], drawn[j].errors[b])
            for i, j in pairs
        )
        for b in range(draws)
    ]
    for i, j in pairs:
        observed = max(observed, abs(drawn[i].mean - drawn[j].mean) / math.hypot(drawn[i].error, drawn[j].error))
    rank = math.ceil((1 - alpha) * (draws + 1))
    critical = sorted(largest)[rank - 1]
    half = critical * math.hypot(drawn[0].error, drawn[1].error)
    assert found.differences_high[0, 1] - found.differences[0, 1] == pytest.approx(half, rel=1e-12)
    assert found.p_value == (1 + sum(one >= observed for one in largest)) / (draws + 1)
