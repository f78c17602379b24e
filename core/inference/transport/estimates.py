"""The door to inference for the audit value: a method's name, an envelope, a sample and a budget in, an answer out."""

from dataclasses import dataclass

import numpy as np

from core.inference.estimate import Estimate
from core.inference.resampled import Answers, Checked, ResampledEstimate
from core.inference.transport.bootstrap import m_out_of_n
from core.inference.transport.derivative import closed_form, directional_derivative
from core.inference.transport.doubts import MethodName
from core.inference.transport.draws import Draws
from core.inference.transport.envelope import Envelope
from core.inference.transport.local import Local
from core.inference.transport.m_choice import choose_size
from core.inference.transport.prices import Prices
from core.inference.transport.split_check import split_check


def estimate_value(method: MethodName, envelope: Envelope, draws: Draws, budget: float) -> ResampledEstimate | Estimate:
    """The audit value psi(f_n) at a budget with its uncertainty.

    Where people of one cell have different losses (``draws.sample.variances``) its lower bound is too high and holds
    only as far as `split_check` confirms it (`core.inference.resampled.Checked`).

    Args:
        method: How the uncertainty is found.
        envelope: Of the losses ``draws.sample.losses`` and the costs.
        draws: Of the sample; keep one object for all budgets.
        budget: Mean cost that may be spent, epsilon.
    """
    return _estimate(method, Prices.of(envelope, draws.sample), draws, budget)


@dataclass(frozen=True)
class BoundCurve:
    """The audit value and its bounds along budgets, all from the same draws; arrays of shape (g,).

    Attributes:
        budgets: The budgets.
        values: psi(f_n).
        lower: One-sided lower bounds.
        upper: One-sided upper bounds; together with ``lower`` a two-sided interval at 2 alpha.
    """

    budgets: np.ndarray
    values: np.ndarray
    lower: np.ndarray
    upper: np.ndarray


def bounds_along(
    method: MethodName,
    envelope: Envelope,
    draws: Draws,
    budgets: np.ndarray,
    *,
    alpha: float,
    halves: tuple[Envelope, Envelope] | None = None,
) -> BoundCurve:
    """Bounds at many budgets.

    Args:
        method: How the uncertainty is found.
        envelope: Of the losses of ``draws.sample`` and the costs.
        draws: Of the sample.
        budgets: Where, shape (g,).
        alpha: Error rate of each bound.
        halves: Envelopes of the halves' losses (`half_envelopes`) where people of one cell have different losses.
    """
    prices = Prices.of(envelope, draws.sample)
    found: list[Answers] = []
    for budget in budgets:
        one = _estimate(method, prices, draws, float(budget))
        found.append(one if halves is None else Checked(one, split_check(halves, draws.sample, float(budget))))
    return BoundCurve(
        np.asarray(budgets, dtype=np.float64),
        np.array([one.value for one in found]),
        np.array([one.lower_bound(alpha) for one in found]),
        np.array([one.upper_bound(alpha) for one in found]),
    )


def _estimate(method: MethodName, prices: Prices, draws: Draws, budget: float) -> ResampledEstimate | Estimate:
    local = Local.of(prices, draws.sample, budget)
    if method == "directional derivative":
        return directional_derivative(local, draws)
    if method == "closed form":
        return closed_form(local)
    if method == "m out of n":
        return m_out_of_n(local, draws, budget)
    size = prices.n if method == "Efron" else choose_size(prices.envelope, draws, budget)
    return m_out_of_n(local, draws, budget, size)
