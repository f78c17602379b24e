"""The path of ℓ1-regularised logistic regressions (papers/faith.md, section 5.2), fitted with scikit-learn.

For each λ the fit minimises Σ_i log-loss_i + λ‖β‖₁ over the coefficients β and an intercept that is not penalised.
"""

import warnings
from dataclasses import dataclass

import numpy as np

from core.base.errors import Caveat
from core.base.progress import OnProgress, Progress
from core.data.dataset import Dataset
from core.data.encoder import Encoder
from core.language.phrases import count, first_few
from core.language.told import localized, say, say_count
from core.workflows.rows import learned_encoder
from core.workflows.selection.optimum import allowed, finish, violation
from core.workflows.selection.settings import LogisticPath

_STOPS = (1e-4, 1e-6, 1e-8, 1e-10)
"""scikit-learn stops when no coefficient changes by more than this share; the next is tried where it was too early."""


@dataclass(frozen=True)
class FittedPath:
    """m fitted models with o outputs (1 for two outcomes, otherwise one per outcome) over d encoded columns.

    Attributes:
        encoder: How the table becomes the columns; numbers are standardised by the training rows.
        classes: The outcomes; with one output its log-odds are those of the last.
        strengths: 1/λ of each model, ascending; shape (m,).
        coefficients: Shape (m, o, d).
        intercepts: Shape (m, o).
        violations: How far each fit is from the conditions for an optimum, in slopes of the mean loss; shape (m,).
        passes: Passes over the training rows that each fit took; shape (m,), int.
        constant: Encoded columns that have one value in all training rows; their coefficients are zero.
        rows: Training rows n.
    """

    encoder: Encoder
    classes: tuple[str, ...]
    strengths: np.ndarray
    coefficients: np.ndarray
    intercepts: np.ndarray
    violations: np.ndarray
    passes: np.ndarray
    constant: tuple[str, ...]
    rows: int

    def __len__(self) -> int:
        return len(self.strengths)

    @property
    def converged(self) -> np.ndarray:
        """Which fits meet the conditions for an optimum; shape (m,), bool."""
        return self.violations <= np.array([allowed(strength, self.rows) for strength in self.strengths])

    @property
    def used(self) -> np.ndarray:
        """Encoded columns with a coefficient that is not zero, for each model; shape (m, d), bool."""
        used: np.ndarray = (self.coefficients != 0).any(axis=1)
        return used

    @property
    def spreads(self) -> np.ndarray:
        """Units of the table that one unit of each encoded column stands for; shape (d,).

        A coefficient divided by it belongs to one unit of the table.
        """
        columns = self.encoder.columns
        return np.array([getattr(columns[source], "scale", 1.0) for source in self.encoder.sources])

    def caveats(self) -> tuple[Caveat, ...]:
        """What a reader has to know about the fits."""
        said = []
        if self.constant:
            said.append(
                Caveat(
                    "info",
                    say_count(
                        "{n} column had one value in all training rows, so nothing can be learned from it: {names}.",
                        "{n} columns had one value in all training rows, so nothing can be learned from them: {names}.",
                        len(self.constant),
                        names=first_few(self.constant, 5),
                    ),
                )
            )
        if not self.converged.all():
            said.append(
                Caveat(
                    "warning",
                    say(
                        "{fits} of {all} did not converge and cannot be chosen, the first at 1/λ = {strength}.",
                        fits=count(int((~self.converged).sum()), "fit"),
                        all=len(self),
                        strength=localized(f"{self.strengths[~self.converged][0]:.4g}"),
                    ),
                    say("Allow more passes over the rows, standardise the columns, or try smaller values of 1/λ."),
                )
            )
        return tuple(said)


