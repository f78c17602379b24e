"""Sums against the rows they come from, and the laws of the delta method."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.inference.estimate import Verdict
from core.inference.moments import mean_from_sums, ratio_of_error_rates, ratio_upper_by_counts
from tests.findings import verdict_of


@given(st.lists(st.floats(0.01, 1e4), min_size=2, max_size=50))
def test_sums_give_the_mean_and_its_standard_error(values: list[float]) -> None:
    r = np.array(values)
    found = mean_from_sums(float((r - 1).sum()), float(((r - 1) ** 2).sum()), len(r))
    assert found.value == pytest.approx(r.mean(), rel=1e-9)
    assert found.standard_error == pytest.approx(r.std(ddof=1) / len(r) ** 0.5, rel=1e-5, abs=1e-6 * r.max())


def test_one_row_has_no_spread_and_says_so() -> None:
    assert mean_from_sums(0.5, 0.25, 1).undefined
    assert ratio_of_error_rates(1, 1, 1, 1).undefined


wrong = st.lists(st.tuples(st.booleans(), st.booleans()), min_size=2, max_size=60)


@given(wrong)
def test_the_ratio_of_error_rates_follows_eq_3_13_and_centring_changes_nothing(rows: list[tuple[bool, bool]]) -> None:
    end, start = np.array(rows, dtype=float).T
    found = ratio_of_error_rates(int(end.sum()), int(start.sum()), int((end * start).sum()), len(end))
    if start.sum() == 0:
        assert found.undefined
        assert verdict_of(found, 1.25, 0.05) is Verdict.INSUFFICIENT
        return
    a, b = end.mean(), start.mean()
    pairs = np.stack([end, start])
    gradient = np.array([1 / b, -a / b**2])
    for second in (pairs @ pairs.T / len(end), np.cov(pairs, ddof=0)):
        assert found.standard_error**2 * len(end) == pytest.approx(gradient @ second @ gradient, abs=1e-9)
    assert found.value == pytest.approx(a / b)


def test_with_no_row_turned_the_upper_bound_follows_the_binomial_formula() -> None:
    """With 0 of 20 the Clopper-Pearson bound is p = 1 - alpha^(1/20), and 1 + p / (1 - p) = alpha^(-1/20)."""
    assert ratio_upper_by_counts(end=20, start=20, both=20, alpha=0.05) == pytest.approx(0.05 ** (-1 / 20))
    assert ratio_upper_by_counts(end=3, start=0, both=0, alpha=0.05) == np.inf


def test_the_bound_by_counts_covers() -> None:
    """Rows wrong at the start vary too: taking them as given, 8.6% of these bounds lay below the true ratio, 1.25."""
    rng = np.random.default_rng(0)
    missed = 0
    for kept, back, turned, _ in rng.multinomial(1000, [0.01, 0.01, 0.015, 0.965], 4000):
        start = int(kept + back)
        missed += ratio_upper_by_counts(int(kept + turned), start, int(kept), 0.05) < 1.25
    assert missed / 4000 <= 0.05 + 2 * (0.05 * 0.95 / 4000) ** 0.5


def test_sums_too_large_to_square_leave_the_spread_open() -> None:
    assert not np.isfinite(mean_from_sums(1e200, np.inf, 100).standard_error)
