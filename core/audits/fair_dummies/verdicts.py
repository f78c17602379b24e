"""How a reading becomes a verdict, and what its reader has to know.

A p-value at or below alpha says that the answers depend on the group given the outcome, however little. It is a
violation unless every gap between groups is shown to lie within the tolerance. A large p-value shows nothing: "no
violation" is said only where the upper bound of every gap, over all strata, answers and groups, lies at or below the
tolerance. A p-value that rests on a model of P(A | Y) which the rows contradict proves no violation.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from core.errors import Notice, most_serious_first
from core.inference.estimate import Verdict

if TYPE_CHECKING:
    from core.audits.fair_dummies.detail import FairDummiesDetail
    from core.audits.fair_dummies.reading import FairDummiesReading

CONTRADICTED = 0.01
"""Below this p-value the rows contradict the model of P(A | Y)."""
FEW_TESTED = 30
_ERRORS = 2.0
"""A p-value this many Monte-Carlo errors from alpha could have fallen on its other side."""


def verdict(detail: FairDummiesDetail, reading: FairDummiesReading) -> Verdict:
    """The verdict of a reading."""
    if all(detail.gap(place, reading).high <= reading.delta for place in range(len(detail.attributes))):
        return Verdict.INSUFFICIENT if any(_small(detail, reading)) else Verdict.NO_VIOLATION
    found = [place for place, p in enumerate(detail.adjusted) if p <= reading.alpha]
    return Verdict.VIOLATION if any(_stands(detail, place) for place in found) else Verdict.INSUFFICIENT


def reasons(detail: FairDummiesDetail, reading: FairDummiesReading) -> tuple[Notice, ...]:
    """Everything that speaks against taking the verdict at its word, most serious first."""
    return most_serious_first(
        (*_doubted(detail, reading), *_small(detail, reading), *_left_out(detail), *_close(detail, reading))
    )


def _stands(detail: FairDummiesDetail, place: int) -> bool:
    """Whether an attribute's small p-value proves a dependence."""
    test = detail.tests[place]
    contradicted = test.calibration is not None and test.calibration.p_value < CONTRADICTED
    return not contradicted and test.tested >= FEW_TESTED


def _doubted(detail: FairDummiesDetail, reading: FairDummiesReading) -> Iterator[Notice]:
    for test in detail.tests:
        if test.calibration is not None and test.calibration.p_value < CONTRADICTED:
            yield Notice(
                "serious",
                f"Who belongs to which group of {test.attribute!r} at which outcome is not as the densities say, so "
                "its p-value cannot be trusted.",
                "Bring more rows, or cut the outcome into classes, for which the test is exact.",
            )
        if test.tested < FEW_TESTED:
            yield Notice(
                "serious", f"Only {test.tested} rows could be tested for {test.attribute!r}.", "Bring more rows."
            )


def _small(detail: FairDummiesDetail, reading: FairDummiesReading) -> Iterator[Notice]:
    for place, one in enumerate(detail.attributes):
        small = detail.gap(place, reading).small
        if len(small):
            stratum, group = map(int, small[0])
            yield Notice(
                "serious",
                f"{_combinations(len(small), one.name, detail.shared)} fewer than 30 people, too few to clear: "
                f"{one.groups[group]}{f' with {detail.stratum(stratum)}' if detail.shared else ''}"
                f"{' is the first' if len(small) > 1 else ''}.",
                "Merge small groups, or bring more rows.",
            )


def _combinations(cells: int, attribute: str, shared: str) -> str:
    if shared:
        return f"{cells} {'combination' if cells == 1 else 'combinations'} of {attribute!r} and {shared} {_have(cells)}"
    return f"{cells} {'group' if cells == 1 else 'groups'} of {attribute!r} {_have(cells)}"


def _have(cells: int) -> str:
    return "has" if cells == 1 else "have"


def _left_out(detail: FairDummiesDetail) -> Iterator[Notice]:
    for test in detail.tests:
        if test.single_strata:
            yield Notice(
                "warning",
                f"{test.left_out:,} rows were not tested for {test.attribute!r}: everybody with their outcome is of "
                f"one group ({test.single_strata} outcomes).",
                "Merge outcomes, or bring rows of other groups with them.",
            )
        if test.tiny_strata:
            yield Notice(
                "info",
                f"{test.tiny_strata} outcomes have so few people of several groups that they hardly count for "
                f"{test.attribute!r}.",
            )


def _close(detail: FairDummiesDetail, reading: FairDummiesReading) -> Iterator[Notice]:
    for test, adjusted in zip(detail.tests, detail.adjusted, strict=True):
        if 0 < abs(adjusted - reading.alpha) <= _ERRORS * test.p_error * max(1.0, adjusted / test.p_value):
            yield Notice(
                "warning",
                f"The p-value of {test.attribute!r} is so close to the error rate that another seed may decide "
                "otherwise.",
                "Draw more fair dummies.",
            )
