"""What is true of the simulated hiring round: the directions that give a person's group away."""

import numpy as np

from core.data.encoder import Encoder
from core.sources.simulated.hiring import GROUPS, PROXIES


def true_directions(encoder: Encoder) -> np.ndarray:
    """Orthonormal basis of the encoded directions along which the log-odds of gender and ethnicity change.

    One direction for gender and three for ethnicity; shape (4, d). Within several indicators of one column
    the coefficients sum to zero, as those of a logistic regression with any ridge penalty do.
    """
    contrasts = []
    for attribute, shares in GROUPS.items():
        by_group = np.stack([log_odds_gradient(encoder, attribute, group) for group in shares])
        contrasts.append((by_group - by_group.mean(axis=0))[1:])
    _, _, basis = np.linalg.svd(np.concatenate(contrasts), full_matrices=False)
    return np.asarray(basis)


def log_odds_gradient(encoder: Encoder, attribute: str, group: str) -> np.ndarray:
    """Gradient of log p(features | group) in encoded space, up to what all groups share; shape (d,)."""
    proxies = {proxy.name: proxy for proxy in PROXIES if proxy.attribute == attribute}
    blocks = []
    for column in encoder.columns:
        proxy = proxies.get(column.name)
        if column.kind == "numeric":
            blocks.append(np.atleast_1d(np.asarray(proxy.tilt[group]) * column.scale if proxy else 0.0))
            continue
        assert column.kind != "coordinate"
        tilt = dict(zip(proxy.values, proxy.log_tilt(group), strict=True)) if proxy else {}
        block = np.array([tilt.get(category, 0.0) for category in column.categories])
        blocks.append(block[1:] - block[:1] if column.kind == "binary" else block - block.mean())
    return np.concatenate(blocks)
