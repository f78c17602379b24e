"""A text as HTML with parts of it marked, and a counterpart with what differs from the original marked."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from core.text.differences import differences
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
    found = differences(text, exchanged)
    marked = np.array([(one.begin, one.end) for one in found if one.after], dtype=np.int64).reshape(-1, 2)
    body = wrapped(exchanged, marked, lambda _, run: f"<ins>{run}</ins>")
    return Counterpart(f'<p class="ev-other" dir="auto">{body}</p>', tuple((one.before, one.after) for one in found))
