"""Which words move which class: the sensitivity of every class' probability to the words of the corpus."""

import numpy as np

from core.audits.text_sensitivity.figures.words import outstanding
from core.audits.text_sensitivity.result import WordScores
from core.audits.text_sensitivity.verdict import TextSensitivityFinding
from core.figures import marks, theme
from core.figures.chart import Drawing
from core.language.told import say
from core.phrases import count, number
from core.units import Unit

FEW_CLASSES = 6
"""Up to so many, classes stand side by side with a number in every tile; more stand below each other without."""
MOST_WORDS = {True: 18, False: 12}
"""Words shown with few classes, and with many."""
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
            say(
                "<b>{words}</b>, {classes}<br>mean sensitivity {by_class}<br>in {texts}",
                words=theme.literal(words.words[i], 40),
                classes=theme.literal(classes[k], 40),
                by_class=number(float(words.by_class[i, k])),
                texts=count(int(words.texts[i]), "text"),
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
    marks.note(figure, _footnote(sizes, unit, few=few, two=len(classes) == 2), below=True, align="left")
    return Drawing(figure, _words(words, classes, shown))


def _words(words: WordScores, classes: tuple[str, ...], shown: list[int]) -> str:
    """The word that moves each of the first classes most."""
    told = "; ".join(
        f"{classes[k]}: {words.words[i]} ({number(float(words.by_class[i, k]))})"
        for k in range(min(len(classes), FEW_CLASSES))
        for i in [shown[int(np.argmax(words.by_class[shown, k]))]]
    )
    left = len(classes) - FEW_CLASSES
    more = say("; and {left}", left=count(left, "more class", "more classes")) if left > 0 else ""
    return say(
        "Mean sensitivity of {classes} to {shown}; the word that moves each most: {told}{more}.",
        classes=count(len(classes), "class", "classes"),
        shown=count(len(shown), "word"),
        told=told,
        more=more,
    )


def _shown(finding: TextSensitivityFinding) -> list[int]:
    return outstanding(finding.detail.words)[: MOST_WORDS[len(finding.detail.classes) <= FEW_CLASSES]]


def _unit(sizes: np.ndarray) -> Unit:
    largest = float(np.nanmax(sizes))
    return next(
        (
            Unit(factor, name)
            for factor, name in ((1.0, ""), (1e3, "thousandths"), (1e6, "millionths"))
            if largest * factor >= 1
        ),
        Unit(1e9, "billionths"),
    )


def _footnote(sizes: np.ndarray, unit: Unit, *, few: bool, two: bool) -> str:
    if two:
        return say("the two classes' probabilities sum to 1,<br>so that both are equally sensitive")
    if few:
        return say("numbers in {name}; ◆ names a group", name=unit.name) if unit.name else say("◆ names a group")
    return say("lightest 0, deepest {sizes}; ◆ names a group", sizes=number(float(np.nanmax(sizes))))
