"""The four-fifths rule as a test: it agrees with the intervals, with a score test, and keeps its error rate."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import norm

from core.audits.group_fairness.decisions import decision_tables
from core.audits.group_fairness.four_fifths import p_values
from core.audits.group_fairness.table import GroupTable
from tests.core.audits.group_fairness.cases import answered, attribute


def tables(selected: list[int], rows: list[int], alpha: float = 0.05) -> tuple[GroupTable, ...]:
    codes = np.repeat(np.arange(len(rows)), rows)
    decided = np.concatenate([np.arange(n) < k for k, n in zip(selected, rows, strict=True)]).astype(np.int64)
    groups = attribute("group", tuple("abcdef"[: len(rows)]), codes)
    unknown = np.full(len(codes), -1)
    return decision_tables(answered(unknown, decided), (groups,), alpha)


def of(selected: list[int], rows: list[int]) -> np.ndarray:
    return p_values(tables(selected, rows), 0)[0]


@settings(max_examples=10)
@given(
    st.lists(st.integers(20, 400), min_size=2, max_size=4),
    st.lists(st.floats(0, 1), min_size=4, max_size=4),
    st.floats(0.001, 0.4),
)
def test_a_p_value_is_at_most_alpha_exactly_where_the_interval_lies_below(
    rows: list[int], shares: list[float], alpha: float
) -> None:
    selected = [round(n * share) for n, share in zip(rows, shares, strict=False)]
    found = of(selected, rows)
    high = tables(selected, rows, alpha)[0].impacts[0].high
    for p, end in zip(found, high, strict=True):
        if math.isnan(p):
            assert math.isnan(end)
        elif abs(p - alpha) > 1e-3 * alpha:
            assert (p <= alpha) == (end < 0.8)


def test_of_many_people_it_is_nearly_twice_the_p_value_of_a_score_test() -> None:
    """Koopman (1984): under p₁ = .8 p₂ the shares of largest likelihood; the limits' test is two-sided, so twice."""
    selected, rows = [660, 1_000], [2_000, 2_300]
    (x, y), (n, m), r = selected, rows, 0.8
    a, b, c = r * (n + m), -(r * n + x + m + r * y), x + y
    second = (-b - math.sqrt(b * b - 4 * a * c)) / (2 * a)
    first = r * second
    error = math.sqrt(first * (1 - first) / n + r * r * second * (1 - second) / m)
    expected = 2 * norm.cdf((x / n - r * y / m) / error)
    assert of(selected, rows)[0] == pytest.approx(expected, rel=0.1)
    assert of(selected, rows)[1] == 1.0, "the highest one is no lower than itself"


def test_the_example_of_the_rule() -> None:
    """shared/regulation.md: men 60/150, women 36/120, ratio .75: fails 80%, and chance may well explain it."""
    women, men = of([36, 60], [120, 150])
    assert 0.3 < women <= 1
    assert men == 1
    assert of([12, 60], [120, 150])[0] < 0.001


def rejected(shares: list[float], rows: list[int], repeats: int, seed: int) -> float:
    """How often any group's ratio is said to be below .8 at an error rate of 5%."""
    rng = np.random.default_rng(seed)
    drawn = (of([int(rng.binomial(n, p)) for n, p in zip(rows, shares, strict=True)], rows) for _ in range(repeats))
    return float(np.mean([np.nanmin(one, initial=1.0) <= 0.05 for one in drawn]))


DESIGNS = {
    "two groups": ([0.24, 0.3], [120, 150]),
    "rare": ([0.04, 0.05], [400, 600]),
    "three groups, two at the mark": ([0.4, 0.4, 0.5], [100, 100, 100]),
    "four alike": ([0.2] * 4, [80] * 4),
}


def test_it_keeps_its_error_rate() -> None:
    assert rejected(*DESIGNS["three groups, two at the mark"], 30, 1) <= 0.05 + 2 * math.sqrt(0.05 * 0.95 / 30)


@pytest.mark.long
@pytest.mark.parametrize("design", DESIGNS)
def test_it_keeps_its_error_rate_in_many_samples(design: str) -> None:
    rate = rejected(*DESIGNS[design], 1_000, 1)
    print(design, rate)
    assert rate <= 0.05 + 2 * math.sqrt(0.05 * 0.95 / 1_000)


def test_a_ratio_of_a_half_is_found() -> None:
    assert rejected([0.2, 0.4], [300, 300], 15, 2) > 0.9
