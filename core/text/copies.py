"""Texts that are one text for statistics: copies, and a text beside its own counterpart."""

from collections.abc import Sequence

import numpy as np

from core.text.word_lists import WordList
from core.text.words import key, spans


def same_texts(texts: Sequence[str], words: WordList) -> np.ndarray:
    """Number of each text, equal for texts with the same words, where words that stand for each other are the same.

    Case and spaces do not matter. "She sings." and "he  sings." are one text: exchanging words turns the one into the
    other, so that the second says nothing new. For templates that differ in other words ("He dances.") see
    :mod:`core.text.families`.

    Args:
        texts: n texts.
        words: The words that name a group.

    Returns:
        Shape (n,), int64; numbers follow the first occurrence.
    """
    known: dict[tuple[str, ...], int] = {}
    return np.array([known.setdefault(text, len(known)) for text in neutral_texts(texts, words)], dtype=np.int64)


def neutral_texts(texts: Sequence[str], words: WordList) -> list[tuple[str, ...]]:
    """The words of each text in lower case, one word standing for all that can be exchanged for each other."""
    kinds = _kinds(words)
    found = []
    for text in texts:
        lower = (key(text[start:end]) for start, end in spans(text))
        found.append(tuple(kinds.get(word, word) for word in lower))
    return found


def mean_of_copies(values: np.ndarray, same: np.ndarray) -> np.ndarray:
    """One value for each different text, the mean over its copies; in the order of the texts' numbers.

    Args:
        values: Values of n texts, finite; shape (..., n).
        same: Equal for texts that count as one, shape (n,), int.
    """
    _, number, copies = np.unique(same, return_inverse=True, return_counts=True)
    summed = np.zeros((*values.shape[:-1], len(copies)))
    np.add.at(summed.T, number, values.T)
    found: np.ndarray = summed / copies
    return found


def _kinds(words: WordList) -> dict[str, str]:
    """One word that stands for all that can be exchanged for each other, in one step or several."""
    found: dict[str, str] = {}
    for word in words.counterparts:
        waiting = [] if word in found else [word]
        while waiting:
            one = waiting.pop()
            if one not in found:
                found[one] = word
                waiting += words.counterparts.get(one, ())
    return found
