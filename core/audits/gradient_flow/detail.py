"""What a gradient-flow audit keeps: sums per stopping time and group cell, from which every interval follows.

A *cell* is one combination of the protected attributes' values. Sums over rows of r - 1, (r - 1)² and the 0-1 losses,
per cell and per recorded stopping time T, are enough for the estimate, interval, p-value and verdict of the whole
table and of any group at any T, and they add up over row blocks.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd


@dataclass(frozen=True)
class Cells:
    """The combinations of protected values that occur.

    Attributes:
        attributes: Protected attributes, length a.
        groups: Group names of each attribute, length a.
        codes: Group of each cell by each attribute, index into ``groups``; shape (C, a), int.
        count: Audited rows in each cell, shape (C,), int.
    """

    attributes: tuple[str, ...]
    groups: tuple[tuple[str, ...], ...]
    codes: np.ndarray
    count: np.ndarray

    def members(self, attribute: str, group: str) -> np.ndarray:
        """Which cells belong to a group; shape (C,), bool."""
        column = self.attributes.index(attribute)
        return self.codes[:, column] == self.groups[column].index(group)


@dataclass(frozen=True)
class StepHalving:
    """The same flow time with half the step size, on the first ``rows`` audited rows.

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
        before: The person, features in original units, p rows.
        after: The similar twin the search found, same columns, p rows; categories by their largest indicator.
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
    groups: pd.DataFrame
    outcome: tuple[str, ...]
    probability_before: np.ndarray
    probability_after: np.ndarray
    distance: np.ndarray


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
        histogram: Rows per ratio bin; shape (m, b), int.
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
        rotations: T_n - relevant estimates of S_n under rotated metrics: columns degrees, value, standard error;
            shape (q, 3).
        resampled: Estimates of S_n under metrics learned from resampled rows: columns value, standard error; (R, 2).
    """

    steps: np.ndarray
    flow_time: np.ndarray
    cells: Cells
    excess: np.ndarray
    excess_squares: np.ndarray
    wrong_start: np.ndarray
    wrong_end: np.ndarray
    wrong_both: np.ndarray
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
    rotations: np.ndarray
    resampled: np.ndarray

    def at(self, stop_at: int | None) -> int:
        """Index of the last recorded stopping time not after ``stop_at``; the last one for None."""
        if stop_at is None:
            return len(self.steps) - 1
        return max(int(np.searchsorted(self.steps, stop_at, side="right")) - 1, 0)
