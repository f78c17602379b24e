"""An estimate whose error is known through resampling, and everything that follows from the two.

Equations are those of papers/faith.md, section 4.2, with the sign of eq. 4.1 put right. Intervals and p-values
are functions of the estimate and of the reader's delta and alpha; none of them is ever stored.
"""

from dataclasses import dataclass
from functools import cached_property
from math import sqrt

import numpy as np

from core.inference.estimate import Estimate, Interval
from core.inference.p_values import monte_carlo_p, rank_at


@dataclass(frozen=True)
class ResampledEstimate:
    """An estimate with draws that approximate the distribution of its error.

    Attributes:
        value: The estimate, psi(f_n) of the paper; NaN when undefined.
        n: Rows it rests on.
        roots: Draws that approximate sqrt(n) (estimate - truth), ascending; shape (B,).
        upper_roots: Draws of something at least as large, ascending, from which lower bounds and p-values are taken
            so that they hold even where ``roots`` are too small; shape (B,); ``roots`` when not given.
        undefined: Why there is no value, one sentence; empty when there is one.
    """

    value: float
    n: int
    roots: np.ndarray
    upper_roots: np.ndarray | None = None
    undefined: str = ""

    def two_sided(self, alpha: float) -> Interval:
        """Basic bootstrap interval; eq. 4.1 with "-" before both quantiles (the printed "+" covers with 0.01)."""
        return Interval(self.lower_bound(alpha / 2), self.upper_bound(alpha / 2), 1 - alpha)

    def lower_bound(self, alpha: float) -> float:
        """Estimate - c_{1-alpha} / sqrt(n); -inf where B is too small for this alpha.

        The quantile is the draw of rank B + 1 - floor(alpha (B + 1)), so that the bound and the p-value agree exactly.
        """
        return self._bound(self._large, len(self._large) - rank_at(alpha, len(self.roots)), -np.inf)

    def upper_bound(self, alpha: float) -> float:
        """Estimate - c_alpha / sqrt(n); inf where B is too small for this alpha."""
        return self._bound(self.roots, rank_at(alpha, len(self.roots)) - 1, np.inf)

    def p_value(self, delta: float) -> float:
        """(1 + #{roots >= sqrt(n) (estimate - delta)}) / (B + 1); NaN when undefined.

        It is at most alpha exactly where the lower bound exceeds delta.
        """
        if self.undefined:
            return float("nan")
        not_above = np.count_nonzero(self.value - self._large / sqrt(self.n) <= delta)
        return monte_carlo_p(not_above, len(self._large))

    def lower_error(self, alpha: float) -> float:
        """Monte-Carlo standard error of the lower bound: what other draws would change."""
        return self._error(self._large, len(self._large) - rank_at(alpha, len(self.roots)), alpha)

    def upper_error(self, alpha: float) -> float:
        """Monte-Carlo standard error of the upper bound."""
        return self._error(self.roots, rank_at(alpha, len(self.roots)) - 1, alpha)

    @property
    def _large(self) -> np.ndarray:
        return self.roots if self.upper_roots is None else self.upper_roots

    def _bound(self, roots: np.ndarray, place: int, otherwise: float) -> float:
        if self.undefined:
            return float("nan")
        if not 0 <= place < len(roots):
            return float(otherwise)
        return float(self.value - roots[place] / sqrt(self.n))

    def _error(self, roots: np.ndarray, place: int, alpha: float) -> float:
        """Half the distance of the draws one binomial standard deviation of ranks to either side (no density)."""
        if self.undefined or not 0 <= place < len(roots):
            return float("nan")
        ranks = max(1.0, sqrt(len(roots) * alpha * (1 - alpha)))
        low, high = np.clip([place - ranks, place + ranks], 0, len(roots) - 1)
        at = np.interp([low, high], np.arange(len(roots)), roots)
        return float((at[1] - at[0]) / (high - low) * ranks / sqrt(self.n))


