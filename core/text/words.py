"""Words of a text, as people see them: runs of letters and digits; what follows an apostrophe is a word of its own."""

import re

import numpy as np

from core.data.cells import in_one_form

_APOSTROPHE = "'’‘ʼʻ＇′`´"
_HIDDEN = "\u00ad\u200b\u200c\u200d\u2060\ufeff"
_LETTER = f"[^\\W_{_APOSTROPHE}]"
_RUN = f"{_LETTER}(?:{_LETTER}|[\u0300-\u036f]|[{_HIDDEN}](?={_LETTER}))*"
_WORD = re.compile(rf"(?<={_LETTER})[{_APOSTROPHE}]{_RUN}|{_RUN}|\S")
_UNSEEN = str.maketrans("", "", _HIDDEN)


def spans(text: str) -> np.ndarray:
    """Where the words and single signs of a text stand, in characters: rows (begin, end), shape (W, 2), int64.

    "_she_" and "*she*" are a word between signs. An apostrophe may be any of those that people type, accents may be
    characters of their own, and hidden characters (a soft hyphen) lie inside a word.
    """
    found = [match.span() for match in _WORD.finditer(text)]
    return np.array(found, dtype=np.int64).reshape(-1, 2)


def key(word: str) -> str:
    """What equal words have in common: lower case, full-width letters as plain ones, accents in one form (NFKC)."""
    if word.isascii():
        return word.lower()
    return in_one_form(word.translate(_UNSEEN)).lower()


def unread(words: np.ndarray, read: int) -> np.ndarray:
    """Whether a model reads nothing of each word, shape (W,), bool; of a word cut in the middle it reads a part.

    Args:
        words: The words' spans, shape (W, 2).
        read: Characters of the text that the model reads, from its beginning.
    """
    nothing: np.ndarray = words[:, 0] >= read
    return nothing


def word_of_each(start: np.ndarray, end: np.ndarray, words: np.ndarray) -> np.ndarray:
    """The word each token lies in, by where its first visible character stands.

    Args:
        start: Where each token begins, shape (N,).
        end: Where it ends, shape (N,); equal to ``start`` for tokens that stand for no part of the text.
        words: The words' spans, shape (W, 2).

    Returns:
        Index into ``words``, shape (N,), int64; -1 for tokens in none of them.
    """
    if not len(words):
        return np.full(len(start), -1, dtype=np.int64)
    place = np.searchsorted(words[:, 1], start, side="right")
    within = np.minimum(place, len(words) - 1)
    inside = (place < len(words)) & (words[within, 0] < end) & (end > start)
    return np.where(inside, within, -1).astype(np.int64)
