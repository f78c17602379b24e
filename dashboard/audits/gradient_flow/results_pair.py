"""A person and the similar twin, column by column, in the table's own units and in words."""

from dataclasses import dataclass

import numpy as np

from core.audits.gradient_flow.result import WorstPairs
from core.data.encoder import Encoder


@dataclass(frozen=True)
class Change:
    """One column of a pair.

    Attributes:
        column: The column's name.
        before: The person's value as text.
        after: The twin's.
        changed: Whether they differ by more than the digits shown.
        words: What changed, with a mark: ``▲ 4.2 more``, ``▼ 120 less``, ``⇄ another category``, ``= same``,
            ``= nearest category unchanged`` (the twin may lie between categories).
    """

    column: str
    before: str
    after: str
    changed: bool
    words: str


def changes(pairs: WorstPairs, i: int, encoder: Encoder) -> tuple[Change, ...]:
    """Every column of pair ``i``: those that changed first, the largest change in standard deviations on top."""
    rows: list[tuple[float, Change]] = []
    for column in encoder.columns:
        before, after = pairs.before[column.name].iloc[i], pairs.after[column.name].iloc[i]
        if column.kind == "numeric":
            rows.append(_number(column.name, float(before), float(after), column.scale))
        else:
            changed = str(before) != str(after)
            words = "⇄ another category" if changed else "= nearest category unchanged"
            rows.append((float(changed), Change(column.name, str(before), str(after), changed, words)))
    return tuple(row for _, row in sorted(rows, key=lambda entry: (not entry[1].changed, -entry[0])))


def _number(name: str, before: float, after: float, scale: float) -> tuple[float, Change]:
    """Digits follow the column's spread: about a hundredth of it is the last one shown."""
    decimals = int(np.clip(2 - np.floor(np.log10(scale)), 0, 6))
    moved = round(after - before, decimals)
    size = f"{abs(moved):,.{decimals}f}"
    words = "= same" if moved == 0 else f"▲ {size} more" if moved > 0 else f"▼ {size} less"
    return abs(after - before) / scale, Change(
        name, _plain(before, decimals), _plain(after, decimals), moved != 0, words
    )


def _plain(value: float, decimals: int) -> str:
    """Without trailing zeros, so that a whole number stays whole."""
    text = f"{value:,.{decimals}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
