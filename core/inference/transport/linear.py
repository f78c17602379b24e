"""max c·x subject to Ax <= b, x >= 0, by HiGHS through cvxpy."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from core.base.errors import AuditError
from core.language.told import say

if TYPE_CHECKING:
    from scipy.sparse import csr_array

MISSED = 1e-9
"""A constraint missed by more than this is not met."""

_OPTIONS = {
    "primal_feasibility_tolerance": 1e-10,
    "dual_feasibility_tolerance": 1e-10,
    "small_matrix_value": 1e-12,
    "threads": 1,
}

_ROUNDING = 1e-13
"""A smaller variable is 0."""


def maximise(gain: np.ndarray, matrix: csr_array, bounds: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
    """Solve a linear program whose maximum is finite.

    Rows are divided by their largest coefficient first, so that the solver's tolerances mean the same in each.

    Args:
        gain: c, shape (v,).
        matrix: A, shape (r, v).
        bounds: b, shape (r,); infinite for no bound.

    Returns:
        x, shape (v,), and the duals of the rows, shape (r,), both not negative; None where no x meets all rows.

    Raises:
        AuditError: The solver gave up.
    """
    import cvxpy
    from scipy.sparse import csr_array

    duals = np.zeros(len(bounds))
    size = np.zeros(len(bounds)) if not len(gain) else np.asarray(abs(matrix).max(axis=1).todense()).ravel()
    if (bounds[size == 0] < -MISSED).any():
        return None
    rows = np.flatnonzero((size > 0) & (bounds < np.inf))
    if not len(rows):
        return np.zeros(len(gain)), duals
    x = cvxpy.Variable(len(gain), nonneg=True)
    scaled = csr_array(matrix[rows].multiply(1 / size[rows][:, None]))
    met = scaled @ x <= bounds[rows] / size[rows]
    problem = cvxpy.Problem(cvxpy.Maximize(gain @ x), [met])
    try:
        problem.solve(solver=cvxpy.HIGHS, **_OPTIONS)  # type: ignore[no-untyped-call]
    except cvxpy.SolverError as error:
        raise _gave_up() from error
    if problem.status in ("infeasible", "infeasible_or_unbounded"):
        return None
    if x.value is None:
        raise _gave_up()
    duals[rows] = np.maximum(met.dual_value, 0.0) / size[rows]
    return np.where(x.value > _ROUNDING, x.value, 0.0), duals


def _gave_up() -> AuditError:
    return AuditError(
        say("The solver of the linear program gave up."),
        advice=say("Round the costs, or drop limits that hardly matter."),
    )
