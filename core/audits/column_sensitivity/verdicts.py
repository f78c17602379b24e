"""How a reading becomes a verdict, and what its reader has to know.

A lower bound above delta is a violation. "No violation" is said of real changes only, never of slopes: a model that is
flat where people stand may still jump between the groups. It also asks that the bound hold whatever the distribution,
that the share of people who would be decided otherwise lie within the tolerance, and that no group's own mean exceed
it. And it speaks only of the columns that were changed; what the group shows in other columns was left as it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from core.dataset import MINIMUM_ROWS
from core.errors import Notice, most_serious_first
from core.inference.estimate import Verdict
from core.inference.tails import doubtful_tail

if TYPE_CHECKING:
    from core.audits.column_sensitivity.detail import ColumnSensitivityDetail
    from core.audits.column_sensitivity.reading import ColumnSensitivityReading

FEWEST_OF_A_GROUP = 10
"""A group with fewer people may be a mistyped cell, or one that the model has never seen."""


def verdict(detail: ColumnSensitivityDetail, reading: ColumnSensitivityReading) -> Verdict:
    """The verdict of a reading."""
    found = detail.estimate(reading).verdict(reading.delta, reading.alpha)
    if len(detail.of(reading).codes) < MINIMUM_ROWS:
        return Verdict.INSUFFICIENT
    if found is Verdict.NO_VIOLATION and any(_blind(detail, reading)):
        return Verdict.INSUFFICIENT
    return found


def reasons(detail: ColumnSensitivityDetail, reading: ColumnSensitivityReading) -> tuple[Notice, ...]:
    """Everything that speaks against taking the verdict at its word, most serious first."""
    estimate = detail.estimate(reading)
    if estimate.undefined:
        return (Notice("serious", estimate.undefined, "Read the change of the answer instead."),)
    found = estimate.verdict(reading.delta, reading.alpha)
    notices = [*_always(detail, reading), *_skewed(detail, reading)]
    if found is Verdict.NO_VIOLATION:
        notices += _blind(detail, reading)
    return most_serious_first(notices)


def _blind(detail: ColumnSensitivityDetail, reading: ColumnSensitivityReading) -> Iterator[Notice]:
    """Why "no violation" is not claimed, though the upper bound lies at or below delta."""
    one = detail.of(reading)
    if reading.measure == "slope":
        yield Notice(
            "serious",
            "A small slope excludes nothing: a model that is flat where people stand may still jump between the "
            "groups.",
            "Read the change of the answer.",
        )
        return
    bound = detail.bound_within_one(reading)
    if bound > reading.delta:
        yield Notice(
            "serious",
            f"{len(one.change):,} rows may miss a rare kind of people whose answer moves altogether: counting that, "
            f"the bound is {bound:.3g}, above the tolerance.",
            "Bring more rows.",
        )
    changed = one.flips
    if changed.upper_bound(reading.alpha) > reading.delta:
        yield Notice(
            "serious",
            f"{changed.count:,} of {changed.n:,} people would be decided otherwise in another group; up to "
            f"{changed.upper_bound(reading.alpha):.1%} may be, more than the tolerance.",
            "Bring more rows, or look at these people.",
        )
    groups = detail.group_means(reading)
    above = [name for name, low in zip(one.groups, groups.low, strict=True) if low > reading.delta]
    if above:
        yield Notice(
            "serious",
            f"Among people of {one.attribute} {', '.join(above[:3])} the mean exceeds the tolerance, though not over "
            "everybody.",
            "Look at the groups one by one.",
        )


def _always(detail: ColumnSensitivityDetail, reading: ColumnSensitivityReading) -> Iterator[Notice]:
    """What the verdict does not speak of."""
    one = detail.of(reading)
    if len(one.codes) < MINIMUM_ROWS:
        yield Notice("serious", f"Only {len(one.codes)} people were measured.", "Bring more rows.")
    rows = np.bincount(one.codes, minlength=len(one.groups))
    rare = [f"{name} ({count:,})" for name, count in zip(one.groups, rows, strict=True) if count < FEWEST_OF_A_GROUP]
    if rare:
        yield Notice(
            "serious",
            f"Everybody was also put into groups that hardly anybody belongs to: {one.attribute} "
            f"{', '.join(rare[:5])}{', …' if len(rare) > 5 else ''}. They count as much as the others, and what the "
            "model says of them may be a guess.",
            "Check them for slips of the pen, merge small groups, or band a number such as age.",
        )
    if not one.read:
        yield Notice(
            "warning",
            f"The model does not read {one.attribute!r}; only {', '.join(map(repr, detail.through))} changed with it.",
            "Name every feature that carries it and should not count.",
        )
    yield Notice(
        "info",
        "Only the columns named here were changed. What the group shows in others was left as it is.",
        "Use the gradient-flow or the transport test to look at all columns together.",
    )


def _skewed(detail: ColumnSensitivityDetail, reading: ColumnSensitivityReading) -> Iterator[Notice]:
    """A few people carry the mean."""
    tail = doubtful_tail(detail.of(reading).values(reading.measure))
    if tail is not None:
        yield Notice(
            "warning",
            f"A few people carry the mean: the largest 1% hold {tail.share:.0%} of the sum.",
            "Look at these people, and bring more rows.",
        )
