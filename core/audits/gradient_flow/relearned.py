"""How much the result hangs on the rows that taught the metric: the search under metrics learned from resamples."""

from dataclasses import dataclass

import numpy as np

from core.audits.gradient_flow.decision import Statistic
from core.inference.estimate import Estimate
from core.inference.moments import mean_from_sums, ratio_of_error_rates


@dataclass(frozen=True)
class Relearned:
    """The same audited rows searched under R metrics, each learned from a bootstrap sample of the learning rows.

    All are searched on the same evenly spaced audited rows, so that they differ by their metrics only.

    Attributes:
        rows: Audited rows searched.
        wrong_start: How many of them are misclassified before the search.
        excess: Sum over these rows of r - 1 at each of the audit's m recorded stopping times; shape (R, m).
        excess_squares: Sum of (r - 1)²; shape (R, m).
        wrong_end: Rows misclassified at each stopping time; shape (R, m), int.
        wrong_both: Rows misclassified both before and at each stopping time; shape (R, m), int.
        angles: Largest angle between the free directions of each and of the audit's own metric, degrees; shape (R,).
    """

    rows: int
    wrong_start: int
    excess: np.ndarray
    excess_squares: np.ndarray
    wrong_end: np.ndarray
    wrong_both: np.ndarray
    angles: np.ndarray

    def estimates(self, index: int, statistic: Statistic) -> tuple[Estimate, ...]:
        """The statistic under each relearned metric at a recorded stopping time."""
        if statistic == "loss ratio":
            sums = zip(self.excess[:, index], self.excess_squares[:, index], strict=True)
            return tuple(mean_from_sums(float(excess), float(squares), self.rows) for excess, squares in sums)
        counts = zip(self.wrong_end[:, index], self.wrong_both[:, index], strict=True)
        return tuple(ratio_of_error_rates(int(end), self.wrong_start, int(both), self.rows) for end, both in counts)
