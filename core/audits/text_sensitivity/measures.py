"""P = wᵀJv of one text under the paper's choices of v (papers/prediction-sensitivity.md, section 6.4), and its unit."""

import numpy as np

from core.audits.text_sensitivity.decision import TextMeasure
from core.language.units import PLAIN, POINTS, Unit
from core.text.network import AbstractTextNetwork


def measure(
    weighted: np.ndarray, embeddings: np.ndarray, v: np.ndarray | None, listed: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """P1 to P5 of one text of N tokens with D numbers each; special tokens are none of them.

    P1 spreads v evenly over everything, P2 takes the protected status model's, P4 spreads it evenly over the tokens of
    words that name a group. P3 and P5 are P2 and P4 with v multiplied by the embedding's size |x|, entry by entry;
    with the embedding itself, as printed, v may be negative, and neither theorem covers that.

    Args:
        weighted: wᵀJ, shape (N, D).
        embeddings: The model's word embeddings x, shape (N, D).
        v: Weight of every number by the protected status model, shape (N, D), summing to one; None without one.
        listed: Whether each token belongs to a word that names a group, shape (N,), bool.

    Returns:
        P1 to P5, shape (5,), and P3 and P5 with the embedding itself, shape (2,); NaN where not applicable: without
        tokens, without v, without such words.
    """
    found, signed = np.full(5, np.nan), np.full(2, np.nan)
    if not weighted.size:
        return found, signed
    weighted, embeddings = weighted.astype(np.float64), embeddings.astype(np.float64)
    found[0] = weighted.mean()
    if v is not None:
        share = weighted * v
        found[1], found[2], signed[0] = share.sum(), (share * np.abs(embeddings)).sum(), (share * embeddings).sum()
    if listed.any():
        named, by = weighted[listed], embeddings[listed]
        found[3], found[4], signed[1] = named.mean(), (named * np.abs(by)).mean(), (named * by).mean()
    return found, signed


def swapped(before: np.ndarray, after: np.ndarray) -> np.ndarray:
    """CF: half the L1 distance between answers, the share of probability that moves, between 0 and 1.

    Args:
        before: Probabilities for the texts, shape (n, K).
        after: Probabilities for the texts with their words exchanged, shape (n, K).

    Returns:
        Shape (n,). The paper's ‖f(x) - f(x̂)‖₁ is twice that.
    """
    moved: np.ndarray = np.minimum(0.5 * np.abs(before - after).sum(axis=1), 1.0)
    return moved


def unit_of(measure: TextMeasure) -> Unit:
    """Percentage points for exchanged words, plain numbers for the other measures, whose size means little."""
    return POINTS if measure == "CF" else PLAIN


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
