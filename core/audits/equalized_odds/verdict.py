"""The finding of an equalized odds test: its verdict, what its reader has to know, and every number.

A p-value at or below alpha says that the answers depend on the group given the outcome, however little. It is a
violation unless every gap between groups is shown to lie within the tolerance. So is a gap whose lower bound exceeds
the tolerance, whatever the p-value: r̂ predicts a mean, and is blind to groups whose answers differ in spread, or in
the probabilities of other classes than the true one.

A large p-value shows nothing: "no violation" is said only where the upper bound of every gap, over all strata, answers
and groups, lies at or below the tolerance. Gaps are those of parts of an outcome that is a number, and of quantile
bins of an attribute that is one; differences within them can cancel, so that a small gap clears nothing there if the
p-value, which knows neither parts nor bins, says that there is a difference. A p-value that rests on a model of
P(A | Y) which the rows contradict proves no violation.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Literal

import numpy as np

from core.audits.equalized_odds import KIND
from core.audits.equalized_odds.decision import EqualizedOddsDecision
from core.audits.equalized_odds.gap import EqualizedOddsGap, largest_gap
from core.audits.equalized_odds.result import CONTRADICTED, AttributeTest, EqualizedOddsResult
from core.audits.equalized_odds.settings import Asks
from core.audits.equalized_odds.summaries import AttributeSummary, summarise
from core.errors import Notice, SettingsError, most_serious_first
from core.finding import AbstractFinding
from core.inference.estimate import Verdict
from core.phrases import count
from core.thresholds import FEWEST_ROWS

_ERRORS = 2.0
"""A p-value this many Monte-Carlo errors from alpha could have fallen on its other side."""


class EqualizedOddsFinding(AbstractFinding[EqualizedOddsResult, EqualizedOddsDecision]):
    """What an equalized odds test found under decision settings; see the base class."""

    kind = KIND
    recorded = ("asks", "attribute", "n", "exact", "strata", "attributes")

    @cached_property
    def place(self) -> int:
        """Index of the attribute that is shown: the decision's, or the one with the smallest p-value.

        Raises:
            SettingsError: The decision settings name an attribute that was not tested.
        """
        detail, wanted = self.result.detail, self.decision.attribute
        names = [one.name for one in detail.attributes]
        if not wanted:
            return int(np.nanargmin([test.p_value for test in detail.tests]))
        if wanted not in names:
            raise SettingsError(
                f"{wanted!r} was not tested in this audit.",
                where="setting 'Protected attribute'",
                advice=f"Choose among {', '.join(map(repr, names))}.",
            )
        return names.index(wanted)

    @property
    def test(self) -> AttributeTest:
        """The test of the attribute that is shown."""
        return self.result.detail.tests[self.place]

    @cached_property
    def gaps(self) -> tuple[EqualizedOddsGap, ...]:
        """How far apart the groups of each attribute lie; the bounds of all attributes hold together."""
        detail, alpha = self.result.detail, self.decision.alpha

        def found() -> tuple[EqualizedOddsGap, ...]:
            compared, level = detail.compared, alpha / len(detail.attributes)
            return tuple(
                largest_gap(compared, detail.strata.codes, one.codes, level, groups=len(one.groups))
                for one in detail.attributes
            )

        return self.once(("gaps", alpha), found)

    @cached_property
    def violated(self) -> tuple[int, ...]:
        """The attributes that a violation is shown for, indices, the smallest p-value first."""
        detail, decision = self.result.detail, self.decision
        places = range(len(detail.attributes))
        found: list[int] = []
        if any(gap.high > decision.delta for gap in self.gaps):
            found = [one for one in places if detail.adjusted[one] <= decision.alpha and detail.tests[one].sound]
        found += [one for one in places if one not in found and self._apart(one)]
        return tuple(sorted(found, key=lambda one: (detail.tests[one].untested, detail.tests[one].p_value)))

    def _apart(self, place: int) -> bool:
        """Whether the bounds of an attribute's gap alone show it to exceed the tolerance.

        They hold for any distribution and number of rows, but where a stratum is a part of an outcome that is a
        number, groups that lie differently within the part have a gap that is not the model's.
        """
        return self.result.detail.strata.exact and self.gaps[place].low > self.decision.delta

    @cached_property
    def own_verdict(self) -> Verdict:
        """See the base class."""
        if self.violated:
            return Verdict.VIOLATION
        within = all(gap.high <= self.decision.delta for gap in self.gaps)
        doubted = any(_small(self)) or any(_hidden(self)) or any(_untested(self))
        return Verdict.NO_VIOLATION if within and not doubted else Verdict.INSUFFICIENT

    @cached_property
    def own_reasons(self) -> tuple[Notice, ...]:
        """See the base class."""
        return most_serious_first(
            (
                *_untested(self),
                *_doubted(self),
                *_hidden(self),
                *_small(self),
                *_left_out(self),
                *_close(self),
            )
        )

    @cached_property
    def p_value(self) -> float:
        """Of "no attribute makes a difference": the smallest of the adjusted ones that show a violation; where none
        does, of those that could have, so that one that proves nothing confirms nothing beside other tests.
        """
        detail = self.result.detail
        sound = [place for place, test in enumerate(detail.tests) if test.sound]
        for places in (list(self.violated), sound):
            if np.isfinite(detail.adjusted[places]).any():
                return float(np.nanmin(detail.adjusted[places]))
        return detail.smallest_p

    @property
    def asks(self) -> Asks:
        """The question."""
        return self.result.detail.asks

    @property
    def attribute(self) -> str:
        """The attribute that charts and tables show."""
        return self.result.detail.attributes[self.place].name

    @property
    def n(self) -> int:
        """People."""
        return len(self.result.detail.outcome)

    @property
    def exact(self) -> bool:
        """Whether groups were permuted among people with the very same value."""
        return self.result.detail.strata.exact

    @property
    def strata(self) -> int:
        """How many different values, or parts of them, people were compared within."""
        return len(self.result.detail.strata.names)

    @cached_property
    def attributes(self) -> tuple[AttributeSummary, ...]:
        """Every protected attribute."""
        return tuple(summarise(self.result.detail, place, gap) for place, gap in enumerate(self.gaps))


def _untested(finding: EqualizedOddsFinding) -> Iterator[Notice]:
    detail = finding.result.detail
    for test in detail.tests:
        if test.untested:
            yield Notice(
                "serious",
                f"{test.attribute!r} could not be tested: among the {test.left_out:,} rows to test, people with "
                f"{'the same ' + detail.shared if detail.shared else 'an answer'} are all of one group.",
                "Bring rows of other groups with the same outcomes, or leave the attribute out.",
            )


def _doubted(finding: EqualizedOddsFinding) -> Iterator[Notice]:
    detail = finding.result.detail
    for test in detail.tests:
        if test.calibration is not None and test.calibration.p_value < CONTRADICTED:
            yield Notice(
                "serious",
                f"Who belongs to which group of {test.attribute!r} at which outcome is not as the densities say, so "
                "its p-value cannot be trusted.",
                "Bring more rows, or cut the outcome into classes, for which the test is exact.",
            )
        if 0 < test.tested < FEWEST_ROWS:
            yield Notice(
                "serious",
                f"Only {count(test.tested, 'row')} could be tested for {test.attribute!r}.",
                "Bring more rows.",
            )


def _hidden(finding: EqualizedOddsFinding) -> Iterator[Notice]:
    """Attributes that make a difference, of which a gap within the tolerance may not be the largest."""
    detail, decision = finding.result.detail, finding.decision
    for place, one in enumerate(detail.attributes):
        coarse = [
            *([f"parts of the {detail.shared}"] if not detail.strata.exact else []),
            *([f"bins of {one.name!r}"] if one.continuous else []),
        ]
        if coarse and detail.adjusted[place] <= decision.alpha and finding.gaps[place].high <= decision.delta:
            yield Notice(
                "serious",
                f"Whole {' and '.join(coarse)} differ by no more than is tolerated; within them people could differ "
                "by more.",
                "Cut it into the classes or groups that matter, so that they are compared with each other.",
            )


def _small(finding: EqualizedOddsFinding) -> Iterator[Notice]:
    """Groups that cannot be cleared; a violation that is shown stands beside them."""
    detail = finding.result.detail
    level: Literal["warning", "serious"] = "warning" if finding.violated else "serious"
    for place, one in enumerate(detail.attributes):
        small = finding.gaps[place].small
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


def _left_out(finding: EqualizedOddsFinding) -> Iterator[Notice]:
    detail = finding.result.detail
    for test in detail.tests:
        if test.single_strata and not test.untested:
            yield Notice(
                "warning",
                f"{count(test.left_out, 'row was', 'rows were')} not tested for {test.attribute!r}: everybody with "
                f"their outcome is of "
                f"one group ({count(test.single_strata, 'outcome')}).",
                "Merge outcomes, or bring rows of other groups with them.",
            )
        if test.tiny_strata:
            yield Notice(
                "info",
                f"{count(test.tiny_strata, 'outcome')} with very few people of several groups hardly matter"
                f"{'s' if test.tiny_strata == 1 else ''} for "
                f"{test.attribute!r}.",
            )


def _close(finding: EqualizedOddsFinding) -> Iterator[Notice]:
    detail = finding.result.detail
    for test, adjusted in zip(detail.tests, detail.adjusted, strict=True):
        if 0 < abs(adjusted - finding.decision.alpha) <= _ERRORS * test.p_error * max(1.0, adjusted / test.p_value):
            yield Notice(
                "warning",
                f"The p-value of {test.attribute!r} is so close to the error rate that another seed may decide "
                "otherwise.",
                "Draw more fair dummies.",
            )
