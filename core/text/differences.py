"""In which words two versions of a text differ."""

from dataclasses import dataclass
from difflib import SequenceMatcher

import numpy as np

from core.text.words import spans


@dataclass(frozen=True)
class WordDifference:
    """A run of words that another run stands for in the other version.

    Attributes:
        before: The words of the one version, spaces between them; empty where it has none there.
        after: Those of the other; empty where it has none there.
        begin: Where ``after`` begins in the other version, in characters.
        end: Where it ends; as ``begin`` where it is empty.
    """

    before: str
    after: str
    begin: int = 0
    end: int = 0


def differences(text: str, other: str) -> tuple[WordDifference, ...]:
    """Every run of words in which ``other`` differs from ``text``, whoever wrote it, in its order."""
    before, after = spans(text), spans(other)
    old = [text[start:end] for start, end in before]
    new = [other[start:end] for start, end in after]
    found = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    return tuple(
        WordDifference(_run(text, before, a, b), _run(other, after, c, d), *(_ends(after, c, d)))
        for kind, a, b, c, d in found
        if kind != "equal"
    )


def _run(text: str, found: np.ndarray, first: int, end: int) -> str:
    return " ".join(text[found[first, 0] : found[end - 1, 1]].split()) if first < end else ""


def _ends(found: np.ndarray, first: int, end: int) -> tuple[int, int]:
    return (int(found[first, 0]), int(found[end - 1, 1])) if first < end else (0, 0)
