"""How a number is spread, given another: P(A | Z) of an attribute that is a number, by exponential tilting.

The bins of A have the shares of everybody, tilted as Z says: log P(bin k | z) = a_k + sum_rj b_rj s_r(k) d_j(z) + c(z),
with polynomials s of the bins' normal scores and natural cubic splines d of those of Z. The first polynomial moves A to
where Z says it lies, the second changes how widely it is spread, the others its shape; a normal A whose mean and spread
follow Z is such a family, and of any A only the order of its values counts. A kernel over Z and A adds its own width to
that of A; this does not. The numbers of polynomials and splines are those with the smallest criterion of Akaike.
(Section 3 of the paper asks for conditional quantiles; these bins give them.)
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from core.audits.equalized_odds.densities import CELLS, Densities, cells_of, counted

_USUAL_DEGREE = 2
_OTHER_DEGREES = (1, 3, 4)
_SPLINES = (1, 2, 3, 5, 8, 12)
_ROWS_A_SPLINE = 15
_RIDGE = 0.01
"""Weight of squared coefficients, which keeps them finite where few rows go with a bin."""
_PRIOR = 0.5
_STEPS = 30
_LENGTHS = 0.5 ** np.arange(20)
_CLOSE = 1e-6


@dataclass(frozen=True)
class Tilt:
    """Products of polynomials of l bins and splines of Z, and their coefficients.

    Attributes:
        polynomials: Shape (l, r).
        splines: In each cell of ranks, shape (cells, d).
        coefficients: Of the bins, then of each product, shape (l + r d,).
    """

    polynomials: np.ndarray
    splines: np.ndarray
    coefficients: np.ndarray

    def chances(self, coefficients: np.ndarray) -> np.ndarray:
        """Probability of each bin in each cell; coefficients (..., l + r d) -> (..., l, cells)."""
        levels, degree = self.polynomials.shape
        own = coefficients[..., :levels, None]
        products = coefficients[..., levels:].reshape(*coefficients.shape[:-1], degree, self.splines.shape[1])
        logs = own + self.polynomials @ products @ self.splines.T
        tilted = np.exp(logs - logs.max(axis=-2, keepdims=True))
        return np.asarray(tilted / tilted.sum(axis=-2, keepdims=True))

    def slopes(self, surplus: np.ndarray) -> np.ndarray:
        """Gradient of the log-likelihood; rows beyond those expected (..., l, cells) -> (..., l + r d)."""
        products = self.polynomials.T @ surplus @ self.splines
        return np.concatenate(
            [surplus.sum(axis=-1), products.reshape(*surplus.shape[:-2], products.shape[-2] * products.shape[-1])],
            axis=-1,
        )

    def curvature(self, chances: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """Information and ridge; chances (l, cells), rows in each cell (cells,) -> (l + r d, l + r d)."""
        degree, size, cells = self.polynomials.shape[1], self.splines.shape[1], len(rows)
        shares = chances.T * rows[:, None]
        apart = self.polynomials - (chances.T @ self.polynomials)[:, None, :]
        weighted = shares[:, :, None] * apart
        squares = (weighted.transpose(0, 2, 1) @ apart).reshape(cells, -1)
        pairs = (self.splines[:, :, None] * self.splines[:, None, :]).reshape(cells, -1)
        of_products = (squares.T @ pairs).reshape(degree, degree, size, size).transpose(0, 2, 1, 3)
        of_both = (weighted.reshape(cells, -1).T @ self.splines).reshape(len(chances), degree * size)
        of_bins = np.diag(shares.sum(axis=0)) - chances @ shares
        found = np.block([[of_bins, of_both], [of_both.T, of_products.reshape(degree * size, degree * size)]])
        return np.asarray(found + _RIDGE * np.eye(len(found)))

    def likelihood(self, counts: np.ndarray) -> float:
        """Penalised log-likelihood of counts, shape (l, cells)."""
        chances = np.maximum(self.chances(self.coefficients), np.finfo(np.float64).tiny)
        return float((counts * np.log(chances)).sum() - _RIDGE * (self.coefficients**2).sum() / 2)


@dataclass(frozen=True)
class NumberDensities(Densities):
    """P(A | Z) of l bins of a number.

    Attributes:
        tilt: What it follows from.
        inverse: Inverse curvature of the likelihood, shape (q, q).
        prior: Share of each bin among those learned from, shape (l,); none is 0.
    """

    tilt: Tilt = field(repr=False)
    inverse: np.ndarray = field(repr=False)
    prior: np.ndarray = field(repr=False)

    @classmethod
    def learned(cls, given: np.ndarray, codes: np.ndarray, levels: int) -> NumberDensities:
        """From m rows.

        Args:
            given: Z, shape (m,), finite.
            codes: Bin of each row, in the order of A, shape (m,), int.
            levels: l, the number of bins.
        """
        reference = np.sort(given)
        counts = counted(codes[None], cells_of(given, reference), levels)[0]
        prior = (counts.sum(axis=1) + _PRIOR) / (len(given) + _PRIOR * levels)
        sizes = [size for size in _SPLINES if size == 1 or size * _ROWS_A_SPLINE <= len(given)]
        tilt = _best([_fitted(counts, prior, _USUAL_DEGREE, size) for size in sizes], counts)
        size = tilt.splines.shape[1]
        tilt = _best([tilt, *(_fitted(counts, prior, degree, size) for degree in _OTHER_DEGREES)], counts)
        chances = tilt.chances(tilt.coefficients)
        inverse = np.linalg.inv(tilt.curvature(chances, counts.sum(axis=0)))
        return cls(reference, _with_prior(chances, prior, len(given)), tilt, inverse, prior)

    def relearned(self, given: np.ndarray, codes: np.ndarray) -> np.ndarray:
        """See the base class; one step of Newton's method from what was learned."""
        counts = counted(codes, self.cells(given), len(self.prior))
        held = self.tilt.coefficients
        expected = self.tilt.chances(held) * counts[0].sum(axis=0)
        slopes = self.tilt.slopes(counts - expected) - _RIDGE * held
        return _with_prior(self.tilt.chances(held + slopes @ self.inverse), self.prior, len(given))


