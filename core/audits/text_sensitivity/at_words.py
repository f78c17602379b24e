"""Derivatives at the words of texts: tokens that lie in no word (special ones, white space) are left out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.audits.text_sensitivity.gradients import differentiate
from core.base.errors import AuditError
from core.language.phrases import count
from core.language.told import say
from core.text.network import AbstractTextNetwork
from core.text.swaps import listed
from core.text.tokens import Tokens
from core.text.word_lists import WordList
from core.text.words import key, spans, word_of_each


@dataclass(frozen=True)
class Words:
    """The W words of one text.

    Attributes:
        row: Position among the measured texts.
        record: Row number in the file (1 = first record).
        text: The text.
        spans: Where the words stand, shape (W, 2).
        listed: Whether each names a group, shape (W,), bool.
    """

    row: int
    record: int
    text: str
    spans: np.ndarray
    listed: np.ndarray

    @classmethod
    def of(cls, row: int, record: int, text: str, names_a_group: WordList) -> Words:
        """Find the words of a text."""
        found = spans(text)
        return cls(row, record, text, found, listed(text, found, names_a_group))

    def __len__(self) -> int:
        return len(self.spans)

    @property
    def lower(self) -> tuple[str, ...]:
        """The words in lower case."""
        return tuple(key(self.text[start:end]) for start, end in self.spans)

    @property
    def named(self) -> frozenset[str]:
        """The listed words among them, in lower case."""
        return frozenset(word for word, listed in zip(self.lower, self.listed, strict=True) if listed)


@dataclass(frozen=True)
class AtWords:
    """One network's derivatives at the N tokens of a text that lie in words; D numbers each, K classes.

    Attributes:
        read: Characters of the text that the network reads.
        word: Word of each token, shape (N,), int.
        embeddings: x, shape (N, D).
        weighted: wᵀJ, shape (N, D).
        by_class: Σ_d |∂f_k/∂x_d|, shape (N, K).
        pooled: What its last layer read of the whole text, shape (H,).
    """

    read: int
    word: np.ndarray
    embeddings: np.ndarray
    weighted: np.ndarray
    by_class: np.ndarray
    pooled: np.ndarray


def differentiate_at_words(
    network: AbstractTextNetwork,
    texts: Sequence[Words],
    tokens: Sequence[Tokens],
    weights: np.ndarray | None = None,
    *,
    whose: str,
) -> tuple[list[AtWords | None], np.ndarray]:
    """Differentiate a batch of texts; see :func:`differentiate`.

    Args:
        network: The classifier.
        texts: The texts.
        tokens: Their tokens as the network reads them.
        weights: w, shape (K,); ones if None.
        whose: What people call the network, for errors.

    Returns:
        Derivatives of each text and f(x), shape (B, K); None and NaN for texts without a token.

    Raises:
        AuditError: A derivative or an answer is not a finite number.
    """
    filled = [place for place, one in enumerate(tokens) if len(one)]
    found: list[AtWords | None] = [None] * len(texts)
    if not filled:
        return found, np.full((len(texts), 1), np.nan)
    all_of_it = differentiate(network, [tokens[place] for place in filled], weights)
    bad = [texts[filled[place]].record for place in np.flatnonzero(~all_of_it.finite)]
    if bad:
        raise AuditError(
            say(
                "A derivative of {whose} is not a finite number for {texts}.",
                whose=whose,
                texts=count(len(bad), "text"),
            ),
            where=say("row {records}", records=", ".join(map(str, sorted(bad)[:5]))),
            advice=say(
                "Look at these texts for something unusual and leave them out, or check the weights in the file."
            ),
        )
    for place, text in enumerate(filled):
        one = tokens[text]
        word = word_of_each(one.start, one.end, texts[text].spans)
        lies = np.flatnonzero((word >= 0) & ~one.special)
        found[text] = AtWords(
            one.read,
            word[lies],
            all_of_it.embeddings[place, lies],
            all_of_it.weighted[place, lies],
            all_of_it.by_class[place, lies],
            all_of_it.pooled[place],
        )
    probabilities = np.full((len(texts), all_of_it.probabilities.shape[1]), np.nan)
    probabilities[filled] = all_of_it.probabilities
    return found, probabilities


def by_word(values: np.ndarray, word: np.ndarray, words: int) -> np.ndarray:
    """Sums over the tokens of each word: values (N, C) and words (N,) -> (W, C), float64; 0 without tokens."""
    import torch

    summed = torch.zeros(words, values.shape[1], dtype=torch.float64)
    summed.index_add_(0, torch.from_numpy(word), torch.from_numpy(values).double())
    return summed.numpy()
