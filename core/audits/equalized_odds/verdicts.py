"""How decision settings becomes a verdict, and what its reader has to know.

A p-value at or below alpha says that the answers depend on the group given the outcome, however little. It is a
violation unless every gap between groups is shown to lie within the tolerance. So is a gap whose lower bound exceeds
the tolerance, whatever the p-value: r̂ predicts a mean, and is blind to groups whose answers differ in spread, or in
the probabilities of other classes than the true one.

A large p-value shows nothing: "no violation" is said only where the upper bound of every gap, over all strata, answers
and groups, lies at or below the tolerance. Gaps are those of tenths of an outcome that is a number, and of bands of an
attribute that is one; differences within them can cancel, so that a small gap clears nothing there if the p-value,
which knows neither tenths nor bands, says that there is a difference. A p-value that rests on a model of P(A | Y) which
the rows contradict proves no violation.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal

from core.errors import Notice, most_serious_first
from core.inference.estimate import Verdict

if TYPE_CHECKING:
    from core.audits.equalized_odds.decision import EqualizedOddsDecision
    from core.audits.equalized_odds.result import EqualizedOddsDetail

CONTRADICTED = 0.01
"""Below this p-value the rows contradict the model of P(A | Y)."""
FEW_TESTED = 30
_ERRORS = 2.0
"""A p-value this many Monte-Carlo errors from alpha could have fallen on its other side."""


def verdict(detail: EqualizedOddsDetail, decision: EqualizedOddsDecision) -> Verdict:
    """The verdict of decision settings."""
    if violated(detail, decision):
        return Verdict.VIOLATION
    within = all(detail.gap(place, decision).high <= decision.delta for place in range(len(detail.attributes)))
    doubted = any(_small(detail, decision)) or any(_hidden(detail, decision)) or any(_untested(detail))
    return Verdict.NO_VIOLATION if within and not doubted else Verdict.INSUFFICIENT


def violated(detail: EqualizedOddsDetail, decision: EqualizedOddsDecision) -> tuple[int, ...]:
    """The attributes that a violation is shown for, indices, the smallest p-value first."""
    places = range(len(detail.attributes))
    found: list[int] = []
    if any(detail.gap(place, decision).high > decision.delta for place in places):
        found = [place for place in places if detail.adjusted[place] <= decision.alpha and detail.tests[place].sound]
    found += [place for place in places if place not in found and apart(detail, place, decision)]
    return tuple(sorted(found, key=lambda place: (detail.tests[place].untested, detail.tests[place].p_value)))


def apart(detail: EqualizedOddsDetail, place: int, decision: EqualizedOddsDecision) -> bool:
    """Whether the bounds of an attribute's gap alone show it to exceed the tolerance.

    They hold for any distribution and number of rows, but where a stratum is a tenth of an outcome that is a number,
    groups that lie differently within the tenth have a gap that is not the model's.
    """
    return detail.strata.exact and detail.gap(place, decision).low > decision.delta


def reasons(detail: EqualizedOddsDetail, decision: EqualizedOddsDecision) -> tuple[Notice, ...]:
    """Everything that speaks against taking the verdict at its word, most serious first."""
    return most_serious_first(
        (
            *_untested(detail),
            *_doubted(detail, decision),
            *_hidden(detail, decision),
            *_small(detail, decision),
            *_left_out(detail),
            *_close(detail, decision),
        )
    )


def _untested(detail: EqualizedOddsDetail) -> Iterator[Notice]:
    for test in detail.tests:
        if test.untested:
            yield Notice(
                "serious",
                f"{test.attribute!r} could not be tested: among the {test.left_out:,} rows to test, people with "
                f"{'the same ' + detail.shared if detail.shared else 'an answer'} are all of one group.",
                "Learn from a smaller share of the rows, bring more rows, or leave the attribute out.",
            )


def _doubted(detail: EqualizedOddsDetail, decision: EqualizedOddsDecision) -> Iterator[Notice]:
    for test in detail.tests:
        if test.calibration is not None and test.calibration.p_value < CONTRADICTED:
            yield Notice(
                "serious",
                f"Who belongs to which group of {test.attribute!r} at which outcome is not as the densities say, so "
                "its p-value cannot be trusted.",
                "Bring more rows, or cut the outcome into classes, for which the test is exact.",
            )
        if 0 < test.tested < FEW_TESTED:
            yield Notice(
                "serious", f"Only {test.tested} rows could be tested for {test.attribute!r}.", "Bring more rows."
            )


def _hidden(detail: EqualizedOddsDetail, decision: EqualizedOddsDecision) -> Iterator[Notice]:
    """Attributes that make a difference, of which a gap within the tolerance may not be the largest."""
    for place, one in enumerate(detail.attributes):
        coarse = [
            *([f"parts of the {detail.shared}"] if not detail.strata.exact else []),
            *([f"bands of {one.name!r}"] if one.continuous else []),
        ]
        if coarse and detail.adjusted[place] <= decision.alpha and detail.gap(place, decision).high <= decision.delta:
            yield Notice(
                "serious",
                f"Whole {' and '.join(coarse)} differ by no more than is tolerated; within them people could differ "
                "by more.",
                "Cut it into the classes or groups that matter, so that they are compared with each other.",
            )


def _small(detail: EqualizedOddsDetail, decision: EqualizedOddsDecision) -> Iterator[Notice]:
    """Groups that cannot be cleared; a violation that is shown stands beside them."""
    level: Literal["warning", "serious"] = "warning" if violated(detail, decision) else "serious"
    for place, one in enumerate(detail.attributes):
        small = detail.gap(place, decision).small
        if len(small):
            stratum, group = map(int, small[0])
            yield Notice(
                level,
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


def _left_out(detail: EqualizedOddsDetail) -> Iterator[Notice]:
    for test in detail.tests:
        if test.single_strata and not test.untested:
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


def _close(detail: EqualizedOddsDetail, decision: EqualizedOddsDecision) -> Iterator[Notice]:
    for test, adjusted in zip(detail.tests, detail.adjusted, strict=True):
        if 0 < abs(adjusted - decision.alpha) <= _ERRORS * test.p_error * max(1.0, adjusted / test.p_value):
            yield Notice(
                "warning",
                f"The p-value of {test.attribute!r} is so close to the error rate that another seed may decide "
                "otherwise.",
                "Draw more fair dummies.",
            )
