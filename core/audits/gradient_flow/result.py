"""What a gradient-flow audit keeps: sums per stopping time and group cell, from which every interval follows.

A *cell* is one combination of the protected attributes' values. Sums over rows of r - 1, (r - 1)² and the 0-1 losses,
per cell and per recorded stopping time T, are enough for the estimate, interval, p-value and verdict of the whole
table and of any group at any T, and they add up over row blocks.
"""

import math
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from core.audits.gradient_flow.cells import GroupCells
from core.audits.gradient_flow.changes import Changes
from core.audits.gradient_flow.cluster_sums import ClusterSums
from core.audits.gradient_flow.decision import Statistic
from core.audits.gradient_flow.people import PossiblePeople
from core.audits.gradient_flow.settings import GradientFlow
from core.contracts.metric import FittedMetric
from core.inference.estimate import Estimate
from core.inference.learned_direction import LearnedDirection
from core.inference.moments import mean_from_sums, ratio_by_cluster, ratio_of_error_rates
from core.result import AuditResult

AGREEMENT = 0.003
"""How far apart, as a share, the loss ratios of a search and of one with steps half as long may lie on average."""

LOST_GROUND_LIMIT = 0.01
"""Share of rows that may lose ground, which an exact search never does (eq. 3.1), before the search is in doubt."""

_MORE_LIKELY = 0.5
FEWEST_RELEARNED = 2
"""Relearned metrics without which nothing is known of the metric's error."""


def in_turn(order: np.ndarray, kinds: np.ndarray) -> np.ndarray:
    """An order in which kinds take turns: the first of each, then the second of each, and so on.

    Args:
        order: Positions, shape (p,), int.
        kinds: Code of the kind of each position, shape (n,), int.
    """
    own = pd.Series(kinds[order])
    return order[np.argsort(own.groupby(own).cumcount().to_numpy(), kind="stable")]


@dataclass(frozen=True)
class StepHalving:
    """The same flow time with half the step size, on evenly spaced audited rows.

    Attributes:
        rows: Rows compared.
        lower_bound: T_n (alpha = 0.05) on those rows with the steps taken.
        lower_bound_halved: T_n on those rows with half the step size and twice the steps.
        apart: How far the two loss ratios of a row lie apart on average, as a share of the mean ratio.
        times: Steps taken for each that the settings ask for; exponential ones of second order are halved until the
            ratios agree.
    """

    rows: int
    lower_bound: float
    lower_bound_halved: float
    apart: float = math.nan
    times: int = 1

    @property
    def error(self) -> float:
        """Estimated error of T_n from the step size."""
        return self.lower_bound - self.lower_bound_halved


