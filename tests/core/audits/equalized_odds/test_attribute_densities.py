"""P(A | Z) as learned: against other optimisers and closed forms, and the laws of ranks."""

import numpy as np
import pytest
from scipy.optimize import approx_fprime, minimize
from scipy.stats import norm

from core.audits.equalized_odds.densities import CELLS, GroupDensities
from core.audits.equalized_odds.tilting import _RIDGE, NumberDensities, Tilt

LEVELS = 20


def line(m: int, seed: int, *, spread: float = 1.0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Z, A = Z and noise, and the bins of A."""
    rng = np.random.default_rng(seed)
    z = rng.standard_normal(m)
    a = z + spread * rng.standard_normal(m)
    return z, a, np.searchsorted(np.quantile(a, np.arange(1, LEVELS) / LEVELS), a)


@pytest.fixture(scope="module")
def learned() -> NumberDensities:
    z, _, codes = line(400, 0)
    return NumberDensities.learned(z, codes, LEVELS)


def test_slopes_and_curvature_are_those_of_the_likelihood(learned: NumberDensities) -> None:
    z, _, codes = line(400, 0)
    counts = np.zeros((LEVELS, CELLS))
    np.add.at(counts, (codes, learned.cells(z)), 1)
    tilt, rng = learned.tilt, np.random.default_rng(1)
    spot = tilt.coefficients + 0.1 * rng.standard_normal(len(tilt.coefficients))

    def likelihood(coefficients: np.ndarray) -> float:
        return Tilt(tilt.polynomials, tilt.splines, coefficients).likelihood(counts)

    def slopes(coefficients: np.ndarray) -> np.ndarray:
        expected = tilt.chances(coefficients) * counts.sum(axis=0)
        return tilt.slopes(counts - expected) - _RIDGE * coefficients

    assert slopes(spot) == pytest.approx(approx_fprime(spot, likelihood, 1e-6), abs=1e-2)
    along = rng.standard_normal(len(spot))
    bent = (slopes(spot + 1e-5 * along) - slopes(spot - 1e-5 * along)) / 2e-5
    assert -tilt.curvature(tilt.chances(spot), counts.sum(axis=0)) @ along == pytest.approx(bent, rel=1e-4, abs=1e-4)


def test_no_other_optimiser_finds_a_likelier_tilt(learned: NumberDensities) -> None:
    z, _, codes = line(400, 0)
    counts = np.zeros((LEVELS, CELLS))
    np.add.at(counts, (codes, learned.cells(z)), 1)
    tilt = learned.tilt
    found = minimize(
        lambda x: -Tilt(tilt.polynomials, tilt.splines, x).likelihood(counts),
        np.zeros(len(tilt.coefficients)),
        jac=lambda x: _RIDGE * x - tilt.slopes(counts - tilt.chances(x) * counts.sum(axis=0)),
        method="L-BFGS-B",
        options={"maxiter": 5_000, "maxfun": 20_000, "ftol": 1e-14},
    )
    assert -found.fun <= tilt.likelihood(counts) + 1e-6


@pytest.mark.parametrize("spread", [1.0, 0.3], ids=["half explained", "nine tenths explained"])
def test_a_normal_attribute_is_as_wide_as_it_is(spread: float) -> None:
    """Bins of a normal distribution around Z; a kernel of the ranks of Z and A makes them wider."""
    z, a, codes = line(4_000, 2, spread=spread)
    edges = np.concatenate([[-np.inf], np.quantile(a, np.arange(1, LEVELS) / LEVELS), [np.inf]])
    there = np.linspace(-1.5, 1.5, 31)
    exact = np.diff(norm.cdf((edges - there[:, None]) / spread), axis=1)
    found = NumberDensities.learned(z, codes, LEVELS).at(there)
    assert np.abs(found - exact).sum(axis=1).mean() < 0.1
    middles = np.arange(LEVELS)
    width = [np.sqrt((p @ middles**2) - (p @ middles) ** 2) for p in (found, exact)]
    assert width[0] == pytest.approx(width[1], rel=0.15)


def test_a_spread_that_follows_z_and_two_peaks_are_found() -> None:
    rng = np.random.default_rng(3)
    z = rng.uniform(-2, 2, 4_000)
    for a in (np.exp(z / 2) * rng.standard_normal(4_000), rng.choice([-1, 1], 4_000) * z + 0.3 * rng.random(4_000)):
        codes = np.searchsorted(np.quantile(a, np.arange(1, LEVELS) / LEVELS), a)
        at = NumberDensities.learned(z, codes, LEVELS).at(np.array([-1.8, 0.0, 1.8]))
        for place, near in enumerate((-1.8, 0.0, 1.8)):
            close = np.abs(z - near) < 0.2
            found = np.bincount(codes[close] // 4, minlength=5) / close.sum()
            assert at[place].reshape(5, 4).sum(axis=1) == pytest.approx(found, abs=0.1)


def test_only_the_order_of_z_counts_and_turning_a_round_turns_the_bins_round() -> None:
    z, _, codes = line(300, 4)
    plain = NumberDensities.learned(z, codes, LEVELS)
    assert NumberDensities.learned(np.exp(z), codes, LEVELS).table.tobytes() == plain.table.tobytes()
    turned = NumberDensities.learned(z, LEVELS - 1 - codes, LEVELS)
    assert turned.table[::-1] == pytest.approx(plain.table, rel=1e-3, abs=1e-6)


def test_learning_again_is_about_what_learning_from_those_rows_gives(learned: NumberDensities) -> None:
    z, _, codes = line(400, 0)
    again = learned.relearned(z, np.stack([codes, codes]))
    assert again == pytest.approx(np.stack([learned.table] * 2), abs=1e-3)
    rng = np.random.default_rng(5)
    drawn = (rng.random((400, 1)) > learned.at(z).cumsum(axis=1)).sum(axis=1)
    once = learned.relearned(z, drawn[None])[0]
    full = NumberDensities.learned(z, drawn, LEVELS)
    apart = np.abs(once - full.table).sum(axis=0).mean()
    assert apart < 0.6 * np.abs(learned.table - full.table).sum(axis=0).mean()


@pytest.mark.parametrize("levels", [1, 2, 3, 20])
@pytest.mark.parametrize("rows", [20, 60])
def test_few_rows_few_bins_and_few_values_give_probabilities(levels: int, rows: int) -> None:
    rng = np.random.default_rng(6)
    for z in (rng.standard_normal(rows), np.repeat([1.0, 2.0], rows // 2), np.zeros(rows)):
        codes = np.sort(np.arange(rows) % levels)
        model = NumberDensities.learned(z, codes, levels)
        table = model.relearned(z, codes[None])[0]
        for one in (model.table, table):
            assert one.sum(axis=0) == pytest.approx(1.0)
            assert (one > 0).all()


def test_groups_follow_kernel_densities_and_bayes_rule() -> None:
    """A plain sum over people and their images beyond both ends, at ranks rounded to cells."""
    rng = np.random.default_rng(7)
    z = rng.standard_normal(200)
    codes = (rng.random(200) < norm.cdf(z)).astype(np.int64)
    model = GroupDensities.learned(z, codes, 2)
    ranks = (np.argsort(np.argsort(z)) + 0.5) / 200
    there = np.array([0.1, 0.5, 0.9])
    weights = sum(np.exp(-(((there[:, None] - image) / model.width) ** 2) / 2) for image in (ranks, -ranks, 2 - ranks))
    shares = (weights * codes).sum(axis=1) / weights.sum(axis=1)
    assert model.at(np.quantile(z, there))[:, 1] == pytest.approx(shares, abs=0.03)
