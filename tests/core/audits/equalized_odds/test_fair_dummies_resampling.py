"""Dummies: against all arrangements of tiny tables and closed forms, and exchangeable with the people there are."""

import itertools

import numpy as np
import pytest
from scipy.stats import kstest

from core.audits.equalized_odds import resampling
from core.audits.equalized_odds.resampling import fresh, in_units, permuted, swapped
from core.base.errors import CancelledError


def arrangements(codes: np.ndarray) -> np.ndarray:
    """Every different order of these values, shape (m, n)."""
    return np.array(sorted(set(itertools.permutations(codes.tolist()))))


def sums_of(losses: np.ndarray, all_codes: np.ndarray) -> np.ndarray:
    return losses[np.arange(len(losses)), all_codes].sum(axis=1)


def shares(sums: np.ndarray, expected: np.ndarray) -> np.ndarray:
    """Share of the sums at each of the expected ones; every sum is one of them."""
    place = np.abs(sums[:, None] - expected).argmin(axis=1)
    assert sums == pytest.approx(expected[place], abs=1e-9)
    return np.bincount(place, minlength=len(expected)) / len(sums)


@pytest.mark.parametrize("values", [2, 3])
def test_conditional_permutations_are_as_likely_as_their_products(values: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The distribution that Berrett and others (2020) draw from, eq. 2, over all orders of the same values."""
    rng = np.random.default_rng(0)
    codes = np.array([0, 1, 0, 1, values - 1, 0])
    chances = rng.dirichlet(np.ones(values), size=6) * 0.9 + 0.1 / values
    losses = rng.random((6, values))
    every = arrangements(codes)
    weights = chances[np.arange(6), every].prod(axis=1)

    monkeypatch.setattr(resampling, "STEPS", 80)
    sums = swapped(losses, codes, chances, 40_000, rng=np.random.default_rng(2))

    assert shares(sums, sums_of(losses, every)) == pytest.approx(weights / weights.sum(), abs=0.012)


def test_people_and_dummies_are_exchangeable_after_a_single_step(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the number of steps, the rank of people drawn from the null is uniform."""
    monkeypatch.setattr(resampling, "STEPS", 1)
    rng = np.random.default_rng(3)
    chances = np.array([[0.7, 0.2, 0.1], [0.1, 0.8, 0.1], [0.3, 0.3, 0.4], [0.5, 0.1, 0.4], [0.1, 0.1, 0.8]])
    losses = np.array([[0.0, 1.0, 5.0], [2.0, 0.0, 1.0], [0.0, 3.0, 1.0], [4.0, 0.0, 0.0], [0.0, 1.0, 7.0]])
    ranks = []
    for _ in range(1_500):
        codes = (rng.random((5, 1)) > chances.cumsum(axis=1)).sum(axis=1)
        sums = swapped(losses, codes, chances, 19, rng=rng)
        own = losses[np.arange(5), codes].sum()
        ranks.append((sums < own).sum() + rng.random() * ((sums == own).sum() + 1))
    assert kstest(np.array(ranks) / 20, "uniform").pvalue > 0.01


def test_fresh_draws_have_the_mean_and_the_variance_of_independent_ones() -> None:
    rng = np.random.default_rng(4)
    losses, chances = rng.random((40, 3)), rng.dirichlet(np.ones(3), size=40)
    mean = (chances * losses).sum()
    variance = ((chances * losses**2).sum(axis=1) - (chances * losses).sum(axis=1) ** 2).sum()

    sums = fresh(losses, chances, 20_000, rng=rng)

    assert sums.mean() == pytest.approx(mean, abs=4 * np.sqrt(variance / 20_000))
    assert sums.var() == pytest.approx(variance, rel=0.05)


def test_equal_losses_tie_exactly_whatever_the_order_of_rows() -> None:
    rng = np.random.default_rng(5)
    losses, unit = in_units(rng.standard_normal((200, 2)) * 1e-7 + 0.1)
    own = losses[:, 0]
    assert own.sum() == rng.permutation(own).sum()
    assert own.sum() * unit == pytest.approx(len(own) * 0.1, rel=1e-5)
    same = np.repeat(losses[:, :1], 2, axis=1)
    assert set(swapped(same, np.arange(200) % 2, np.full((200, 2), 0.5), 50, rng=rng)) == {own.sum()}
    assert set(permuted(own, np.array([120, 80]), 50, rng=rng).sum(axis=1)) == {own.sum()}


@pytest.mark.parametrize("values", [2, 3])
def test_the_selection_is_the_loss_of_predicting_anew_for_every_dummy(values) -> None:
    """Losses that are digits give away who has which value in each dummy."""
    rng = np.random.default_rng(6)
    codes, given = np.arange(12) % values, np.arange(12) % 4 // 2
    chances = rng.dirichlet(np.ones(values), size=12) * 0.9 + 0.1 / values
    digits = np.arange(values) * float(values) ** np.arange(12)[:, None]
    score = rng.standard_normal(12)

    def predict(drawn: np.ndarray) -> np.ndarray:
        return 0.3 * drawn - 0.1 * drawn**2 + 0.05 * given

    losses = np.stack([(score - predict(np.full(12, value))) ** 2 for value in range(values)], axis=1)
    written = swapped(digits, codes, chances, 30, rng=np.random.default_rng(7)).astype(int)
    dummies = written[:, None] // values ** np.arange(12) % values
    anew = [((score - predict(dummy)) ** 2).sum() for dummy in dummies]
    assert swapped(losses, codes, chances, 30, rng=np.random.default_rng(7)) == pytest.approx(np.array(anew))
    assert (np.sort(dummies) == np.sort(codes)).all()


@pytest.mark.parametrize("values", [2, 3])
def test_drawing_can_be_stopped(values) -> None:
    losses, codes = np.ones((50, values)), np.arange(50) % values
    chances = np.full((50, values), 1 / values)
    rng = np.random.default_rng(8)

    def stop(_) -> None:
        raise CancelledError("Stopped.")

    with pytest.raises(CancelledError):
        permuted(np.arange(50.0), np.bincount(codes), 9, rng=rng, on_progress=stop)
    with pytest.raises(CancelledError):
        permuted(np.arange(50) % 2, np.bincount(codes), 9, rng=rng, on_progress=stop)
    with pytest.raises(CancelledError):
        swapped(losses, codes, chances, 9, rng=rng, on_progress=stop)
    with pytest.raises(CancelledError):
        fresh(losses, chances, 9, rng=rng, on_progress=stop)
