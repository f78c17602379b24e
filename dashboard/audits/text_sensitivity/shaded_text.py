"""A text whose words are shaded by how far two models lean on them (Table 2 of papers/prediction-sensitivity.md).

Behind each word lies the colour of the audited model, and in a band below it that of the protected status model. Both
colours let the page shine through, so that the page's own letters stand out on them on light and on dark pages.
"""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from difflib import SequenceMatcher

import numpy as np

from core.audits.text_sensitivity.result import ShownTexts
from core.audits.text_sensitivity.wording import text_share
from core.text.words import spans

TASK_HUE = (10, 132, 204)
STATUS_HUE = (213, 94, 0)
"""Red, green and blue of the audited model and of the protected status model."""
STRONGEST = 0.68
"""How much of the hue covers the page where a word's share is the largest of its text."""
STEPS = (0.25, 0.5, 0.75, 1.0)
"""Shades shown in the legend, as parts of the strongest."""

_TURNS = re.compile("[\u200e\u200f\u202a-\u202e\u2066-\u2069]")

STYLE = """<style>
.ev-text { position: relative; padding: 0.2rem 0 3.4rem; }
.ev-words { white-space: pre-wrap; overflow-wrap: anywhere; line-height: 2.1; font-size: 1.05rem; margin: 0; }
.ev-w { padding: 0.1em 0.14em 0.32em; border-radius: 3px; background-repeat: no-repeat; cursor: default;
  background-size: 100% calc(100% - 0.42em), 100% 0.34em; background-position: top, bottom;
  -webkit-box-decoration-break: clone; box-decoration-break: clone; }
.ev-listed { text-decoration: underline; text-decoration-thickness: 2px; text-underline-offset: 2px; }
.ev-cut { text-decoration: line-through; opacity: 0.75; }
.ev-hint, .ev-w:hover::after { position: absolute; left: 0; right: 0; bottom: 0; font-size: 0.9rem; line-height: 1.4;
  padding: 0.3rem 0; text-decoration: none; white-space: normal; opacity: 1; }
.ev-w:hover { outline: 2px solid currentColor; }
.ev-w:hover::after { content: attr(data-told); }
.ev-words:has(.ev-w:hover) + .ev-hint { visibility: hidden; }
.ev-legend { display: flex; flex-wrap: wrap; gap: 0.2rem 1.4rem; font-size: 0.9rem; line-height: 1.9; }
.ev-legend p { margin: 0; }
.ev-swatch { padding: 0.1em 0.5em; border-radius: 3px; }
.ev-other { white-space: pre-wrap; overflow-wrap: anywhere; line-height: 1.7; margin: 0; }
.ev-other ins { font-weight: 700; text-decoration: underline; text-decoration-thickness: 2px; }
</style>"""
"""To be put once on a page that shows such texts."""


@dataclass(frozen=True)
class ReadWords:
    """The W words of one text.

    Attributes:
        text: The text.
        found: Where they stand, rows (begin, end), shape (W, 2), int.
        task: Share of the audited model's sensitivity on each, so that the text's words share 1; NaN if the model
            does not read the word; shape (W,).
        task_size: The sensitivity itself, wᵀJ summed over the word's tokens and coordinates; shape (W,).
        status: Share of the protected status model's; NaN if cut off or without such a model; shape (W,).
        listed: Whether the word names a group, shape (W,), bool.
        cut: Whether the model does not read it, shape (W,), bool.
    """

    text: str
    found: np.ndarray
    task: np.ndarray
    task_size: np.ndarray
    status: np.ndarray
    listed: np.ndarray
    cut: np.ndarray

    @classmethod
    def of(cls, shown: ShownTexts, place: int) -> ReadWords:
        """Text number ``place`` of those kept for reading."""
        part = slice(int(shown.first[place]), int(shown.first[place + 1]))
        return cls(
            text=shown.texts[place],
            found=np.column_stack((shown.start[part], shown.end[part])),
            task=_shares(shown.task[part]),
            task_size=shown.task[part],
            status=_shares(shown.status[part]),
            listed=shown.listed[part],
            cut=shown.cut[part],
        )

    @property
    def words(self) -> tuple[str, ...]:
        """The words themselves."""
        return tuple(self.text[start:end] for start, end in self.found)


def _shares(values: np.ndarray) -> np.ndarray:
    total = np.nansum(values)
    return np.asarray(values / total if total > 0 else values)


def strength(shares: np.ndarray) -> np.ndarray:
    """Cover of the hue for each word, 0 to ``STRONGEST``: grows with the square root of the share within the text.

    The square root lets small shares be seen beside one large one.
    """
    known = np.nan_to_num(shares)
    largest = known.max(initial=0.0)
    scaled = np.sqrt(known / largest) if largest > 0 else np.zeros_like(known)
    return np.asarray(STRONGEST * scaled)


