"""What a gradient-flow audit keeps: sums per stopping time and group cell, from which every interval follows.

A *cell* is one combination of the protected attributes' values. Sums over rows of r - 1, (r - 1)² and the 0-1 losses,
per cell and per recorded stopping time T, are enough for the estimate, interval, p-value and verdict of the whole
table and of any group at any T, and they add up over row blocks.
"""

import math
from dataclasses import dataclass, replace

import numpy as np

from core.audits.gradient_flow import groups, histogram, verdicts
from core.audits.gradient_flow.decision import GradientFlowDecision, Statistic
from core.audits.gradient_flow.parts import Cells, StepHalving, WorstPairs
from core.audits.gradient_flow.relearned import Relearned
from core.audits.gradient_flow.settings import GradientFlow
from core.errors import Notice
from core.inference.bootstrap_t import bootstrap_t_interval
from core.inference.estimate import Estimate, Interval, Verdict
from core.inference.moments import mean_from_sums, ratio_of_error_rates
from core.inference.power import detectable_excess
from core.inference.tails import Tail, tail_of
from core.metric import FittedMetric
from core.result import AuditResult


@dataclass(frozen=True)
class Sweep:
    """An estimate against the stopping time; m recorded stopping times.

    Attributes:
        steps: Stopping times in steps, shape (m,), int.
        flow_time: The same as flow time, shape (m,).
        estimate: The statistic, shape (m,); NaN where it is undefined.
        lower: One-sided lower bound T_n (eq. 3.10, 3.13), shape (m,).
        upper: One-sided upper bound at the same level, shape (m,).
    """

    steps: np.ndarray
    flow_time: np.ndarray
    estimate: np.ndarray
    lower: np.ndarray
    upper: np.ndarray


