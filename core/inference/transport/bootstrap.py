"""The m-out-of-n bootstrap of the audit value (papers/faith.md, theorem 4.1); with m = n it is Efron's."""

from math import sqrt

import numpy as np

from core.inference.resampled import ResampledEstimate
from core.inference.transport.draws import Draws
from core.inference.transport.envelope import Envelope


def m_out_of_n(envelope: Envelope, draws: Draws, budget: float, size: int | None = None) -> ResampledEstimate:
    """Roots sqrt(m) (psi(f*_m) - psi(f_n)) from resamples of m people.

    Args:
        envelope: Of the losses of ``draws.sample`` and the costs.
        draws: Of the sample.
        budget: Mean cost that may be spent.
        size: m; n^(3/4), rounded, when not given.
    """
    sample = draws.sample
    size = round(sample.n**0.75) if size is None else size
    value = float(envelope.value(sample.masses, budget))
    roots = np.concatenate([envelope.value(masses, budget) - value for masses in draws.masses(size)])
    return ResampledEstimate(value, sample.n, np.sort(sqrt(size) * roots))


def efron(envelope: Envelope, draws: Draws, budget: float) -> ResampledEstimate:
    """Resamples of n people; invalid where the audit value has a kink, which `normality` looks for."""
    return m_out_of_n(envelope, draws, budget, draws.sample.n)
