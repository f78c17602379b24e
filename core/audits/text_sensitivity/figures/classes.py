"""Which words move which class: the sensitivity of every class' probability to the words of the corpus."""

import numpy as np

from core.audits.text_sensitivity.figures.words import outstanding
from core.audits.text_sensitivity.result import WordScores
from core.audits.text_sensitivity.verdict import TextSensitivityFinding
from core.figures import marks, theme
from core.figures.chart import Drawing
from core.language.phrases import count, number
from core.language.told import say, say_count
from core.language.units import Unit

FEW_CLASSES = 6
"""Up to so many, classes stand side by side with a number in every tile; more stand below each other without."""
MOST_WORDS = theme.MOST_ROWS
_ROW, _LETTER = 24, 6.8


def applies(finding: TextSensitivityFinding) -> bool:
    """Whether words occurred in several texts and some class depends on them."""
    return bool(len(_shown(finding)) and np.nanmax(finding.detail.words.by_class, initial=0.0) > 0)


def draw(finding: TextSensitivityFinding) -> Drawing:
    """A tile for each of the first words and each class; deeper is more; the values where one points."""
    words, classes = finding.detail.words, finding.detail.classes
    few = len(classes) <= FEW_CLASSES
    shown = _shown(finding)
    sizes = words.by_class[shown]
    hover = [
        [
            "<br>".join(
                (
                    f"<b>{theme.literal(words.words[i], 40)}</b>, {theme.literal(classes[k], 40)}",
                    say("mean sensitivity {value}", value=number(float(words.by_class[i, k]))),
                    say_count("in {n} text", "in {n} texts", int(words.texts[i])),
                )
            )
            for k in range(len(classes))
        ]
        for i in shown
    ]
    names = [theme.literal(words.words[i], 16) + (" ◆" if words.listed[i] else "") for i in shown]
    heads = [theme.literal(one, 22) for one in classes]
    z, told = (sizes, hover) if few else (sizes.T, [list(column) for column in zip(*hover, strict=True)])
    rows, columns = (names, heads) if few else (heads, names)
    turned = sum(max(3, len(one)) for one in columns) > 40
    above = (int(_LETTER * min(22, max(map(len, columns)))) + 14) if turned else 30
    figure = theme.blank(above + _ROW * len(rows) + 30)
    unit = _unit(sizes)
    marks.tiles(
        figure,
        z,
        rows=rows,
        heads=columns,
        told=told,
        texts=[[unit.number(float(value), unit.decimals(z)) for value in row] for row in z] if few else None,
        tickangle=-90 if turned else 0,
        automargin=False,
        ticks="",
    )
    figure.update_xaxes(showline=False).update_yaxes(showline=False)
    figure.update_layout(margin={"t": above, "b": 28})
    footnote = _footnote(sizes, unit, few=few, two=len(classes) == 2)
    marks.note(figure, footnote, below=True, align="left", xshift=-theme.least_width(rows))
    return Drawing(figure, _words(words, classes, shown))


def _words(words: WordScores, classes: tuple[str, ...], shown: list[int]) -> str:
    """The word that moves each of the first classes most."""
    told = "; ".join(
        f"{classes[k]}: {words.words[i]} ({number(float(words.by_class[i, k]))})"
        for k in range(min(len(classes), FEW_CLASSES))
        for i in [shown[int(np.argmax(words.by_class[shown, k]))]]
    )
    if (left := len(classes) - FEW_CLASSES) > 0:
        told = say("{told}; and {more}", told=told, more=count(left, "more class", "more classes"))
    return say(
        "Mean sensitivity of {classes} to {words}; the word that moves each most: {told}.",
        classes=count(len(classes), "class", "classes"),
        words=count(len(shown), "word"),
        told=told,
    )


def _shown(finding: TextSensitivityFinding) -> list[int]:
    return outstanding(finding.detail.words)[:MOST_WORDS]


def _unit(sizes: np.ndarray) -> Unit:
    largest = float(np.nanmax(sizes))
    return next(
        (
            Unit(factor, name)
            for factor, name in ((1.0, ""), (1e3, say("thousandths")), (1e6, say("millionths")))
            if largest * factor >= 1
        ),
        Unit(1e9, say("billionths")),
    )


def _footnote(sizes: np.ndarray, unit: Unit, *, few: bool, two: bool) -> str:
    if two:
        return say("the two classes' probabilities sum to 1,<br>so that both are equally sensitive")
    if few:
        return say("numbers in {unit}; ◆ names a group", unit=unit.name) if unit.name else say("◆ names a group")
    return say("lightest 0, deepest {largest}; ◆ names a group", largest=number(float(np.nanmax(sizes))))
