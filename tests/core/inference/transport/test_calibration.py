"""Error rates in populations whose audit value is known; the release criterion of every method.

Type I error of the one-sided test at 0.05: at most 0.05 + 2 Monte-Carlo standard errors, or among the 400 rates of all
designs, sizes and methods no more false alarms than chance makes of one in 400 x 20 (`Rates.type_1_holds_among`);
0.064 of 1,000 samples are none. Coverage of the two-sided
interval at nominal 0.95: from 0.93 to 0.97, up to 2 Monte-Carlo standard errors. It may be above 0.97 only where no
answer is exact: up to 0.98 at and near kinks (0.981 of 1,000 samples of 500 people, budget 0.95 of the total cost;
0.977 of 2,000), where lower bounds err to the safe side and miss with 0.01 to 0.03; without limit where losses are
noisy (the interval holds both the value chosen on all people and the one confirmed on halves) or where nothing varies.
At a kink of 500 people upper bounds miss with 0.061 to 0.066; with every price within sqrt(2 log log n) standard errors
counted as possible they would with 0.057. All of it:
``pytest -m long -s tests/core/inference/transport/test_calibration.py``.
"""

from functools import partial

import numpy as np
import pytest

from core.inference.evidence import Estimated
from core.inference.resampled import Checked
from core.inference.transport.costs import ClassCost
from core.inference.transport.draws import Draws
from core.inference.transport.envelope import Envelope
from core.inference.transport.methods import Method, as_published, default_size, estimate_value
from core.inference.transport.sample import CellSample
from tests.core.inference.transport.designs import (
    METHODS,
    Population,
    Rates,
    answers,
    at_breakpoint,
    fair,
    free,
    noisy,
    quadratic,
    simulate,
)

NEAR_A_KINK = 0.98
QUICK: tuple[Method, ...] = ("directional derivative", "m out of n", "closed form", "Efron")


def published(envelope: Envelope, budget: float, sample: CellSample, draws: Draws) -> list[Estimated]:
    return [as_published(envelope, draws, budget, default_size(sample.n))]


def of_published(population: Population, n: int, samples: int) -> Rates:
    envelope = Envelope.build(population.losses, population.cost)
    return simulate(population, n, samples, partial(published, envelope, population.budget), 299)[0]


def told(name: str, n: int, found: Rates) -> str:
    return f"{name}, n = {n}: covered {found.covered:.3f}, above {found.above:.3f}, below {found.below:.3f}"


@pytest.mark.parametrize("share", [pytest.param(0.05, marks=pytest.mark.long), 0.95, 1.0, 1.05])
def test_error_rates_hold_away_from_a_kink_near_it_and_at_it(share: float) -> None:
    population = quadratic(12, decisions=True, share=share)
    for found in simulate(population, 500, 160, partial(answers, population, QUICK), 299):
        assert found.type_1_holds, found
        assert found.coverage_holds(), found


def test_the_published_m_out_of_n_bootstrap_misses_where_ours_does_not() -> None:
    """Its m = 106 people see a kink that 500 do not, and rarely meet the few who carry a small value."""
    near, few = quadratic(12, decisions=True, share=1.05), free(144, 0.016)
    assert not of_published(near, 500, 250).type_1_holds
    assert not of_published(few, 500, 150).coverage_holds()
    found = simulate(few, 500, 150, partial(answers, few, ("m out of n",)), 299)[0]
    assert found.type_1_holds, found
    assert found.covered >= 0.93, found


def test_the_printed_sign_of_the_interval_would_cover_almost_never() -> None:
    """Eq. 4.1 as printed adds the lower quantile: both ends lie below the estimate."""
    population = quadratic(12, decisions=False, share=0.2)
    envelope, rng, truth = (
        Envelope.build(population.losses, population.cost),
        np.random.default_rng(1),
        population.value,
    )
    ours = printed = 0
    for seed in range(100):
        sample = population.sample(500, rng)
        found = estimate_value("directional derivative", envelope, Draws(sample, 299, seed), population.budget)
        interval = found.two_sided(0.05)
        ours += interval.low <= truth <= interval.high
        printed += interval.low <= truth <= 2 * found.value - interval.high
    assert ours >= 88
    assert printed <= 10


