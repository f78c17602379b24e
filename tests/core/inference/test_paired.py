"""Paired differences of two models: McNemar and Bonett-Price as oracles, laws, exact error rates, and coverage."""

import math

import numpy as np
import pytest
from scipy import stats

from core.inference.paired import PairedDifference, WeightedSets

EVERYBODY = np.ones(1)


def of_counts(more: int, less: int, n: int) -> PairedDifference:
    """Two models that differ about ``more`` people in one direction and about ``less`` in the other."""
    first, second = np.zeros(n), np.zeros(n)
    first[:more] = 1
    second[more : more + less] = 1
    return PairedDifference.of(first, second, WeightedSets(np.zeros(n, dtype=int), EVERYBODY), largest=1.0)


def models(
    rng: np.random.Generator, sizes: tuple[int, ...], rate: np.ndarray, up: np.ndarray, down: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Answers of two models about sets of people: the second turns some of the first's, with known probabilities."""
    members = np.repeat(np.arange(len(sizes)), sizes)
    first = rng.random(len(members)) < rate[members]
    turned = rng.random(len(members))
    second = np.where(first, turned >= down[members], turned < up[members])
    return members, first.astype(float), second.astype(float)


@pytest.mark.parametrize(("more", "less", "n"), [(40, 25, 400), (120, 100, 2_000), (3, 9, 300), (0, 12, 500)])
def test_the_interval_is_near_bonett_and_prices(more: int, less: int, n: int) -> None:
    """Bonett and Price (2012), equation 8, which centres its interval a little nearer to zero."""
    one, other = (more + 1) / (n + 2), (less + 1) / (n + 2)
    half = stats.norm.isf(0.025) * math.sqrt((one + other - (one - other) ** 2) / (n + 2))
    low, high = of_counts(more, less, n).limits(0.025)
    assert low <= one - other - half + 0.15 * half
    assert high >= one - other + half - 0.15 * half
    assert (high - low) / (2 * half) == pytest.approx(1, abs=0.12)


@pytest.mark.parametrize(("more", "less"), [(60, 60), (70, 50), (90, 45)])
def test_the_p_value_is_near_mcnemars(more: int, less: int) -> None:
    exact = stats.binomtest(more, more + less, 0.5).pvalue
    assert of_counts(more, less, 3_000).p_value == pytest.approx(exact, rel=0.35, abs=0.02)


def test_numbers_have_the_outer_one_of_students_and_halls_limits() -> None:
    rng = np.random.default_rng(2)
    first, second = rng.normal(1, 1, 300), rng.normal(0.8, 1, 300)
    low, high = PairedDifference.of(first, second, WeightedSets(np.zeros(300, dtype=int), EVERYBODY)).limits(0.025)
    oracle = stats.ttest_rel(first, second).confidence_interval(0.95)
    assert low <= oracle.low <= low + 0.01
    assert high - 0.01 <= oracle.high <= high


def test_identical_answers_do_not_differ() -> None:
    found = of_counts(0, 0, 500)
    assert (found.value, found.p_value) == (0.0, 1.0)
    low, high = found.limits(0.025)
    assert low < 0 < high


def test_models_that_change_places_turn_the_sign() -> None:
    one, other = of_counts(30, 12, 400), of_counts(12, 30, 400)
    assert one.value == -other.value
    assert one.p_value == pytest.approx(other.p_value)
    assert one.limits(0.025) == pytest.approx([-end for end in reversed(other.limits(0.025))])


def test_a_difference_of_groups_is_one_of_means() -> None:
    members = np.array([0] * 50 + [1] * 70 + [-1] * 10)
    first, second = (np.random.default_rng(seed).random(130) < 0.5 for seed in (1, 2))
    sets = WeightedSets(members, np.array([1.0, -1.0]))
    apart = [one[:50].mean() - one[50:120].mean() for one in (first, second)]
    assert sets.value(first.astype(float)) == pytest.approx(apart[0])
    found = PairedDifference.of(first, second, sets, largest=1.0)
    assert found.value == pytest.approx(apart[0] - apart[1])
    assert found.units.mean() == pytest.approx(found.value)


def test_rows_of_one_person_count_as_one() -> None:
    rng = np.random.default_rng(5)
    first, second = rng.normal(1, 1, 200), rng.normal(0.9, 1, 200)
    alone = PairedDifference.of(first, second, WeightedSets(np.zeros(200, dtype=int), EVERYBODY))
    copied = PairedDifference.of(
        np.repeat(first, 3),
        np.repeat(second, 3),
        WeightedSets(np.zeros(600, dtype=int), EVERYBODY),
        clusters=np.repeat(np.arange(200), 3),
    )
    assert copied.limits(0.025) == pytest.approx(alone.limits(0.025))


def test_shares_of_persons_with_several_rows_are_those_of_persons() -> None:
    first, second = np.zeros(200), np.zeros(200)
    first[:5], second[5:7] = 1, 1
    sets = WeightedSets(np.repeat([0, 1], 100), np.array([1.0, -1.0]))
    alone = PairedDifference.of(first, second, sets, largest=1.0)
    tripled = (np.repeat(one, 3) for one in (first, second))
    copies = WeightedSets(np.repeat(sets.members, 3), sets.weights)
    copied = PairedDifference.of(*tripled, copies, largest=1.0, clusters=np.repeat(np.arange(200), 3))
    assert copied.limits(0.025) == pytest.approx(alone.limits(0.025))


def test_an_empty_set_has_no_difference() -> None:
    sets = WeightedSets(np.zeros(40, dtype=int), np.array([1.0, -1.0]))
    found = PairedDifference.of(np.ones(40), np.zeros(40), sets, largest=1.0)
    assert math.isnan(found.value)
    assert math.isnan(found.p_value)
    assert found.limits(0.05) == (-math.inf, math.inf)


@pytest.mark.parametrize("differ", [0.02, 0.1, 0.3])
def test_models_alike_are_told_apart_at_most_as_often_as_said(differ: float) -> None:
    """Exact: every number of differences in both directions, of 120 people, weighted by its probability."""
    n, wrong = 120, 0.0
    for changed in range(n + 1):
        weight = stats.binom.pmf(changed, n, differ)
        if weight < 1e-6:
            continue
        chances = stats.binom.pmf(np.arange(changed + 1), changed, 0.5)
        for more in range(changed // 2 + 1):
            if of_counts(more, changed - more, n).limits(0.025)[1] < 0:
                wrong += 2 * weight * chances[more]
            else:
                break
    assert wrong <= 0.053


DESIGNS = {
    "accuracy": ((1_000,), (0.8,), (0.05,), (1.0,)),
    "few differences": ((1_000,), (0.8,), (0.005,), (1.0,)),
    "groups": ((150, 900), (0.3, 0.5), (0.2, 0.1), (1.0, -1.0)),
    "average odds": ((60, 400, 80, 500), (0.3, 0.5, 0.1, 0.2), (0.2, 0.2, 0.1, 0.1), (0.5, -0.5, 0.5, -0.5)),
}


def missed(design: str, repeats: int, *, alike: bool, clustered: bool = False, seed: int = 0) -> np.ndarray:
    """How often the true difference lies below and above the 95% interval."""
    sizes, rate, down, weights = (np.array(one) for one in DESIGNS[design])
    up = down * rate / (1 - rate) if alike else 0.3 * down
    true = float(weights @ (rate * down - (1 - rate) * up))
    rng, found = np.random.default_rng(seed), np.zeros(2)
    for _ in range(repeats):
        members, first, second = models(rng, tuple(sizes), rate, up, down)
        clusters = None
        if clustered:
            members, first, second = (np.repeat(one, 3) for one in (members, first, second))
            clusters = np.repeat(np.arange(len(members) // 3), 3)
        sets = WeightedSets(members, weights.astype(float))
        low, high = PairedDifference.of(first, second, sets, largest=1.0, clusters=clusters).limits(0.025)
        found += [low > true, high < true]
    return found / repeats


@pytest.mark.parametrize("design", DESIGNS)
def test_intervals_cover(design: str) -> None:
    assert missed(design, 300, alike=True).sum() <= 0.09


@pytest.mark.long
@pytest.mark.parametrize("clustered", [False, True])
@pytest.mark.parametrize("alike", [True, False])
@pytest.mark.parametrize("design", DESIGNS)
def test_intervals_cover_in_the_long_run(design: str, alike: bool, clustered: bool) -> None:
    """Each side at most 2.5%, within three standard errors of 6,000 repeats."""
    below, above = missed(design, 6_000, alike=alike, clustered=clustered, seed=1)
    assert max(below, above) <= 0.025 + 3 * math.sqrt(0.025 * 0.975 / 6_000)


def test_rows_that_stand_for_people_give_what_these_people_give() -> None:
    rng = np.random.default_rng(4)
    first, second = (rng.integers(0, 2, 40).astype(float) for _ in range(2))
    members, times = rng.integers(-1, 2, 40), rng.integers(1, 30, 40)
    weights = np.array([1.0, -1.0])
    each = np.repeat(np.arange(40), times)
    people = WeightedSets(members[each], weights)
    counted = PairedDifference.of(first, second, WeightedSets(members, weights, times), largest=1.0)
    alone = PairedDifference.of(first[each], second[each], people, largest=1.0)
    assert WeightedSets(members, weights, times).rows.tolist() == people.rows.tolist()
    assert counted.value == pytest.approx(alone.value, rel=1e-12)
    assert counted.limits(0.025) == pytest.approx(alone.limits(0.025), rel=1e-9)
    assert counted.p_value == pytest.approx(alone.p_value, rel=1e-9)
