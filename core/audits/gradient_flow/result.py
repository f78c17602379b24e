"""What a gradient-flow audit keeps: sums per stopping time and group cell, from which every interval follows.

A *cell* is one combination of the protected attributes' values. Sums over rows of r - 1, (r - 1)² and the 0-1 losses,
per cell and per recorded stopping time T, are enough for the estimate, interval, p-value and verdict of the whole
table and of any group at any T, and they add up over row blocks.
"""

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from core.audits.gradient_flow.cells import GroupCells
from core.audits.gradient_flow.cluster_sums import ClusterSums
from core.audits.gradient_flow.decision import Statistic
from core.audits.gradient_flow.settings import GradientFlow
from core.contracts.metric import FittedMetric
from core.inference.estimate import Estimate
from core.inference.learned_direction import LearnedDirection
from core.inference.moments import mean_from_sums, ratio_by_cluster, ratio_of_error_rates
from core.result import AuditResult

LOST_GROUND_LIMIT = 0.01
"""Share of rows that may lose ground, which an exact search never does (eq. 3.1), before the search is in doubt."""

FEWEST_RELEARNED = 2
"""Relearned metrics without which nothing is known of the metric's error."""


@dataclass(frozen=True)
class StepHalving:
    """The same flow time with half the step size, on evenly spaced audited rows.

    Attributes:
        rows: Rows compared.
        lower_bound: T_n (alpha = 0.05) on those rows with the step size asked for.
        lower_bound_halved: T_n on those rows with half the step size and twice the steps.
    """

    rows: int
    lower_bound: float
    lower_bound_halved: float

    @property
    def error(self) -> float:
        """Estimated error of T_n from the step size."""
        return self.lower_bound - self.lower_bound_halved


@dataclass(frozen=True)
class WorstPairs:
    """The people whose similar twin is treated worst, at the last stopping time; largest ratio first.

    Attributes:
        rows: Row numbers in the file (0-based), shape (p,), int.
        ratios: Loss ratios, shape (p,).
        before: The person, features in original units, p rows; the text for a model that reads texts.
        after: The similar twin the search found, same columns, p rows; categories by their largest indicator; an empty
            text where the twin is a point between texts.
        moved: How far each column moved (:meth:`core.data.encoder.Encoder.moved`), shape (p, c).
        groups: The person's protected values, p rows.
        outcome: The true outcome, length p.
        probability_before: Probability the model gives to the true outcome, shape (p,).
        probability_after: The same for the twin, shape (p,).
        distance: Squared fair distance between the two, shape (p,).
    """

    rows: np.ndarray
    ratios: np.ndarray
    before: pd.DataFrame
    after: pd.DataFrame
    moved: np.ndarray
    groups: pd.DataFrame
    outcome: tuple[str, ...]
    probability_before: np.ndarray
    probability_after: np.ndarray
    distance: np.ndarray