def _fitted(counts: np.ndarray, prior: np.ndarray, degree: int, size: int) -> Tilt:
    """Largest penalised likelihood, by Newton's method; counts of shape (l, cells)."""
    rows, start = counts.sum(axis=0), np.log(prior)
    degree = min(degree, len(prior) - 1)
    tilt = Tilt(_polynomials(prior, degree), _splines(size), np.append(start - start.mean(), np.zeros(degree * size)))
    now = tilt.likelihood(counts)
    for _ in range(_STEPS):
        chances = tilt.chances(tilt.coefficients)
        slopes = tilt.slopes(counts - chances * rows) - _RIDGE * tilt.coefficients
        step = np.linalg.solve(tilt.curvature(chances, rows), slopes)
        if slopes @ step < _CLOSE:
            break
        for length in _LENGTHS:
            moved = replace(tilt, coefficients=tilt.coefficients + length * step)
            then = moved.likelihood(counts)
            if then > now:
                break
        else:
            break
        tilt, now = moved, then
    return tilt


def _best(tilts: list[Tilt], counts: np.ndarray) -> Tilt:
    """The first with the smallest criterion of Akaike."""
    return min(tilts, key=lambda one: len(one.coefficients) - one.likelihood(counts))


def _with_prior(chances: np.ndarray, prior: np.ndarray, rows: int) -> np.ndarray:
    """Half a person drawn from everybody is added, so that no probability is 0; chances (..., l, cells)."""
    return np.asarray((rows * chances + _PRIOR * prior[:, None]) / (rows + _PRIOR))


def _polynomials(prior: np.ndarray, degree: int) -> np.ndarray:
    """Polynomials of the bins' normal scores, orthonormal over everybody, without the constant; shape (l, degree)."""
    from scipy.special import ndtri

    scores = ndtri(np.cumsum(prior) - prior / 2)
    return _orthonormal(scores[:, None] ** np.arange(1, degree + 1), prior)


def _splines(size: int) -> np.ndarray:
    """Natural cubic splines of the normal score of a rank, orthonormal, without the constant; shape (cells, size)."""
    from scipy.interpolate import CubicSpline
    from scipy.special import ndtri

    middles = (np.arange(CELLS) + 0.5) / CELLS
    scores = ndtri(middles)
    if size == 1:
        return _orthonormal(scores[:, None], np.full(CELLS, 1 / CELLS))
    knots = ndtri(np.clip(np.linspace(0, 1, size + 1), middles[0], middles[-1]))
    basis = CubicSpline(knots, np.eye(size + 1), bc_type="natural")(scores)
    return _orthonormal(basis[:, 1:], np.full(CELLS, 1 / CELLS))


def _orthonormal(columns: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Columns, shape (m, c), made orthogonal to 1 and each other, of mean square 1 under the weights, one by one."""
    root = np.sqrt(weights)[:, None]
    full = np.column_stack([np.ones(len(columns)), columns])
    return np.asarray(np.linalg.qr(full * root)[0][:, 1:] / root)
