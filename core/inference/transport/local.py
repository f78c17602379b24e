"""The part of the audit value's error that is a mean over people, with its distribution.

At any fixed price the audit value is at most a mean over people, and equal to it at the optimal price. So its error is
a mean's error, which the studentised bootstrap knows to second order, plus a part that is never positive and that is
not smooth where several prices are optimal. The methods differ in that second part only. A lower bound leaves it out:
psi(f_n) - psi(f*) <= Σ_i (f_n - f*)_i a_i(ν*) holds exactly for an optimal price ν* of the population, so the error
is bounded by the mean's at whichever possible price varies most between people.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np

from core.inference.transport.draws import Draws
from core.inference.transport.prices import Prices
from core.inference.transport.sample import CellSample
from core.inference.transport.together import Clusters

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
        noise: Variance per person that comes from different losses within each cell, shape (K,); 0 without. Where
            people belong together, that part of it which their clusters do not show.
        weight: What a unit of error of each cell's loss adds to the value per person of the cell, shape (K,).
    """

    value: float
    prices: Prices
    low: int
    high: int
    best: int
    gains: np.ndarray
    widest: np.ndarray
    noise: np.ndarray
    weight: np.ndarray

    @classmethod
    def of(cls, prices: Prices, sample: CellSample, budget: float) -> Local:
        """Look around a sample."""
        best, (low, high) = prices.best(budget), prices.possible(budget)
        gains = prices.gains(best)
        widest = prices.gains(prices.widest(low, high))
        if sample.spread(widest) < sample.spread(gains):
            widest = gains
        value = float(prices.envelope.value(prices.masses, budget))
        weight = np.zeros(len(prices.masses))
        if sample.variances.any():
            weight = moved(sample, prices.envelope.solution(prices.masses, budget).plan.after(prices.masses))
        return cls(value, prices, low, high, best, gains, widest, weight**2 * pooled_variances(sample), weight)

    def linear(self, draws: Draws) -> Linear:
        """Draws of the mean's error, at the optimal price of the sample and at the one that varies most."""
        if draws.together is not None:
            return self._linear_by_clusters(draws, draws.together)
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
        return _studentised(error, deviation, whole, constant)

    def mean_errors(self, draws: Draws, size: int) -> np.ndarray:
        """Error of the mean at the sample's price in resamples of ``size``, as a root; shape (B,)."""
        if draws.together is None:
            centre = self.prices.masses @ self.gains
            errors = draws.scale(size) * np.concatenate([some @ self.gains - centre for some in draws.masses(size)])
        else:
            own = draws.together.scores(self.gains, self.weight, self.prices.sample.losses)
            found = [some @ own / (some @ draws.together.people) for some in draws.counts(size)]
            errors = draws.scale(size) * np.concatenate(found)
        if self.prices.masses @ self.noise > 0:
            errors = errors + sqrt(self.prices.masses @ self.noise) * draws.normal()
        return errors

    def _linear_by_clusters(self, draws: Draws, together: Clusters) -> Linear:
        masses, n, people = self.prices.masses, self.prices.n, together.people
        losses, weight = self.prices.sample.losses, self.weight
        own = np.column_stack([together.scores(gains, weight, losses) for gains in (self.gains, self.widest)])
        within = float(masses @ self.noise)
        errors, deviations = [], []
        for drawn in draws.counts(draws.independent):
            whole = (drawn @ people)[:, None]
            mean = drawn @ own / whole
            square = (
                drawn @ own**2 - 2 * mean * (drawn @ (own * people[:, None])) + mean**2 * (drawn @ people**2)[:, None]
            )
            errors.append(sqrt(n) * mean)
            deviations.append(np.sqrt(n * np.maximum(square, 0.0) / whole**2 + within))
        error = np.concatenate(errors)
        if within > 0:
            error += sqrt(within) * draws.normal()[:, None]
        of_sample = np.sqrt((own**2).sum(axis=0) / n + within)
        constant = of_sample <= 1e-9 * (
            1 + max(np.abs(self.gains).max(initial=0.0), np.abs(self.widest).max(initial=0.0))
        )
        return _studentised(error, np.concatenate(deviations), of_sample, constant)


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


def _studentised(error: np.ndarray, deviation: np.ndarray, whole: np.ndarray, constant: np.ndarray) -> Linear:
    """Errors, shape (B, 2), divided by each resample's deviation and multiplied by the sample's, shape (2,)."""
    scaled = error * whole / np.maximum(deviation, np.where(constant, 1.0, _LEAST_SPREAD * whole))
    scaled[:, constant] = 0.0
    return Linear(scaled[:, 0], scaled[:, 1])


def pooled_variances(sample: CellSample) -> np.ndarray:
    """Variance of the loss within each cell, shape (K,); 0 everywhere when nobody's loss differs from the cell's.

    Where people belong together it is the part of it that their clusters do not show (`Clusters.hidden_noise`).

    A cell's own variance is too small when few people are in it, 0 with one. So each cell counts one more squared
    deviation, the mean one of all cells.
    """
    if sample.together is not None:
        return sample.together.hidden_noise(sample.losses)
    people = sample.people
    within = people * sample.variances
    pooled = within.sum() / max(1, int(np.maximum(people - 1, 0).sum()))
    found: np.ndarray = np.where(people > 0, (within + pooled) / np.maximum(people, 1), 0.0)
    return found


def moved(sample: CellSample, after: np.ndarray) -> np.ndarray:
    """How many more people are in each cell once moved, per person who was there, shape (K,); 0 where nobody was.

    Args:
        sample: People and losses.
        after: Masses once moved, shape (K,).
    """
    masses = sample.masses
    found: np.ndarray = np.divide(after - masses, masses, out=np.zeros(len(masses)), where=masses > 0)
    return found