def fit_path(
    training: Dataset, whole: Dataset, settings: LogisticPath, seed: int, on_progress: OnProgress
) -> FittedPath:
    """Fit a model for each 1/λ, each started from the one before.

    Args:
        training: The rows to fit on.
        whole: All rows; only the names of their categories are used, so that every row can be encoded.
        settings: The grid and how columns are penalised.
        seed: Seed of the order in which scikit-learn visits the rows.
        on_progress: Told after each fit.
    """
    encoder = learned_encoder(training, whole)
    x, codes = encoder.transform(training.frame), training.label_codes(whole.labels)
    centre, spread = x.mean(axis=0), x.std(axis=0)
    constant = spread <= 1e-12 * np.maximum(np.abs(centre), 1.0)
    scale = np.where(constant, 1.0, spread) if settings.columns == "standardised" else np.ones_like(spread)
    z = np.where(constant, 0.0, (x - centre) / scale)
    targets = np.eye(len(whole.labels))[codes]
    targets = targets[:, 1:] if len(whole.labels) == 2 else targets
    strengths = _grid(z, targets, settings)
    fitted = _fit_all(_TrainingRows(z, codes, targets), strengths, settings.passes, seed, on_progress)
    coefficients = fitted.coefficients / scale
    return FittedPath(
        encoder=encoder,
        classes=whole.labels,
        strengths=strengths,
        coefficients=coefficients,
        intercepts=fitted.intercepts - coefficients @ centre,
        violations=fitted.violations,
        passes=fitted.passes,
        constant=tuple(name for name, is_constant in zip(encoder.names, constant, strict=True) if is_constant),
        rows=len(training),
    )


def smallest_strength(z: np.ndarray, targets: np.ndarray) -> float:
    """The largest 1/λ at which every coefficient is zero: 1 / max |z_jᵀ(y_k − mean y_k)|; infinite if z is constant.

    Args:
        z: Columns as they are penalised, shape (n, d).
        targets: Indicators of the outcomes, shape (n, o).
    """
    steepest = float(np.abs(z.T @ (targets - targets.mean(axis=0))).max())
    return 1 / steepest if steepest > 0 else float("inf")


@dataclass(frozen=True)
class _TrainingRows:
    """Training rows as they are penalised: z (n, d), outcome codes (n,), indicators of the outcomes (n, o)."""

    z: np.ndarray
    codes: np.ndarray
    targets: np.ndarray


@dataclass(frozen=True)
class _Fits:
    """Fits in the columns z: coefficients (m, o, d), intercepts (m, o), violations (m,), passes (m,)."""

    coefficients: np.ndarray
    intercepts: np.ndarray
    violations: np.ndarray
    passes: np.ndarray


def _fit_all(rows: _TrainingRows, strengths: np.ndarray, passes: int, seed: int, on_progress: OnProgress) -> _Fits:
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.linear_model import LogisticRegression

    m, o = len(strengths), rows.targets.shape[1]
    fits = _Fits(np.empty((m, o, rows.z.shape[1])), np.empty((m, o)), np.empty(m), np.zeros(m, dtype=np.int64))
    solver = LogisticRegression(solver="saga", l1_ratio=1.0, warm_start=True, random_state=seed)
    for i, strength in enumerate(strengths):
        for stop in _STOPS:
            solver.set_params(C=strength, tol=stop, max_iter=int(passes - fits.passes[i]))
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", ConvergenceWarning)
                solver.fit(rows.z, rows.codes)
            fits.passes[i] += int(solver.n_iter_[0])
            solver.coef_, solver.intercept_ = finish(
                rows.z, rows.targets, coefficients=solver.coef_, intercepts=solver.intercept_, strength=strength
            )
            fits.violations[i] = violation(rows.z, rows.targets, solver.coef_, solver.intercept_, strength)
            if fits.violations[i] <= allowed(strength, len(rows.z)) or fits.passes[i] >= passes:
                break
        fits.coefficients[i], fits.intercepts[i] = solver.coef_, solver.intercept_
        on_progress(Progress((i + 1) / m, say("Fitting the models")))
    return fits


def _grid(z: np.ndarray, targets: np.ndarray, settings: LogisticPath) -> np.ndarray:
    """Values of 1/λ, ascending; the proposed ones begin where every coefficient is zero."""
    if settings.strengths:
        return np.array(settings.strengths, dtype=np.float64)
    start = smallest_strength(z, targets)
    start = (1 - 1e-9) * start if np.isfinite(start) else 1.0
    return np.geomspace(start, settings.span * start, settings.points)


def write_model(path: FittedPath, index: int) -> bytes:
    """Model ``index`` as safetensors: one linear layer in float64 with the encoder and the outcomes in its card."""
    from torch import nn

    from core.models.formats.safetensors.source import mlp_bytes
    from core.models.layers import linear

    layer = linear(path.coefficients[index], path.intercepts[index])
    return mlp_bytes(nn.Sequential(layer), encoder=path.encoder, classes=path.classes)
