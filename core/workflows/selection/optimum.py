"""When an ℓ1-regularised logistic regression is at its optimum, and the last steps to it."""

import numpy as np

TOLERANCE = 1e-4
"""Largest violation of the conditions for an optimum, as a share of the penalty's own slope λ/n."""

SMALLEST_TOLERANCE = 1e-9
"""Slopes of the mean loss below this are rounding."""

_NEWTON_STEPS = 10
_MOST_MULTIPLICATIONS = 4e9


def violation(
    z: np.ndarray, targets: np.ndarray, coefficients: np.ndarray, intercepts: np.ndarray, strength: float
) -> float:
    """How far a fit is from the conditions for an optimum, as the largest slope of the mean penalised loss.

    With g the slope of the mean log loss and ρ = λ/n, an optimum has g_j = −ρ sign β_j where β_j is not zero,
    |g_j| <= ρ elsewhere, and slope zero in the intercept.

    Args:
        z: Columns, shape (n, d).
        targets: Indicators of the outcomes, shape (n, o).
        coefficients: Shape (o, d).
        intercepts: Shape (o,).
        strength: 1/λ.
    """
    residual = _probabilities(z @ coefficients.T + intercepts) - targets
    slope, penalty = residual.T @ z / len(z), 1 / (strength * len(z))
    away = np.where(
        coefficients != 0, np.abs(slope + penalty * np.sign(coefficients)), np.maximum(np.abs(slope) - penalty, 0.0)
    )
    return float(max(away.max(), np.abs(residual.mean(axis=0)).max()))


def finish(
    z: np.ndarray, targets: np.ndarray, *, coefficients: np.ndarray, intercepts: np.ndarray, strength: float
) -> tuple[np.ndarray, np.ndarray]:
    """Newton steps among the coefficients that are not zero, whose signs are kept: a nearly optimal fit made exact.

    The penalty is linear there. What came in goes out again where the steps do not lead to a better fit, or would cost
    too much. Arguments as :func:`violation`.
    """
    free = np.concatenate([np.ones((len(intercepts), 1), dtype=bool), coefficients != 0], axis=1).ravel()
    if len(z) * int(free.sum()) ** 2 > _MOST_MULTIPLICATIONS:
        return coefficients, intercepts
    design = np.concatenate([np.ones((len(z), 1)), z], axis=1)
    point = np.ascontiguousarray(np.concatenate([intercepts[:, None], coefficients], axis=1))
    pull = np.sign(np.concatenate([np.zeros((len(point), 1)), coefficients], axis=1)) / (strength * len(z))
    for _ in range(_NEWTON_STEPS):
        probability = _probabilities(design @ point.T)
        slope = ((probability - targets).T @ design / len(z) + pull).ravel()[free]
        step = np.linalg.lstsq(_curvature(design, probability, free), slope, rcond=None)[0]
        point.reshape(-1)[free] -= step
        if not np.isfinite(step).all() or np.abs(slope).max() < 1e-15:
            break
    kept = np.isfinite(point).all() and (np.sign(point[:, 1:]) == np.sign(coefficients)).all()
    if not kept or violation(z, targets, point[:, 1:], point[:, 0], strength) > violation(
        z, targets, coefficients, intercepts, strength
    ):
        return coefficients, intercepts
    return point[:, 1:].copy(), point[:, 0].copy()


def _curvature(design: np.ndarray, probability: np.ndarray, free: np.ndarray) -> np.ndarray:
    """Second derivatives of the mean log loss in the free entries of (o, 1 + d), row by row; shape (f, f)."""
    n, outputs = probability.shape
    columns = [design[:, chosen] for chosen in free.reshape(outputs, -1)]
    weights = probability[:, :, None] * (np.eye(outputs) - probability[:, None, :])
    blocks = [
        [columns[k].T @ (columns[other] * weights[:, k, other, None]) / n for other in range(outputs)]
        for k in range(outputs)
    ]
    curvature: np.ndarray = np.block(blocks)
    return curvature


def allowed(strength: float, rows: int) -> float:
    """The largest :func:`violation` of a fit that counts as converged."""
    return max(TOLERANCE / (strength * rows), SMALLEST_TOLERANCE)


def _probabilities(scores: np.ndarray) -> np.ndarray:
    """Of each output's outcome, shape (n, o), from scores of the same shape."""
    from scipy.special import expit, softmax

    answers: np.ndarray = expit(scores) if scores.shape[1] == 1 else softmax(scores, axis=1)
    return answers
