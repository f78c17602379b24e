"""A text as HTML with parts of it marked, and a counterpart with what differs from the original marked."""

from collections.abc import Callable
from dataclasses import dataclass
from difflib import SequenceMatcher

import numpy as np

from core.text.words import spans
from dashboard.text import as_html


def wrapped(text: str, found: np.ndarray, wrap: Callable[[int, str], str]) -> str:
    """``text`` as HTML in which nothing of it is obeyed.

    Args:
        text: The text.
        found: Where the marked parts stand, rows (begin, end) in ascending order, shape (m, 2), int.
        wrap: Gives a part, by its number and its letters as HTML, the tags around it.
    """
    pieces, done = [], 0
    for i, (start, end) in enumerate(found.tolist()):
        pieces += [as_html(text[done:start]), wrap(i, as_html(text[start:end]))]
        done = end
    return "".join([*pieces, as_html(text[done:])])


@dataclass(frozen=True)
class Counterpart:
    """A text with its words exchanged.

    Attributes:
        html: The text, what differs from the original marked as inserted; escaped.
        changes: What stood there and what stands there now, in the order of the text.
    """

    html: str
    changes: tuple[tuple[str, str], ...]


def counterpart(text: str, exchanged: str) -> Counterpart:
    """Mark in ``exchanged`` every run of words that differs from ``text``, whoever wrote it."""
    before, after = spans(text), spans(exchanged)
    old = [text[start:end] for start, end in before]
    new = [exchanged[start:end] for start, end in after]
    changes, marked = [], []
    for kind, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind != "equal":
            changes.append((_run(text, before, a, b), _run(exchanged, after, c, d)))
        if kind != "equal" and c < d:
            marked.append((after[c, 0], after[d - 1, 1]))
    body = wrapped(exchanged, np.array(marked, dtype=np.int64).reshape(-1, 2), lambda _, run: f"<ins>{run}</ins>")
    return Counterpart(f'<p class="ev-other" dir="auto">{body}</p>', tuple(changes))


def _run(text: str, found: np.ndarray, first: int, end: int) -> str:
    return " ".join(text[found[first, 0] : found[end - 1, 1]].split()) if first < end else ""