def test_a_fair_model_whose_losses_are_noisy_is_rarely_rejected_and_always_would_be_without_the_check() -> None:
    population = noisy(24, 4, 0.0)

    def ask(sample: CellSample, draws: Draws) -> list[Estimated]:
        checked = answers(population, ("directional derivative",), sample, draws)[0]
        return [checked, checked.estimate]  # type: ignore[attr-defined]

    with_check, without = simulate(population, 500, 100, ask, 199)
    assert with_check.type_1_holds, with_check
    assert with_check.covered >= 0.93
    assert without.above > 0.5


def test_a_fair_model_with_a_few_people_to_a_cell_is_told_as_one() -> None:
    """Cells of six people with the same error rate: on the same people the rise is 0.21, on others 0."""
    kind = np.arange(120) // 4
    population = Population(ClassCost(kind), np.full(120, 1 / 120), np.full(120, 0.3), noisy=True)
    rng, told, plain = np.random.default_rng(3), [], []
    for seed in range(12):
        sample = population.sample(720, rng)
        found = answers(population, ("closed form",), sample, Draws(sample, 1, seed))[0]
        assert isinstance(found, Checked)
        told.append(found.value)
        plain.append(found.estimate.value)
        assert found.two_sided(0.05).low <= found.value <= found.two_sided(0.05).high
        assert found.lower_bound(0.05) <= 0.0365
    assert abs(np.mean(told)) < 0.02
    assert np.mean(plain) > 0.15


@pytest.mark.long
@pytest.mark.parametrize("n", [200, 1000, 4000])
@pytest.mark.parametrize("excess", [0.1, 0.25])
def test_the_test_holds_at_a_tolerance_above_0_and_finds_half_of_the_value(n: int, excess: float) -> None:
    """The tolerance is the true value; lower bounds above half of it are found ever more often."""
    population = noisy(24, 4, excess)
    found = simulate(population, n, 300, partial(answers, population, ("directional derivative",)), 299)[0]
    print(told(f"noisy, excess {excess}", n, found))
    assert found.type_1_holds, found


DESIGNS: dict[str, tuple[Population, float]] = {
    **{
        f"generic, {kind}, K = {cells}": (quadratic(cells, decisions=kind == "0-1", share=0.05), 0.97)
        for kind, sizes in (("0-1", (60, 144)), ("smooth", (12, 60, 144)))
        for cells in sizes
    },
    **{
        f"total cost x {share}, {kind}, K = 12": (
            quadratic(12, decisions=kind == "0-1", share=share),
            NEAR_A_KINK,
        )
        for kind, shares in (("0-1", (0.05, 0.95, 1.0, 1.05)), ("smooth", (0.95, 1.0, 1.05)))
        for share in shares
    },
    "total cost, 0-1, K = 144": (quadratic(144, decisions=True, share=1.0), NEAR_A_KINK),
    "breakpoint, 0-1, K = 60": (at_breakpoint(60, decisions=True, share=0.3), NEAR_A_KINK),
    "breakpoint, smooth, K = 144": (at_breakpoint(144, decisions=False, share=0.3), NEAR_A_KINK),
    "free moves, value 0.04, K = 144": (free(144, 0.04), 0.97),
    "free moves, value 0, K = 40": (fair(40), 1.0),
    "noisy losses, value 0, K = 24": (noisy(24, 4, 0.0), 1.0),
    "noisy losses, one group worse, K = 24": (noisy(24, 4, 0.25), 1.0),
    "noisy losses, value 0, K = 120": (noisy(120, 6, 0.0), 1.0),
}


SIZES = (500, 1000, 2000, 5000)
COMPARISONS = len(DESIGNS) * len(SIZES) * len(METHODS)


@pytest.mark.long
@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("name", DESIGNS)
def test_every_method_in_every_design(name: str, n: int) -> None:
    population, most = DESIGNS[name]
    found = simulate(population, n, 1000, partial(answers, population, METHODS))
    print("\n" + "\n".join(told(f"{name}, {method}", n, one) for method, one in zip(METHODS, found, strict=True)))
    for method, one in zip(METHODS, found, strict=True):
        assert one.type_1_holds_among(COMPARISONS), (method, one)
        assert one.coverage_holds(most), (method, one)


@pytest.mark.long
@pytest.mark.parametrize("n", [500, 2000])
def test_few_people_behind_the_value_are_covered_by_every_drawing_method(n: int) -> None:
    """The normal approximation's upper bound misses here; `doubts` says so. Too wide an interval is no error."""
    population = free(144, 0.016)
    methods = tuple(method for method in METHODS if method != "closed form")
    for one in simulate(population, n, 1000, partial(answers, population, methods)):
        assert one.type_1_holds, one
        assert one.covered >= 0.93, one
