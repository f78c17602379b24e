"""Differences of subgroups and everybody else: brute force, statsmodels, a loop with the same multipliers, laws."""

from dataclasses import fields

import numpy as np
import pytest
from scipy.stats import norm
from statsmodels.stats.weightstats import CompareMeans

from core.audits.group_fairness.subgroups import differences
from core.audits.group_fairness.subgroups.candidates import Candidates, Column, find_candidates
from core.audits.group_fairness.subgroups.scan import SubgroupScan, compare, harm_of
from core.models.answered import Answered


def made(seed: int = 0, n: int = 700) -> tuple[tuple[Column, ...], np.ndarray]:
    """Three columns, and a skewed harm that grows with the first."""
    rng = np.random.default_rng(seed)
    columns = tuple(
        Column(name, tuple("abcd"[:k]), rng.integers(0, k, n)) for name, k in (("one", 2), ("two", 3), ("three", 4))
    )
    return columns, rng.standard_exponential(n) * (1 + columns[0].codes)


def inside_of(found: Candidates) -> np.ndarray:
    """Who belongs to which subgroup, shape (s, n), bool."""
    return np.array([np.isin(found.cells, cells) for cells in found.inside])


def scanned(columns: tuple[Column, ...], harm: np.ndarray, *, depth: int = 2, seed: int = 3) -> SubgroupScan:
    return compare(columns, harm, shares=False, depth=depth, draws=50, rng=np.random.default_rng(seed))


def test_means_and_welch_s_error_are_those_of_statsmodels(monkeypatch) -> None:
    """Without the people that fill a subgroup up."""
    monkeypatch.setattr(differences, "PSEUDO_PEOPLE", 0)
    columns, harm = made()
    found = find_candidates(columns, 2)
    seen = differences.differences(found, harm)
    for place, inside in enumerate(inside_of(found)):
        both = CompareMeans.from_data(harm[inside], harm[~inside])
        assert seen.inside[place] == pytest.approx(harm[inside].mean(), rel=1e-12)
        assert seen.outside[place] == pytest.approx(harm[~inside].mean(), rel=1e-12)
        assert seen.errors[place] == pytest.approx(both.std_meandiff_separatevar, rel=1e-9)
        assert seen.freedom[place] == pytest.approx(both.dof_satt(), rel=1e-9)
        third = [((part - part.mean()) ** 3).mean() / len(part) ** 2 for part in (harm[inside], harm[~inside])]
        assert seen.skewness[place] == pytest.approx((third[0] - third[1]) / seen.errors[place] ** 3, rel=1e-9)


def test_four_people_drawn_from_everybody_give_a_subgroup_without_harm_an_error() -> None:
    codes = np.repeat([0, 1], [40, 160])
    harm = np.r_[np.zeros(40), np.arange(160) % 4 == 0].astype(float)
    seen = differences.differences(find_candidates((Column("a", ("x", "y"), codes),), 1), harm)
    spread = (4 * (harm.var() + harm.mean() ** 2)) / 44 * 40 / 39
    outside = 160 * 0.1875 + 4 * (harm.var() + (harm.mean() - 0.25) ** 2)
    assert seen.errors == pytest.approx(np.sqrt(spread / 40 + outside / 164 / 159), rel=1e-12)


def test_the_largest_draw_is_that_of_a_loop_with_the_same_multipliers() -> None:
    columns, harm = made(n=400)
    found = find_candidates(columns, 2)
    seen = differences.differences(found, harm)
    drawn = differences.draw_largest(found, harm, seen, 6, np.random.default_rng(5))
    rng = np.random.default_rng(5)
    cells = len(np.unique(found.cells))
    first, second = rng.standard_normal((2, cells, 6), dtype=np.float32)
    own = rng.standard_normal((len(found.rows), 6), dtype=np.float32)
    expected = np.empty((len(found.rows), 6))
    for b in range(6):
        people, harms = np.empty(cells), np.empty(cells)
        for cell in range(cells):
            part = harm[found.cells == cell] - harm.mean()
            people[cell] = np.sqrt(len(part)) * first[cell, b]
            slope = part.sum() / np.sqrt(len(part))
            harms[cell] = slope * first[cell, b] + np.sqrt(max((part**2).sum() - slope**2, 0)) * second[cell, b]
        for place, within in enumerate(found.inside):
            sides = []
            for mask, mean in (
                (np.isin(np.arange(cells), within), seen.inside[place]),
                (~np.isin(np.arange(cells), within), seen.outside[place]),
            ):
                count = np.isin(found.cells, np.flatnonzero(mask)).sum()
                sides.append((harms[mask].sum() - (mean - harm.mean()) * people[mask].sum()) / count)
            added = max(seen.errors[place] ** 2 - seen.plain[place], 0)
            noise = np.sqrt(added) * own[place, b]
            expected[place, b] = (sides[0] - sides[1] + noise) / np.sqrt(seen.plain[place] + added)
    np.testing.assert_allclose(drawn, np.r_[expected.max(axis=0), -expected.min(axis=0)], rtol=2e-5, atol=2e-5)


