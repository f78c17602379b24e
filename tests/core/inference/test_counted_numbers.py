"""Numbers of people who are counted, beside the same of the people written out."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import rankdata

from core.inference.comparisons import People
from core.inference.counted import median, order_statistic, quantiles, ranks_of, spread
from core.inference.direction import bounded_association
from core.inference.pairwise import mean_limits
from core.inference.sampling import Sampling
from core.inference.studentised import LARGE, studentised

COUNTED = st.lists(st.tuples(st.integers(-4, 4), st.integers(1, 7)), min_size=1, max_size=30)


@given(COUNTED)
def test_order_statistics_are_those_of_the_people_to_the_last_digit(counted: list[tuple[int, int]]) -> None:
    values, times = (np.array(one) for one in zip(*counted, strict=True))
    values, people = values / 3, np.repeat(values / 3, times)
    shares = np.concatenate([np.linspace(0, 1, 21), np.arange(1, 8) / 8])
    assert quantiles(values, shares, times).tolist() == quantiles(people, shares).tolist()
    assert median(values, times) == median(people)
    assert order_statistic(values, times, len(people)) == people.max()
    assert ranks_of(values, times).repeat(times).tolist() == rankdata(people).tolist()
    assert spread(values, times) == pytest.approx(people.std(), abs=1e-12)


@given(COUNTED)
def test_limits_of_means_and_cells_are_those_of_the_people(counted: list[tuple[int, int]]) -> None:
    values, times = (np.array(one) for one in zip(*counted, strict=True))
    values, people = values / 3, np.repeat(values / 3, times)
    of_counts = mean_limits([values], 0.05, within=(-2.0, 2.0), times=[times])
    of_people = mean_limits([people], 0.05, within=(-2.0, 2.0))
    for part in ("value", "low", "high"):
        np.testing.assert_allclose(getattr(of_counts, part), getattr(of_people, part), rtol=1e-9, atol=1e-12)
    cells = np.arange(len(values)) % 2
    one = People.of(values, cells, 2, shares=False, sampling=Sampling(times=times))
    other = People.of(people, np.repeat(cells, times), 2, shares=False)
    np.testing.assert_allclose(one.powers, other.powers, atol=1e-9)


def test_the_direction_of_counted_answers_is_that_of_the_people() -> None:
    rng = np.random.default_rng(0)
    answers, outcomes, times = rng.random((50, 1)), rng.integers(2, size=(50, 1)), rng.integers(1, 9, 50)
    one = bounded_association(answers, outcomes, 0.05, Sampling(times=times))
    other = bounded_association(answers.repeat(times, axis=0), outcomes.repeat(times, axis=0), 0.05)
    assert one is not None
    assert other is not None
    assert (one.value, one.upper) == pytest.approx((other.value, other.upper))


@pytest.mark.parametrize("kinds", [4, 3_000])
def test_the_bootstrap_of_many_counted_people_is_that_of_the_people_in_law(kinds: int) -> None:
    rng = np.random.default_rng(1)
    values, times = rng.exponential(size=kinds), rng.integers(1, 2 * 60_000 // kinds, kinds)
    people = rng.permutation(values.repeat(times))
    assert len(people) > LARGE
    one = studentised(values, draws=3_999, seed=0, sampling=Sampling(times=times))
    other = studentised(people, draws=3_999, seed=0)
    assert (one.mean, one.error) == pytest.approx((other.mean, other.error))
    assert np.quantile(one.t, (0.05, 0.5, 0.95)) == pytest.approx(np.quantile(other.t, (0.05, 0.5, 0.95)), abs=0.1)
    few = times.copy()
    few[2:] = 0
    few = np.minimum(few, LARGE // 2)
    small = studentised(values, draws=99, seed=0, sampling=Sampling(times=few))
    assert small.t.tobytes() == studentised(values.repeat(few), draws=99, seed=0).t.tobytes()
