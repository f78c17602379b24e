"""Parts of the rows that are shown to be treated beyond the tolerance, however few rows they hold: groups and corners.

A mean over all rows says little of 3% of them that are all decided otherwise. The parts are named before any value is
seen. All of them are judged at once for two questions, whether the mean is beyond the tolerance and whether the share
decided otherwise is, with Holm's adjustment over all parts and both questions.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from core.base.grouping import Grouping
from core.inference.bounded import p_at_most, p_of_bounded
from core.inference.several import holm
from core.inference.share import Share

LEVEL = 0.05
"""With at most this probability any group within the tolerance is called beyond it, whatever the reader's error rate:
a group that withholds "no violation" at one error rate withholds it at every larger one."""
FIRM = 0.01
"""The same of corners, of which there are many."""
GROUP_DRAWS = 9_999
"""Random weights of a group's bound: many groups are judged at once, each with a small part of the error rate."""


@dataclass(frozen=True)
class GroupSample:
    """One group's rows, or a corner's.

    Attributes:
        attribute: The protected attribute, or what else rows are cut by.
        group: The group.
        values: How far each row's answer moves, at least 0, shape (n,).
        changed: The rows whose predicted outcome changes.
        moved: The protected attribute whose groups the rows are put into; empty where they are moved otherwise.
    """

    attribute: str
    group: str
    values: np.ndarray
    changed: Share
    moved: str = ""


@dataclass(frozen=True)
class GroupExcess:
    """What one group shows about the tolerance.

    Attributes:
        attribute: The protected attribute, or what else rows are cut by.
        group: The group.
        rows: Its rows.
        mean: Their mean; NaN without rows.
        changed: Those whose predicted outcome changes.
        p_mean: p-value of "the group's mean is at most the tolerance", adjusted for all groups and both questions
            (Holm); NaN without rows.
        p_changed: The same of the share whose predicted outcome changes.
        moved: The protected attribute whose groups the rows are put into; empty where they are moved otherwise.
    """

    attribute: str
    group: str
    rows: int
    mean: float
    changed: Share
    p_mean: float
    p_changed: float
    moved: str = ""

    @property
    def p_value(self) -> float:
        """The smaller of the two; the group is shown to be beyond the tolerance where it is at most alpha."""
        return float(np.fmin(self.p_mean, self.p_changed))


def excesses(
    samples: Sequence[GroupSample], delta: float, means: Callable[[int], np.ndarray]
) -> tuple[GroupExcess, ...]:
    """Every group's evidence; with probability 1 - alpha no group within the tolerance is shown to be beyond it.

    Args:
        samples: All groups of all protected attributes.
        delta: The tolerance, of the mean and of the share.
        means: Gives :func:`core.inference.bounded.means_with_zero` of the group in this place; asked only for groups
            whose mean exceeds delta, since others show nothing.
    """

    def p_mean(place: int, one: GroupSample) -> float:
        if not len(one.values):
            return math.nan
        return p_at_most(means(place), delta) if float(one.values.mean()) > delta else 1.0

    p_values = [(p_mean(place, one), one.changed.p_at_most(delta)) for place, one in enumerate(samples)]
    return _adjusted(samples, p_values)


def corners_beyond(
    corners: Sequence[Grouping],
    samples: Sequence[tuple[str, np.ndarray, np.ndarray]],
    delta: float,
    clusters: np.ndarray | None = None,
) -> tuple[GroupExcess, ...]:
    """The corners that are firmly shown to exceed the tolerance, most certain first.

    There are too many of them for p-values that are drawn: theirs are Hoeffding's. Decided otherwise counts here only
    where the answer moves by more than the tolerance: near the value at which a decision turns, the least move turns
    it, and such rows lie together in every model.

    Args:
        corners: The declared ways to cut the rows, such as by predicted outcome, by length or by the range of a
            feature.
        samples: Each attribute that was changed, how far each row's answer moves by it, from 0 to 1, and whether it is
            decided otherwise; shape (n,) each.
        delta: The tolerance, of the mean and of the share.
        clusters: Code of each row's cluster, shape (n,), int; None where each row stands for itself.

    Returns:
        One entry for each part that is beyond the tolerance in any sample, that of the sample where it shows most.
    """
    parts = [(one.name, part, rows) for one in corners for part, rows in one.members()]
    found, p_values = [], []
    for attribute, change, changed in samples:
        for name, part, rows in parts:
            values, own = change[rows], None if clusters is None else clusters[rows]
            share = Share(int(np.count_nonzero(changed[rows])), len(rows))
            found.append(GroupSample(name, part, values, share, attribute))
            firmly = changed[rows] & (values > delta)
            p_values.append((p_of_bounded(values, delta, own), p_of_bounded(firmly, delta, own)))
    judged = _adjusted(found, p_values)
    most = (min(judged[place :: len(parts)], key=lambda one: one.p_value) for place in range(len(parts)))
    return shown_beyond(most, FIRM)


def shown_beyond(found: Iterable[GroupExcess], alpha: float) -> tuple[GroupExcess, ...]:
    """Those that are shown to be beyond the tolerance, all at once, the most certain first."""
    return tuple(sorted((one for one in found if one.p_value <= alpha), key=lambda one: one.p_value))


def _adjusted(samples: Sequence[GroupSample], p_values: Sequence[tuple[float, float]]) -> tuple[GroupExcess, ...]:
    """What each sample shows by the p-values of both of its questions, adjusted for all of them."""
    adjusted = holm(np.array(p_values).ravel()).reshape(-1, 2).tolist()
    return tuple(
        GroupExcess(
            one.attribute,
            one.group,
            len(one.values),
            float(one.values.mean()) if len(one.values) else math.nan,
            one.changed,
            each[0],
            each[1],
            one.moved,
        )
        for one, each in zip(samples, adjusted, strict=True)
    )


def too_small(found: Sequence[GroupExcess], delta: float) -> tuple[GroupExcess, ...]:
    """The groups of which nothing could be shown, even if every answer in them moved as far as it can.

    With n rows, or clusters, that all hold 1, the p-value of both questions is about delta to the power of n.

    Args:
        found: All groups that are judged together.
        delta: The tolerance.
    """
    tests = 2 * len(found)
    return tuple(one for one in found if delta < 1 and tests * delta**one.changed.units > LEVEL)
