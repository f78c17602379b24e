"""Linear algebra that the fair metrics share: bases, projectors and the directions along which rows never differ."""

import numpy as np

from core.data.encoded import EncodedDataset
from core.data.encoder import Encoder

RANK_TOLERANCE = 1e-8
"""A direction counts if its singular value exceeds this share of the largest."""


def orthonormal(vectors: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """An orthonormal basis of the span of the rows of ``vectors``, shape (m, d), found by SVD with rank detection.

    Returns:
        The basis, shape (q, d), each row signed so that its largest entry is positive, and all singular values,
        descending, shape (min(m, d),).
    """
    if not len(vectors):
        return np.empty((0, vectors.shape[1])), np.empty(0)
    _, values, basis = np.linalg.svd(vectors, full_matrices=False)
    kept = basis[values > RANK_TOLERANCE * values[0]] if values[0] > 0 else basis[:0]
    return kept * signs(kept)[:, None], values


def signs(rows: np.ndarray) -> np.ndarray:
    """The sign of each row's entry of largest size (the first of equals), shape (m,); 1 for a row of zeros."""
    if not len(rows):
        return np.empty(0)
    largest = np.take_along_axis(rows, np.abs(rows).round(12).argmax(axis=1)[:, None], axis=1)[:, 0]
    return np.where(largest < 0, -1.0, 1.0)


def projector(basis: np.ndarray) -> np.ndarray:
    """Σ = I - BᵀB, which forgets the orthonormal rows of ``basis`` (F.2); symmetric, idempotent; shape (d, d)."""
    matrix = np.eye(basis.shape[1]) - basis.T @ basis
    symmetric: np.ndarray = (matrix + matrix.T) / 2
    return symmetric


def changes(encoder: Encoder, names: tuple[str, ...]) -> np.ndarray:
    """Orthonormal directions along which people can differ in these original columns, shape (m, d).

    A number and a single indicator give their own axis. A category of k indicators gives k - 1 directions: their sum
    is left out, for it is one for everybody, and a model's answer along it is an accident of training.
    """
    from scipy.linalg import helmert

    found = [np.empty((0, encoder.width))]
    for number, column in enumerate(encoder.columns):
        if column.name in names:
            own = np.flatnonzero(encoder.sources == number)
            block = np.zeros((len(own) - 1 if column.kind == "categorical" else 1, encoder.width))
            block[:, own] = helmert(len(own)) if column.kind == "categorical" else 1.0
            found.append(block)
    return np.concatenate(found)


def encoded_columns(data: EncodedDataset, names: tuple[str, ...]) -> np.ndarray:
    """Positions of the encoded columns that come from these original columns, ascending, int."""
    wanted = np.array([name in names for name in data.encoder.features], dtype=bool)
    return np.flatnonzero(wanted[data.encoder.sources])


def standardised(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Centred columns, numbers with unit spread, indicators (0 and 1 only) in their own unit, as the encoder does.

    Returns:
        The columns, shape (n, d), and the spreads they were divided by, shape (d,); constant columns are zero.
    """
    centred = x - x.mean(axis=0)
    spread = x.std(axis=0)
    indicator = ((x == 0) | (x == 1)).all(axis=0)
    constant = np.ptp(x, axis=0) == 0
    centred[:, constant] = 0.0
    scale = np.where(indicator | constant, 1.0, spread)
    centred /= scale
    return centred, scale


def unused_directions(z: np.ndarray, scale: np.ndarray) -> np.ndarray:
    """Orthonormal directions of encoded space along which no two rows differ, shape (m, d).

    Constant columns and the sum over a one-hot block are such directions. A probe's coefficients along them are
    arbitrary, so they are removed: what remains is the same whichever solver found them.

    Args:
        z: Centred columns divided by ``scale``, shape (n, d).
        scale: Spread of each column, shape (d,).
    """
    moments = z.T @ z / len(z)
    spread = np.sqrt(np.diag(moments))
    varying = np.flatnonzero(spread > 0)
    values, vectors = np.linalg.eigh(moments[np.ix_(varying, varying)] / np.outer(spread[varying], spread[varying]))
    within = np.zeros((len(varying), z.shape[1]))
    within[:, varying] = vectors.T / spread[varying]
    null = within[values <= RANK_TOLERANCE * max(len(varying), 1)] / scale
    null /= np.linalg.norm(null, axis=1, keepdims=True)
    return orthonormal(np.concatenate([null, np.eye(z.shape[1])[spread == 0]]))[0]


def leading(values: np.ndarray, vectors: np.ndarray, directions: int | None, share: float) -> np.ndarray:
    """So many ``vectors`` as are asked for, or needed for their ``values`` to reach ``share`` of the sum of all.

    Never more than there are values above the rank tolerance.

    Args:
        values: Non-negative, descending, shape (m,).
        vectors: The direction that each belongs to, shape (m, d).
        directions: How many are asked for; None to go by ``share``.
        share: Between 0 and 1.

    Returns:
        Shape (q, d), each row signed as by :func:`signs`.
    """
    rank = int((values > RANK_TOLERANCE * values[0]).sum())
    covered = np.cumsum(values) / values.sum()
    wanted = int(np.searchsorted(covered, share - 1e-12)) + 1 if directions is None else directions
    kept: np.ndarray = vectors[: min(wanted, rank)]
    signed: np.ndarray = kept * signs(kept)[:, None]
    return signed
