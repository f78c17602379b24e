"""One subgroup against everybody else: one-sided p-values and bounds that hold for few people and few harms, too.

Shares: the tail of a difference of two binomials at the shares most likely under the hypothesis (Storer and Kim 1990),
by a saddlepoint. The studentised bootstrap fails here: a subgroup without a harm has no error, and one with few of them
an error that is too small just where its share is.

Numbers: Welch's t, its skewness removed by Hall's (1992) monotone cubic as Zhou and Dinh (2005) do for two samples.
Where the cubic turns, t says no more, and a bound is infinite.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

_HALVINGS = 44
_BOUND_HALVINGS = 30
_NEVER = 2.0**-52
"""A share of 0, or of 1 turned around, for which no logarithm is infinite."""


@dataclass(frozen=True)
class Shares:
    """People who are harmed in s subgroups, and among everybody else; every array is of shape (s,), float64.

    Attributes:
        harmed: Harmed people of the subgroup.
        people: People of the subgroup, at least 1.
        others_harmed: Harmed people outside.
        others: People outside, at least 1.
    """

    harmed: np.ndarray
    people: np.ndarray
    others_harmed: np.ndarray
    others: np.ndarray

    def p_values(self, delta: float) -> np.ndarray:
        """Of "the subgroup's share is at most ``delta`` above that of everybody else"; shape (s,)."""
        return self._tail(np.full(len(self.people), delta))

    def lower(self, alpha: float) -> np.ndarray:
        """Lower bounds of the differences of shares, each missing with probability alpha; shape (s,)."""
        ones = np.ones(len(self.people))
        return _root(lambda delta: self._tail(delta) - alpha, -ones, ones, _BOUND_HALVINGS)

    def upper(self, alpha: float) -> np.ndarray:
        """Upper bounds."""
        turned: np.ndarray = -Shares(self.others_harmed, self.others, self.harmed, self.people).lower(alpha)
        return turned

    def _tail(self, delta: np.ndarray) -> np.ndarray:
        """Probability of a difference at least as large as the one seen, if the true one is ``delta``."""
        from scipy.stats import norm

        n, m = self.people, self.others
        likeliest = self._likeliest(delta)
        p, q = (np.clip(share, _NEVER, 1 - _NEVER) for share in (likeliest, likeliest - delta))
        step = 1 / np.minimum(n, m)
        seen = self.harmed / n - self.others_harmed / m - step / 2
        log_p, log_q = (np.log(np.stack([share, 1 - share])) for share in (p, q))

        def tilted(s: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
            return _odds(log_p[0] - log_p[1] + s / n), _odds(log_q[0] - log_q[1] - s / m)

        reach = 100 * np.maximum(n, m)
        s = _root(lambda s: np.subtract(*tilted(s)) - seen, -reach, reach, _HALVINGS)
        p_s, q_s = tilted(s)
        cumulant = n * np.logaddexp(log_p[1], log_p[0] + s / n) + m * np.logaddexp(log_q[1], log_q[0] - s / m)
        w = np.sign(s) * np.sqrt(2 * np.maximum(s * seen - cumulant, 0.0))
        with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
            u = 2 / step * np.sinh(step * s / 2) * np.sqrt(p_s * (1 - p_s) / n + q_s * (1 - q_s) / m)
            tail = norm.sf(w) + np.where(np.abs(w) > 1e-3, norm.pdf(w) * (1 / u - 1 / w), 0.0)
        found: np.ndarray = np.where(seen <= -1, 1.0, np.clip(np.nan_to_num(tail, nan=1.0), 0.0, 1.0))
        return found

    def _likeliest(self, delta: np.ndarray) -> np.ndarray:
        """The subgroup's likeliest share if the difference is ``delta`` (Farrington and Manning 1990), by halving."""
        x, n, y, m = self.harmed, self.people, self.others_harmed, self.others

        def falls(p: np.ndarray) -> np.ndarray:
            q = p - delta
            slope: np.ndarray = (n - x) / (1 - p) - x / p + (m - y) / (1 - q) - y / q
            return slope

        with np.errstate(divide="ignore", invalid="ignore"):
            return _root(falls, np.maximum(0.0, delta), np.minimum(1.0, 1.0 + delta), _HALVINGS)


@dataclass(frozen=True)
class Means:
    """Differences of means of s subgroups and everybody else; every array is of shape (s,), float64.

    Attributes:
        excess: The differences.
        errors: Their standard errors; 0 where nothing is known.
        skewness: Third central moment of the difference over its cubed error.
        freedom: Degrees of freedom of the error.
    """

    excess: np.ndarray
    errors: np.ndarray
    skewness: np.ndarray
    freedom: np.ndarray

    def p_values(self, delta: float) -> np.ndarray:
        """Of "the subgroup's mean is at most ``delta`` above that of everybody else"; 1 without an error."""
        from scipy.stats import t

        known = self.errors > 0
        score = (self.excess - delta) / np.where(known, self.errors, 1.0)
        found: np.ndarray = np.where(known, t.sf(_straightened(score, self.skewness), self.freedom), 1.0)
        return found

    def lower(self, alpha: float) -> np.ndarray:
        """Lower bounds of the differences, each missing with probability alpha; -inf where nothing is known."""
        from scipy.stats import t

        known = self.errors > 0
        far = _skewed(np.asarray(t.isf(alpha, self.freedom)), self.skewness)
        return np.where(known, self.excess - np.where(known, self.errors, 1.0) * far, -np.inf)

    def upper(self, alpha: float) -> np.ndarray:
        """Upper bounds; inf where nothing is known."""
        turned: np.ndarray = -Means(-self.excess, self.errors, -self.skewness, self.freedom).lower(alpha)
        return turned


def _straightened(t: np.ndarray, skewness: np.ndarray) -> np.ndarray:
    """Take the skewness a out of t: t + a t^2 / 3 + a^2 t^3 / 27 + a / 6 (Hall 1992); flat beyond its turning point."""
    with np.errstate(divide="ignore"):
        turn = -3 / skewness
    t = np.where(skewness > 0, np.maximum(t, turn), np.where(skewness < 0, np.minimum(t, turn), t))
    found: np.ndarray = t + skewness * t**2 / 3 + skewness**2 * t**3 / 27 + skewness / 6
    return found


def _skewed(straight: np.ndarray, skewness: np.ndarray) -> np.ndarray:
    """The t whose straightened value is given; inf where there is none."""
    inner = skewness * (straight - skewness / 6)
    small = np.abs(skewness) < 1e-9
    with np.errstate(divide="ignore", invalid="ignore"):
        t = 3 / np.where(small, 1.0, skewness) * np.expm1(np.log1p(np.maximum(inner, -1.0)) / 3)
    found: np.ndarray = np.where(small, straight, np.where(inner > -1, t, np.inf))
    return found


def _odds(logit: np.ndarray) -> np.ndarray:
    from scipy.special import expit

    share: np.ndarray = expit(logit)
    return share


def _root(rising: Callable[[np.ndarray], np.ndarray], low: np.ndarray, high: np.ndarray, halvings: int) -> np.ndarray:
    """Where a function that rises changes its sign, by halving; element by element."""
    low, high = low.astype(np.float64), high.astype(np.float64)
    for _ in range(halvings):
        middle = (low + high) / 2
        above = rising(middle) > 0
        low, high = np.where(above, low, middle), np.where(above, middle, high)
    found: np.ndarray = (low + high) / 2
    return found
