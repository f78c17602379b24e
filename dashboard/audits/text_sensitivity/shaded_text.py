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

    text = wrapped(read.text, read.found, shaded)
    hint = say("Point at a word, or tap it, to see its numbers.")
    return (
        f'<div class="ev-text"><p class="ev-words" dir="auto">{text}</p>'
        f'<div class="ev-hint" aria-hidden="true">{as_html(hint)}</div></div>'  # verbatim
    )


def _shaded(read: ReadWords, i: int, word: str, task: float, status: float) -> str:
    names, shade = "ev-w" + " ev-listed" * bool(read.listed[i]), ""
    if read.cut[i]:
        names, word = f"{names} ev-cut", f"<s>{word}</s>"  # verbatim
    else:
        above, below = rgba(TASK_HUE, task), rgba(STATUS_HUE, status)
        shade = f' style="background-image:linear-gradient({above},{above}),linear-gradient({below},{below})"'
    return f'<span class="{names}"{shade} data-told="{as_html(_told(read, i))}">{word}</span>'  # verbatim


def _told(read: ReadWords, i: int) -> str:
    """One word with its numbers, for pointing at it."""
    start, end = read.found[i]
    word = " ".join(read.text[start:end].split())
    if read.cut[i]:
        return say("“{word}”: not read by the model, whose texts end before", word=word)
    parts = [
        say(
            "“{word}”: {share} of the audited model's sensitivity",
            word=word,
            share=text_share(float(read.task[i])),
        )
    ]
    if read.with_status:
        parts.append(say("{share} of the protected status model's", share=text_share(float(read.status[i]))))
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
        underlined = f'<span class="ev-listed">{as_html(say("underlined"))}</span>'  # verbatim
        marks.append(say("{mark}: names a group", mark=underlined))
    if read.cut.any():
        struck = f'<span class="ev-cut">{as_html(say("struck out"))}</span>'  # verbatim
        marks.append(say("{mark}: beyond what the model reads", mark=struck))
    marks.append(say("colours grow with the square root of the share, so that small shares show"))
    parts.append(f"<p>{'; '.join(marks)}</p>")
    return f'<div class="ev-legend">{"".join(parts)}</div>'  # verbatim


def _scale(name: str, hue: tuple[int, int, int], shares: np.ndarray) -> str:
    known = np.nan_to_num(shares)
    largest = float(known.max(initial=0.0))
    if largest == 0:
        return f"<p>{say('{name}: leans on no word', name=name)}</p>"
    swatches = "".join(
        f' <span class="ev-swatch" style="background-color:{rgba(hue, STRONGEST * step)}">'
        f"{text_share(step**2 * largest)}</span>"  # verbatim
        for step in STEPS
    )
    return f"<p>{say('{name}, share of the text:', name=name)}{swatches}</p>"
