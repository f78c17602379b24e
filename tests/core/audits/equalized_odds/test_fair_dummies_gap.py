"""The largest gap between groups: two other libraries, laws, and how often its bounds hold."""

import math
from itertools import product

import numpy as np
import pandas as pd
import pytest
from fairlearn.metrics import equalized_odds_difference
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import beta, binom, hypergeom, ks_2samp, norm

from core import audit
from core.audits.equalized_odds.cells import MOST_THRESHOLDS
from core.audits.equalized_odds.gap import EqualizedOddsGap, MeasuredGap
from core.audits.equalized_odds.settings import EqualizedOdds
from core.inference.estimate import Verdict
from core.inference.share import exact_limits


def measured(answers: np.ndarray, strata: np.ndarray, codes: np.ndarray, *, fewest: int = 30) -> MeasuredGap:
    """The gap of one answer, or several, among as many groups as there are codes."""
    table = answers.reshape(len(answers), -1).astype(np.float64)
    return MeasuredGap.of(table, strata, codes, fewest=fewest)


def gap_of(
    answers: np.ndarray, strata: np.ndarray, codes: np.ndarray, *, alpha: float = 0.05, fewest: int = 30
) -> EqualizedOddsGap:
    """The same with its bounds."""
    found = measured(answers, strata, codes, fewest=fewest)
    return found.at(found.lower_bound(alpha), found.upper_bound(alpha))


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


def quadrature(more: tuple[int, int], less: tuple[int, int], alpha: float) -> float:
    """Upper bound of a difference of two shares, given as (people, of): Clopper and Pearson's limits in quadrature."""
    (k, m), (j, n) = more, less
    up = (1.0 if k == m else beta.ppf(1 - alpha, k + 1, m - k)) - k / m
    down = j / n - (0.0 if j == 0 else beta.ppf(alpha, j, n - j + 1))
    return float(k / m - j / n + math.sqrt(up**2 + down**2))


def test_the_upper_bound_of_numbers_is_the_largest_of_all_thresholds_and_pairs(
    people: tuple[np.ndarray, np.ndarray, np.ndarray],
) -> None:
    answers, strata, codes = people
    bounds = []
    for s, c, a, b in product(range(3), range(3), range(3), range(3)):
        first, second = (answers[(strata == s) & (codes == group), c] for group in (a, b))
        if a != b:
            for threshold in np.append(np.unique(answers[strata == s, c]), -np.inf):
                counts = [(int((one > threshold).sum()), len(one)) for one in (first, second)]
                bounds.append(quadrature(*counts, 0.1))
    assert measured(answers, strata, codes).upper_bound(0.1) == pytest.approx(max(bounds), abs=1e-12)


def test_answers_that_all_differ_are_counted_above_a_thousand_quantiles() -> None:
    """What lies between two of them is counted at its worst, so that the bound is no lower than that of them all."""
    rng = np.random.default_rng(9)
    answers, codes = rng.normal(size=6_000), rng.integers(2, size=6_000)
    found = measured(answers, everybody(6_000), codes)
    assert len(found.cells[0].thresholds) == MOST_THRESHOLDS + 1
    first, second = answers[codes == 0], answers[codes == 1]
    distance = ks_2samp(first, second).statistic
    assert distance - 0.001 <= found.value <= distance
    exact = max(
        quadrature((int((one > t).sum()), len(one)), (int((other > t).sum()), len(other)), 0.05)
        for t in answers[::7]
        for one, other in ((first, second), (second, first))
    )
    assert exact <= found.upper_bound(0.05) <= exact + 0.004


def test_the_p_value_of_no_gap_is_fishers_where_there_is_one_decision() -> None:
    """Groups are exchanged: how many of the first group are decided for is hypergeometric."""
    decided = np.concatenate([np.arange(40) < 18, np.arange(60) < 14])
    found = measured(decided, everybody(100), np.repeat([0, 1], [40, 60]))
    counts = np.arange(41)
    apart = np.abs(counts / 40 - (32 - counts) / 60)
    expected = hypergeom(100, 32, 40).pmf(counts)[apart >= found.value - 1e-9].sum()
    exchanged = found.drawn_by_chance(20_000)[0]
    assert (exchanged >= found.value / scale(found) - 1e-9).mean() == pytest.approx(expected, abs=0.006)