@dataclass(frozen=True)
class Relearned:
    """Some audited rows searched under the audit's own metric and under R others, each learned from half of its rows.

    All are searched on the same evenly spaced rows and with the same coarse steps, so that they differ by their metrics
    only. The audit's own metric stands first; arrays have one entry for each of 1 + R metrics, m stopping times and C
    cells. A last search holds people back in what not all of the metrics free, that is in all that was learned.

    Attributes:
        count: Rows searched in each cell; shape (C,), int.
        wrong_start: How many of them are misclassified before the search; shape (C,), int.
        excess: Sum over these rows of r - 1; shape (1 + R, m, C).
        wrong_end: Rows misclassified at each stopping time; shape (1 + R, m, C), int.
        angles: Largest angle between the free directions of each of the R and of the audit's own metric, degrees;
            shape (R,).
        turned: By how much the learned directions of each of the R have turned on average: the angle whose squared sine
            is the mean of theirs, degrees; shape (R,).
        along: By how much what each of the R frees has turned from the learned directions along which the audit's own
            search moved these rows, degrees; shape (R,).
        held_excess: Sum of r - 1 in the last search; shape (m, C).
        held_wrong_end: Rows misclassified in the last search; shape (m, C), int.
    """

    count: np.ndarray
    wrong_start: np.ndarray
    excess: np.ndarray
    wrong_end: np.ndarray
    angles: np.ndarray
    turned: np.ndarray
    along: np.ndarray
    held_excess: np.ndarray
    held_wrong_end: np.ndarray

    @property
    def rows(self) -> int:
        """Audited rows searched."""
        return int(self.count.sum())

    def moved(self, statistic: Statistic, index: int, members: np.ndarray | slice = slice(None)) -> np.ndarray:
        """By how much each relearned metric's estimate differs from that of the audit's own metric; shape (R,).

        Empty where an estimate has no value.

        Args:
            statistic: Which of the two.
            index: Position of the stopping time among those recorded.
            members: Cells to take, shape (C,), bool; all if left out.
        """
        beyond = self._beyond(statistic, index, members)
        return np.asarray(beyond[1:] - beyond[:1])

    def widened(
        self,
        estimate: Estimate,
        metric: FittedMetric,
        statistic: Statistic,
        index: int,
        members: np.ndarray | slice = slice(None),
    ) -> Estimate:
        """The estimate with the metric's own error, which it takes as known; other arguments as above.

        Each relearned metric differs from the audit's as that does from the one that all possible rows would teach.
        Both ends follow from how far their directions turn and what their searches find (core/METHODS.md, section 3).
        The estimate as it is where fewer than two metrics were learned again.

        Args:
            estimate: Given exactly the audit's metric.
            metric: The audit's.
        """
        moved = self.moved(statistic, index, members)
        if len(moved) < FEWEST_RELEARNED:
            return estimate
        own, *again = self._beyond(statistic, index, members)
        found = LearnedDirection.of(
            own,
            np.array(again),
            self.along,
            self.turned,
            directions=max(metric.found, 1),
            others=len(metric.matrix) - len(metric.free),
        )
        return estimate.widened(moved, found)

    def _beyond(self, statistic: Statistic, index: int, members: np.ndarray | slice) -> np.ndarray:
        """What each metric's search finds beyond that without anything learned, (1 + R,); empty without a value."""
        n, start = int(self.count[members].sum()), int(self.wrong_start[members].sum())
        if n == 0 or (statistic == "error-rate ratio" and start == 0):
            return np.empty(0)
        loss = statistic == "loss ratio"
        sums, held, each = (self.excess, self.held_excess, n) if loss else (self.wrong_end, self.held_wrong_end, start)
        return np.asarray((sums[:, index, members].sum(axis=1) - held[index, members].sum()) / each)


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
        histogram: Rows per ratio bin; the bins are fine, geometric in |r - 1|, and put together to be drawn; shape
            (m, b), int.
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
        rotations: Estimates of S_n under rotated metrics: columns degrees, value, standard error; shape (q, 3).
        relearned: The search under metrics learned from other halves of the rows; None for a declared metric.
        of_texts: Whether the search moved embeddings of texts, so that its twins are no texts.
        clusters: The same sums over the rows that belong together; None where each row stands for itself.
    """

    steps: np.ndarray
    flow_time: np.ndarray
    cells: GroupCells
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
    clusters: ClusterSums | None = None

    def at(self, stop_at: int | None) -> int:
        """Index of the last recorded stopping time not after ``stop_at``; the last one for None."""
        if stop_at is None:
            return len(self.steps) - 1
        return max(int(np.searchsorted(self.steps, stop_at, side="right")) - 1, 0)

    def loss_ratio(self, index: int, members: np.ndarray | slice = slice(None)) -> Estimate:
        """S_n with V_n / sqrt(n) (eq. 3.4) at a recorded stopping time.

        Args:
            index: Position in ``steps``.
            members: Cells to take, shape (C,), bool; all if left out.
        """
        if self.clusters is not None:
            found = ratio_by_cluster(*self.by_cluster("loss ratio", index, members), self.rows_of(members))
            return replace(found, value=1.0 + found.value)
        excess, squares = self.excess[index, members].sum(), self.excess_squares[index, members].sum()
        return mean_from_sums(float(excess), float(squares), self.rows_of(members))

    def error_ratio(self, index: int, members: np.ndarray | slice = slice(None)) -> Estimate:
        """The ratio of error rates with its delta-method standard error (eq. 3.12, 3.13); arguments as above."""
        if self.clusters is not None:
            return ratio_by_cluster(*self.by_cluster("error-rate ratio", index, members), self.rows_of(members))
        return ratio_of_error_rates(
            int(self.wrong_end[index, members].sum()),
            int(self.wrong_start[members].sum()),
            int(self.wrong_both[index, members].sum()),
            self.rows_of(members),
        )

    def rows_of(self, members: np.ndarray | slice = slice(None)) -> int:
        """Audited rows in these cells."""
        return int(self.cells.count[members].sum())

    def by_cluster(
        self, statistic: Statistic, index: int, members: np.ndarray | slice = slice(None)
    ) -> tuple[np.ndarray, np.ndarray]:
        """Each cluster's sums whose ratio is the statistic (less 1 for the loss ratio), (G,) each; arguments as above.

        They are of excesses and rows, or of rows in error after and before the search.
        """
        if self.clusters is None:
            raise ValueError("rows of this result stand for themselves")
        of, cells = self.clusters, np.zeros(len(self.cells.count), dtype=bool)
        cells[members] = True
        pair = (of.excess[index], of.rows) if statistic == "loss ratio" else (of.wrong_end[index], of.wrong_start)
        return of.over(pair[0], cells), of.over(pair[1], cells)

    def estimate(self, statistic: Statistic, index: int, members: np.ndarray | slice = slice(None)) -> Estimate:
        """One of the two; arguments as above."""
        return (self.loss_ratio if statistic == "loss ratio" else self.error_ratio)(index, members)


GradientFlowResult = AuditResult[GradientFlow, GradientFlowDetail, FittedMetric]
"""A result of this test."""
