"""Heaps of a number: who is in one, what they share, and the level of the test where answers and groups jump there."""

import math
from collections import Counter
from itertools import permutations, product

import numpy as np
import pytest
from scipy.special import expit
from scipy.stats import chisquare

from core.audits.equalized_odds.engine import split
from core.audits.equalized_odds.exchanging import Exchange
from core.audits.equalized_odds.heaps import heap_offsets, heaps_of
from core.audits.equalized_odds.levels import levels_of
from core.audits.equalized_odds.question import Question, strata_of
from core.audits.equalized_odds.result import AttributeTest
from core.audits.equalized_odds.settings import EqualizedOdds
from core.audits.equalized_odds.smoothing import smooth_part
from core.audits.equalized_odds.testing import examine
from core.base.progress import ignore_progress
from core.data.attribute import Attribute


def groups(codes: np.ndarray) -> Attribute:
    return Attribute("group", ("a", "b", "c")[: int(codes.max()) + 1], codes, np.full(len(codes), math.nan))


def heaped(rng: np.random.Generator, n: int, design: str, shift: float = 0.0) -> AttributeTest:
    """Half of the people round their income to 2,000; answers jump where they do, and so do groups."""
    exact = 10 * np.exp(0.5 * rng.standard_normal(n))
    rounds = rng.random(n) < 0.5
    y, z = np.where(rounds, np.round(exact / 2) * 2, exact), np.log(np.maximum(exact, 0.5) / 10)
    jump = 2.0 * rounds
    if design == "another jump at each":
        jump = np.where(rounds, rng.standard_normal(200)[np.minimum(np.round(exact / 2), 199).astype(int)], 0.0)
        a = (rng.random(n) < expit(z + 1.5 * jump)).astype(np.int64)
    elif design == "three groups":
        odds = np.exp(np.stack([0 * z, z + rounds, 2 * rounds - z], axis=1))
        a = (rng.random((n, 1)) > (odds / odds.sum(axis=1, keepdims=True)).cumsum(axis=1)).sum(axis=1)
    else:
        a = (rng.random(n) < expit(z + jump - 1)).astype(np.int64)
    score = 2 * z + jump + rng.standard_normal(n) + shift * a
    own = np.random.default_rng(int(rng.integers(2**31)))
    strata = strata_of(y)
    halves = split(strata.codes, 0.5, own)
    audit = EqualizedOdds(learner="linear", dummies=99)
    return examine(Question(score, False, strata, y), groups(a), halves, audit, rng=own)


DESIGNS = ("the same jump at all", "another jump at each", "three groups")


def test_a_value_is_a_heap_from_five_rows_and_from_two_where_hardly_any_is_shared() -> None:
    rounded = np.repeat([3.0, 1.0, 2.0], [5, 4, 6])
    assert list(heaps_of(rounded)) == [1] * 5 + [-1] * 4 + [0] * 6
    once = np.arange(8.0)
    assert list(heaps_of(np.append(once, [20.0, 20.0]))) == [-1] * 8 + [0, 0]
    assert list(heaps_of(np.append(once[:4], [20.0, 20.0]))) == [-1] * 4 + [0, 0]
    assert (heaps_of(np.append(once[:7], [20.0, 20.0, 21.0, 21.0])) == -1).all()


def test_a_large_table_has_at_most_so_many_heaps() -> None:
    given = np.repeat(np.arange(12_000.0), 5)
    assert (heaps_of(given) == -1).all()
    given[:12] = -1.0
    assert (heaps_of(given)[:12] == 0).all()
    assert (heaps_of(given)[12:] == -1).all()


def test_offsets_are_the_expected_ones_of_a_normal_model() -> None:
    """Posterior means under normal offsets and errors, given the two variances, by the joint normal distribution."""
    rng = np.random.default_rng(0)
    heaps = np.repeat([-1, 0, 1, 2], [3, 2, 5, 20])
    left = np.array([0.0, 2.0, -1.5, 0.3])[heaps + 1] + rng.standard_normal(30)
    codes, values = heaps[3:], left[3:]
    rows = np.bincount(codes)
    within = sum(((values[codes == one] - values[codes == one].mean()) ** 2).sum() for one in range(3)) / 24
    means = np.array([values[codes == one].mean() for one in range(3)])
    between = ((rows * means**2).sum() - 3 * within) / 27
    same = (codes[:, None] == codes).astype(float)
    expected = between * same @ np.linalg.solve(between * same + within * np.eye(27), values)
    found = heap_offsets(left, heaps)
    assert (found[:3] == 0).all()
    assert found[3:] == pytest.approx(expected)


def test_heaps_that_nothing_is_left_of_have_no_offset() -> None:
    heaps = np.array([-1, 0, 0, 1, 1])
    assert list(heap_offsets(np.zeros(5), heaps)) == [0.0] * 5
    assert list(heap_offsets(np.array([9.0, 1.0, -1.0, 2.0, -2.0]), heaps)) == [0.0] * 5


def test_a_jump_at_heaps_is_no_part_of_what_is_smooth() -> None:
    rng = np.random.default_rng(1)
    given = np.append(rng.standard_normal(300), np.repeat([-1.0, -0.5, 0.0, 0.5, 1.0], 40))
    jumps = np.append(np.zeros(300), np.repeat([2.0, 3.0, 2.5, 3.5, 1.5], 40))
    found = smooth_part(given + jumps + 0.1 * rng.standard_normal(500), given, heaps_of(given))
    assert np.abs(found - given - jumps).max() < 0.15


