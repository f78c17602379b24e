"""Inference for the audit value through its derivative (papers/faith.md, theorems 3.1 and 3.4)."""

import numpy as np

from core.inference.estimate import Estimate
from core.inference.transport.draws import Draws
from core.inference.transport.envelope import Envelope


def closed_form(envelope: Envelope, draws: Draws, budget: float) -> Estimate:
    """Normal with variance Var_f(g(nu) - l): the derivative is linear where the optimal price nu is unique."""
    masses, n = draws.sample.masses, draws.sample.n
    low, high = envelope.price(masses, budget)
    gains = envelope.gains((low + high) / 2)
    spread = masses @ gains**2 - (masses @ gains) ** 2
    return Estimate(float(envelope.value(masses, budget)), float(np.sqrt(max(spread, 0.0) / (n - 1))), n)
