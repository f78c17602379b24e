"""Evidence of a difference: p-values and bounds say the same, whatever is joined and however many attributes."""

from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.audits.equalized_odds.evidence import MORE_THAN_NOTHING, Joined
from core.inference.evidence import Adjusted, Evidence


@dataclass(frozen=True)
class Steps:
    """Evidence whose lower bound rises from step to step: at error rates below the first level it shows nothing."""

    levels: tuple[float, ...]
    bounds: tuple[float, ...]
    value: float = 1.0

    def lower_bound(self, alpha: float) -> float:
        return max(
            (bound for level, bound in zip(self.levels, self.bounds, strict=True) if level <= alpha), default=0.0
        )

    def upper_bound(self, alpha: float) -> float:
        return 2.0 - alpha

    def p_value(self, delta: float) -> float:
        return min((level for level, bound in zip(self.levels, self.bounds, strict=True) if bound > delta), default=1.0)


shares = st.floats(0.0001, 0.9999)
pieces = st.lists(shares, min_size=1, max_size=5).map(lambda levels: tuple(sorted(levels)))
alphas, deltas = st.floats(0.0001, 0.5), st.one_of(st.just(0.0), st.floats(0.0, 0.9))


@given(pieces, pieces, st.one_of(st.just(np.nan), shares), st.integers(1, 7), st.tuples(alphas, deltas))
def test_p_values_and_lower_bounds_say_the_same(
    levels: tuple[float, ...], bounds: tuple[float, ...], none: float, of: int, under: tuple[float, float]
) -> None:
    alpha, delta = under
    size = Steps(*zip(*zip(levels, bounds, strict=False), strict=True))
    for one in (size, Joined(size, none), Joined(size, only_above=True), Joined(size, none, only_above=True)):
        found: Evidence = Adjusted(one, of)
        for at in (alpha, p := min(0.5, found.p_value(delta)), float(np.nextafter(p, 0.0))):
            assert (found.p_value(delta) <= at) == (found.lower_bound(at) > delta)
        assert found.p_value(delta) >= found.p_value(delta / 2) >= found.p_value(0.0)
        assert found.lower_bound(alpha) >= found.lower_bound(alpha / 2)
        assert (found.upper_bound(alpha), found.value) == (size.upper_bound(alpha), 1.0)


def test_a_difference_of_no_known_size_is_more_than_nothing() -> None:
    found = Joined(Steps((0.01,), (0.3,)), 0.02, only_above=True)
    assert (found.p_value(0.0), found.p_value(1e-300)) == (0.04, 1.0)
    assert (found.lower_bound(0.039), found.lower_bound(0.04)) == (0.0, MORE_THAN_NOTHING)


@pytest.mark.parametrize(
    ("none", "nothing", "tolerance"), [(0.01, 0.02, 0.03), (0.5, 0.04, 0.04), (np.nan, 0.02, 0.03)]
)
def test_a_tolerance_is_exceeded_only_where_there_is_a_difference(
    none: float, nothing: float, tolerance: float
) -> None:
    """Of "no difference", twice the smaller p-value; of a tolerance, no less than that."""
    found = Joined(Steps((0.02, 0.03), (0.1, 0.2)), none)
    assert found.p_value(0.0) == nothing
    assert found.p_value(0.15) == tolerance


def test_three_attributes_count_three_times_for_lower_bounds_and_once_for_upper_ones() -> None:
    found = Adjusted(Steps((0.01,), (0.3,)), 3)
    assert found.p_value(0.2) == pytest.approx(0.03, rel=1e-12)
    assert (found.lower_bound(0.0299), found.lower_bound(found.p_value(0.2)), found.upper_bound(0.1)) == (0.0, 0.3, 1.9)
