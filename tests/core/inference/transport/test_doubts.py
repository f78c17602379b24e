"""Doubts where the truth is known to be difficult, and none where it is easy."""

import numpy as np
import pytest

from core.inference.transport import doubts as module
from core.inference.transport.costs import ClassCost, DenseCost
from core.inference.transport.doubts import Doubts, doubts
from core.inference.transport.draws import Draws
from core.inference.transport.envelope import Envelope
from core.inference.transport.prices import closeness
from tests.core.inference.transport.designs import METHODS, Population, free, of_people, quadratic


def doubted(method: str, population: Population, n: int, seed: int, draws: int = 400) -> Doubts:
    sample = population.sample(n, np.random.default_rng(seed))
    envelope = Envelope.build(sample.losses, population.cost)
    return doubts(method, envelope, Draws(sample, draws, seed), population.budget)  # type: ignore[arg-type]


def test_a_kink_is_noticed_in_most_samples_and_elsewhere_in_few() -> None:
    """Measured with 60 samples each: 0.82 to 0.88 at the kink, 0 beyond it."""
    at, beyond = (quadratic(60, decisions=True, share=share) for share in (1.0, 1.2))
    noticed = [bool(doubted("closed form", at, 500, seed).sentences) for seed in range(40)]
    wrongly = [bool(doubted("closed form", beyond, 500, seed).sentences) for seed in range(40)]
    assert np.mean(noticed) >= 0.7
    assert np.mean(wrongly) <= 0.1


def test_methods_that_know_kinks_are_not_doubted_there() -> None:
    at = quadratic(60, decisions=True, share=1.0)
    seed = next(seed for seed in range(40) if doubted("Efron", at, 500, seed).sentences)
    for method in METHODS:
        assert bool(doubted(method, at, 500, seed).sentences) == (method in ("closed form", "Efron"))


def test_a_value_carried_by_few_people_is_not_normal() -> None:
    few, many = free(144, 0.04), free(144, 0.3)
    assert "Few people" in doubted("closed form", few, 400, 1).sentences[0]
    assert not doubted("closed form", many, 400, 1).sentences
    assert not doubted("directional derivative", few, 400, 1).sentences


def test_free_moves_have_no_kink_and_the_skewness_of_a_proportion() -> None:
    population = free(40, 0.1)
    found = doubted("directional derivative", population, 5000, 1)
    share = population.sample(5000, np.random.default_rng(1)).masses @ (
        Envelope.build(population.losses, population.cost).free_gain
    )
    assert found.kink == 0.0
    assert found.skewness == pytest.approx((1 - 2 * share) / np.sqrt(5000 * share * (1 - share)))


def test_only_efrons_draws_are_checked_for_normality() -> None:
    population = quadratic(12, decisions=False, share=0.2)
    assert doubted("Efron", population, 500, 1).normality is not None
    assert doubted("m out of n", population, 500, 1).normality is None


def test_a_handful_of_people_is_too_few_for_every_method() -> None:
    losses, cost = np.array([0.0, 1.0, 0.0]), ClassCost(np.array([0, 0, 1]))
    for gaining, few in ((1, True), (3, True), (30, False)):
        sample = of_people(np.array([[gaining, 100, 200], [0, 100, 200]]), losses)
        for method in METHODS:
            found = doubts(method, Envelope.build(losses, cost), Draws(sample, 200, 1), 0.0)
            assert found.people == pytest.approx(gaining)
            assert any(f"about {gaining} people" in sentence for sentence in found.sentences) == few
    nobody = of_people(np.array([[0, 100, 200], [0, 100, 200]]), losses)
    found = doubts("closed form", Envelope.build(losses, cost), Draws(nobody, 200, 1), 0.0)
    assert (found.people, found.sentences) == (0.0, ())


def test_five_people_are_enough() -> None:
    losses, cost = np.array([0.0, 1.0]), ClassCost(np.array([0, 0]))
    found = doubts(
        "m out of n", Envelope.build(losses, cost), Draws(of_people(np.array([[5, 507]]), losses), 9, 0), 0.0
    )
    assert (found.people, found.sentences) == (5.0, ())


def one_free_one_paid(budget: float) -> Doubts:
    """Of 100 people 20 gain 1 for nothing and 30 gain 1 for 1, which is the only step that has a price."""
    matrix = np.full((4, 4), np.inf)
    np.fill_diagonal(matrix, 0.0)
    matrix[0, 1], matrix[2, 3] = 0.0, 1.0
    losses = np.array([0.0, 1.0, 0.0, 1.0])
    sample = of_people(np.array([[20, 25, 30, 25]]), losses)
    return doubts("closed form", Envelope.build(losses, DenseCost(matrix)), Draws(sample, 9, 0), budget)


@pytest.mark.parametrize(("budget", "people", "kink"), [
    (0.29, 20, np.sqrt(0.3 * 0.7 / (0.2 * 0.8))),
    (0.31, 50, np.sqrt(0.3 * 0.7 / (0.5 * 0.5))),
    (0.5, 50, 0.0),
])  # fmt: skip
def test_the_kink_is_what_the_paid_step_adds_to_the_gain(budget: float, people: int, kink: float) -> None:
    """The 30 are 4.6 people uncertain; a price of 1 is possible where the budget pays for about so many."""
    found = one_free_one_paid(budget)
    assert found.people == pytest.approx(people)
    assert found.kink == pytest.approx(kink)


def test_where_nobody_gains_on_one_side_of_a_single_step_there_is_no_kink() -> None:
    losses, cost = np.array([0.0, 1.0]), DenseCost(np.array([[0.0, 1.0], [np.inf, 0.0]]))
    draws = Draws(of_people(np.array([[30, 70]]), losses), 9, 0)
    found = [doubts("closed form", Envelope.build(losses, cost), draws, budget) for budget in (0.29, 0.31)]
    assert [(one.kink, one.people) for one in found] == [(0.0, 0.0), (pytest.approx(1.0), pytest.approx(30))]


def test_kinks_are_looked_for_a_third_further_away_than_bounds_allow_for_them() -> None:
    """What the paid step costs has a standard error of sqrt(0.3 * 0.7 / 100)."""
    error = np.sqrt(0.3 * 0.7 / 100)
    for errors, noticed in ((1.3, True), (1.37, False)):
        for side in (-1, 1):
            found = one_free_one_paid(0.3 + side * errors * closeness(100) * error)
            assert (found.kink > 0) == noticed


def test_what_is_as_large_as_allowed_is_not_told(monkeypatch: pytest.MonkeyPatch) -> None:
    kink = one_free_one_paid(0.31).kink
    for largest, told in ((kink, 0), (np.nextafter(kink, 0), 1)):
        monkeypatch.setattr(module, "LARGEST_KINK", largest)
        assert len(one_free_one_paid(0.31).sentences) == told
    skewness = one_free_one_paid(0.0).skewness
    assert skewness > 0
    for largest, told in ((skewness, 0), (np.nextafter(skewness, 0), 1)):
        monkeypatch.setattr(module, "LARGEST_SKEWNESS", largest)
        assert len(one_free_one_paid(0.0).sentences) == told
