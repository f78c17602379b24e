"""The protected status model's weights v laid over the tokens of the model that is audited."""

from __future__ import annotations

import numpy as np

from core.text.network import AbstractTextNetwork


def matching(network: AbstractTextNetwork, status: AbstractTextNetwork) -> str:
    """How v comes from one network to the other.

    Returns:
        "coordinates" if both read the same tokens with embeddings of the same width, as in the paper; else "words".
    """
    same = network.vocabulary == status.vocabulary and network.width == status.width
    return "coordinates" if same else "words"


def by_coordinates(derivatives: np.ndarray, tokens: int) -> np.ndarray | None:
    """v_i = Σ_m |∂g_m/∂x_i|, normalised, where both networks read the same tokens (section 6.4.2).

    Args:
        derivatives: Σ_m |∂g_m/∂x| of the status model, shape (M, D); it may read fewer tokens of a long text, or more.
        tokens: N, tokens that the other network reads.

    Returns:
        Shape (N, D), zero on tokens the status model does not read; None if it does not react to any token.
    """
    laid = np.zeros((tokens, derivatives.shape[1]))
    both = min(tokens, len(derivatives))
    laid[:both] = derivatives[:both]
    return _normalised(laid)


def by_words(
    derivatives: np.ndarray, status_word: np.ndarray, word: np.ndarray, words: int, width: int
) -> np.ndarray | None:
    """Where the networks read different tokens, v of a word is its share, spread evenly over the word's tokens.

    Args:
        derivatives: Σ_m |∂g_m/∂x| of the status model, shape (M, D').
        status_word: Word of each of its tokens, shape (M,).
        word: Word of each of the other network's tokens, shape (N,).
        words: W.
        width: D of the other network.

    Returns:
        Shape (N, D); None if the status model does not react to any word that the other network reads.
    """
    weight = np.bincount(status_word, derivatives.sum(axis=1, dtype=np.float64), minlength=words)
    pieces = np.bincount(word, minlength=words)
    per_number = weight[word] / (pieces[word] * width)
    return _normalised(np.repeat(per_number[:, None], width, axis=1))


def _normalised(weights: np.ndarray) -> np.ndarray | None:
    total = weights.sum()
    return weights / total if total > 0 else None
