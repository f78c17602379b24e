"""Corners of a sample, parts of its rows named beforehand, that are shown to be treated beyond the tolerance.

A mean over all rows says little of 3% of them that are all decided otherwise. The family of corners is small and fixed
before any value is seen; all of them are judged at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from core.inference.clusters import values_and_rows
from core.inference.excess import GroupExcess
from core.inference.p_values import holm
from core.inference.share import Share

FIRM = 0.01
"""With at most this probability any corner within the tolerance is called beyond it."""


@dataclass(frozen=True)
class Corners:
    """One way to cut the rows into parts, such as by predicted outcome, by length or by the range of a feature.

    Attributes:
        name: What it cuts by.
        parts: What the k parts are called.
        codes: Part of each row, shape (n,), int; -1 for rows of none.
    """

    name: str
    parts: tuple[str, ...]
    codes: np.ndarray

    def members(self) -> Iterator[tuple[str, np.ndarray]]:
        """Each part's name and the positions of its rows, ascending."""
        return ((part, np.flatnonzero(self.codes == place)) for place, part in enumerate(self.parts))


def corners_beyond(
    corners: Sequence[Corners],
    samples: Sequence[tuple[np.ndarray, np.ndarray]],
    delta: float,
    clusters: np.ndarray | None = None,
) -> tuple[GroupExcess, ...]:
    """The corners whose mean, or share decided otherwise, is firmly shown to exceed the tolerance, most certain first.

    Every part of every cut is judged for both questions and for each sample, with Holm's adjustment over all of them.
    Decided otherwise counts here only where the answer moves by more than the tolerance: near the value at which a
    decision turns, the least move turns it, and such rows lie together in every model.

    Args:
        corners: The declared family.
        samples: For each attribute that was changed, how far each row's answer moves, from 0 to 1, and whether it is
            decided otherwise; shape (n,) each.
        delta: The tolerance, of the mean and of the share.
        clusters: Code of each row's cluster, shape (n,), int; None where each row stands for itself.

    Returns:
        One entry for each part that is beyond the tolerance in any sample, that of the sample where it shows most; the
        cut stands where a group's attribute would.
    """
    parts = [(one.name, part, rows) for one in corners for part, rows in one.members()]
    if not parts:
        return ()
    members = [rows for *_, rows in parts]
    owners = [None if clusters is None else clusters[rows] for rows in members]
    p_values = np.array(
        [
            [p_of_bounded(values[rows], delta, own) for rows, own in zip(members, owners, strict=True)]
            for moved, changed in samples
            for values in (moved, changed & (moved > delta))
        ]
    )
    adjusted = holm(p_values.ravel()).reshape(len(samples), 2, len(parts))
    found = []
    for place, (name, part, rows) in enumerate(parts):
        best = int(adjusted[:, :, place].min(axis=1).argmin())
        p_mean, p_changed = adjusted[best, :, place]
        if min(p_mean, p_changed) <= FIRM:
            values, changed = (sample[rows] for sample in samples[best])
            share = Share(int(np.count_nonzero(changed)), len(rows))
            found.append(
                GroupExcess(name, part, len(rows), float(values.mean()), share, float(p_mean), float(p_changed))
            )
    return tuple(sorted(found, key=lambda one: one.p_value))


def p_of_bounded(values: np.ndarray, delta: float, clusters: np.ndarray | None = None) -> float:
    """p-value of "the mean is at most delta" for values from 0 to 1, whatever their distribution; 1 without rows.

    Hoeffding (1963, "Probability inequalities for sums of bounded random variables", theorem 1): the chance of a mean
    of at least m over n rows is at most exp(-n KL(m, delta)). It draws nothing and is as fine as it needs to be for
    many questions at once. Where rows fall into clusters, a cluster's sum of (value - delta), as a part of the largest
    size, plus delta, lies from 0 to 1 and has a mean of at most delta.

    Args:
        values: Shape (n,), from 0 to 1.
        delta: The tolerance, from 0 to 1.
        clusters: Code of each row's cluster, shape (n,), int.
    """
    from scipy.special import rel_entr

    if not len(values) or delta >= 1:
        return 1.0
    if clusters is not None:
        sums, rows = values_and_rows(values, clusters)
        values = (sums - delta * rows) / rows.max() + delta
    mean = min(float(np.mean(values)), 1.0)
    if mean <= delta:
        return 1.0
    return float(np.exp(-len(values) * (rel_entr(mean, delta) + rel_entr(1 - mean, 1 - delta))))
