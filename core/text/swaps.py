"""The counterpart of a text: every word that names a group exchanged for its counterpart (the swaps of CF)."""

# ruff: noqa: SIM905 - lists of words read best as words

from dataclasses import dataclass
from hashlib import blake2b

import numpy as np

from core.text.word_lists import WordList
from core.text.words import key, spans

_NO_NOUN_FOLLOWS = frozenset(
    "a about above across after again against along also although among an and any are around as at away back be "
    "because been before behind being below beside between beyond but by can could did do does down during each "
    "either every for from had has have he how if in inside into is it its like may me might must my no nor not of "
    "off on onto or our out outside over per she should since so some such than that the their them then there these "
    "they this those though through throughout to today tomorrow too toward towards under until up upon us was we "
    "were what when where whether which while who whom whose why will with within without would yesterday yet you "
    "your".split()
)
"""Words that begin something else than the noun which "her" or "his" belongs to."""

_POSSESSIVE = ("her", "his")

_TITLES = frozenset({"miss"})
"""Words that mean something else unless a name follows ("I miss her")."""


@dataclass(frozen=True)
class Exchanged:
    """A text and its counterpart; both have the same W words where every counterpart is a single word.

    Attributes:
        text: The counterpart; the text itself where nothing was exchanged.
        before: Spans of the exchanged words in the original, rows (begin, end), shape (m, 2), int64.
        after: Spans of what stands for them in the counterpart, shape (m, 2), int64.
    """

    text: str
    before: np.ndarray
    after: np.ndarray


def exchange(text: str, words: WordList) -> Exchanged:
    """Exchange every listed word of ``text`` for its counterpart, keeping its case.

    A word of more than two groups goes to another of them, the same step for every word of the text, drawn from the
    text itself: the same text always has the same counterpart, and all steps occur equally often.

    Of several counterparts of a pair the list's first is taken, except that "her" and "his" become their second where
    no noun seems to follow ("met her" becomes "met him"). To be sure one would have to know the part of speech, and
    the guess errs ("made her laugh" becomes "made his laugh"): show the counterparts and let people correct them.
    """
    found = spans(text)
    pieces, before, after, done, length = [], [], [], 0, 0
    turn = int.from_bytes(blake2b(text.encode(errors="surrogatepass"), digest_size=8).digest())
    for place, ((start, end), name) in enumerate(zip(found, names(text, found, words), strict=True)):
        others = words.counterparts.get(name)
        if not others:
            continue
        if name in words.of_sets:
            which = turn % len(others)
        else:
            which = int(len(others) > 1 and name in _POSSESSIVE and not _noun_follows(text, found, place))
        chosen = _in_case_of(text[start:end], others[which])
        pieces += [text[done:start], chosen]
        length += start - done
        before.append((start, end))
        after.append((length, length + len(chosen)))
        length, done = length + len(chosen), end
    return Exchanged("".join((*pieces, text[done:])), _rows(before), _rows(after))


def names(text: str, found: np.ndarray, words: WordList) -> list[str]:
    """Each word of ``text`` as the list has it (:func:`core.text.words.key`); empty where it names no group.

    Names of people count where they begin with a capital letter, and "Miss" where a name follows.

    Args:
        text: The text.
        found: Its spans, shape (W, 2).
        words: The list.
    """
    keys = [key(text[start:end]) for start, end in found.tolist()]
    return [
        one if one in words.listed and _is_meant(text, found, place, one, words) else ""
        for place, one in enumerate(keys)
    ]


def listed(text: str, found: np.ndarray, words: WordList) -> np.ndarray:
    """Whether each word of ``text`` names a group; ``found`` are its spans, shape (W, 2); returns (W,), bool."""
    return np.array([bool(name) for name in names(text, found, words)], dtype=bool)


def _is_meant(text: str, found: np.ndarray, place: int, word: str, words: WordList) -> bool:
    if word not in words.capitalised and word not in _TITLES:
        return True
    if not text[found[place, 0]].isupper():
        return False
    return word not in _TITLES or (place + 1 < len(found) and text[found[place + 1, 0]].isupper())


def _noun_follows(text: str, found: np.ndarray, place: int) -> bool:
    if place + 1 >= len(found):
        return False
    (_, end), (start, until) = found[place], found[place + 1]
    following = text[start:until]
    return text[end:start].isspace() and following[0].isalnum() and key(following) not in _NO_NOUN_FOLLOWS


def _in_case_of(model: str, word: str) -> str:
    if len(model) > 1 and model.isupper():
        return word.upper()
    return word[:1].upper() + word[1:] if model[:1].isupper() else word


def _rows(found: list[tuple[int, int]]) -> np.ndarray:
    return np.array(found, dtype=np.int64).reshape(-1, 2)
