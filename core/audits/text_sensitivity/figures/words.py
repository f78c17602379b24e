"""The words of the corpus: how much the audited model leans on each against how much it gives the group away."""

import numpy as np
import plotly.graph_objects as go

from core.audits.text_sensitivity.result import WordScores
from core.audits.text_sensitivity.verdict import TextSensitivityFinding
from core.audits.text_sensitivity.wording import text_share
from core.figures import marks, theme
from core.figures.chart import Drawing
from core.language.phrases import count, listed
from core.language.told import localized, say, say_as, say_count

MOST_LABELS = 10
"""Words named in the figure; all are named where they are pointed at."""
MOST_BARS = theme.MOST_ROWS
"""Words shown without a protected status model; a table lists more."""
_LETTER, _APART = 0.028, 0.055
"""Width of a letter and height of a line in parts of the axes on a telephone, by which named words keep apart."""


def applies(finding: TextSensitivityFinding) -> bool:
    """Whether words occurred in several texts."""
    words = finding.detail.words
    return bool(len(words.words) and (np.nan_to_num(words.task) > 0).any())


def draw(finding: TextSensitivityFinding) -> Drawing:
    """A point a word, on logarithmic axes; without a protected status model a bar for each of the first words."""
    words = finding.detail.words
    with_status, first = bool(np.isfinite(words.status).any()), outstanding(words)
    told = "; ".join(_told(words, i, with_status=with_status) for i in first[:MOST_LABELS])
    every = count(len(words.words), "word")
    if with_status:
        alt = say(
            "{words} by their mean share of the audited model's sensitivity and of the protected status model's. "
            "{shares}.",
            words=every,
            shares=told,
        )
        return Drawing(_points(words), alt)
    alt = say("{words} by their mean share of the audited model's sensitivity. {shares}.", words=every, shares=told)
    return Drawing(_bars(words, first[:MOST_BARS]), alt)


def outstanding(words: WordScores) -> list[int]:
    """Words with letters in them, those first on which both models lean (or the audited one, where it is alone)."""
    letters = np.array([any(letter.isalnum() for letter in word) for word in words.words], dtype=bool)
    both = words.task * words.status if np.isfinite(words.status).any() else words.task
    weight = np.where(letters, np.nan_to_num(both), 0.0)
    order = np.argsort(-weight, kind="stable")
    return [int(i) for i in order if weight[i] > 0]


def _told(words: WordScores, i: int, *, with_status: bool) -> str:
    shares = [text_share(float(one[i])) for one in ((words.task, words.status) if with_status else (words.task,))]
    return f"{words.words[i]}: {listed(shares)}"


def _hover(words: WordScores, i: int) -> str:
    word = f"<b>{theme.literal(words.words[i], 40)}</b>"
    parts = [
        say("{word} (names a group)", word=word) if words.listed[i] else word,
        say("audited model: {share}", share=theme.literal(text_share(float(words.task[i])))),
    ]
    if np.isfinite(words.status[i]):
        parts.append(say("protected status model: {share}", share=theme.literal(text_share(float(words.status[i])))))
    return "<br>".join([*parts, say_count("in {n} text", "in {n} texts", int(words.texts[i]))])


