"""The paper's own bootstraps: what they draw, and that they say where they fail."""

import numpy as np
import pytest

from core.inference.transport.doubts import doubts
from core.inference.transport.draws import Draws
from core.inference.transport.envelope import Envelope
from core.inference.transport.methods import PUBLISHED, Method, as_published, default_size, estimate_value, step
from core.inference.transport.truncated import distortion, truncated_draws
from tests.core.inference.transport.designs import Population, free, noisy, quadratic

SHARES = np.array([0.05, 0.15, 0.3, 0.5, 0.0])


def drawn(epsilon: float, draws: int = 20_000) -> np.ndarray:
    return np.concatenate(list(truncated_draws(SHARES, epsilon, draws, 1)))


def test_without_a_cut_the_draws_have_the_covariance_of_the_shares() -> None:
    z = drawn(1e-6)
    expected = np.diag(SHARES) - np.outer(SHARES, SHARES)
    np.testing.assert_allclose(np.cov(z.T), expected, atol=4 * 0.3 / 20_000**0.5)
    np.testing.assert_allclose(z.sum(axis=1), 0.0, atol=1e-12)
    assert (z[:, 4] == 0).all()


def test_with_a_cut_they_are_those_that_a_rejection_sampler_keeps() -> None:
    epsilon, rng = 0.5, np.random.default_rng(0)
    root = np.sqrt(SHARES)
    g = rng.standard_normal((400_000, 5)) * root
    whole = g - SHARES * g.sum(axis=1, keepdims=True)
    kept = whole[(SHARES + epsilon * whole >= 0).all(axis=1)]
    ours = drawn(epsilon)
    assert (SHARES + epsilon * ours >= -1e-12).all()
    np.testing.assert_allclose(ours.mean(axis=0), kept.mean(axis=0), atol=0.01)
    np.testing.assert_allclose(np.cov(ours.T), np.cov(kept.T), atol=0.01)


def test_how_far_the_cut_distorts_is_told_without_drawing() -> None:
    gains = np.array([1.0, 0.0, 0.0, 0.0, 0.0])
    assert distortion(SHARES, gains, 1e-6) == pytest.approx((0.0, 1.0))
    z = drawn(0.3) @ gains
    own = (SHARES @ gains**2 - (SHARES @ gains) ** 2) ** 0.5
    shift, spread = distortion(SHARES, gains, 0.3)
    assert shift == pytest.approx(z.mean() / own, abs=0.05)
    assert spread == pytest.approx(z.std() / own, abs=0.05)


def misses(population: Population, method: Method, n: int, samples: int) -> tuple[float, float]:
    """Shares of samples in which a bound at .05 misses, and in which one does without a doubt."""
    envelope, rng, truth = (
        Envelope.build(population.losses, population.cost),
        np.random.default_rng(5),
        population.value,
    )
    missed = unsaid = 0
    for seed in range(samples):
        sample = population.sample(n, rng)
        draws = Draws(sample, 199, seed)
        found = estimate_value(method, envelope, draws, population.budget)
        if found.lower_bound(0.05) > truth or found.upper_bound(0.05) < truth:
            missed += 1
            unsaid += not doubts(method, envelope, draws, population.budget).sentences
    return missed / samples, unsaid / samples


@pytest.mark.parametrize("method", PUBLISHED)
def test_where_they_fail_they_say_so(method: Method) -> None:
    """Of 144 kinds a value of .016 rests on 8 of 500 people: both bounds together miss in more than .18, not .10."""
    missed, unsaid = misses(free(144, 0.016), method, 500, 40)
    assert missed >= 0.15
    assert unsaid == 0


@pytest.mark.long
@pytest.mark.parametrize("method", PUBLISHED)
@pytest.mark.parametrize("n", [500, 2000, 8000])
def test_where_they_say_nothing_their_bounds_hold(method: Method, n: int) -> None:
    """One of 36 missed with 0.150 of 200 samples, as the closed form did on the same; with 0.108 of 600 others."""
    designs = [free(24, 0.1), free(144, 0.1), quadratic(12, decisions=False, share=0.2)]
    designs += [quadratic(12, decisions=True, share=share) for share in (0.05, 0.95, 1.05)]
    for population in designs:
        missed, unsaid = misses(population, method, n, 200)
        print(f"{method}, n = {n}: missed {missed:.3f}, without a doubt {unsaid:.3f}")
        assert unsaid <= 0.10 + 3 * (0.1 * 0.9 / 200) ** 0.5


def test_they_doubt_losses_that_are_estimates_and_a_value_far_from_kinks_is_undoubted() -> None:
    for population, doubted in ((noisy(24, 4, 0.2), True), (quadratic(12, decisions=False, share=0.2), False)):
        sample = population.sample(4000, np.random.default_rng(2))
        envelope = Envelope.build(population.losses, population.cost)
        for method in PUBLISHED:
            found = doubts(method, envelope, Draws(sample, 199, 0), population.budget)
            assert bool(found.sentences) is doubted, found.sentences


def test_the_steps_are_those_of_the_paper() -> None:
    assert step(625) == pytest.approx(default_size(625) ** -0.5)
    population = quadratic(12, decisions=False, share=0.2)
    sample = population.sample(500, np.random.default_rng(0))
    envelope, draws = Envelope.build(population.losses, population.cost), Draws(sample, 199, 0)
    found = estimate_value("m out of n, as published", envelope, draws, population.budget)
    expected = as_published(envelope, draws, population.budget, default_size(500))
    assert found.lower_bound(0.05) == expected.lower_bound(0.05)