def test_draws_from_each_group_vary_as_binomial_counts_do() -> None:
    decided = np.concatenate([np.arange(40) < 18, np.arange(60) < 3])
    found = measured(decided, everybody(100), np.repeat([0, 1], [40, 60]))
    anew = found.drawn_by_chance(20_000)[1] * scale(found)
    k, j = np.arange(41)[:, None], np.arange(61)[None]
    chance = binom(40, 18 / 40).pmf(k) * binom(60, 3 / 60).pmf(j)
    apart = np.abs((k - 18) / 40 - (j - 3) / 60)
    for least in (5.5 / 120, 12.5 / 120, 24.5 / 120):
        assert (anew >= least).mean() == pytest.approx(chance[apart >= least].sum(), abs=0.012)


def scale(found: MeasuredGap) -> float:
    """Standard deviation of the difference of the two groups' shares if they do not differ."""
    (cells,) = found.cells
    share = cells.above[:, -2].sum() / cells.rows.sum()
    return float(np.sqrt(max(share * (1 - share), 0.05) * (1 / cells.rows).sum()))


def test_ranks_of_p_values_and_lower_bounds() -> None:
    """Of 199 draws the tenth largest is exceeded with probability 0.05; the gap itself counts as one more draw.

    One person is answered otherwise, so that answers are no decisions.
    """
    decided = np.concatenate([np.arange(100) < 70, np.arange(100) < 40]).astype(float)
    decided[0] = 2.0
    found = measured(decided, everybody(200), np.repeat([0, 1], 100))
    ways = found.drawn_by_chance(199)
    for alpha, rank in ((0.05, 10), (0.0499, 9), (0.5, 100)):
        largest = max(float(np.sort(draws)[-rank]) for draws in ways)
        assert found.lower_bound(alpha) == pytest.approx(0.3 - largest * scale(found), abs=1e-8)
    assert found.lower_bound(0.0049) == 0.0
    for delta in (0.0, 0.15, 0.25):
        beyond = [(0.3 - draws * scale(found) <= delta + 1e-8).sum() for draws in ways]
        assert found.p_value(delta) == (1 + max(beyond)) / 200


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), alpha=st.floats(0.001, 0.5), delta=st.floats(0.0, 0.6))
def test_the_p_value_and_the_lower_bound_say_the_same(seed: int, alpha: float, delta: float) -> None:
    rng = np.random.default_rng(seed)
    codes, strata = rng.integers(3, size=300), rng.integers(2, size=300)
    answers = rng.random(300) < 0.3 + rng.choice([0.0, 0.3, 0.6]) * (codes == 0)
    found = measured(answers, strata, codes)
    p = min(found.p_value(delta), 0.5)
    for at in (alpha, p, float(np.nextafter(p, 0.0)), float(np.nextafter(p, 1.0))):
        assert (found.p_value(delta) <= at) == (found.lower_bound(at) > delta)
    assert found.p_value(delta / 2) <= found.p_value(delta)
    assert (
        0.0
        <= found.lower_bound(alpha / 2)
        <= found.lower_bound(alpha)
        <= found.value
        <= found.upper_bound(alpha)
        <= found.upper_bound(alpha / 2)
    )


def test_the_same_seed_gives_the_same_bytes(people: tuple[np.ndarray, np.ndarray, np.ndarray]) -> None:
    answers, strata, codes = people
    first, again, other = (MeasuredGap.of(answers, strata, codes, seed=(seed,)) for seed in (4, 4, 5))
    assert first.lower_bound(0.4) == again.lower_bound(0.4)
    assert any(
        (one != two).any() for one, two in zip(first.drawn_by_chance(50), other.drawn_by_chance(50), strict=True)
    )


def test_equal_answers_are_close_but_only_as_close_as_the_rows_can_show() -> None:
    codes = np.repeat([0, 1], 500)
    gap = gap_of(np.tile(np.arange(500.0), 2), everybody(1_000), codes)
    assert (gap.value, gap.low, np.isfinite(gap.threshold)) == (0.0, 0.0, True)
    assert 0.05 < gap.high < 0.1


def test_a_constant_answer_has_no_gap_and_its_bounds_shrink_with_rows() -> None:
    ends = [gap_of(np.full(2 * n, 7.0), everybody(2 * n), np.repeat([0, 1], n)).high for n in (50, 500, 5_000)]
    assert ends[0] > ends[1] > ends[2] > 0


samples = st.integers(0, 2**32 - 1)


@settings(max_examples=12, deadline=None)
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
    assert (renamed.value, renamed.high) == pytest.approx((gap.value, gap.high), abs=1e-12)
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