@dataclass(frozen=True)
class GradientFlowDetail:
    """Sums, rows and pairs of one gradient-flow audit; m recorded stopping times, C cells, n rows, d encoded columns.

    Attributes:
        steps: Recorded stopping times in steps, ascending; the last is the audit's T; shape (m,), int.
        flow_time: The same as flow time, the sum of the step sizes so far; shape (m,).
        cells: The combinations of protected values and their row counts.
        excess: Sum over rows of r - 1; shape (m, C).
        excess_squares: Sum over rows of (r - 1)²; shape (m, C).
        wrong_start: Rows misclassified before the search; shape (C,), int.
        wrong_end: Rows misclassified at each stopping time; shape (m, C), int.
        wrong_both: Rows misclassified both before and at each stopping time; shape (m, C), int.
        lost_ground: Rows whose penalised loss fell in the search, which a flow never does (eq. 3.1); (m,), int.
        histogram: Rows per ratio bin; fine bins, geometric in |r - 1|: draw those of :meth:`distribution`;
            shape (m, b), int.
        histogram_edges: Bin edges of the ratio, from 0 to infinity; shape (b + 1,).
        rows: Row numbers in the file (0-based); shape (n,), int.
        cell: Cell of each row; shape (n,), int.
        ratios: Loss ratio of each row at the last stopping time; shape (n,).
        loss_start: Loss of each row before the search, in nats; shape (n,).
        floored_start: Rows whose starting loss was lifted to the floor.
        floored_end: Rows whose final loss was lifted to the floor.
        moved: Sum over rows of x_T - x_0, encoded units; shape (C, d).
        moved_absolute: Sum over rows of |x_T - x_0|, encoded units; shape (C, d).
        halving: The step-halving check.
        pairs: The worst pairs.
        gradient_evaluations: Gradient evaluations per row.
        free_directions: Eigendirections of the metric along which the penalty fades a push by less than a factor e over
            the whole search, 2 λ σ τ < 1.
        rotations: T_n - relevant estimates of S_n under rotated metrics: columns degrees, value, standard error;
            shape (q, 3).
        relearned: The search under metrics learned from resampled rows; None for a declared metric.
        of_texts: Whether the search moved embeddings of texts, so that its twins are no texts.
    """

    steps: np.ndarray
    flow_time: np.ndarray
    cells: Cells
    excess: np.ndarray
    excess_squares: np.ndarray
    wrong_start: np.ndarray
    wrong_end: np.ndarray
    wrong_both: np.ndarray
    lost_ground: np.ndarray
    histogram: np.ndarray
    histogram_edges: np.ndarray
    rows: np.ndarray
    cell: np.ndarray
    ratios: np.ndarray
    loss_start: np.ndarray
    floored_start: int
    floored_end: int
    moved: np.ndarray
    moved_absolute: np.ndarray
    halving: StepHalving
    pairs: WorstPairs
    gradient_evaluations: int
    free_directions: int
    rotations: np.ndarray
    relearned: Relearned | None
    of_texts: bool = False

    def at(self, stop_at: int | None) -> int:
        """Index of the last recorded stopping time not after ``stop_at``; the last one for None."""
        if stop_at is None:
            return len(self.steps) - 1
        return max(int(np.searchsorted(self.steps, stop_at, side="right")) - 1, 0)

    def loss_ratio(self, index: int, members: np.ndarray | None = None) -> Estimate:
        """S_n with V_n / sqrt(n) (eq. 3.4) at a recorded stopping time.

        Args:
            index: Position in ``steps``.
            members: Cells to take, shape (C,), bool; all if left out.
        """
        take = self._all() if members is None else members
        excess, squares = self.excess[index, take].sum(), self.excess_squares[index, take].sum()
        return mean_from_sums(float(excess), float(squares), int(self.cells.count[take].sum()))

    def error_ratio(self, index: int, members: np.ndarray | None = None) -> Estimate:
        """The ratio of error rates with its delta-method standard error (eq. 3.12, 3.13); arguments as above."""
        take = self._all() if members is None else members
        return ratio_of_error_rates(
            int(self.wrong_end[index, take].sum()),
            int(self.wrong_start[take].sum()),
            int(self.wrong_both[index, take].sum()),
            int(self.cells.count[take].sum()),
        )

    def estimate(self, decision: GradientFlowDecision) -> Estimate:
        """The decision's statistic at the decision's stopping time."""
        return self._statistic(self.at(decision.stop_at), decision.statistic)

    def resampled(self, decision: GradientFlowDecision) -> tuple[Estimate, ...]:
        """The decision's statistic under each metric learned from resampled rows, where it has a value."""
        if self.relearned is None:
            return ()
        found = self.relearned.estimates(self.at(decision.stop_at), decision.statistic)
        return tuple(one for one in found if not one.undefined)

    def with_metric_error(self, decision: GradientFlowDecision) -> Estimate:
        """The decision's estimate with the metric's bootstrap standard error added to its own (root of the squares).

        It is about the metric that all possible learning rows would teach, where :meth:`estimate` takes the learned
        one as given. NaN as a standard error where fewer than two metrics were learned again.
        """
        found, values = self.estimate(decision), [one.value for one in self.resampled(decision)]
        spread = float(np.std(values, ddof=1)) if len(values) > 1 else math.nan
        return replace(found, standard_error=math.hypot(found.standard_error, spread))

    def verdict(self, decision: GradientFlowDecision) -> Verdict:
        """Violation, no violation, or insufficient evidence; :meth:`reasons` says what lies behind it."""
        return verdicts.verdict(self, decision)

    def reasons(self, decision: GradientFlowDecision) -> tuple[Notice, ...]:
        """What speaks against taking the verdict at its word under this decision settings, most serious first."""
        return verdicts.reasons(self, decision)

    def group_estimates(self, decision: GradientFlowDecision) -> "tuple[groups.GroupEstimate, ...]":
        """Every group of every protected attribute, with intervals that hold for all of them together."""
        return groups.group_estimates(self, decision)

    def sweep(self, statistic: Statistic, alpha: float) -> Sweep:
        """The statistic and its one-sided bounds at every recorded stopping time."""
        estimates = [self._statistic(index, statistic) for index in range(len(self.steps))]
        return Sweep(
            steps=self.steps,
            flow_time=self.flow_time,
            estimate=np.array([found.value for found in estimates]),
            lower=np.array([found.lower_bound(alpha) for found in estimates]),
            upper=np.array([found.upper_bound(alpha) for found in estimates]),
        )

    def tail(self, stop_at: int | None = None) -> Tail:
        """How much of S_n a few rows carry, from the histogram (bins at most an eighth wide in r - 1)."""
        return tail_of(histogram.middles(self.histogram_edges), self.histogram[self.at(stop_at)])

    def bootstrap_t(self, alpha: float, seed: int = 0, stop_at: int | None = None) -> Interval:
        """Equal-tailed bootstrap-t interval of the mean loss ratio, from the histogram's shape."""
        index = self.at(stop_at)
        values, counts = histogram.middles(self.histogram_edges), self.histogram[index]
        return bootstrap_t_interval(self.loss_ratio(index), values, counts, alpha, np.random.default_rng(seed))

    def distribution(self, stop_at: int | None = None, bins: int = 40) -> tuple[np.ndarray, np.ndarray]:
        """Loss ratios as a histogram to draw: counts, shape (b,), and edges, shape (b + 1,), at most ``bins`` bins.

        Edges are evenly spaced in log r as far as the recorded bins allow, and finite.
        """
        return histogram.coarse(self.histogram[self.at(stop_at)], self.histogram_edges, bins)

    def minimum_detectable(self, decision: GradientFlowDecision, power: float = 0.8) -> float:
        """The smallest true value that a test of this size finds in violation with probability ``power``.

        It takes the spread found here as given; NaN when the statistic is undefined.
        """
        return decision.delta + detectable_excess(self.estimate(decision).standard_error, decision.alpha, power)

    def _statistic(self, index: int, statistic: Statistic) -> Estimate:
        return self.loss_ratio(index) if statistic == "loss ratio" else self.error_ratio(index)

    def _all(self) -> np.ndarray:
        return np.ones(len(self.cells.count), dtype=bool)


GradientFlowResult = AuditResult[GradientFlow, GradientFlowDetail, FittedMetric]
"""A result of this test."""