@pytest.mark.parametrize("codes", [[0, 1, 1, 0, 0, 0, 1, 0, 0], [0, 1, 2, 0, 2, 0, 1, 1, 2]])
def test_people_of_a_heap_are_permuted_exactly_and_only_among_each_other(codes: list[int]) -> None:
    """Against every permutation of a heap of four and of one of five."""
    held, given = np.array(codes), np.repeat([20.0, 30.0], [4, 5])
    losses = np.random.default_rng(2).integers(0, 50, (9, 3)).astype(float)[:, : held.max() + 1]
    everybody = np.arange(9)
    # Ten of each value make them heaps; only the first of each are tested.
    numbers, levels = np.append(given, given), levels_of(groups(np.tile(held, 2)), np.arange(18))
    among = Exchange.learned(numbers, levels, np.arange(9, 18), everybody)
    assert among.model is None
    assert among.calibration(np.random.default_rng(0)) is None
    nulls = among.nulls(losses, 20_000, rng=np.random.default_rng(3), on_progress=ignore_progress)
    expected = Counter(
        sum(losses[row, code] for row, code in enumerate((*first, *second)))
        for first, second in product(permutations(held[:4]), permutations(held[4:]))
    )
    total = sum(expected.values())
    for sums in nulls.values():
        found = Counter(sums)
        assert set(found) <= set(expected)
        values = sorted(expected)
        assert (
            chisquare([found[value] for value in values], [expected[value] / total * 20_000 for value in values]).pvalue
            > 0.001
        )


def test_people_outside_heaps_are_exchanged_by_densities_of_their_own() -> None:
    rng = np.random.default_rng(4)
    given = np.append(rng.random(200), np.repeat([0.25, 0.75], 100))
    held = np.append((rng.random(200) < 0.2), rng.random(200) < 0.9).astype(np.int64)
    levels = levels_of(groups(held), np.arange(0, 400, 2))
    among = Exchange.learned(given, levels, np.arange(0, 400, 2), np.arange(1, 400, 2))
    assert list(among.learning) == list(range(0, 200, 2))
    assert among.chances[:100, 1].mean() == pytest.approx(0.2, abs=0.08)
    for heap in (slice(100, 150), slice(150, 200)):
        assert np.unique(among.chances[heap, 1]) == pytest.approx((held[1::2][heap].sum() + 0.5) / 51)
    calibration = among.calibration(rng)
    assert calibration is not None
    assert calibration.rows[calibration.group == 0].sum() == 100


def test_only_people_outside_heaps_are_drawn_by_densities() -> None:
    given, held = np.append(np.arange(40.0), np.repeat(50.0, 5)), np.append(np.arange(40) // 2 % 2, [0, 0, 1, 1, 1])
    tested = np.append(np.arange(1, 40, 2), np.arange(40, 45))
    levels = levels_of(groups(held), np.arange(0, 40, 2))
    among = Exchange.learned(given, levels, np.arange(0, 40, 2), tested)
    one = np.zeros((25, 2))
    one[20:, 1] = 1.0
    done: list[float] = []
    heap = among.nulls(one, 200, rng=np.random.default_rng(0), on_progress=lambda told: done.append(told.done))
    assert all((sums == 3).all() for sums in heap.values())
    assert done == sorted(done)
    one = np.zeros((25, 2))
    one[:20, 1] = 1.0
    rest = among.nulls(one, 200, rng=np.random.default_rng(0), on_progress=ignore_progress)
    assert (rest["conditional permutation"] == held[tested[:20]].sum()).all()
    assert np.ptp(rest["density"]) > 0


def test_one_group_alone_outside_heaps_is_no_trouble() -> None:
    given = np.append(np.arange(40.0), np.repeat([50.0, 60.0], 30))
    held = np.append(np.zeros(40, dtype=np.int64), np.arange(60) // 2 % 2)
    score = np.random.default_rng(5).standard_normal(100)
    halves = np.arange(0, 100, 2), np.arange(1, 100, 2)
    audit = EqualizedOdds(learner="linear", dummies=99)
    test = examine(
        Question(score, False, strata_of(given), given), groups(held), halves, audit, rng=np.random.default_rng(0)
    )
    assert 0 < test.p_value <= 1


def test_jumps_at_round_values_are_no_violation() -> None:
    """Smooth models of both: 17 of 60 fair tables were rejected."""
    rng = np.random.default_rng(6)
    assert sum(heaped(rng, 400, "the same jump at all").p_value <= 0.05 for _ in range(25)) <= 4
    assert heaped(rng, 400, "the same jump at all", shift=1.0).p_value <= 0.05


@pytest.mark.long
@pytest.mark.parametrize("n", [400, 1_500])
@pytest.mark.parametrize("design", DESIGNS)
def test_the_level_holds_where_answers_and_groups_jump_at_round_values(design: str, n: int) -> None:
    rng = np.random.default_rng(7)
    tests = [heaped(rng, n, design) for _ in range(200)]
    for way in ([test.p_value for test in tests], [test.other_p_value for test in tests]):
        assert (np.array(way) <= 0.05).mean() < 0.05 + 3 * math.sqrt(0.05 * 0.95 / 200)
