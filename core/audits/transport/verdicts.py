"""How a reading becomes a verdict, and what its reader has to know.

A lower bound above delta is a violation. "No violation" is claimed only if the upper bound lies at or below delta and
nothing is known that makes the test blind: people nobody of another group can be compared with, people who are alone
in their cell. Everything else is insufficient evidence.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.dataset import MINIMUM_ROWS
from core.errors import Notice
from core.inference.estimate import Verdict

if TYPE_CHECKING:
    from core.audits.transport.detail import TransportDetail
    from core.audits.transport.reading import TransportReading

SMALLEST_COMPARABLE_SHARE = 0.5
"""Below this share of people who can be compared across groups, "no violation" is not claimed."""


def verdict(detail: TransportDetail, reading: TransportReading) -> Verdict:
    """The verdict of a reading."""
    found = detail.estimate(reading).verdict(reading.delta, reading.alpha)
    if found is Verdict.NO_VIOLATION and _doubts(detail):
        return Verdict.INSUFFICIENT
    if found is Verdict.VIOLATION and _too_few(detail):
        return Verdict.INSUFFICIENT
    return found


def reasons(detail: TransportDetail, reading: TransportReading) -> tuple[Notice, ...]:
    """Everything that speaks against taking the verdict at its word, most serious first."""
    estimate = detail.estimate(reading)
    if estimate.undefined:
        return (Notice("serious", estimate.undefined, f"Read the {detail.parts[0].loss} loss instead."),)
    return _doubts(detail)


def _too_few(detail: TransportDetail) -> tuple[Notice, ...]:
    people = int(detail.cells.people.sum())
    if people >= MINIMUM_ROWS:
        return ()
    return (
        Notice(
            "serious",
            f"Only {people} people were audited; a verdict needs at least {MINIMUM_ROWS}.",
            "Bring more rows, or hold fewer of them out for the metric.",
        ),
    )


def _doubts(detail: TransportDetail) -> tuple[Notice, ...]:
    notices = list(_too_few(detail))
    if detail.comparable_share < SMALLEST_COMPARABLE_SHARE:
        notices.append(
            Notice(
                "serious",
                f"Only {detail.comparable_share:.0%} of the people can be compared with somebody of another protected "
                "group, so the test is blind to how the others are treated.",
                "Bin numbers more coarsely, merge rare values, or leave columns out.",
            )
        )
    return tuple(notices)
