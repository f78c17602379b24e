"""Logistic regression to convergence, or a clear word that there is nothing to converge to."""

import warnings
from dataclasses import dataclass

import numpy as np

from core.base.errors import MetricError
from core.language.phrases import quoted
from core.language.told import localized, say
from core.metrics.subspace import RANK_TOLERANCE

GRADIENT_TOLERANCE = 1e-6
"""Largest entry of the gradient of the mean objective that counts as converged, on centred standardised columns."""

INFORMATION_TOLERANCE = 1e-5
"""Below this smallest eigenvalue of the mean Fisher information in whitened columns the groups can be told apart
along some direction, and the unpenalised optimum lies at infinity."""

NUMERICAL_RIDGE = 1e-9
"""Where no ridge is asked for: this times the rows, in whitened columns. It shifts a coefficient by a share of at most
1e-9 over the information, and keeps Newton steps defined where the optimum lies at infinity, so that this is seen."""

_NEWTON_SIZE = 400
"""Up to this many coefficients a Newton step is cheaper than many first-order ones."""


@dataclass(frozen=True)
class LogisticFit:
    """A fitted probe.

    Attributes:
        coefficients: One row of log-odds for two groups, shape (1, p); for g > 2 one row a group, summing to zero,
            shape (g, p).
        intercepts: Intercept of each group, shape (g,); minus infinity for a group without rows.
        separable: Some direction tells a group apart without a single exception.
    """

    coefficients: np.ndarray
    intercepts: np.ndarray
    separable: bool = False

    def probability(self, z: np.ndarray) -> np.ndarray:
        """Probability of each group, shape (n, g)."""
        from scipy.special import softmax

        score = z @ self.coefficients.T
        if len(self.coefficients) == 1 and len(self.intercepts) == 2:
            score = np.concatenate([-score / 2, score / 2], axis=1)
        probability: np.ndarray = softmax(score + self.intercepts, axis=1)
        return probability


def fit_logistic(z: np.ndarray, codes: np.ndarray, groups: int, strength: float, attribute: str) -> LogisticFit:
    """Minimise the summed log-loss plus ``strength``/2 times the squared coefficients; intercepts are free.

    Args:
        z: Standardised columns, shape (n, p).
        codes: Group of each row, shape (n,), int.
        groups: Number of groups g, of which some may have no row here.
        strength: Of the ridge; 0 for none.
        attribute: Named in errors.

    Raises:
        MetricError: The solver stopped before it converged.
    """
    present = np.unique(codes)
    if len(present) < groups:
        return _without_absent(z, codes, groups, present, strength=strength, attribute=attribute)
    to_rows, whitening = z, np.eye(z.shape[1])
    if strength == 0:
        whitening = _whitening(z)
        to_rows = z @ whitening
    coefficients, intercepts = _solve(to_rows, codes, strength)
    flat = _information_is_flat(to_rows, codes, coefficients, intercepts) if strength == 0 else False
    fitted = LogisticFit(coefficients @ whitening.T, intercepts, separable=flat)
    slope = _gradient(to_rows, codes, LogisticFit(coefficients, intercepts), strength)
    if slope > GRADIENT_TOLERANCE and not flat:
        raise MetricError(
            say("The probe did not converge, so its direction cannot be trusted."),
            where=say(
                "protected attribute {attribute}, largest gradient {slope}",
                attribute=quoted(attribute),
                slope=localized(f"{slope:.1e}"),
            ),
            advice=say("Use a stronger ridge, hold out more rows, or merge rare categories."),
        )
    return fitted


def _without_absent(
    z: np.ndarray, codes: np.ndarray, groups: int, present: np.ndarray, *, strength: float, attribute: str
) -> LogisticFit:
    coefficients = np.zeros((1 if groups == 2 else groups, z.shape[1]))
    intercepts = np.full(groups, -np.inf)
    if len(present) == 1:
        intercepts[present] = 0.0
        return LogisticFit(coefficients, intercepts)
    inner = fit_logistic(z, np.searchsorted(present, codes), len(present), strength, attribute)
    rows = inner.coefficients
    coefficients[present] = np.concatenate([-rows / 2, rows / 2]) if len(present) == 2 else rows
    intercepts[present] = inner.intercepts
    return LogisticFit(coefficients, intercepts, inner.separable)


def _solve(z: np.ndarray, codes: np.ndarray, strength: float) -> tuple[np.ndarray, np.ndarray]:
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.linear_model import LogisticRegression

    groups = int(codes.max()) + 1
    newton = z.shape[1] * (groups if groups > 2 else 1) <= _NEWTON_SIZE
    solver = LogisticRegression(
        C=1 / (strength or NUMERICAL_RIDGE * len(z)),
        solver="newton-cholesky" if newton else "lbfgs",
        tol=GRADIENT_TOLERANCE / 10,
        max_iter=100 if newton else 5000,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        solver.fit(z, codes)
    if groups == 2:
        return solver.coef_, np.array([-0.5, 0.5]) * solver.intercept_[0]
    return solver.coef_ - solver.coef_.mean(axis=0), solver.intercept_ - solver.intercept_.mean()


def _gradient(z: np.ndarray, codes: np.ndarray, fitted: LogisticFit, strength: float) -> float:
    """Largest entry of the gradient of the mean objective."""
    residual = fitted.probability(z)
    residual[np.arange(len(codes)), codes] -= 1
    rows = residual[:, 1:] if len(fitted.coefficients) == 1 else residual
    slope = (rows.T @ z + strength * fitted.coefficients) / len(z)
    return float(max(np.abs(slope).max(), np.abs(residual.mean(axis=0)).max()))


def _information_is_flat(z: np.ndarray, codes: np.ndarray, coefficients: np.ndarray, intercepts: np.ndarray) -> bool:
    """Whether the likelihood has no curvature left along some direction, for some group against the rest."""
    probability = LogisticFit(coefficients, intercepts).probability(z)
    design = np.concatenate([np.ones((len(z), 1)), z], axis=1)
    shares = np.bincount(codes) / len(codes)
    for group in range(1 if len(intercepts) == 2 else 0, len(intercepts)):
        weight = probability[:, group] * (1 - probability[:, group])
        information = (design * weight[:, None]).T @ design / len(z)
        if np.linalg.eigvalsh(information)[0] < INFORMATION_TOLERANCE * min(shares[group], 1 - shares[group]):
            return True
    return False


def _whitening(z: np.ndarray) -> np.ndarray:
    """Maps coefficients of uncorrelated unit columns to those of ``z``, shape (p, r), r the rank of ``z``."""
    values, vectors = np.linalg.eigh(z.T @ z / len(z))
    kept = values > RANK_TOLERANCE * values[-1]
    whitening: np.ndarray = vectors[:, kept] / np.sqrt(values[kept])
    return whitening