def rgba(hue: tuple[int, int, int], cover: float) -> str:
    """A hue that covers the page by ``cover``, as style sheets write it."""
    return f"rgba({hue[0]},{hue[1]},{hue[2]},{cover:.3f})"


def escaped(text: str) -> str:
    """Text as HTML that shows exactly these characters; marks that turn the direction of what follows are named."""
    return html.escape(_TURNS.sub(lambda mark: f"<U+{ord(mark[0]):04X}>", text))


def render(read: ReadWords, *, with_status: bool) -> str:
    """The shaded text as HTML without scripts; every letter of the text is escaped."""
    task, status = strength(read.task), strength(read.status)
    pieces, done = [], 0
    for i, (start, end) in enumerate(read.found.tolist()):
        pieces.append(escaped(read.text[done:start]))
        pieces.append(_word(read, i, float(task[i]), float(status[i]), with_status=with_status))
        done = end
    pieces.append(escaped(read.text[done:]))
    return (
        f'<div class="ev-text"><p class="ev-words" dir="auto">{"".join(pieces)}</p>'
        '<div class="ev-hint" aria-hidden="true">Point at a word, or tap it, to see its numbers.</div></div>'
    )


def _word(read: ReadWords, i: int, task: float, status: float, *, with_status: bool) -> str:
    start, end = read.found[i]
    word = read.text[start:end]
    names = "ev-w" + " ev-listed" * bool(read.listed[i]) + " ev-cut" * bool(read.cut[i])
    above, below = rgba(TASK_HUE, task), rgba(STATUS_HUE, status)
    shade = (
        ""
        if read.cut[i]
        else f' style="background-image:linear-gradient({above},{above}),linear-gradient({below},{below})"'
    )
    told = html.escape(_TURNS.sub("", told_of(read, i, with_status=with_status)))
    shown = escaped(word)
    if read.cut[i]:
        shown = f"<s>{shown}</s>"
    return f'<span class="{names}"{shade} data-told="{told}">{shown}</span>'


def told_of(read: ReadWords, i: int, *, with_status: bool) -> str:
    """One word with its numbers, for pointing at it."""
    start, end = read.found[i]
    word = " ".join(read.text[start:end].split())
    if read.cut[i]:
        return f"“{word}”: not read by the model, whose texts end before"
    parts = [f"“{word}”: {text_share(float(read.task[i]))} of the audited model's sensitivity"]
    if with_status:
        parts.append(f"{text_share(float(read.status[i]))} of the protected status model's")
    if read.listed[i]:
        parts.append("names a group")
    return ", ".join(parts)


def legend(read: ReadWords, *, with_status: bool) -> str:
    """What the colours and marks mean, in words, with a scale in numbers, as HTML."""
    parts = [_scale("Behind the word: audited model", TASK_HUE, read.task)]
    if with_status:
        parts.append(_scale("Below the word: protected status model", STATUS_HUE, read.status))
    marks = []
    if read.listed.any():
        marks.append('<span class="ev-listed">underlined</span>: names a group')
    if read.cut.any():
        marks.append('<span class="ev-cut">struck out</span>: beyond what the model reads')
    marks.append("colours grow with the square root of the share, so that small shares show")
    parts.append(f"<p>{'; '.join(marks)}</p>")
    return f'<div class="ev-legend">{"".join(parts)}</div>'


def _scale(name: str, hue: tuple[int, int, int], shares: np.ndarray) -> str:
    known = np.nan_to_num(shares)
    largest = float(known.max(initial=0.0))
    if largest == 0:
        return f"<p>{name}: leans on no word</p>"
    swatches = "".join(
        f' <span class="ev-swatch" style="background-color:{rgba(hue, STRONGEST * step)}">'
        f"{text_share(step**2 * largest)}</span>"
        for step in STEPS
    )
    return f"<p>{name}, share of the text:{swatches}</p>"


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
    pieces, changes, done = [], [], 0
    for kind, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind == "equal":
            continue
        changes.append((_run(text, before, a, b), _run(exchanged, after, c, d)))
        if c < d:
            start, end = int(after[c, 0]), int(after[d - 1, 1])
            pieces += [escaped(exchanged[done:start]), f"<ins>{escaped(exchanged[start:end])}</ins>"]
            done = end
    pieces.append(escaped(exchanged[done:]))
    return Counterpart(f'<p class="ev-other" dir="auto">{"".join(pieces)}</p>', tuple(changes))


def _run(text: str, found: np.ndarray, first: int, end: int) -> str:
    return " ".join(text[found[first, 0] : found[end - 1, 1]].split()) if first < end else ""