def _points(words: WordScores) -> go.Figure:
    seen = np.flatnonzero((np.nan_to_num(words.task) > 0) & (np.nan_to_num(words.status) > 0))
    x, y = 100 * words.status[seen], 100 * words.task[seen]
    figure = theme.blank(460)
    for named, name, marker in (
        (False, say("other words"), {"symbol": "circle", "size": 7, "color": theme.BLUE, "opacity": 0.7}),
        (True, say("words that name a group"), {"symbol": "diamond", "size": 11, "color": theme.ORANGE}),
    ):
        part = words.listed[seen] == named
        if part.any():
            figure.add_scatter(
                name=name,
                x=x[part],
                y=y[part],
                mode="markers",
                marker=marker,
                **marks.hover([_hover(words, int(i)) for i in seen[part]]),
            )
    spans = [theme.padded(np.log10(values).tolist(), 0.1) for values in (x, y)]
    for i in _named(words, seen.tolist(), spans):
        across = np.log10(100 * words.status[i])
        late = across > spans[0][0] + 0.8 * (spans[0][1] - spans[0][0])
        early = across < spans[0][0] + 0.2 * (spans[0][1] - spans[0][0])
        figure.add_annotation(
            x=across,
            y=np.log10(100 * words.task[i]),
            text=theme.literal(words.words[i], 18),
            showarrow=False,
            xanchor="right" if late else "left" if early else "center",
            yanchor="bottom",
            yshift=5,
        )
    figure.update_xaxes(
        type="log", range=spans[0], title=say("how much the word gives the group away,<br>mean % of a text")
    )
    figure.update_yaxes(type="log", range=spans[1], title=say("how much the model relies on it, mean % of a text"))
    for axis, span in (("xaxis", spans[0]), ("yaxis", spans[1])):
        ticks = _ticks(span)
        figure.layout[axis].update(tickvals=ticks, ticktext=[_percent(tick) for tick in ticks])
    left_out = len(words.words) - len(seen)
    if left_out:
        figure.add_annotation(
            x=0, y=0, xref="paper", yref="paper", xanchor="left", yanchor="bottom", showarrow=False,
            text=say("not drawn: {words} with a share of 0", words=count(left_out, "word")),
        )  # fmt: skip
    return figure.update_layout(
        showlegend=True, legend={"orientation": "h", "x": 0, "y": 1.01, "xanchor": "left", "yanchor": "bottom"}
    )


def _percent(tick: float) -> str:
    """A tick's percentage with its own digits."""
    return say_as("a share", "{number}%", number=localized(f"{tick:g}"))


def _ticks(span: tuple[float, float]) -> list[float]:
    """1, 2 and 5 times powers of ten within a logarithmic range; only powers of ten where there are many."""
    powers = range(int(np.floor(span[0])), int(np.ceil(span[1])) + 1)
    for digits in ((1, 2, 5), (1, 3), (1,)):
        ticks = [digit * 10.0**power for power in powers for digit in digits]
        inside = [tick for tick in ticks if span[0] <= np.log10(tick) <= span[1]]
        if len(inside) <= 7:
            break
    return inside


def _named(words: WordScores, seen: list[int], spans: list[tuple[float, float]]) -> list[int]:
    """The words that are named: the outstanding ones, but none so near to another that the names would overlap."""
    taken: list[tuple[float, float, int]] = []
    named = []
    for i in [i for i in outstanding(words) if i in set(seen)]:
        at = tuple(
            (np.log10(100 * value) - low) / (high - low)
            for value, (low, high) in zip((words.status[i], words.task[i]), spans, strict=True)
        )
        long = len(words.words[i])
        if all(abs(at[0] - x) > _LETTER * (long + other) / 2 or abs(at[1] - y) > _APART for x, y, other in taken):
            taken.append((float(at[0]), float(at[1]), long))
            named.append(i)
        if len(named) == MOST_LABELS:
            break
    return named


def _bars(words: WordScores, shown: list[int]) -> go.Figure:
    figure = theme.blank(90 + 26 * len(shown), bargap=0.3)
    marks.named_bars(
        figure,
        [100 * float(words.task[i]) for i in shown],
        names=[theme.literal(words.words[i], 16) for i in shown],
        texts=[theme.literal(text_share(float(words.task[i]))) for i in shown],
        told=[_hover(words, i) for i in shown],
        marker={
            "color": [theme.ORANGE if words.listed[i] else theme.BLUE for i in shown],
            "pattern": {"shape": ["/" if words.listed[i] else "" for i in shown]},
        },
    )
    top = max(100 * float(words.task[i]) for i in shown)
    figure.update_xaxes(title=say("how much the model relies on the word,<br>mean % of a text"), range=(0, 1.25 * top))
    if any(words.listed[i] for i in shown):
        marks.note(figure, say("hatched: names a group"), right=True)
    return figure
