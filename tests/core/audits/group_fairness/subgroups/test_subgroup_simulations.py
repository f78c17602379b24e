"""What is promised about all subgroups together, in made-up tables whose truth is known.

Every table has 6 columns of 2 to 6 unequal values, so that some 210 overlapping subgroups of 30 to 1,000 people are
judged, half of them with fewer than 110. The truth is the mean risk inside less that outside.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
import pytest
from scipy.stats import binom

from core.audits.group_fairness.subgroups.candidates import Column
from core.audits.group_fairness.subgroups.scan import SubgroupScan, compare
from core.audits.group_fairness.subgroups.verdicts import judge

Kind = Literal["shares", "numbers"]
RATES = (0.02, 0.05, 0.1, 0.3)
ALPHA = 0.05


@dataclass(frozen=True)
class Kept:
    """How often what is promised was kept, in R tables.

    Attributes:
        lower: Tables in which every lower bound held.
        upper: Tables in which every upper bound held.
        wrong: Share of flags that were wrong in each table, shape (R,).
        firmly_wrong: Tables with a wrong firm flag.
        certified_wrong: Tables with a wrong certificate.
        found: Share of the subgroups beyond the tolerance that were flagged, on average.
    """

    lower: int
    upper: int
    wrong: np.ndarray
    firmly_wrong: int
    certified_wrong: int
    found: float


def simulate(kind: Kind, effect: float, tables: int, *, tolerance: float, seed: int, rows: int = 1_500) -> Kept:
    """Audit ``tables`` tables of people whose risk is ``1 + effect`` times the rate in two overlapping subgroups."""
    lower = upper = firmly = certified = 0
    wrong, found = [], []
    for table in range(tables):
        rng = np.random.default_rng((seed, table))
        columns = _columns(rng, rows)
        rate = RATES[table % len(RATES)] if kind == "shares" else 1.0
        risk = np.full(rows, rate)
        risk[(columns[1].codes == 0) & (columns[2].codes == 1)] += effect * rate
        risk[columns[4].codes == 2] += effect / 2 * rate
        harm = (rng.random(rows) < risk).astype(float) if kind == "shares" else risk * _noise(rng, rows, table)
        scan = compare(columns, harm, shares=kind == "shares", depth=2, draws=300, rng=rng)
        truth = _truth(scan, columns, risk)
        judged = judge(scan, tolerance, ALPHA)
        within = truth <= tolerance * scan.scale
        lower += bool((judged.low <= truth).all())
        upper += bool((judged.high >= truth).all())
        firmly += bool((judged.firm & within).any())
        certified += bool((judged.certified & ~within).any())
        wrong.append((judged.flagged & within).sum() / max(1, judged.flagged.sum()))
        found.append((judged.flagged & ~within).sum() / max(1, (~within).sum()))
    return Kept(lower, upper, np.array(wrong), firmly, certified, float(np.mean(found)))


def _columns(rng: np.random.Generator, rows: int) -> tuple[Column, ...]:
    return tuple(
        Column(f"c{j}", tuple("abcdef"[:k]), rng.choice(k, rows, p=rng.dirichlet(np.full(k, 3.0))).astype(np.int64))
        for j, k in enumerate((2, 3, 4, 4, 5, 6))
    )


def _noise(rng: np.random.Generator, rows: int, table: int) -> np.ndarray:
    """Of mean 1: absolute values of normal errors, exponential and lognormal ones in turns."""
    if table % 3 == 0:
        return np.abs(rng.standard_normal(rows)) * np.sqrt(np.pi / 2)
    return rng.standard_exponential(rows) if table % 3 == 1 else np.exp(0.7 * rng.standard_normal(rows) - 0.245)


def _truth(scan: SubgroupScan, columns: tuple[Column, ...], risk: np.ndarray) -> np.ndarray:
    inside = np.array(
        [
            np.all([one.codes == code for one, code in zip(columns, member, strict=True) if code >= 0], axis=0)
            for member in scan.members
        ]
    )
    return np.array([risk[row].mean() - risk[~row].mean() for row in inside])


def at_least(tables: int, share: float) -> int:
    """A count of tables that a share as large as ``share`` falls below once in a thousand times."""
    return int(binom.ppf(0.001, tables, share))


@pytest.mark.parametrize("kind", ["shares", "numbers"])
def test_bounds_hold_together_and_flags_are_rare_where_nobody_fares_worse(kind: Kind) -> None:
    kept = simulate(kind, 0.0, 16, tolerance=0.0, seed=1)
    assert min(kept.lower, kept.upper) >= at_least(16, 0.93)
    assert 16 - kept.firmly_wrong >= at_least(16, 1 - ALPHA)
    assert kept.wrong.mean() <= 0.2


def test_subgroups_that_fare_much_worse_are_found_and_the_others_are_not() -> None:
    kept = simulate("shares", 2.0, 6, tolerance=0.02, seed=2)
    assert kept.found > 0.1
    assert kept.wrong.mean() <= 0.1
    assert kept.certified_wrong <= 2


def p_values(apart: float, tables: int, *, rows: int = 1_200) -> np.ndarray:
    """Of the worst subgroup at a tolerance of 5 points, where one group of three fares worse."""
    found = []
    for table in range(tables):
        rng = np.random.default_rng((7, table))
        columns = tuple(Column(f"c{j}", tuple("abc"), rng.integers(3, size=rows)) for j in range(2))
        harm = (rng.random(rows) < 0.1 + apart * (columns[0].codes == 0)).astype(float)
        scan = compare(columns, harm, shares=True, depth=1, draws=200, rng=rng)
        found.append(scan.together(float(scan.p_values(0.05).min())))
    return np.array(found)


@pytest.mark.parametrize(("tables", "errors"), [(60, 2.5), pytest.param(1_000, 2.0, marks=pytest.mark.long)])
def test_at_the_tolerance_the_p_value_is_small_as_rarely_as_it_says_and_far_above_it_nearly_always(
    tables: int, errors: float
) -> None:
    at, above = p_values(0.05, tables), p_values(0.15, tables)
    false, power = float((at <= ALPHA).mean()), float((above <= ALPHA).mean())
    print(f"\nsmall p-values at the tolerance {false:.3f}, 10 points above it {power:.3f}")
    assert false <= ALPHA + errors * np.sqrt(ALPHA * (1 - ALPHA) / tables)
    assert power >= 0.9


@pytest.mark.long
@pytest.mark.parametrize("kind", ["shares", "numbers"])
@pytest.mark.parametrize("effect", [0.0, 0.5, 2.0])
def test_everything_promised_is_kept(kind: Kind, effect: float) -> None:
    tables = 400
    kept = simulate(kind, effect, tables, tolerance=0.0 if effect == 0 else 0.02, seed=3)
    print(
        f"\n{kind}, {1 + effect:g} times the risk: all lower bounds held in {kept.lower / tables:.3f}, upper in "
        f"{kept.upper / tables:.3f}; wrong among flags {kept.wrong.mean():.4f}, any wrong firm flag "
        f"{kept.firmly_wrong / tables:.3f}, any wrong certificate {kept.certified_wrong / tables:.3f}; found "
        f"{kept.found:.3f}"
    )
    two_errors = 2 * np.sqrt(ALPHA * (1 - ALPHA) / tables)
    assert min(kept.lower, kept.upper) / tables >= 0.93
    assert kept.wrong.mean() <= ALPHA + two_errors
    assert kept.firmly_wrong / tables <= ALPHA + two_errors
    assert kept.certified_wrong / tables <= ALPHA + two_errors
