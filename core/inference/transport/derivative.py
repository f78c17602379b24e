"""Inference for the audit value through its derivative (papers/faith.md, theorems 3.1 and 3.4)."""

from math import sqrt

import numpy as np

from core.inference.estimate import Estimate
from core.inference.resampled import ResampledEstimate
from core.inference.transport.draws import Draws
from core.inference.transport.local import Local, spread


def directional_derivative(local: Local, draws: Draws) -> ResampledEstimate:
    """Roots min over the possible prices ν of Σ_i h_i a_i(ν), h = sqrt(n) (f*_n - f_n) (Fang and Santos 2019).

    Args:
        local: The audit value around the sample, at a budget.
        draws: Of the sample.
    """
    prices = local.prices
    linear = local.linear(draws)
    bend = np.concatenate(
        [prices.least_change(masses, local.low, local.high, local.best) for masses in draws.masses(prices.n)]
    )
    roots = linear.studentised + sqrt(prices.n) * bend
    return ResampledEstimate(local.value, prices.n, np.sort(roots), np.sort(linear.widest))


def closed_form(local: Local) -> Estimate:
    """Normal, with the variance between people of a_i(ν) at the possible price where it is largest.

    The derivative is linear, and this exact in the limit, where the optimal price is unique; see `doubts`.
    """
    masses, n = local.prices.masses, local.prices.n
    variance = spread(masses, local.widest) + float(masses @ local.noise)
    return Estimate(local.value, sqrt(variance / max(n - 1, 1)), n)
