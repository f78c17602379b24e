"""The door to inference for the audit value: a method's name, an envelope, a sample and a budget in, an answer out."""

from typing import Literal

from core.inference.estimate import Estimate
from core.inference.resampled import ResampledEstimate
from core.inference.transport.bootstrap import m_out_of_n
from core.inference.transport.derivative import closed_form, directional_derivative
from core.inference.transport.draws import Draws
from core.inference.transport.envelope import Envelope
from core.inference.transport.local import Local
from core.inference.transport.prices import Prices

MethodName = Literal["m out of n", "m out of n, chosen from the data", "directional derivative", "closed form", "Efron"]


def estimate_value(method: MethodName, envelope: Envelope, draws: Draws, budget: float) -> ResampledEstimate | Estimate:
    """The audit value psi(f_n) at a budget with its uncertainty.

    Args:
        method: How the uncertainty is found.
        envelope: Of the losses ``draws.sample.losses`` and the costs.
        draws: Of the sample; keep one object for all budgets.
        budget: Mean cost that may be spent, epsilon.
    """
    local = Local.of(Prices.of(envelope, draws.sample), draws.sample, budget)
    if method == "directional derivative":
        return directional_derivative(local, draws)
    if method == "closed form":
        return closed_form(local)
    if method == "Efron":
        return m_out_of_n(local, draws, budget, local.prices.n)
    return m_out_of_n(local, draws, budget)
