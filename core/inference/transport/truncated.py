"""The numerical bootstrap's draws: a Gaussian around the people's shares, cut off where a share would be negative.

papers/faith.md, theorem 4.2: z ~ N(0, Σ(f_n); T), T = {z: f_n + ε z >= 0}, with the multinomial's covariance Σ. It is
drawn by Gibbs' sampler, as a sampler by rejection accepted none of 400 draws of 60 cells.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

SWEEPS = 40
"""Times that every cell exchanges mass with another, drawn at random."""
_BLOCK = 2_000_000


def truncated_draws(shares: np.ndarray, epsilon: float, draws: int, seed: int) -> Iterator[np.ndarray]:
    """Draws of z, in blocks of shape (b, K); 0 where nobody is.

    Two cells i and j keep their sum s in a step: z_i given s is normal with mean s f_i / (f_i + f_j) and variance
    f_i f_j / (f_i + f_j), cut off so that both shares stay at least 0.

    Args:
        shares: f_n, shape (K,).
        epsilon: ε.
        draws: How many.
        seed: Fixes them.
    """
    held = np.flatnonzero(shares > 0)
    f, rng = shares[held], np.random.default_rng((seed, len(shares)))
    block = max(1, _BLOCK // max(1, len(shares)))
    for start in range(0, draws, block):
        z = np.zeros((len(held), min(block, draws - start)))
        for _ in range(SWEEPS if len(held) > 1 else 0):
            _exchange(z, f, epsilon, rng)
        found = np.zeros((z.shape[1], len(shares)))
        found[:, held] = z.T
        yield found


def _exchange(z: np.ndarray, f: np.ndarray, epsilon: float, rng: np.random.Generator) -> None:
    """Every cell, or all but one, exchanges mass with another; ``z`` of shape (K, b) is changed."""
    from scipy.special import ndtr, ndtri

    order = rng.permutation(len(f))
    pairs = len(f) // 2
    one, two = order[:pairs], order[pairs : 2 * pairs]
    total, both = z[one] + z[two], (f[one] + f[two])[:, None]
    mean, deviation = total * f[one][:, None] / both, np.sqrt(f[one] * f[two])[:, None] / np.sqrt(both)
    least, most = -f[one][:, None] / epsilon, total + f[two][:, None] / epsilon
    low, high = ndtr((least - mean) / deviation), ndtr((most - mean) / deviation)
    drawn = mean + deviation * ndtri(low + (high - low) * rng.random(total.shape))
    z[one] = np.clip(drawn, least, most)
    z[two] = total - z[one]


def distortion(shares: np.ndarray, gains: np.ndarray, epsilon: float) -> tuple[float, float]:
    """How far cutting off moves the mean of Σ_i z_i a_i, in its standard deviations, and times what it spreads.

    Each share is taken as normal and cut off by itself, and all of them then held to a sum of 0.

    Args:
        shares: f_n, shape (K,).
        gains: a, shape (K,).
        epsilon: ε.
    """
    from scipy.stats import norm

    f = shares[shares > 0]
    a = gains[shares > 0] - shares @ gains
    own = float(f @ a**2)
    if own <= 0:
        return 0.0, 1.0
    depth = np.sqrt(f) / epsilon
    pull = norm.pdf(depth) / norm.cdf(depth)
    mean, variance = np.sqrt(f) * pull, f * (1 - depth * pull - pull**2)
    shift = float(a @ (mean - variance * mean.sum() / variance.sum()))
    spread = float(variance @ a**2 - (variance @ a) ** 2 / variance.sum())
    return shift / own**0.5, (max(spread, 0.0) / own) ** 0.5
