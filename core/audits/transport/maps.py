"""Who is moved where: an optimal plan told in people, by column value and protected group (papers/faith.md, Fig. 2).

A plan moves shares of all people between cells; n times a share is a number of people, whole except where the budget
ends in the middle of a cell, a plan splits one, or several cells are equally good to move to. *Moved* means moved to
another cell, whether or not the new cell lies in the same tile of a map.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from core.audits.transport.binning import bin_told
from core.audits.transport.result import Cells
from core.audits.transport.settings import CellColumn
from core.data.cells import as_text
from core.data.labels import Alone, condition
from core.inference.transport.solution import Solution
from core.language.phrases import listed
from core.language.phrases import whole as whole_number
from core.language.told import say

EVERYONE = ("", "")
"""The first row of a map: column and value of everybody with its label."""

_DUST = 1e-7
"""Less than this many people is rounding."""

_ROUNDING = 1e-12
"""Losses that differ by less, relative to the largest where that is above 1, are the same."""

BARE = 3
"""Letters of a value that does not say by itself what it is, such as 0 or yes."""

LISTED = 2
"""Values that were put together with another one and are named beside it; of more their number is told."""

_SIZE = re.compile(r"(under )?(-?\d[\d,]*(?:\.\d+)?(?:e[-+]?\d+)?)(?![\w.])")


@dataclass(frozen=True)
class Moves:
    """A plan in people; P pairs of cells between which somebody is moved, in the plan's order.

    Attributes:
        source: Cell they are moved from, shape (P,), int.
        target: Cell they are moved to, shape (P,), int.
        people: How many, shape (P,); more than 0.
    """

    source: np.ndarray
    target: np.ndarray
    people: np.ndarray

    @property
    def total(self) -> float:
        """People moved in all."""
        return float(self.people.sum())

    def only(self, chosen: np.ndarray) -> Moves:
        """The pairs that a mask or index array of shape (P,) chooses."""
        return Moves(self.source[chosen], self.target[chosen], self.people[chosen])


@dataclass(frozen=True)
class LabelMap:
    """The people of one true label; R rows, each a column with one of its values, by G protected groups.

    Attributes:
        label: Index of the true label.
        rows: Column and value of each row as people read them; the first row is ``EVERYONE``.
        people: People of the label in each tile before anybody is moved; shape (R, G), int.
        moved_out: People moved whose own cell lies in the tile; shape (R, G).
        moved_in: People moved whose new cell lies in the tile; shape (R, G).
        within: People moved from one cell of the tile to another, counted in both of the above; shape (R, G).
    """

    label: int
    rows: tuple[tuple[str, str], ...]
    people: np.ndarray
    moved_out: np.ndarray
    moved_in: np.ndarray
    within: np.ndarray

    @cached_property
    def change(self) -> np.ndarray:
        """By how many people each tile grows, n (Πᵀ1 - f) summed over its cells; shape (R, G)."""
        change: np.ndarray = whole(self.moved_in - self.moved_out)
        return change

    @property
    def moved(self) -> float:
        """People of this label who are moved."""
        return float(self.moved_out[0].sum())


@dataclass(frozen=True)
class Tile:
    """One tile of a map.

    Attributes:
        label: Index of the true label.
        column: A column that tells people apart; empty for everybody.
        value: One of its values as people read it; empty for everybody.
        group: Index of the protected group.
    """

    label: int
    column: str
    value: str
    group: int


def moves(cells: Cells, losses: np.ndarray, solution: Solution) -> Moves:
    """The plan of ``solution`` in people, less what gains from rounding only.

    An auditor's limits may force moves that gain nothing, or lower a loss; those are kept.

    Args:
        cells: The cells.
        losses: Loss of each cell, shape (K,).
        solution: The optimum.
    """
    plan = solution.plan
    found = Moves(plan.source, plan.target, whole(plan.mass * int(cells.people.sum())))
    least = _ROUNDING * max(1.0, float(np.nanmax(np.abs(losses))))
    gain = losses[plan.target] - losses[plan.source]
    return found.only((found.people > 0) & ((gain > least) | (gain <= 0)))


def among_equals(found: Moves, losses: np.ndarray, kind: np.ndarray, shares: np.ndarray) -> Moves:
    """The mean of all best ways to move: whoever is moved is divided among all cells that are as good to move to.

    Args:
        found: One best way where every move within a kind is free.
        losses: Loss of each cell, shape (K,).
        kind: All cells that people of one may be moved between, shape (K,), int.
        shares: How much each of several equally good cells counts, shape (K,); positive.
    """
    best = np.full(int(kind.max(initial=-1)) + 1, np.nan)
    best[kind[found.target]] = losses[found.target]
    least = _ROUNDING * max(1.0, float(np.nanmax(np.abs(losses), initial=0.0)))
    equal = np.flatnonzero(losses >= best[kind] - least)
    equal = equal[np.argsort(kind[equal], kind="stable")]
    many = np.bincount(kind[equal], minlength=len(best))
    first = np.cumsum(many) - many
    each = many[kind[found.source]]
    place = np.repeat(first[kind[found.source]], each) + _counted_up(each)
    source, people, target = np.repeat(found.source, each), np.repeat(found.people, each), equal[place]
    together = np.bincount(kind[equal], shares[equal], len(best))
    return Moves(source, target, whole(people * shares[target] / together[kind[source]]))


def _counted_up(each: np.ndarray) -> np.ndarray:
    """0, 1, … for each of several runs of these lengths, one after the other."""
    counted: np.ndarray = np.arange(int(each.sum())) - np.repeat(np.cumsum(each) - each, each)
    return counted


def rows_of(cells: Cells, label: int) -> tuple[tuple[str, str], ...]:
    """Column and value of each row of a label's map: ``EVERYONE``, then the values that occur among its cells."""
    ours = cells.label == label
    return (
        EVERYONE,
        *((name, value) for name in features(cells) for value in levels(texts(cells.frame[name])[ours])),
    )


