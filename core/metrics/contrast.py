"""In which directions comparable people differ as much as people drawn at random."""

import numpy as np

from core.metrics.subspace import RANK_TOLERANCE, signs, standardised

CLEAR_RATIO = 0.5
"""A direction is free if the squared differences of comparable people in it are this share of those of random pairs.
Pairs that differ by noise alone reach the noise's share: 0.18 where it has a standard deviation of 0.42 in each column
of spread one."""


def contrast(differences: np.ndarray, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Directions of encoded space by how much comparable people differ in them, against random pairs of people.

    The generalised eigenproblem P v = ρ R v, with P the mean of d dᵀ over differences d of comparable people and R that
    over random pairs, twice the covariance of ``x``. Mean squared differences along v have the ratio ρ; the direction
    in which people then differ is R v. R is shrunk towards a multiple of the identity in standardised columns (Ledoit
    and Wolf 2004, Journal of Multivariate Analysis 88:365), so that few rows make no direction look rare.

    Args:
        differences: x_i - x_j of comparable people, shape (m, d), not all zero; their sign does not matter.
        x: People, from whom random pairs are drawn, shape (n, d).

    Returns:
        The ratios ρ, descending, shape (q,), and unit directions, shape (q, d); q is the number of directions in which
        comparable people differ at all.
    """
    from scipy.linalg import eigh
    from sklearn.covariance import ledoit_wolf

    z, scale = standardised(x)
    scaled = differences / scale
    random = 2 * ledoit_wolf(z)[0]
    random += RANK_TOLERANCE * np.trace(random) / len(random) * np.eye(len(random))
    ratios, vectors = eigh(scaled.T @ scaled / len(scaled), random)
    ratios, directions = ratios[::-1], (random @ vectors).T[::-1] * scale
    differs = ratios > RANK_TOLERANCE * ratios[0]
    kept = directions[differs] / np.linalg.norm(directions[differs], axis=1, keepdims=True)
    return ratios[differs], kept * signs(kept)[:, None]


def clear(ratios: np.ndarray, directions: np.ndarray, wanted: int | None) -> np.ndarray:
    """So many of the first ``directions`` as are wanted, or with ``None`` those whose ratio is clear; shape (q, d)."""
    kept: np.ndarray = directions[:wanted] if wanted is not None else directions[ratios >= CLEAR_RATIO]
    return kept
