"""A person beside a possible twin and the nearest real person, in the table's own units and in words."""

import math
from dataclasses import dataclass

import numpy as np

from core.audits.gradient_flow.result import GradientFlowResult, WorstPairs
from core.base.tables import NOT_GIVEN
from core.data.encoder import Column
from core.data.labels import as_said, condition
from core.language.phrases import distance, number, percent, several, whole
from core.language.told import localized, say

SAME = 1e-8
"""A squared distance up to which the metric tells nobody apart."""


_TWO = 2


@dataclass(frozen=True)
class Change:
    """One column of a pair.

    Attributes:
        column: The column's name.
        before: The person's value as text.
        after: The twin's.
        real: That of the nearest real person.
        words: What changed, with a mark: ``▲ 4 more``, ``▼ 120 less``, ``⇄ another category``; empty where nothing did.
    """

    column: str
    before: str
    after: str
    real: str
    words: str

    @property
    def changed(self) -> bool:
        """Whether person and twin differ."""
        return bool(self.words)


def columns(result: GradientFlowResult, index: int, i: int) -> tuple[Change, ...]:
    """Every column of person ``i`` at the stopping time ``index``: those that changed first, most on top.

    Numbers are compared by their standard deviations, and another category counts as one of them.
    """
    pairs, encoder = result.detail.pairs, result.model.encoder
    place = index * len(pairs.rows) + i
    rows: list[tuple[float, Change]] = []
    for column, decimals in zip(encoder.columns, map(int, pairs.decimals), strict=True):
        before, after = pairs.before[column.name].iloc[i], pairs.after[column.name].iloc[place]
        real = _cell(pairs.real[column.name].iloc[place], decimals)
        rows.append(_change(column, before, after, real, decimals))
    return tuple(row for _, row in sorted(rows, key=lambda entry: (not entry[1].changed, -entry[0])))


def has_twin(pairs: WorstPairs, index: int, i: int) -> bool:
    """Whether somebody possible who is similar enough is misjudged more than person ``i``."""
    return not math.isnan(pairs.ratios[index, i])


def told(result: GradientFlowResult, index: int, i: int) -> str:
    """Who person ``i`` is, and how far off the model is for the twin, or where the search ended if there is none."""
    pairs = result.detail.pairs
    outcome = as_said(condition(result.data.outcome, pairs.outcome[i]))
    who = ", ".join((*(f"{name} = {pairs.groups[name].iloc[i]}" for name in pairs.groups.columns), outcome))
    record, searched = whole(int(pairs.rows[i]) + 1), number(float(pairs.searched[index, i]))
    known = {"record": record, "who": who, "searched": searched}
    if result.model.encoder.is_embedding:
        return say(
            "Row {record} ({who}). The model is {searched} times as far off where the search ended, at a point that no "
            "text belongs to.",
            **known,
        )
    if not has_twin(pairs, index, i):
        return say(
            "Row {record} ({who}). The model is {searched} times as far off where the search ended, at a point between "
            "people. No possible person as similar is misjudged more.",
            **known,
        )
    known |= {"ratio": number(float(pairs.ratios[index, i]))}
    if len(result.model.classes) == _TWO and pairs.turned(index)[i]:
        (other,) = (one for one in result.model.classes if one != pairs.outcome[i])
        known |= {"outcome": outcome, "other": as_said(condition(result.data.outcome, other))}
        return say(
            "Row {record} ({who}): the model rightly answers {outcome}, but {other} for a similar possible person. "
            "There it is {ratio} times as far off.",
            **known,
        )
    return say(
        "Row {record} ({who}) and a similar possible person: the model is {ratio} times as far off for that one.",
        **known,
    )


def answers(result: GradientFlowResult, index: int, i: int) -> tuple[tuple[str, ...], ...]:
    """What the model says of the three, how far off that is, and how far they differ in what counts, each named.

    Of two outcomes the chance is that of the favourable one, of several that of the person's own.
    """
    pairs, data = result.detail.pairs, result.data
    own = np.array([pairs.chance[i], pairs.chance_after[index, i], pairs.real_chance[index, i]])
    squares = (math.nan, pairs.distance[index, i], pairs.real_distance[index, i])
    two = len(result.model.classes) == _TWO and data.favourable in result.model.classes
    other = two and data.favourable != pairs.outcome[i]
    outcome, chances = (data.favourable, 1 - own) if other else (pairs.outcome[i], own)
    return (
        (
            say("Chance of {outcome}", outcome=as_said(condition(data.outcome, outcome))),
            *(NOT_GIVEN if math.isnan(one) else percent(round(float(one), 4)) for one in chances),
        ),
        (
            say("How far from {outcome} (loss)", outcome=as_said(condition(data.outcome, pairs.outcome[i]))),
            *(NOT_GIVEN if math.isnan(one) else number(-math.log(one), 2) if one else "∞" for one in own),
        ),
        (
            say("Difference that counts (fair distance)"),
            *map(_apart, squares),
        ),
    )


def more(result: GradientFlowResult, index: int, i: int) -> str:
    """What the search reached, how similar the twin is and where the search left what occurs; empty without a twin."""
    pairs = result.detail.pairs
    if result.model.encoder.is_embedding or not has_twin(pairs, index, i):
        return ""
    known = {"searched": number(float(pairs.searched[index, i]))}
    similar = (
        say("To the fair metric both are the same person: they differ only in what may differ freely.")
        if pairs.distance[index, i] <= SAME
        else say(
            "The search ended at {searched} times, between people. To the fair metric the twin is as similar as that "
            "point.",
            **known,
        )
        if pairs.as_similar[index, i]
        else say(
            "The search ended at {searched} times, between people. The twin is less similar than that point, but no "
            "real person whom the fair metric tells apart is nearer.",
            **known,
        )
    )
    left = [
        column.name
        for column, beyond in zip(result.model.encoder.columns, pairs.beyond[index, i], strict=True)
        if beyond
    ]
    if not left:
        return similar
    return say(
        "{similar} In {columns} the search went beyond what occurs; the twin keeps within it.",
        similar=similar,
        columns=several(left),
    )


def _apart(squared: float) -> str:
    """A fair distance from its square."""
    if math.isnan(squared):
        return NOT_GIVEN
    return distance(math.sqrt(squared))


def _change(column: Column, before: object, after: object, real: str, decimals: int) -> tuple[float, Change]:
    """How much one column moved, and the words for it."""
    shown = (_cell(before, decimals), _cell(after, decimals))
    if isinstance(before, str) or isinstance(after, str) or column.kind not in ("numeric", "raw"):
        same = str(before) == str(after)
        return float(not same), Change(column.name, *shown, real, "" if same else say("⇄ another category"))
    moved = float(after) - float(before)  # type: ignore[arg-type]
    size = number(abs(moved), decimals)
    words = "" if moved == 0 else say("▲ {size} more", size=size) if moved > 0 else say("▼ {size} less", size=size)
    return abs(moved) / column.scale, Change(column.name, *shown, real, words)


def _cell(value: object, decimals: int) -> str:
    """A number without trailing zeros, so that a whole number stays whole; other cells as they are."""
    if isinstance(value, str) or not isinstance(value, int | float | np.integer | np.floating):
        return str(value)
    text = f"{float(value):,.{decimals}f}"
    return localized(text.rstrip("0").rstrip(".") if "." in text else text)
