"""What a sample costs in power: the smallest difference between groups that is found with it, and with all rows."""

import numpy as np

from core.base.thresholds import POWER
from core.data.cells import as_text
from core.data.dataset import Dataset
from core.inference.power import detectable_excess
from core.language.phrases import number, quoted

_LEVEL = 0.05
"""Error rate that is reckoned with: what tests begin with."""


def told_of_power(looked_at: Dataset, rows: int, of_all: int) -> str:
    """The difference in outcome or answer that is found four times in five, for the attribute where most is needed.

    It is reckoned from the spread and the share of each group among rows that were looked at, for a one-sided test of
    the smallest group against all others (normal approximation); a test that asks for more needs more.

    Args:
        looked_at: Some rows.
        rows: How many rows are drawn.
        of_all: How many there are.
    """
    roles = looked_at.roles
    values, column = _values(looked_at)
    found = {name: _error_of_a_row(values, looked_at.groups(name)[0]) for name in roles.protected}
    found = {name: error for name, error in found.items() if np.isfinite(error)}
    if not found:
        return "What difference between groups they would show is not known: a group is too small among rows looked at."
    name = max(found, key=lambda one: found[one])
    in_points = bool(looked_at.labels)
    with_sample, with_all = (
        detectable_excess(found[name] / n**0.5, _LEVEL, POWER) * (100 if in_points else 1) for n in (rows, of_all)
    )
    unit = " percentage points" if in_points else ""
    return (
        f"Between the smallest group of {quoted(name)} and all others a difference in {quoted(column)} of "
        f"about {number(with_sample)}{unit} is found four times in five with these rows, and one of about "
        f"{number(with_all)}{unit} with all of them."
    )


def _values(rows: Dataset) -> tuple[np.ndarray, str]:
    """What groups are compared by, shape (n,), and its column.

    Whether the answer, or else the outcome, is the favourable one; or the number that came true.
    """
    roles = rows.roles
    column = roles.predictions[0] if roles.predictions else str(roles.outcome or roles.decision)
    if not rows.labels:
        return rows.numbers, str(roles.outcome)
    values = as_text(rows.frame[column]).to_numpy()
    if roles.favourable not in values:
        column = str(roles.outcome or roles.decision)
        values = as_text(rows.frame[column]).to_numpy()
    return (values == roles.favourable).astype(np.float64), column


def _error_of_a_row(values: np.ndarray, codes: np.ndarray) -> float:
    """Standard error of the difference between the smallest group and all others times the root of the rows."""
    sizes = np.bincount(codes)
    smallest = codes == np.where(sizes > 0, sizes, len(codes) + 1).argmin()
    parts = values[smallest], values[~smallest]
    if min(map(len, parts)) < 2:
        return float("nan")
    return float(sum(part.var(ddof=1) * len(values) / len(part) for part in parts) ** 0.5)
