"""A text whose words are shaded by how far two models lean on them (Table 2 of papers/prediction-sensitivity.md).

Behind each word lies the colour of the audited model, and in a stripe below it that of the protected status model. Both
colours let the page shine through, so that the page's own letters stand out on them on light and on dark pages.
"""

import numpy as np

from core.audits.text_sensitivity.wording import text_share
from core.language.told import say
from dashboard.audits.text_sensitivity.marked_text import wrapped
from dashboard.audits.text_sensitivity.read_words import ReadWords
from dashboard.text import as_html

TASK_HUE = (10, 132, 204)
STATUS_HUE = (213, 94, 0)
"""Red, green and blue of the audited model and of the protected status model."""
STRONGEST = 0.68
"""How much of the hue covers the page where a word's share is the largest of its text."""
STEPS = (0.25, 0.5, 0.75, 1.0)
"""Shades shown in the legend, as parts of the strongest."""


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


def render(read: ReadWords) -> str:
    """The shaded text as HTML without scripts; every letter of the text is escaped."""
    task, status = strength(read.task), strength(read.status)

    def shaded(i: int, word: str) -> str:
        return _shaded(read, i, word, float(task[i]), float(status[i]))

    return say(
        '<div class="ev-text"><p class="ev-words" dir="auto">{text}</p><div class="ev-hint" '
        'aria-hidden="true">Point at a word, or tap it, to see its numbers.</div></div>',
        text=wrapped(read.text, read.found, shaded),
    )


def _shaded(read: ReadWords, i: int, word: str, task: float, status: float) -> str:
    names, shade = "ev-w" + " ev-listed" * bool(read.listed[i]), ""
    if read.cut[i]:
        names, word = say("{names} ev-cut", names=names), f"<s>{word}</s>"
    else:
        above, below = rgba(TASK_HUE, task), rgba(STATUS_HUE, status)
        shade = f' style="background-image:linear-gradient({above},{above}),linear-gradient({below},{below})"'
    return say(
        '<span class="{names}"{shade} data-told="{read}">{word}</span>',
        names=names,
        shade=shade,
        read=as_html(_told(read, i)),
        word=word,
    )


def _told(read: ReadWords, i: int) -> str:
    """One word with its numbers, for pointing at it."""
    start, end = read.found[i]
    word = " ".join(read.text[start:end].split())
    if read.cut[i]:
        return say("“{word}”: not read by the model, whose texts end before", word=word)
    parts = [
        say(
            "“{word}”: {task} of the audited model's sensitivity",
            word=word,
            task=text_share(float(read.task[i])),
        )
    ]
    if read.with_status:
        parts.append(say("{status} of the protected status model's", status=text_share(float(read.status[i]))))
    if read.listed[i]:
        parts.append(say("names a group"))
    return ", ".join(parts)


def legend(read: ReadWords) -> str:
    """What the colours and marks mean, in words, with a scale in numbers, as HTML."""
    parts = [_scale(say("Behind the word: audited model"), TASK_HUE, read.task)]
    if read.with_status:
        parts.append(_scale(say("Below the word: protected status model"), STATUS_HUE, read.status))
    marks = []
    if read.listed.any():
        marks.append(say('<span class="ev-listed">underlined</span>: names a group'))
    if read.cut.any():
        marks.append(say('<span class="ev-cut">struck out</span>: beyond what the model reads'))
    marks.append(say("colours grow with the square root of the share, so that small shares show"))
    parts.append(f"<p>{'; '.join(marks)}</p>")
    return say('<div class="ev-legend">{parts}</div>', parts="".join(parts))


def _scale(name: str, hue: tuple[int, int, int], shares: np.ndarray) -> str:
    known = np.nan_to_num(shares)
    largest = float(known.max(initial=0.0))
    if largest == 0:
        return say("<p>{name}: leans on no word</p>", name=name)
    swatches = "".join(
        say(
            ' <span class="ev-swatch" style="background-color:{hue}">{step}</span>',
            hue=rgba(hue, STRONGEST * step),
            step=text_share(step**2 * largest),
        )
        for step in STEPS
    )
    return say("<p>{name}, share of the text:{swatches}</p>", name=name, swatches=swatches)
