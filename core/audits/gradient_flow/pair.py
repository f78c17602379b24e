"""A person and the similar twin, column by column, in the table's own units and in words."""

from dataclasses import dataclass

import numpy as np

from core.audits.gradient_flow.result import GradientFlowResult, WorstPairs
from core.data.encoder import Encoder
from core.language.phrases import number, percent, whole
from core.language.told import localized, say

_LEAST_SHARE = 0.005
"""A category that moved by less is shown as 0%."""


@dataclass(frozen=True)
class Change:
    """One column of a pair.

    Attributes:
        column: The column's name.
        before: The person's value as text.
        after: The twin's.
        changed: Whether they differ by more than the digits shown.
        words: What changed, with a mark: ``▲ 4.2 more``, ``▼ 120 less``, ``⇄ another category``, ``⇄ 19% of the way
            to another category`` (the twin may lie between categories), ``= same``.
    """

    column: str
    before: str
    after: str
    changed: bool
    words: str


def changes(pairs: WorstPairs, i: int, encoder: Encoder) -> tuple[Change, ...]:
    """Every column of pair ``i``: those that changed first, the one that moved most on top.

    Numbers move by standard deviations, categories by shares of the way to another one.
    """
    rows: list[tuple[float, Change]] = []
    for column, moved in zip(encoder.columns, map(float, pairs.moved[i]), strict=True):
        before, after = pairs.before[column.name].iloc[i], pairs.after[column.name].iloc[i]
        if column.kind == "numeric":
            change = _number(column.name, float(before), float(after), column.scale)
        else:
            change = _category(column.name, str(before), str(after), moved)
        rows.append((moved, change))
    return tuple(row for _, row in sorted(rows, key=lambda entry: (not entry[1].changed, -entry[0])))


def told(result: GradientFlowResult, i: int) -> str:
    """Who pair ``i`` is, and what the model gives the true outcome for both."""
    pairs = result.detail.pairs
    who = ", ".join(f"{name} = {pairs.groups[name].iloc[i]}" for name in pairs.groups.columns)
    before, after = (
        percent(round(float(chance[i]), 4)) for chance in (pairs.probability_before, pairs.probability_after)
    )
    return say(
        "Record {record} ({who}). The model gives the true outcome ({outcome} = {true}) {before} for "
        "this person and {after} for the twin: the loss is {ratio} times as large.",
        record=whole(int(pairs.rows[i]) + 1),
        who=who,
        outcome=result.data.outcome,
        true=pairs.outcome[i],
        before=before,
        after=after,
        ratio=number(float(pairs.ratios[i])),
    )


def _category(name: str, before: str, after: str, moved: float) -> Change:
    if before != after:
        return Change(name, before, after, True, say("⇄ another category"))
    if moved < _LEAST_SHARE:
        return Change(name, before, after, False, say("= same"))
    return Change(
        name, before, after, True, say("⇄ {moved} of the way to another category", moved=percent(round(moved, 2)))
    )


def _number(name: str, before: float, after: float, scale: float) -> Change:
    """Digits follow the column's spread: about a hundredth of it is the last one shown."""
    decimals = int(np.clip(2 - np.floor(np.log10(scale)), 0, 6))
    moved = round(after - before, decimals)
    size = number(abs(moved), decimals)
    words = (
        say("= same")
        if moved == 0
        else say("▲ {size} more", size=size)
        if moved > 0
        else say("▼ {size} less", size=size)
    )
    return Change(name, _plain(before, decimals), _plain(after, decimals), moved != 0, words)


def _plain(value: float, decimals: int) -> str:
    """Without trailing zeros, so that a whole number stays whole."""
    text = f"{value:,.{decimals}f}"
    return localized(text.rstrip("0").rstrip(".") if "." in text else text)
