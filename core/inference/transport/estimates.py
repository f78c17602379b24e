"""The door to inference for the audit value: a method's name, an envelope, a sample and a budget in, an answer out."""

from typing import Literal

from core.inference.estimate import Estimate
from core.inference.resampled import ResampledEstimate
from core.inference.transport.bootstrap import efron, m_out_of_n
from core.inference.transport.derivative import closed_form
from core.inference.transport.draws import Draws
from core.inference.transport.envelope import Envelope

MethodName = Literal["m out of n", "m out of n, chosen from the data", "directional derivative", "closed form", "Efron"]


def estimate_value(method: MethodName, envelope: Envelope, draws: Draws, budget: float) -> ResampledEstimate | Estimate:
    """The audit value psi(f_n) at a budget with its uncertainty.

    Args:
        method: How the uncertainty is found.
        envelope: Of the losses ``draws.sample.losses`` and the costs.
        draws: Of the sample; keep one object for all budgets.
        budget: Mean cost that may be spent, epsilon.
    """
    if method == "closed form":
        return closed_form(envelope, draws, budget)
    return efron(envelope, draws, budget) if method == "Efron" else m_out_of_n(envelope, draws, budget)
