"""Grouping of a sample that are judged at once: the bound, its laws, what is called beyond and how often."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom

from core.base.grouping import Grouping
from core.inference.bounded import p_of_bounded
from core.inference.excess import FIRM, GroupExcess, corners_beyond, too_small
from core.inference.share import Share, share_of


@pytest.mark.parametrize("n", [1, 7, 40])
@pytest.mark.parametrize("delta", [0.01, 0.05, 0.3])
def test_the_bound_is_never_below_the_exact_binomial_p_value(n: int, delta: float) -> None:
    for count in range(n + 1):
        p = p_of_bounded((np.arange(n) < count).astype(float), delta)
        assert p >= binom.sf(count - 1, n, delta) * (1 - 1e-9)
    assert p_of_bounded(np.ones(n), delta) == pytest.approx(delta**n)


def test_the_bound_in_numbers() -> None:
    values = np.repeat([0.0, 0.2], [50, 50])
    kl = 0.1 * np.log(0.1 / 0.05) + 0.9 * np.log(0.9 / 0.95)
    assert p_of_bounded(values, 0.05) == pytest.approx(np.exp(-100 * kl), rel=1e-12)
    assert p_of_bounded(values, 0.1) == 1.0
    assert p_of_bounded(np.empty(0), 0.05) == 1.0
    assert p_of_bounded(np.ones(5), 1.0) == 1.0
    assert p_of_bounded(np.ones(5), 0.0) == 0.0


@settings(max_examples=60, deadline=None)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=30), st.floats(0, 1), st.floats(0, 1))
def test_a_larger_tolerance_never_makes_more_of_the_same_rows(values: list[float], one: float, other: float) -> None:
    low, high = sorted((one, other))
    assert p_of_bounded(np.array(values), low) <= p_of_bounded(np.array(values), high) + 1e-12


def test_rows_three_times_say_no_more_than_once_and_clusters_count_by_their_size() -> None:
    values = np.random.default_rng(0).random(40)
    once, thrice = p_of_bounded(values, 0.3), p_of_bounded(np.repeat(values, 3), 0.3, np.repeat(np.arange(40), 3))
    assert thrice == pytest.approx(once, rel=1e-9)
    assert p_of_bounded(np.repeat(values, 3), 0.3) < once
    uneven = p_of_bounded(np.array([1.0, 1.0, 0.0]), 0.1, np.array([0, 0, 1]))
    mean = ((2 - 0.2) / 2 + 0.1 + (0 - 0.1) / 2 + 0.1) / 2
    assert uneven == pytest.approx(np.exp(-2 * (mean * np.log(mean / 0.1) + (1 - mean) * np.log((1 - mean) / 0.9))))


def family(rng: np.random.Generator, n: int) -> tuple[Grouping, ...]:
    return tuple(
        Grouping(f"feature {place}", tuple(map(str, range(10))), rng.integers(-1, 10, n).astype(np.int16))
        for place in range(5)
    )


def test_three_percent_that_are_all_decided_otherwise_are_named_whoever_else_is_not() -> None:
    rng = np.random.default_rng(3)
    cuts, moved = family(rng, 2_000), np.full(2_000, 0.01)
    hit = np.flatnonzero(cuts[2].codes == 4)[:60]
    changed = np.isin(np.arange(2_000), hit)
    moved[hit] = 0.2
    quiet = "race", np.full(2_000, 0.01), np.zeros(2_000, dtype=bool)
    (one,) = corners_beyond(cuts, [quiet, ("sex", moved, changed)], 0.05)
    members = cuts[2].codes == 4
    assert (one.attribute, one.group, one.rows) == ("feature 2", "4", members.sum())
    assert one.moved == "sex"
    assert one.changed == Share(60, int(members.sum()))
    raw = p_of_bounded(changed[members].astype(float), 0.05)
    assert one.p_changed == pytest.approx(raw * 2 * 2 * 50, rel=1e-9)
    assert one.mean == pytest.approx(moved[members].mean())
    near = corners_beyond(cuts, [("sex", np.full(2_000, 0.04), changed)], 0.05)
    assert near == (), "near the value at which decisions turn the least move turns them"
    assert corners_beyond((), [quiet], 0.05) == ()


def test_whatever_lies_at_the_tolerance_is_seldom_called_beyond_it() -> None:
    """400 tables of 400 rows, 50 corners, two attributes, means and shares at the tolerance everywhere."""
    rng, called = np.random.default_rng(5), 0
    for _ in range(400):
        cuts = family(rng, 400)
        samples = [((rng.random(400) < 0.05).astype(float),) * 2 for _ in range(2)]
        called += bool(corners_beyond(cuts, [("sex", one, two > 0) for one, two in samples], 0.05))
    assert called / 400 <= FIRM + 2 * np.sqrt(FIRM * (1 - FIRM) / 400)


def test_groups_too_small_to_judge_are_those_in_which_nothing_could_be_shown() -> None:
    def group(rows: int) -> GroupExcess:
        return GroupExcess("race", str(rows), rows, 0.0, Share(0, rows), 1.0, 1.0)

    found = [group(rows) for rows in (0, 1, 2, 3, 500)]
    assert [one.rows for one in too_small(found, 0.05)] == [0, 1]
    assert [one.rows for one in too_small(found, 0.07)] == [0, 1]
    assert [one.rows for one in too_small(found, 0.072)] == [0, 1, 2]
    assert too_small(found, 1.0) == ()
    belonging = GroupExcess("race", "one", 9, 0.0, share_of(np.zeros(9, dtype=bool), np.zeros(9, dtype=int)), 1.0, 1.0)
    assert too_small([*found, belonging], 0.05)[-1] is belonging
