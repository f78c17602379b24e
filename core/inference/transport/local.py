"""The part of the audit value's error that is a mean over people, with its distribution.

At any fixed price the audit value is at most a mean over people, and equal to it at the optimal price. So its error is
a mean's error, which the studentised bootstrap knows to second order, plus a part that is never positive and that is
not smooth where several prices are optimal. The methods differ in that second part only. A lower bound leaves it out:
psi(f_n) - psi(f*) <= Σ_i (f_n - f*)_i a_i(ν*) holds exactly for an optimal price ν* of the population, so the error
is bounded by the mean's at whichever possible price varies most between people.
"""

from dataclasses import dataclass
from math import sqrt

import numpy as np

from core.inference.transport.draws import Draws
from core.inference.transport.prices import Prices
from core.inference.transport.sample import CellSample

_LEAST_SPREAD = 0.1
"""A resample's own standard deviation counts as at least this share of the sample's."""


@dataclass(frozen=True)
class Local:
    """What is known of the audit value around a sample, at one budget.

    Attributes:
        value: psi(f_n).
        prices: The prices.
        low: Place of the first possible price.
        high: Place of the last.
        best: Place of an optimal price for the sample.
        gains: a_i at the price ``best``, shape (K,).
        widest: a_i at the possible price where they vary most between people, shape (K,).
        noise: Variance per person that comes from different losses within each cell, shape (K,); 0 without.
    """

    value: float
    prices: Prices
    low: int
    high: int
    best: int
    gains: np.ndarray
    widest: np.ndarray
    noise: np.ndarray

    @classmethod
    def of(cls, prices: Prices, sample: CellSample, budget: float) -> "Local":
        """Look around a sample."""
        best, (low, high) = prices.best(budget), prices.possible(budget)
        gains = prices.gains(best)
        widest = prices.gains(prices.widest(low, high))
        if spread(prices.masses, widest) < spread(prices.masses, gains):
            widest = gains
        value = float(prices.envelope.value(prices.masses, budget))
        noise = np.zeros(len(prices.masses))
        if sample.variances.any():
            noise = noise_within(sample, prices.envelope.solution(prices.masses, budget).plan.after(prices.masses))
        return cls(value, prices, low, high, best, gains, widest, noise)

    def linear(self, draws: Draws) -> "Linear":
        """Draws of the mean's error, at the optimal price of the sample and at the one that varies most."""
        masses, n = self.prices.masses, self.prices.n
        columns = np.column_stack([self.gains, self.widest])
        squares = columns**2 + self.noise[:, None]
        found = [(block @ columns, block @ squares) for block in draws.masses(n)]
        mean, second = (np.concatenate(parts) for parts in zip(*found, strict=True))
        error = sqrt(n) * (mean - masses @ columns)
        within = sqrt(masses @ self.noise)
        if within > 0:
            error += within * draws.normal()[:, None]
        deviation = np.sqrt(np.maximum(second - mean**2, 0.0))
        whole = np.sqrt(np.maximum(masses @ squares - (masses @ columns) ** 2, 0.0))
        constant = whole <= 1e-9 * (1 + np.abs(columns).max(initial=0.0))
        scaled = error * whole / np.maximum(deviation, np.where(constant, 1.0, _LEAST_SPREAD * whole))
        scaled[:, constant] = 0.0
        return Linear(scaled[:, 0], scaled[:, 1])


@dataclass(frozen=True)
class Linear:
    """Draws of the error of a mean over people, times sqrt(n).

    Attributes:
        studentised: At the sample's optimal price, divided by the resample's standard deviation and multiplied by the
            sample's; shape (B,).
        widest: Studentised, at the possible price that varies most between people; shape (B,).
    """

    studentised: np.ndarray
    widest: np.ndarray


def spread(masses: np.ndarray, gains: np.ndarray) -> float:
    """Variance between people of ``gains``, shape (K,)."""
    return max(0.0, float(masses @ gains**2 - (masses @ gains) ** 2))


def pooled_variances(sample: CellSample) -> np.ndarray:
    """Variance of the loss within each cell, shape (K,); 0 everywhere when nobody's loss differs from the cell's.

    A cell's own variance is too small when few people are in it, 0 with one. So each cell counts one more squared
    deviation, the mean one of all cells.
    """
    people = sample.people
    within = people * sample.variances
    pooled = within.sum() / max(1, int(np.maximum(people - 1, 0).sum()))
    found: np.ndarray = np.where(people > 0, (within + pooled) / np.maximum(people, 1), 0.0)
    return found


def noise_within(sample: CellSample, after: np.ndarray) -> np.ndarray:
    """Variance per person of each cell that comes from different losses within it, shape (K,); 0 without.

    Args:
        sample: People and losses.
        after: Masses once moved, shape (K,).
    """
    masses = sample.masses
    weight = np.divide(after - masses, masses, out=np.zeros(len(masses)), where=masses > 0)
    noise: np.ndarray = weight**2 * pooled_variances(sample)
    return noise