@dataclass(frozen=True)
class WorstPairs:
    """People for whom the search found much, beside a possible twin and a real person, at each of m stopping times.

    The p people differ from each other, and those with other protected values took turns when they were chosen. Ratios
    and chances of twins are computed from the possible person, not from where the search ended, and are NaN where
    nobody possible who is similar enough is misjudged more.

    Attributes:
        rows: Row numbers in the file (0-based), shape (p,), int.
        before: The people, features in original units, p rows; the texts for a model that reads texts.
        groups: Their protected values, p rows.
        outcome: Their true outcomes, length p.
        chance: Probability the model gives to the true outcome, shape (p,).
        decimals: Decimals with which each column is written, 0 for categories and whole numbers; shape (c,), int.
        searched: Loss ratios that the search reached, shape (m, p).
        after: The twins, same columns, p rows for each stopping time in turn; the person where there is none.
        ratios: Loss ratios of the twins, shape (m, p).
        chance_after: Probability the model gives the true outcome of the person for the twin, shape (m, p).
        distance: Squared fair distance of the twin from the person, shape (m, p).
        as_similar: Whether that is no more than the search's own, shape (m, p), bool.
        beyond: In which columns the search went beyond what occurs, shape (m, p, c), bool.
        real_rows: Row number of the real person nearest to the twin, or to the end of the search; (m, p), int.
        real: These people, as ``after``.
        real_chance: Probability the model gives the true outcome of the person for them, shape (m, p).
        real_distance: Squared fair distance of them from the person, shape (m, p).
    """

    rows: np.ndarray
    before: pd.DataFrame
    groups: pd.DataFrame
    outcome: tuple[str, ...]
    chance: np.ndarray
    decimals: np.ndarray
    searched: np.ndarray
    after: pd.DataFrame
    ratios: np.ndarray
    chance_after: np.ndarray
    distance: np.ndarray
    as_similar: np.ndarray
    beyond: np.ndarray
    real_rows: np.ndarray
    real: pd.DataFrame
    real_chance: np.ndarray
    real_distance: np.ndarray

    def turned(self, index: int) -> np.ndarray:
        """Whose outcome is more likely than not for the person and not for the twin, at a stopping time; (p,), bool."""
        return np.asarray((self.chance >= _MORE_LIKELY) & (self.chance_after[index] < _MORE_LIKELY))

    def ranked(self, index: int, good: str = "") -> list[int]:
        """The people as they are shown at a stopping time: with a twin as similar as the search's first.

        Of these first come those whose more likely outcome the twin takes away, before others a ``good`` one, then
        those with the larger ratio; of those who have a twin, people with other protected values take turns. Who has
        none there comes last, by what the search reached.
        """
        ratio, searched, turned = self.ratios[index], self.searched[index], self.turned(index)
        loses = turned & (np.array(self.outcome, dtype=object) == good)
        order = np.lexsort(
            (-searched, -np.nan_to_num(ratio), ~turned, ~loses, ~self.as_similar[index], np.isnan(ratio))
        )
        kinds = self.groups.groupby(list(self.groups), dropna=False).ngroup().to_numpy()
        found = int((~np.isnan(ratio)).sum())
        return [*in_turn(order[:found], kinds).tolist(), *order[found:].tolist()]


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
        *,
        share: float = 1.0,
    ) -> Estimate:
        """The estimate with the metric's own error, which it takes as known; other arguments as above.

        Each relearned metric differs from the audit's as that does from the one that all possible rows would teach.
        Both ends follow from how far their directions turn and what their searches find (core/METHODS.md, section 3).
        The estimate as it is where fewer than two metrics were learned again.

        Args:
            estimate: Given exactly the audit's metric.
            metric: The audit's.
            share: By how much less than the search an estimate finds beyond 1, whose error is as much smaller.
        """
        moved = share * self.moved(statistic, index, members)
        if len(moved) < FEWEST_RELEARNED:
            return estimate
        own, *again = share * self._beyond(statistic, index, members)
        found = LearnedDirection.of(
            own,
            np.array(again),
            self.along,
            self.turned,
            directions=max(metric.found, 1),
            others=len(metric.matrix) - len(metric.free),
        )
        return replace(estimate, least=0.0).widened(moved, found)

    def _beyond(self, statistic: Statistic, index: int, members: np.ndarray | slice) -> np.ndarray:
        """What each metric's search finds beyond that without anything learned, (1 + R,); empty without a value."""
        n, start = int(self.count[members].sum()), int(self.wrong_start[members].sum())
        if n == 0 or (statistic == "error-rate ratio" and start == 0):
            return np.empty(0)
        loss = statistic == "loss ratio"
        sums, held, each = (self.excess, self.held_excess, n) if loss else (self.wrong_end, self.held_wrong_end, start)
        return np.asarray((sums[:, index, members].sum(axis=1) - held[index, members].sum()) / each)


@dataclass(frozen=True)
class Repeated:
    """The search repeated on evenly spaced rows under q values of one setting, the audit's own among them.

    The last axis holds an estimate's value, its standard error and the degrees of freedom of that, at each of m
    stopping times; NaN where the rows taught no metric under the value.

    Attributes:
        setting: Name of the setting of :class:`GradientFlow`.
        at: The values, in the order in which they are told; shape (q,).
        own: The value with which the audit itself was run.
        rows: Rows searched.
        loss_ratio: S_n given exactly the metric; shape (q, m, 3).
        error_ratio: The ratio of error rates, likewise; shape (q, m, 3).
    """

    setting: str
    at: np.ndarray
    own: float
    rows: int
    loss_ratio: np.ndarray
    error_ratio: np.ndarray

    def estimates(self, statistic: Statistic, index: int) -> tuple[Estimate, ...]:
        """One of the two statistics at a recorded stopping time, a value of the setting each."""
        found = self.loss_ratio if statistic == "loss ratio" else self.error_ratio
        return tuple(Estimate(v, error, self.rows, degrees=df) for v, error, df in found[:, index].tolist())


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
        rows: Row numbers in the file (0-based); shape (n,), int. This and the next three are of the rows in memory:
            all, unless sums go beyond them.
        cell: Cell of each row; shape (n,), int.
        ratios: Loss ratio of each row at the last stopping time; shape (n,).
        loss_start: Loss of each row before the search, in nats; shape (n,).
        floored_start: Rows whose starting loss was lifted to the floor.
        floored_end: Rows whose final loss was lifted to the floor.
        halving: The step-halving check.
        pairs: People beside their twins.
        gradient_evaluations: Gradient evaluations per row.
        free_directions: Eigendirections of the metric along which the penalty fades a push by less than a factor e over
            the whole search, 2 λ σ τ < 1.
        repeated: The search under other values of single settings, one entry a setting that was varied.
        relearned: The search under metrics learned from other halves of the rows; None for a declared metric.
        of_texts: Whether the search moved embeddings of texts, so that its twins are no texts.
        clusters: The same sums over the rows that belong together; None where each row stands for itself.
        people: Possible people who are similar to some of the rows; None of texts.
        changes: In what those differ from these rows; None of texts.
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
    halving: StepHalving
    pairs: WorstPairs
    gradient_evaluations: int
    free_directions: int
    repeated: tuple[Repeated, ...]
    relearned: Relearned | None
    of_texts: bool = False
    clusters: ClusterSums | None = None
    people: PossiblePeople | None = None
    changes: Changes | None = None

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
