"""One group beside everybody else: by hand, as evidence, with means and with people who belong together."""

import math

import numpy as np
import pytest

from core.claims import Claim
from core.inference.comparisons import Comparisons, People
from core.inference.evidence import Adjusted
from core.inference.sampling import Sampling
from core.inference.the_rest import BesideTheRest

GROUP = np.arange(300) < 100
YES = np.isin(np.arange(300), [*range(40), *range(100, 130)])


def test_shares_are_counted_as_by_hand() -> None:
    one = BesideTheRest.of(YES, GROUP, shares=True)
    assert one.value == pytest.approx(0.4 - 0.15)
    assert one.sides == {"here": 0.4, "there": 0.15, "people": 100, "others": 200, "judged": True, "why": ""}


def test_means_are_compared_too() -> None:
    pay = np.random.default_rng(0).normal(size=300) + GROUP
    one = BesideTheRest.of(pay, GROUP, shares=False)
    assert one.value == pytest.approx(pay[GROUP].mean() - pay[~GROUP].mean())
    assert one.lower_bound(0.05) < one.value < one.upper_bound(0.05)


@pytest.mark.parametrize("alpha", [0.01, 0.05, 0.2])
def test_bounds_and_p_value_are_those_of_the_comparison(alpha: float) -> None:
    one = BesideTheRest.of(YES, GROUP, shares=True)
    people = People.of(YES.astype(float), GROUP.astype(int), 2, shares=True)
    pair = Comparisons.alone(people, np.array([[False, True]]), np.array([[True, False]]))
    assert (one.lower_bound(alpha), one.upper_bound(alpha)) == (pair.lower(alpha)[0], pair.upper(alpha)[0])
    ends = one.two_sided(2 * alpha)
    assert (ends.low, ends.high) == (pair.lower(alpha)[0], pair.upper(alpha)[0])
    assert one.p_value(one.lower_bound(alpha)) == pytest.approx(alpha, rel=1e-3)


def test_a_claim_of_one_of_several_groups_is_made_in_one_line() -> None:
    one = BesideTheRest.of(YES, GROUP, shares=True)
    claim = Claim.of_evidence(Adjusted(one, 3), 0.1, 0.06, what="Share", who="g = a", **one.sides)
    assert claim.low == one.lower_bound(0.02)
    assert claim.high == one.upper_bound(0.06)
    assert (claim.here, claim.there, claim.people, claim.judged) == (0.4, 0.15, 100, True)


def test_copies_of_everybody_say_no_more_where_they_belong_together() -> None:
    once = BesideTheRest.of(YES, GROUP, shares=True)
    twice, group = np.tile(YES, 2), np.tile(GROUP, 2)
    alone = BesideTheRest.of(twice, group, shares=True)
    together = BesideTheRest.of(twice, group, shares=True, sampling=Sampling(np.tile(np.arange(300), 2)))
    assert alone.value == pytest.approx(together.value) == pytest.approx(once.value)
    assert together.lower_bound(0.05) <= once.lower_bound(0.05) + 1e-9 < alone.lower_bound(0.05)
    assert together.p_value(0.1) > alone.p_value(0.1)


def test_few_people_or_few_clusters_are_not_enough() -> None:
    few = BesideTheRest.of(YES, np.arange(300) < 29, shares=True)
    assert (few.sides["judged"], few.sides["why"]) == (False, "too few people")
    one_home = Sampling(np.where(GROUP, np.arange(300) % 9, np.arange(300)))
    assert not BesideTheRest.of(YES, GROUP, shares=True, sampling=one_home).enough
    nobody = BesideTheRest.of(YES, np.zeros(300, dtype=bool), shares=True)
    assert math.isnan(nobody.value)
    assert not nobody.enough


def test_a_row_that_stands_for_several_people_counts_as_many() -> None:
    cells, times = np.array([[True, True], [True, False], [False, True], [False, False]]), np.array([40, 30, 60, 170])
    counted = BesideTheRest.of(cells[:, 1], cells[:, 0], shares=True, sampling=Sampling(times=times))
    rows = np.repeat(cells, times, axis=0)
    each = BesideTheRest.of(rows[:, 1], rows[:, 0], shares=True)
    assert counted.sides == each.sides
    assert counted.lower_bound(0.05) == each.lower_bound(0.05)
    assert counted.value == pytest.approx(40 / 70 - 60 / 230)
