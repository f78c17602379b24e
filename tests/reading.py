"""How hard a text is to read: its words, its sentences, and the Flesch-Kincaid grade."""

import re

_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z\d“\"])|\n+")
_WORD = re.compile(r"[^\W_](?:[\w'’.,-]*\w)?%?")
_VOWELS = re.compile(r"[aeiouy]+")


def words(text: str) -> list[str]:
    """The words of a text; a number is one."""
    return _WORD.findall(text)


def sentences(text: str) -> list[str]:
    """The sentences of a text, as a full stop or the end of a line ends them."""
    return [one for one in _SENTENCE.split(text) if words(one)]


def syllables(word: str) -> int:
    """Groups of vowels of a word, less a silent e at its end; one of a number, which nobody spells."""
    letters = re.sub(r"[^a-z]", "", word.lower())
    if not letters:
        return 1
    found = len(_VOWELS.findall(letters))
    if letters.endswith("e") and not letters.endswith(("le", "ee")) and found > 1:
        found -= 1
    if letters.endswith("ed") and not letters.endswith(("ted", "ded")) and found > 1:
        found -= 1
    return max(found, 1)


def grade(text: str) -> float:
    """The school grade of a text (Kincaid, Fishburne, Rogers and Chissom 1975)."""
    said = words(text)
    per_sentence = len(said) / max(len(sentences(text)), 1)
    return 0.39 * per_sentence + 11.8 * sum(map(syllables, said)) / max(len(said), 1) - 15.59
