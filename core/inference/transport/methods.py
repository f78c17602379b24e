"""The ways to the uncertainty of the audit value (papers/faith.md, theorems 3.1, 3.4 and 4.1), and the door to them."""

from math import sqrt
from typing import Literal

import numpy as np

from core.inference.estimate import Estimate
from core.inference.resampled import ResampledEstimate
from core.inference.transport.draws import Draws
from core.inference.transport.envelope import Envelope
from core.inference.transport.local import Local
from core.inference.transport.m_choice import choose_size
from core.inference.transport.prices import Prices
from core.inference.transport.truncated import truncated_draws

Method = Literal[
    "m out of n",  # verbatim
    "m out of n, chosen from the data",  # verbatim
    "directional derivative",  # verbatim
    "closed form",  # verbatim
    "Efron",
    "m out of n, as published",  # verbatim
    "numerical",
]

PUBLISHED: tuple[Method, ...] = ("m out of n, as published", "numerical")  # verbatim
"""The paper's own ways, which fail where few people carry the value or a kink is near: they say so, and claim nothing
there (:mod:`core.inference.transport.doubts`)."""


def estimate_value(method: Method, envelope: Envelope, draws: Draws, budget: float) -> ResampledEstimate | Estimate:
    """The audit value psi(f_n) at a budget with its uncertainty by one of the methods.

    Where people of one cell have different losses (``draws.sample.variances``) its lower bound is too high and holds
    only as far as `split_check` confirms it (`core.inference.resampled.Checked`).

    Args:
        method: How the uncertainty is found.
        envelope: Of the losses ``draws.sample.losses`` and the costs.
        draws: Of the sample; keep one object for all budgets.
        budget: Mean cost that may be spent, epsilon.
    """
    local = Local.of(Prices.of(envelope, draws.sample), draws.sample, budget)
    if method == "directional derivative":  # verbatim
        return directional_derivative(local, draws)
    if method == "closed form":  # verbatim
        return closed_form(local)
    if method == "m out of n":  # verbatim
        return m_out_of_n(local, draws, budget)
    if method == "m out of n, as published":  # verbatim
        return as_published(envelope, draws, budget, default_size(draws.independent))
    if method == "numerical":
        return numerical(envelope, draws, budget)
    size = draws.independent if method == "Efron" else choose_size(envelope, draws, budget)
    return m_out_of_n(local, draws, budget, size)


def directional_derivative(local: Local, draws: Draws) -> ResampledEstimate:
    """Roots min over the possible prices ν of Σ_i h_i a_i(ν), h = sqrt(n) (f*_n - f_n) (Fang and Santos 2019).

    Args:
        local: The audit value around the sample, at a budget.
        draws: Of the sample.
    """
    prices = local.prices
    linear = local.linear(draws)
    bend = np.concatenate(
        [prices.least_change(masses, local.low, local.high, local.best) for masses in draws.masses(draws.independent)]
    )
    roots = linear.studentised + sqrt(prices.n) * bend
    return ResampledEstimate(local.value, prices.n, np.sort(roots), np.sort(linear.widest))


def closed_form(local: Local) -> Estimate:
    """Normal, with the variance between people of a_i(ν) at the possible price where it is largest.

    The derivative is linear, and this exact in the limit, where the optimal price is unique; see `doubts`.
    """
    sample = local.prices.sample
    variance = sample.spread(local.widest, local.weight) + float(sample.masses @ local.noise)
    return Estimate(local.value, sqrt(variance / sample.freedom), sample.n)


def m_out_of_n(local: Local, draws: Draws, budget: float, size: int | None = None) -> ResampledEstimate:
    """The m-out-of-n bootstrap, with m = n Efron's: only the part that is not smooth comes from resamples of m people.

    As published, every root comes from m people. But m people are few: at m = n^(3/4) a value of 0.016 among 500 rests
    on two people of each resample, and the interval covered with 0.78 instead of 0.95; and a kink that n people do not
    see bends the value that m people see, so that true hypotheses were rejected with 0.12 instead of 0.05
    (tests/core/inference/transport/test_calibration.py). So the mean's error is put on the scale that n people have:
    each draw keeps its rank, and its part at most 0, psi(f*_m) less the value at the sample's price. That part looks
    only at prices which n people leave possible (`Prices.possible`): m people would bring back prices that n people
    rule out, and the interval then covered with up to 0.986 near kinks, with up to 0.993 where m is chosen.

    Args:
        local: The audit value around the sample, at this budget.
        draws: Of the sample.
        budget: Mean cost that may be spent.
        size: m; n^(3/4), rounded, when not given. Where people belong together n and m count clusters.
    """
    prices = local.prices
    size = default_size(draws.independent) if size is None else size
    linear, plain = local.linear(draws), local.mean_errors(draws, size)
    bend = draws.scale(size) * np.concatenate(
        [prices.least_change(some, local.low, local.high, local.best, budget) for some in draws.masses(size)]
    )
    rank = np.empty(len(plain), dtype=np.int64)
    rank[np.argsort(plain, kind="stable")] = np.arange(len(plain))
    roots = np.sort(linear.studentised)[rank] + bend
    return ResampledEstimate(local.value, prices.n, np.sort(roots), np.sort(linear.widest))


def as_published(envelope: Envelope, draws: Draws, budget: float, size: int) -> ResampledEstimate:
    """Roots sqrt(m) (psi(f*_m) - psi(f_n)) as in the paper's algorithm 1; see `m_out_of_n` for where it misses.

    Args:
        envelope: Of the losses of ``draws.sample`` and the costs.
        draws: Of the sample.
        budget: Mean cost that may be spent.
        size: m.
    """
    sample = draws.sample
    value = float(envelope.value(sample.masses, budget))
    roots = np.concatenate([envelope.value(masses, budget) - value for masses in draws.masses(size)])
    return ResampledEstimate(value, sample.n, np.sort(draws.scale(size) * roots))


def numerical(envelope: Envelope, draws: Draws, budget: float) -> ResampledEstimate:
    """The numerical bootstrap: roots (psi(f_n + ε z) - psi(f_n)) / ε, z Gaussian and cut off (theorem 4.2).

    ε is what makes it look as far as the m-out-of-n bootstrap does, m^(-1/2) with m = n^(3/4). Everybody counts as
    independent, and the losses of cells as known.

    Args:
        envelope: Of the losses of ``draws.sample`` and the costs.
        draws: Of the sample.
        budget: Mean cost that may be spent.
    """
    sample, epsilon = draws.sample, step(draws.independent)
    value = float(envelope.value(sample.masses, budget))
    roots = [
        (envelope.value(np.maximum(sample.masses + epsilon * z, 0.0), budget) - value) / epsilon
        for z in truncated_draws(sample.masses, epsilon, draws.draws, draws.seed)
    ]
    return ResampledEstimate(value, sample.n, np.sort(np.concatenate(roots)))


def step(n: int) -> float:
    """ε of the numerical bootstrap."""
    return 1.0 / sqrt(default_size(n))


def default_size(n: int) -> int:
    """The paper's choice of m, n^(3/4)."""
    size: float = n**0.75
    return max(1, round(size))