@dataclass(frozen=True)
class CrossFitted:
    """The mean of the estimates that S random splits of the same people give (Chernozhukov et al. 2018, section 3.4).

    Its standard error is the mean of theirs: the standard deviation of a mean is at most the mean of the standard
    deviations, however the splits depend on each other.

    Attributes:
        splits: What each split gives, at least one.
    """

    splits: tuple[Estimate, ...]

    @cached_property
    def _mean(self) -> Estimate:
        values, errors = np.array([(one.value, one.standard_error) for one in self.splits]).T
        return Estimate(float(values.mean()), float(errors.mean()), self.n, self.undefined)

    @property
    def value(self) -> float:
        """The mean over the splits; NaN when one of them is undefined."""
        return self._mean.value

    @property
    def standard_error(self) -> float:
        """The mean standard error."""
        return self._mean.standard_error

    @property
    def n(self) -> int:
        """Rows it rests on."""
        return self.splits[0].n

    @property
    def undefined(self) -> str:
        """Why there is no value, one sentence; empty when there is one."""
        return next((one.undefined for one in self.splits if one.undefined), "")

    def two_sided(self, alpha: float) -> Interval:
        """Equal-tailed interval."""
        return self._mean.two_sided(alpha)

    def lower_bound(self, alpha: float) -> float:
        """One-sided lower confidence bound: the mean of the splits' bounds."""
        return self._mean.lower_bound(alpha)

    def upper_bound(self, alpha: float) -> float:
        """One-sided upper confidence bound."""
        return self._mean.upper_bound(alpha)

    def p_value(self, delta: float) -> float:
        """One-sided p-value of H0: value <= delta."""
        return self._mean.p_value(delta)

    def lower_error(self, alpha: float) -> float:
        """Monte-Carlo standard error of the lower bound: what other splits would change; NaN with a single one."""
        if len(self.splits) < 2:
            return float("nan")
        return float(np.std([one.lower_bound(alpha) for one in self.splits], ddof=1)) / sqrt(len(self.splits))


@dataclass(frozen=True)
class Checked:
    """An estimate whose lower bound counts only as far as a second, honest one confirms it.

    Attributes:
        estimate: Too high in the mean, as its lower bound may be; its upper bound holds.
        confirmed_by: Never too high in the mean (`split_check`), and the value that is told.
    """

    estimate: Estimate | ResampledEstimate
    confirmed_by: CrossFitted

    @property
    def value(self) -> float:
        """That of the second; of the first where the second says nothing."""
        return self.estimate.value if self.undefined or self.confirmed_by.undefined else self.confirmed_by.value

    @property
    def n(self) -> int:
        """Rows it rests on."""
        return self.estimate.n

    @property
    def undefined(self) -> str:
        """Why there is no value, one sentence; empty when there is one."""
        return self.estimate.undefined

    def two_sided(self, alpha: float) -> Interval:
        """From the lower of the two lower ends to the upper end of the first."""
        interval = self.estimate.two_sided(alpha)
        return Interval(self.lower_bound(alpha / 2), interval.high, interval.confidence)

    def lower_bound(self, alpha: float) -> float:
        """The lower of the two lower bounds; -inf where the second says nothing."""
        if self.confirmed_by.undefined:
            return float("nan") if self.undefined else -float("inf")
        return min(self.estimate.lower_bound(alpha), self.confirmed_by.lower_bound(alpha))

    def upper_bound(self, alpha: float) -> float:
        """The upper bound of the first."""
        return self.estimate.upper_bound(alpha)

    def p_value(self, delta: float) -> float:
        """The larger of the two p-values; 1 where the second says nothing."""
        if self.confirmed_by.undefined:
            return float("nan") if self.undefined else 1.0
        return max(self.estimate.p_value(delta), self.confirmed_by.p_value(delta))

    def lower_error(self, alpha: float) -> float:
        """Monte-Carlo standard error of the lower bound that decides: what other splits or draws would change."""
        if self.confirmed_by.undefined:
            return 0.0
        if self.decided_by_second(alpha):
            return self.confirmed_by.lower_error(alpha)
        return self.estimate.lower_error(alpha) if isinstance(self.estimate, ResampledEstimate) else 0.0

    def decided_by_second(self, alpha: float) -> bool:
        """Whether the lower bound, and with it the p-value, is that of the second."""
        return self.confirmed_by.lower_bound(alpha) <= self.estimate.lower_bound(alpha)

    def upper_error(self, alpha: float) -> float:
        """Monte-Carlo standard error of the upper bound."""
        return self.estimate.upper_error(alpha) if isinstance(self.estimate, ResampledEstimate) else 0.0