@pytest.mark.parametrize(
    ("shape", "largest"),
    [("numbers", NORMAL_GAP), ("decisions", 0.2), pytest.param("same", 0.0, marks=pytest.mark.long)],
)
def test_bounds_hold_as_often_as_promised(shape: str, largest: float) -> None:
    """Three groups in two strata, one of which differs: at an error rate of 20%, so that a fault would show."""
    rng = np.random.default_rng(6)
    missed = np.zeros(2)
    for _ in range(60):
        codes, strata = np.tile([0, 1, 2], 120), np.repeat([0, 1], 180)
        differs = (codes == 2) & (strata == 1)
        if shape == "decisions":
            answers = (rng.random(360) < 0.4 + 0.2 * differs).astype(np.float64)
        else:
            answers = rng.normal(size=360) + 0.5 * differs * (shape == "numbers")
        gap = gap_of(answers, strata, codes, alpha=0.2)
        missed += gap.low > largest, gap.high < largest
    assert (missed / 60 <= 0.2 + 2 * math.sqrt(0.2 * 0.8 / 60)).all()
    assert missed[0] > 0


@pytest.mark.parametrize(("m", "n"), [(30, 30), (30, 500), (100, 1_000), (500, 500)])
@pytest.mark.parametrize("alpha", [0.05, 0.2])
def test_an_upper_bound_at_one_threshold_is_hardly_ever_too_low(m: int, n: int, alpha: float) -> None:
    """By enumeration of all pairs of counts: Newcombe's is too low in up to 7.8% of tables of 30 and 500 people."""
    first, second = np.arange(m + 1)[:, None], np.arange(n + 1)[None]
    up = exact_limits(first, np.array(m), alpha)[1] - first / m
    down = second / n - exact_limits(second, np.array(n), alpha)[0]
    bounds = first / m - second / n + np.hypot(up, down)
    for difference in (0.02, 0.1, 0.3):
        for share in np.append(np.linspace(0, 1 - difference, 12), [0.005, 0.03]):
            chance = binom(m, share + difference).pmf(np.arange(m + 1))[:, None] * binom(n, share).pmf(np.arange(n + 1))
            assert chance[bounds < difference - 1e-9].sum() <= alpha * 1.12


@pytest.mark.long
@pytest.mark.parametrize("rare", [0.003, 0.02, 0.3])
def test_bounds_of_answers_that_are_hardly_ever_anything_but_0_hold(rare: float) -> None:
    """Where a few answers lie between 0 and 1, chance decides by which inequality a sample is judged.

    Samples without such answers have mid-P limits, which hold 70 times in 100 of a share of 0.02 among 60 people.
    """
    chances = binom.pmf(np.arange(61), 60, rare)
    by_mid_p = chances[np.cumsum(chances) - chances / 2 >= 0.2].sum()
    rng = np.random.default_rng(7)
    held = 0
    for _ in range(4_000):
        codes = np.repeat([0, 1], [60, 400])
        draw = rng.random(460)
        answers = np.where(draw < rare * (codes == 0), np.where(draw < rare / 2, 0.5, 1.0), 0.0)
        held += measured(answers, everybody(460), codes).upper_bound(0.2) >= rare
    assert held / 4_000 >= min(0.8, by_mid_p) - 0.02


@pytest.mark.parametrize(
    ("shares", "most"), [((0.04, 0.08), 0.08), ((0.96, 0.92), 0.08), ((0.45, 0.5), 0.5), ((0.2, 0.7), 1.0)]
)
def test_rare_answers_leave_room_for_small_differences_only(shares: tuple[float, float], most: float) -> None:
    codes = np.repeat([0, 1], 100)
    answers = np.concatenate([np.arange(100) < round(100 * share) for share in shares]).astype(float)[:, None]
    found = measured(answers, everybody(200), codes)
    assert found.attainable == pytest.approx(most)


def test_a_tolerance_that_no_difference_can_exceed_clears_nobody() -> None:
    """The same answers as in group fairness, where 9 of 100 in either group get the better answer."""
    rng = np.random.default_rng(3)
    table = pd.DataFrame({"group": np.repeat(["a", "b"], 2_000), "size": rng.normal(size=4_000)})
    table["invited"] = np.where(np.arange(4_000) % 2_000 < 180, "yes", "no")
    asked = EqualizedOdds(asks="demographic parity")
    found = audit(
        table, predictions="invited", no_outcome=True, by_people=True, favourable="yes", protected=["group"],
        tests=asked, seed=0,
    )  # fmt: skip
    finding = found["equalized_odds"]._finding
    assert finding.by_claims is Verdict.NO_VIOLATION
    assert finding.verdict is Verdict.INSUFFICIENT
    assert "no difference can exceed the tolerance of 10 points" in str(finding.reasons[0].what)
    assert finding.under(delta=0.08).verdict is Verdict.NO_VIOLATION