def label_maps(cells: Cells, found: Moves) -> tuple[LabelMap, ...]:
    """A map for each true label that somebody has, in the labels' order."""
    labels = [label for label in range(len(cells.labels)) if cells.people[cells.label == label].sum() > 0]
    return tuple(_label_map(cells, found.only(cells.label[found.source] == label), label) for label in labels)


def group_flows(cells: Cells, found: Moves) -> np.ndarray:
    """People moved from each group (second axis) to each group (third), by true label (first); shape (L, G, G)."""
    flows = np.zeros((len(cells.labels), len(cells.groups), len(cells.groups)))
    np.add.at(flows, (cells.label[found.source], cells.group[found.source], cells.group[found.target]), found.people)
    return whole(flows)


def in_tile(cells: Cells, tile: Tile) -> np.ndarray:
    """Which cells lie in a tile; shape (K,), bool.

    Raises:
        KeyError: The cells have no such column.
    """
    inside: np.ndarray = (cells.label == tile.label) & (cells.group == tile.group)
    return inside & (texts(cells.frame[tile.column]) == tile.value) if tile.column else inside


def features(cells: Cells) -> tuple[str, ...]:
    """The columns that tell people apart and are no protected attribute."""
    return tuple(column.name for column in cells.columns if column.name not in cells.protected)


def group_values(cells: Cells, group: int) -> tuple[tuple[str, str], ...]:
    """Each protected attribute with the group's value as people read it; empty for a group without cells."""
    members = np.flatnonzero(cells.group == group)
    names = [name for name in cells.protected if name in cells.frame.columns]
    if not len(members):
        return ()
    return tuple((name, value_told(cells, name, cells.frame[name].iloc[members[0]])) for name in names)


def group_told(cells: Cells, group: int) -> str:
    """A group with its attributes: ``sex = Female, race = Black``."""
    return ", ".join(condition(*one) for one in group_values(cells, group)) or cells.groups[group]


