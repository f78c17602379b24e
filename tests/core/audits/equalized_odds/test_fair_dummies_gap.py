"""The largest gap between groups: two other libraries, laws, and how often its bounds hold."""

import numpy as np
import pytest
from fairlearn.metrics import equalized_odds_difference
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import beta, ks_2samp, norm

from core.audits.equalized_odds.gap import EqualizedOddsGap, largest_gap


def gap_of(
    answers: np.ndarray, strata: np.ndarray, codes: np.ndarray, *, alpha: float = 0.05, fewest: int = 30
) -> EqualizedOddsGap:
    """The gap of one answer, or several, among as many groups as there are codes."""
    table = answers.reshape(len(answers), -1).astype(np.float64)
    return largest_gap(table, strata, codes, alpha, groups=int(codes.max()) + 1, fewest=fewest)


def everybody(n: int) -> np.ndarray:
    """One stratum."""
    return np.zeros(n, dtype=np.int64)


@pytest.fixture(scope="module")
def people() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Three answers with ties, three strata and three groups of 900 people."""
    rng = np.random.default_rng(3)
    strata, codes = rng.integers(3, size=900), rng.integers(3, size=900)
    answers = np.round(rng.normal(size=(900, 3)) + 0.3 * codes[:, None] * (strata == 1)[:, None], 1)
    return answers, strata, codes


def test_it_is_the_largest_statistic_of_scipy(people: tuple[np.ndarray, np.ndarray, np.ndarray]) -> None:
    answers, strata, codes = people
    found = {
        (s, c, a, b): ks_2samp(
            answers[(strata == s) & (codes == a), c], answers[(strata == s) & (codes == b), c]
        ).statistic
        for s in range(3)
        for c in range(3)
        for a in range(3)
        for b in range(a)
    }
    gap = gap_of(answers, strata, codes)
    s, c, a, b = max(found, key=lambda key: found[key])
    assert gap.value == pytest.approx(found[s, c, a, b], abs=1e-12)
    assert (gap.stratum, gap.answer, {*gap.groups}) == (s, c, {a, b})
    more, less = (answers[(strata == s) & (codes == group), c] > gap.threshold for group in gap.groups)
    assert more.mean() - less.mean() == pytest.approx(gap.value, abs=1e-12)


def test_of_decisions_it_is_the_equalized_odds_difference_of_fairlearn() -> None:
    rng = np.random.default_rng(4)
    outcome, codes = rng.integers(2, size=2_000), rng.integers(4, size=2_000)
    decided = (rng.random(2_000) < 0.3 + 0.3 * outcome + 0.05 * codes).astype(np.float64)
    expected = equalized_odds_difference(outcome, decided, sensitive_features=codes)
    one_hot = np.column_stack([1 - decided, decided])
    assert gap_of(decided, outcome, codes).value == pytest.approx(expected, abs=1e-12)
    assert gap_of(one_hot, outcome, codes).value == pytest.approx(expected, abs=1e-12)


def test_bounds_of_numbers_are_those_of_massart() -> None:
    """Half-widths sqrt(log(2 / level) / 2n) with a level of alpha / 2 for each of two bands."""
    first, second = np.linspace(0, 1, 400), np.linspace(0.3, 1.3, 100)
    gap = gap_of(np.append(first, second), everybody(500), np.repeat([0, 1], [400, 100]))
    halves = np.sqrt(np.log(2 / 0.025) / (2 * np.array([400, 100]))).sum()
    assert gap.groups == (1, 0)
    assert gap.low == pytest.approx(gap.value - halves, abs=1e-12)
    assert gap.high == pytest.approx(gap.value + halves, abs=1e-12)


def test_bounds_of_decisions_are_those_of_clopper_and_pearson() -> None:
    decided = np.concatenate([np.arange(200) < 150, np.arange(100) < 30])
    gap = gap_of(decided, everybody(300), np.repeat([0, 1], [200, 100]))
    at_least = beta.ppf(0.0125, 150, 51) - beta.ppf(1 - 0.0125, 31, 70)
    at_most = beta.ppf(1 - 0.0125, 151, 50) - beta.ppf(0.0125, 30, 71)
    assert (gap.value, gap.low, gap.high) == pytest.approx((0.45, at_least, at_most), abs=1e-12)


def test_equal_answers_are_close_but_only_as_close_as_the_rows_can_show() -> None:
    codes = np.repeat([0, 1], 500)
    gap = gap_of(np.tile(np.arange(500.0), 2), everybody(1_000), codes)
    assert (gap.value, gap.low, np.isfinite(gap.threshold)) == (0.0, 0.0, True)
    assert 0.05 < gap.high < 0.2


def test_a_constant_answer_has_no_gap_and_its_bounds_shrink_with_rows() -> None:
    ends = [gap_of(np.full(2 * n, 7.0), everybody(2 * n), np.repeat([0, 1], n)).high for n in (50, 500, 5_000)]
    assert ends[0] > ends[1] > ends[2] > 0


samples = st.integers(0, 2**32 - 1)


@settings(max_examples=25, deadline=None)
@given(seed=samples, binary=st.booleans())
def test_laws(seed: int, binary: bool) -> None:
    """Order of rows, names of groups and strictly increasing changes of the answers change nothing."""
    rng = np.random.default_rng(seed)
    n = 400
    strata, codes = rng.integers(-1, 2, size=n), rng.integers(3, size=n)
    answers = rng.integers(2 if binary else 7, size=(n, 2)).astype(np.float64)
    gap = gap_of(answers, strata, codes)
    assert 0 <= gap.low <= gap.value <= gap.high <= 1
    order = rng.permutation(n)
    moved = gap_of(answers[order], strata[order], codes[order])
    assert (moved.value, moved.low, moved.high, moved.threshold) == (gap.value, gap.low, gap.high, gap.threshold)
    renamed = gap_of(answers, strata, np.array([2, 0, 1])[codes])
    assert (renamed.value, renamed.low, renamed.high) == (gap.value, gap.low, gap.high)
    if not binary:
        stretched = gap_of(np.exp(answers), strata, codes)
        assert (stretched.value, stretched.low, stretched.high) == (gap.value, gap.low, gap.high)
    assert gap_of(answers, strata, codes, alpha=0.01).high >= gap.high
    assert gap_of(answers, strata, codes, alpha=0.01).low <= gap.low


def test_the_probabilities_of_two_classes_are_one_answer() -> None:
    rng = np.random.default_rng(5)
    p, codes = rng.random(300), np.repeat([0, 1, 2], 100)
    both, one = gap_of(np.column_stack([1 - p, p]), everybody(300), codes), gap_of(p, everybody(300), codes)
    assert (both.value, both.low, both.high, both.answer) == (one.value, one.low, one.high, 1)


def test_small_cells_are_listed_and_not_compared() -> None:
    codes = np.repeat([0, 1, 2, 0, 1], [100, 100, 29, 100, 30])
    strata = np.repeat([0, 1], [229, 130])
    answers = np.where(codes == 2, 9.0, np.arange(359.0) % 7)
    gap = gap_of(answers, strata, codes)
    assert gap.small.tolist() == [[0, 2], [1, 2]]
    assert 2 not in gap.groups
    assert gap.value < 0.2


def test_a_group_without_people_in_a_stratum_is_no_more_cleared_than_one_with_few() -> None:
    """Otherwise leaving out twelve people would turn insufficient evidence into "no violation"."""
    codes, strata = np.repeat([0, 1, 0, 1], [100, 100, 100, 12]), np.repeat([0, 1], [200, 112])
    answers = np.arange(312.0) % 7
    assert gap_of(answers, strata, codes).small.tolist() == [[1, 1]]
    assert gap_of(answers[:300], strata[:300], codes[:300]).small.tolist() == [[1, 1]]
    assert gap_of(answers[:200], 2 * strata[:200], codes[:200]).small.tolist() == []


def test_a_stratum_with_one_group_and_rows_in_none_have_no_gap() -> None:
    codes = np.repeat([0, 1, 0, 1, 1], [100, 100, 50, 50, 10])
    strata = np.repeat([0, 0, -1, -1, 1], [100, 100, 50, 50, 10])
    answers = np.where(strata == 0, np.arange(310.0) % 5, codes)
    gap = gap_of(answers, strata, codes)
    assert (gap.stratum, gap.small.tolist()) == (0, [[1, 0], [1, 1]])
    assert gap.value < 0.1


@pytest.mark.parametrize("rows", [(40, 29), (69, 0)])
def test_nothing_to_compare_is_said(rows: tuple[int, int]) -> None:
    gap = gap_of(np.arange(69.0), everybody(69), np.repeat([0, 1], rows))
    assert np.isnan(gap.value)
    assert (gap.low, gap.high, gap.stratum, gap.answer, gap.groups) == (0.0, 1.0, -1, -1, (-1, -1))


NORMAL_GAP = 2 * norm.cdf(0.25) - 1
"""Kolmogorov distance of two normal distributions half a standard deviation apart."""


@pytest.mark.parametrize(("shape", "largest"), [("numbers", NORMAL_GAP), ("decisions", 0.2), ("same", 0.0)])
def test_bounds_hold_as_often_as_promised(shape: str, largest: float) -> None:
    """Three groups in two strata, one of which differs: at a confidence of 80%, so that a fault would show."""
    rng = np.random.default_rng(6)
    held = 0
    for _ in range(300):
        codes, strata = np.tile([0, 1, 2], 120), np.repeat([0, 1], 180)
        differs = (codes == 2) & (strata == 1)
        if shape == "decisions":
            answers = (rng.random(360) < 0.4 + 0.2 * differs).astype(np.float64)
        else:
            answers = rng.normal(size=360) + 0.5 * differs * (shape == "numbers")
        gap = gap_of(answers, strata, codes, alpha=0.2)
        held += gap.low <= largest <= gap.high
    assert held / 300 >= 0.8


@pytest.mark.long
@pytest.mark.parametrize("rare", [0.003, 0.02, 0.3])
def test_bounds_of_answers_that_are_hardly_ever_anything_but_0_hold(rare: float) -> None:
    """Where a few answers lie between 0 and 1, chance decides by which inequality a sample is judged."""
    rng = np.random.default_rng(7)
    held = 0
    for _ in range(4_000):
        codes = np.repeat([0, 1], [60, 400])
        draw = rng.random(460)
        answers = np.where(draw < rare * (codes == 0), np.where(draw < rare / 2, 0.5, 1.0), 0.0)
        gap = gap_of(answers, everybody(460), codes, alpha=0.2)
        held += gap.low <= rare <= gap.high
    assert held / 4_000 >= 0.8
