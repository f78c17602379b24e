"""Families: texts written from one template, which differ in a word or two and are not independent of each other.

Two texts are neighbours where they have the same number of words and differ in one of them; neighbours of neighbours
are of the family too, so that "Alonzo feels sad", "Alonzo feels angry" and "Betsy feels angry" are one. Among short
texts such a chain can join what nobody wrote from one template ("thank you", "love you", "love it", "hate it"). So a
chain is a family only if something holds it together:

* a frame, that is words that stand at the same places in at least half of its texts, at a third of the places; words
  of the list are none of them; or
* slots: its texts are at least a tenth of all that its words, each at its places, could make.

Any other chain is taken apart into texts that have all words but one in common, and two words at least, those with the
most texts first.
"""

from collections.abc import Sequence, Set

import numpy as np

from core.text.copies import neutral_texts
from core.text.word_lists import WordList

OPEN = "…"
"""Stands in a frame for a word that is another from text to text."""

_HALF, _THIRD, _TENTH = 0.5, 1 / 3, 0.1
_FEWEST_WORDS = 2
"""Shorter texts share nothing once a word is left out."""
_SHARED_WORDS = 2
"""Words that texts of a chain that was taken apart have in common."""


def families(texts: Sequence[str], words: WordList) -> np.ndarray:
    """The family of each text.

    Texts of the same words are one family, words that stand for each other counting as the same. Masked texts are
    compared by 64-bit sums of random numbers, one for each word and place: of a million masked texts two are taken for
    the same by accident with a probability below 1e-6.

    Args:
        texts: n texts.
        words: The words that name a group.

    Returns:
        Shape (n,), int64; numbers follow the first occurrence.
    """
    neutral = neutral_texts(texts, words)
    different = list(dict.fromkeys(neutral))
    place = {one: number for number, one in enumerate(different)}
    own = _families_of(different, words.listed)
    codes = own[[place[one] for one in neutral]] if neutral else np.empty(0, dtype=np.int64)
    _, first, number = np.unique(codes, return_index=True, return_inverse=True)
    return np.argsort(np.argsort(first))[number].astype(np.int64)


def frame(texts: Sequence[str], words: WordList) -> str:
    """The words that at least half of a family's texts have at the same place; "…" for each run of others.

    Words of the list, which stand for each other, count as others.
    """
    neutral = neutral_texts(texts, words)
    different = [one for one in dict.fromkeys(neutral) if len(one) == len(neutral[0])]
    shown: list[str] = []
    for column in zip(*different, strict=True):
        word = max(dict.fromkeys(column), key=column.count)
        common = column.count(word) >= _HALF * len(column) and word not in words.listed
        if common or not shown or shown[-1] != OPEN:
            shown.append(word if common else OPEN)
    return " ".join(shown)


def _families_of(texts: list[tuple[str, ...]], listed: Set[str]) -> np.ndarray:
    """The family of each of n different texts, shape (n,); ``listed`` words are no part of a frame."""
    lengths = np.array([len(text) for text in texts], dtype=np.int64)
    if not lengths.sum():
        return np.arange(len(texts))
    known: dict[str, int] = {}
    word = np.array([known.setdefault(one, len(known)) for text in texts for one in text], dtype=np.int64)
    first = np.concatenate([[0], np.cumsum(lengths)[:-1]])
    named = np.array([one in listed for one in known])
    bucket = _masked(word, first, lengths, len(known))
    row = np.repeat(np.arange(len(texts)), lengths)
    long_enough = lengths[row] >= _FEWEST_WORDS
    bucket, row = bucket[long_enough], row[long_enough]
    found = _joined(bucket, row, len(texts))
    order = np.argsort(found, kind="stable")
    for members in np.split(order, np.flatnonzero(np.diff(found[order])) + 1):
        inside = first[members][:, None] + np.arange(lengths[members[0]])
        if len(members) > 2 and not _hold_together(word[inside], named):
            chain = np.isin(row, members)
            found[members] = len(texts) + members
            if lengths[members[0]] > _SHARED_WORDS:
                _by_most_common(bucket[chain], row[chain], found)
    return found


def _masked(word: np.ndarray, first: np.ndarray, lengths: np.ndarray, different: int) -> np.ndarray:
    """A number for each text with one of its words left out, equal where what is left is equal; shape (words,)."""
    rng = np.random.default_rng(0)
    largest = int(lengths.max())
    of_word = rng.integers(2**64, size=different, dtype=np.uint64)
    of_place = rng.integers(2**63, size=largest, dtype=np.uint64) * np.uint64(2) + np.uint64(1)
    salt = rng.integers(2**64, size=largest, dtype=np.uint64)
    of_length = rng.integers(2**64, size=largest + 1, dtype=np.uint64)
    place = np.arange(len(word)) - np.repeat(first, lengths)
    own = of_word[word] * of_place[place]
    whole = np.zeros(len(lengths), dtype=np.uint64)
    np.add.at(whole, np.repeat(np.arange(len(lengths)), lengths), own)
    left: np.ndarray = np.repeat(whole + of_length[lengths], lengths) - own + salt[place]
    return left


def _joined(bucket: np.ndarray, row: np.ndarray, texts: int) -> np.ndarray:
    """Connected texts, those of a bucket being neighbours; shape (n,)."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    order = np.argsort(bucket, kind="stable")
    alike = bucket[order][1:] == bucket[order][:-1]
    ends = row[order][:-1][alike], row[order][1:][alike]
    graph = coo_array((np.ones(len(ends[0]), dtype=bool), ends), shape=(texts, texts))
    return np.asarray(connected_components(graph, directed=False)[1], dtype=np.int64)


def _hold_together(words: np.ndarray, listed: np.ndarray) -> bool:
    """Whether texts of as many words, shape (m, L), have a frame, of words that are not ``listed``, or slots."""
    framed, possible = 0, 1.0
    for column in words.T:
        kinds, counts = np.unique(column, return_counts=True)
        framed += counts.max() >= _HALF * len(column) and not listed[kinds[counts.argmax()]]
        possible *= len(counts)
    return framed >= _THIRD * words.shape[1] or len(words) >= _TENTH * possible


def _by_most_common(bucket: np.ndarray, row: np.ndarray, found: np.ndarray) -> None:
    """Give texts that share a bucket one number in ``found``, the fullest bucket first; each text has one."""
    _, number, counts = np.unique(bucket, return_inverse=True, return_counts=True)
    order = np.lexsort((row, number))
    members = np.split(row[order], np.cumsum(counts)[:-1])
    free = set(row.tolist())
    for place in sorted(np.flatnonzero(counts > 1).tolist(), key=lambda one: (-counts[one], members[one][0])):
        if len(left := [one for one in members[place].tolist() if one in free]) > 1:
            found[left] = found[left[0]]
            free.difference_update(left)