def group_name(cells: Cells, group: int) -> str:
    """A group without its attributes, ``Female, Black``; with them where a value does not say what it is, as yes."""
    if any(len(value) <= BARE for _, value in group_values(cells, group)):
        return group_told(cells, group)
    if any(one.edges or one.merged for one in cells.columns if one.name in cells.protected):
        return ", ".join(value for _, value in group_values(cells, group)) or cells.groups[group]
    return cells.groups[group]


def value_told(cells: Cells, column: str, value: object) -> str:
    """A value of a column that tells people apart, a bin in the reader's language.

    A value of the table that others were put together with is told with them: ``Other (with Asian and Black)``.
    """
    told = value if isinstance(value, str) else str(value)
    for one in cells.columns:
        if one.name == column and one.edges:
            return bin_told(str(value))
        if one.name == column and (told, told) in one.merged:
            named = with_others(one, told)
            return Alone(named) if isinstance(told, Alone) else named
    return told


def with_others(column: CellColumn, value: str) -> str:
    """A value with those that were put together with it: ``Other (with Asian and Black)``."""
    others = put_together(column, value)
    few = listed(others) if len(others) <= LISTED else say("{n} more", n=whole_number(len(others)))
    return say("{value} (with {others})", value=value, others=few) if others else value


def put_together(column: CellColumn, value: str) -> tuple[str, ...]:
    """The values that were put together as this one, without itself."""
    return tuple(one for one, into in column.merged if into == value != one)


def texts(values: pd.Series) -> np.ndarray:
    """Values as people read them, as an array of str."""
    return as_text(values).to_numpy(dtype=object)


def text_of(cells: Cells, column: str, cell: int) -> str:
    """The value of a column in a cell, with the label that stands for it."""
    value = cells.frame[column].iloc[cell]
    return value if isinstance(value, str) else str(value)


def levels(names: Iterable[str]) -> tuple[str, ...]:
    """Distinct values in the order people expect: numbers and bins ("under 25", "25 to 44") by size, else by name."""
    distinct = sorted(set(names))
    sizes = [_SIZE.match(name) for name in distinct]
    if not all(sizes):
        return tuple(distinct)
    keys = [(float(found[2].replace(",", "")), not found[1]) for found in sizes if found]
    return tuple(distinct[i] for i in sorted(range(len(distinct)), key=lambda i: keys[i]))


def whole(people: np.ndarray) -> np.ndarray:
    """Numbers of people; those within rounding of a whole number are made whole."""
    nearest = np.round(people)
    return np.where(np.abs(people - nearest) < _DUST * np.maximum(1.0, np.abs(people)), nearest + 0.0, people)


def _label_map(cells: Cells, found: Moves, label: int) -> LabelMap:
    rows = rows_of(cells, label)
    groups, ours = len(cells.groups), cells.label == label
    origin, target = cells.group[found.source], cells.group[found.target]
    parts: list[np.ndarray] = []
    for column in ("", *features(cells)):
        values = [value for name, value in rows if name == column]
        place = pd.Index(values).get_indexer(pd.Index(texts(cells.frame[column]))) if column else 0 * cells.group

        def tally(row: np.ndarray, group: np.ndarray, people: np.ndarray, height: int = len(values)) -> np.ndarray:
            return np.bincount(row * groups + group, people, height * groups).reshape(height, groups)

        stays = (place[found.source] == place[found.target]) & (origin == target)
        parts.append(
            np.array(
                [
                    tally(place[ours], cells.group[ours], cells.people[ours]),
                    tally(place[found.source], origin, found.people),
                    tally(place[found.target], target, found.people),
                    tally(place[found.source][stays], origin[stays], found.people[stays]),
                ]
            )
        )
    people, moved_out, moved_in, within = whole(np.concatenate(parts, axis=1))
    return LabelMap(label, rows, people.astype(np.int64), moved_out, moved_in, within)
