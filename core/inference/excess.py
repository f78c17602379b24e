"""Groups that are shown to be treated beyond the tolerance, however small they are, among all groups at once."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from core.inference.bounded import p_at_most
from core.inference.p_values import holm
from core.inference.share import Share

LEVEL = 0.05
"""With at most this probability any group within the tolerance is called beyond it, whatever the reader's error rate:
a group that withholds "no violation" at one error rate withholds it at every larger one."""


@dataclass(frozen=True)
class GroupSample:
    """One group's rows.

    Attributes:
        attribute: The protected attribute.
        group: The group.
        values: How far each row's answer moves, at least 0, shape (n,).
        changed: The rows whose predicted outcome changes.
    """

    attribute: str
    group: str
    values: np.ndarray
    changed: Share


@dataclass(frozen=True)
class GroupExcess:
    """What one group shows about the tolerance.

    Attributes:
        attribute: The protected attribute.
        group: The group.
        rows: Its rows.
        mean: Their mean; NaN without rows.
        changed: Those whose predicted outcome changes.
        p_mean: p-value of "the group's mean is at most the tolerance", adjusted for all groups and both questions
            (Holm); NaN without rows.
        p_changed: The same of the share whose predicted outcome changes.
    """

    attribute: str
    group: str
    rows: int
    mean: float
    changed: Share
    p_mean: float
    p_changed: float

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
    of_means, of_changes = [], []
    for place, one in enumerate(samples):
        known = len(one.values) > 0
        beyond = known and float(one.values.mean()) > delta
        of_means.append(p_at_most(means(place), delta) if beyond else 1.0 if known else math.nan)
        of_changes.append(one.changed.p_at_most(delta))
    adjusted = holm(np.array([*of_means, *of_changes])).reshape(2, -1)
    return tuple(
        GroupExcess(
            one.attribute,
            one.group,
            len(one.values),
            float(one.values.mean()) if len(one.values) else math.nan,
            one.changed,
            float(adjusted[0, place]),
            float(adjusted[1, place]),
        )
        for place, one in enumerate(samples)
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