def test_the_largest_draw_has_the_law_of_a_loop_over_people() -> None:
    """A multiplier a person, in float64, with the exact influence of each person on each difference."""
    columns, harm = made(n=300)
    found = find_candidates(columns, 2)
    seen = differences.differences(found, harm)
    drawn = differences.draw_largest(found, harm, seen, 4_000, np.random.default_rng(1))
    inside = inside_of(found)
    n, m = inside.sum(axis=1, keepdims=True), (~inside).sum(axis=1, keepdims=True)
    influence = np.where(inside, (harm - seen.inside[:, None]) / n, -(harm - seen.outside[:, None]) / m)
    added = np.maximum(seen.errors**2 - seen.plain, 0)
    rng = np.random.default_rng(2)
    t = rng.standard_normal((8_000, len(harm))) @ influence.T + rng.standard_normal((8_000, len(n))) * np.sqrt(added)
    expected = (t / np.sqrt((influence**2).sum(axis=1) + added)).max(axis=1)
    for level in (0.5, 0.9, 0.95):
        assert np.quantile(drawn, level) == pytest.approx(np.quantile(expected, level), abs=0.07)


def test_a_subgroup_and_everybody_else_have_opposite_excess_and_bounds() -> None:
    columns, harm = made()
    scan = scanned(columns, harm, depth=1)
    low, high = scan.bounds(0.05)
    women, men = (scan.members.tolist().index([code, -1, -1]) for code in (0, 1))
    assert scan.excess[women] == pytest.approx(-scan.excess[men], rel=1e-12)
    assert low[women] == pytest.approx(-high[men], rel=1e-9)


def test_bounds_that_hold_together_lie_between_one_and_bonferroni_s() -> None:
    columns, harm = made()
    scan = compare(columns, harm, shares=False, depth=3, draws=2_000, rng=np.random.default_rng(0))
    for alpha in (0.01, 0.05, 0.2):
        assert alpha / len(scan) <= scan.level(alpha) < alpha
    assert scan.level(0.05) > 1.05 * 0.05 / len(scan)
    low, high = scan.bounds(0.05)
    wider = scan.bounds(0.01)
    assert (wider[0] < low).all()
    assert ((wider[1] > high) | np.isinf(high)).all()


def test_a_p_value_counted_for_all_is_the_smallest_error_rate_whose_bounds_reach_it() -> None:
    """Oracle: the error rates one by one; the draw seen counts among the draws."""
    columns, harm = made()
    scan = scanned(columns, harm)
    rates = np.arange(1, 1010) / 1010
    levels = np.array([scan.level(rate) for rate in rates])
    assert (np.diff(levels) >= 0).all()
    for p_value in (1e-6, 1e-4, 1e-3, 0.01, 0.03):
        reached = rates[levels >= p_value]
        found = scan.together(p_value)
        assert found <= reached[0] < found + 2 / 1010
        assert found >= 1 / (len(scan.largest) + 1) or found == pytest.approx(len(scan) * p_value)
    beyond = norm.sf(np.sort(scan.largest)[-3] + 1e-9)
    assert scan.together(beyond) == pytest.approx(min(3 / (len(scan.largest) + 1), len(scan) * beyond))
    assert scan.together(1.0) == 1.0


def test_names_and_order_of_people_change_nothing() -> None:
    columns, harm = made()
    scan = scanned(columns, harm)
    order = np.random.default_rng(9).permutation(len(harm))
    shuffled = scanned(tuple(Column(one.name, one.values, one.codes[order]) for one in columns), harm[order])
    for field in fields(SubgroupScan):
        if isinstance(value := getattr(scan, field.name), np.ndarray):
            np.testing.assert_allclose(getattr(shuffled, field.name), value, rtol=1e-4, atol=1e-6)
    renamed = scanned(
        tuple(Column("x" + one.name, tuple("wxyz"[: len(one.values)]), one.codes) for one in columns), harm
    )
    assert np.array_equal(renamed.largest, scan.largest)
    assert renamed.description(0)[0][0] == "x" + scan.description(0)[0][0]


def test_a_column_brought_twice_changes_nothing_but_the_count_of_alike() -> None:
    columns, harm = made()
    once = scanned(columns[:2], harm)
    twice = scanned((*columns[:2], Column("again", columns[1].values, columns[1].codes)), harm)
    assert twice.alike > once.alike == 0
    assert np.array_equal(twice.excess, once.excess)
    assert np.array_equal(twice.largest, once.largest)


def test_harms_all_alike_and_tables_without_subgroups_have_a_scan() -> None:
    columns, harm = made()
    flat = compare(columns, np.zeros(len(harm)), shares=True, depth=2, draws=50, rng=np.random.default_rng(0))
    low, high = flat.bounds(0.05)
    assert (low < 0).all()
    assert (high > 0).all()
    assert np.isfinite(flat.largest).all()
    assert flat.level(0.05) < 0.01
    level = scanned(columns, np.full(len(harm), 2.0))
    assert np.isinf(np.array(level.bounds(0.05))).all()
    assert (level.p_values(0.0) == 1).all()
    none = scanned((Column("id", tuple(map(str, range(100))), np.arange(100)),), harm[:100])
    assert (len(none), none.too_small, none.level(0.05)) == (0, 100, 0.05)
    assert none.bounds(0.05)[0].shape == none.p_values(0.0).shape == (0,)


def test_what_harms_whom() -> None:
    probabilities = np.array([[0.9, 0.1], [0.2, 0.8], [0.6, 0.4]])
    assert harm_of(Answered(("no", "yes"), 1, np.array([0.0, 0.0, 1.0]), probabilities)).tolist() == [0.0, 1.0, 1.0]
    assert harm_of(Answered((), -1, np.array([1.0, 5.0]), np.array([[3.0], [4.5]]))).tolist() == [2.0, 0.5]
    without_outcomes = Answered(("no", "yes"), 1, np.full(3, -1.0), probabilities)
    assert harm_of(without_outcomes).tolist() == [1.0, 0.0, 1.0]
