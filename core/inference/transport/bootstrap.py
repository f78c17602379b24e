"""The m-out-of-n bootstrap of the audit value (papers/faith.md, theorem 4.1); with m = n it is Efron's."""

from math import sqrt

import numpy as np

from core.inference.resampled import ResampledEstimate
from core.inference.transport.draws import Draws
from core.inference.transport.envelope import Envelope
from core.inference.transport.local import Local


def m_out_of_n(local: Local, draws: Draws, budget: float, size: int | None = None) -> ResampledEstimate:
    """Roots of the audit value, of which only the part that is not smooth comes from resamples of m people.

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
        size: m; n^(3/4), rounded, when not given.
    """
    n = local.prices.n
    size = default_size(n) if size is None else size
    linear = local.linear(draws)
    plain, bend = _parts(local, draws, budget, size)
    if len(plain) and local.prices.masses @ local.noise > 0:
        plain = plain + sqrt(local.prices.masses @ local.noise) * draws.normal()
    rank = np.empty(len(plain), dtype=np.int64)
    rank[np.argsort(plain, kind="stable")] = np.arange(len(plain))
    roots = np.sort(linear.studentised)[rank] + bend
    return ResampledEstimate(local.value, n, np.sort(roots), np.sort(linear.widest))


def as_published(envelope: Envelope, draws: Draws, budget: float, size: int) -> ResampledEstimate:
    """Roots sqrt(m) (psi(f*_m) - psi(f_n)) as in the paper's algorithm 1, for comparison; see `m_out_of_n`.

    Args:
        envelope: Of the losses of ``draws.sample`` and the costs.
        draws: Of the sample.
        budget: Mean cost that may be spent.
        size: m.
    """
    sample = draws.sample
    value = float(envelope.value(sample.masses, budget))
    roots = np.concatenate([envelope.value(masses, budget) - value for masses in draws.masses(size)])
    return ResampledEstimate(value, sample.n, np.sort(sqrt(size) * roots))


def default_size(n: int) -> int:
    """The paper's choice of m, n^(3/4)."""
    size: float = n**0.75
    return max(1, round(size))


def _parts(local: Local, draws: Draws, budget: float, size: int) -> tuple[np.ndarray, np.ndarray]:
    """Per resample of m people, sqrt(m) times the mean's error and the part at most 0; each of shape (B,)."""
    centre = local.prices.masses @ local.gains
    errors, bends = [], []
    for masses in draws.masses(size):
        mean = masses @ local.gains
        errors.append(mean - centre)
        bends.append(local.prices.least_change(masses, local.low, local.high, local.best, budget))
    return sqrt(size) * np.concatenate(errors), sqrt(size) * np.concatenate(bends)
