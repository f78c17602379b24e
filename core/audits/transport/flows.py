"""In which groups most have similar people judged worse: who they are, and how both are judged."""

from dataclasses import dataclass

import numpy as np

from core.audits.transport.maps import Moves, features, levels, text_of, texts, whole
from core.audits.transport.result import Cells

MOST = 0.5
CLEARER = 0.1
"""A value is theirs if more than so many of the moved have it, by so much more than all people of their group."""
FEW = 3
"""Up to so many values of a column say who the moved are, where each of them has one of these."""


@dataclass(frozen=True)
class Shared:
    """What the moved have in common: a few values of which each of them has one, or a value that most of them have.

    Attributes:
        column: The column.
        values: The values as people read them.
        people: How many of the moved have one of them.
    """

    column: str
    values: tuple[str, ...]
    people: float


@dataclass(frozen=True)
class GroupMove:
    """People of one true label and one protected group who are moved.

    Attributes:
        people: How many.
        such: How many people of the table have that label, that group, and what all of the moved have in common.
        label: Index of the true label.
        origin: Index of the group they belong to.
        targets: Indices of the groups of the people they are judged like, perhaps their own; the most frequent first.
        shares: How large a part of them is judged like people of each of these groups.
        alike: How many people of the table these are; 0 where they are people of whom the model was asked.
        heaviest: Largest share of those moved who are judged like one and the same person of the table; 0 as above.
        loss_before: Their mean loss; with the 0-1 loss the share judged wrongly.
        loss_after: The mean loss of those they are judged like.
        favourable_before: Share of them to whom the model gives the favourable outcome; NaN where it is not known.
        favourable_after: The same of those they are judged like.
        shared: What they have in common, in columns that are no protected attribute, most people first.
        changed: Columns that are no protected attribute in which some differ from those they are judged like, each with
            how many of them do, most people first.
    """

    people: float
    such: float
    label: int
    origin: int
    targets: tuple[int, ...]
    shares: tuple[float, ...]
    alike: float
    heaviest: float
    loss_before: float
    loss_after: float
    favourable_before: float
    favourable_after: float
    shared: tuple[Shared, ...]
    changed: tuple[tuple[str, float], ...]

    @property
    def rise(self) -> float:
        """By how much their losses rise, added up."""
        return self.people * (self.loss_after - self.loss_before)


def largest_flows(
    cells: Cells, losses: np.ndarray, found: Moves, most: int = 5, few: int = FEW
) -> tuple[GroupMove, ...]:
    """The people of one group and one true label whose moves raise the loss most, at most ``most`` such groups.

    Args:
        cells: The cells.
        losses: Loss of each cell, shape (K,).
        found: Who is moved.
        most: How many groups.
        few: Up to so many values of a column say who the moved are.
    """
    keys = np.stack([cells.label[found.source], cells.group[found.source]], axis=1)
    kinds, kind = np.unique(keys, axis=0, return_inverse=True)
    raised = found.people * (losses[found.target] - losses[found.source])
    order = np.argsort(-np.bincount(kind.ravel(), weights=raised, minlength=len(kinds)), kind="stable")[:most]
    return tuple(_flow(cells, losses, found.only(kind.ravel() == i), few) for i in order)


def _flow(cells: Cells, losses: np.ndarray, found: Moves, few: int) -> GroupMove:
    weights, people = found.people / found.total, float(whole(np.array(found.total)))
    first = found.source[0]
    group = (cells.label == cells.label[first]) & (cells.group == cells.group[first])
    such = group.copy()
    shared, changed = [], []
    for column in features(cells):
        values = texts(cells.frame[column])
        names, cells_of, code = np.unique(values.astype(str), return_index=True, return_inverse=True)
        own = {str(name): text_of(cells, column, at) for name, at in zip(names, cells_of, strict=True)}
        moved = np.bincount(code[found.source], found.people, len(names))
        usual = np.bincount(code[group], cells.people[group], len(names)) / cells.people[group].sum()
        most, theirs = int(moved.argmax()), moved > 0
        if theirs.sum() <= few and (usual[~theirs] > 0).any():
            shared.append(Shared(column, tuple(own[name] for name in levels(map(str, names[theirs]))), people))
            such &= theirs[code]
        elif theirs.sum() > 1 and moved[most] / found.total > max(MOST, usual[most] + CLEARER):
            shared.append(Shared(column, (own[str(names[most])],), float(whole(moved[most]))))
        if (differ := code[found.source] != code[found.target]).any():
            changed.append((column, people if differ.all() else float(whole(found.people[differ].sum()))))
    joined = np.bincount(cells.group[found.target], weights)
    groups = [int(one) for one in np.argsort(-joined, kind="stable") if joined[one] > 0]
    targets, target = np.unique(found.target, return_inverse=True)
    others = cells.people[targets]
    in_the_table = bool(others.all())
    return GroupMove(
        people=people,
        such=float(cells.people[such].sum()),
        label=int(cells.label[first]),
        origin=int(cells.group[first]),
        targets=tuple(groups),
        shares=tuple(joined[groups].tolist()),
        alike=float(whole(others.sum())) if in_the_table else 0.0,
        heaviest=float((np.bincount(target, weights) / others).max()) if in_the_table else 0.0,
        loss_before=_mean(weights, losses[found.source]),
        loss_after=_mean(weights, losses[found.target]),
        favourable_before=_mean(weights, cells.favourable[found.source]),
        favourable_after=_mean(weights, cells.favourable[found.target]),
        shared=tuple(sorted(shared, key=lambda one: -one.people)),
        changed=tuple(sorted(changed, key=lambda one: -one[1])),
    )


def _mean(weights: np.ndarray, values: np.ndarray) -> float:
    """Weighted mean that rounding never carries beyond the values, so that equal ones give themselves."""
    return float(np.clip(weights @ values, values.min(), values.max()))
