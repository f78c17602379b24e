"""How far apart the groups of each attribute lie, with what is shown of it; the finding adds what it amounts to.

Differences are in shares of people, "gaps"; of answers that are numbers in their means, in spreads (standard
deviations) of this table's outcomes, so that the same tolerance suits any table. Gaps of numbers are told beside them.
The verdict is about the number of units that the share comes to here, which its sentence names: a bound of a difference
holds with probability 1 - alpha whatever number it is held against afterwards, one taken from the same rows included.
It is not about the same share of the population's spread, which few rows with heavy tails do not tell.

Gaps are those of parts of an outcome that is a number, and of quantile bins of an attribute that is one. Groups that
lie differently within a part have a gap that is not the model's, so that it shows no violation. Differences within
parts and bins can cancel, so that a small gap clears nothing there if the fair dummies, which know neither, say that
there is a difference. A p-value that rests on a model of P(A | Y) which the rows contradict proves nothing.
"""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cached_property

import numpy as np

from core.audits.equalized_odds.decision import EqualizedOddsDecision
from core.audits.equalized_odds.dummies import FairDummies, fair_dummies
from core.audits.equalized_odds.effects import MeanDifference, MeanEffects, mean_effects
from core.audits.equalized_odds.evidence import MORE_THAN_NOTHING, Joined
from core.audits.equalized_odds.gap import EqualizedOddsGap, MeasuredGap
from core.audits.equalized_odds.result import AttributeTest, EqualizedOddsResult
from core.audits.equalized_odds.spreads import given_of, score_of
from core.base.thresholds import DOUBT
from core.contracts.decision import place_of
from core.finding import AbstractFinding
from core.inference.evidence import Adjusted, Evidence
from core.inference.several import each_of
from core.inference.share import worst_case
from core.language.units import POINTS, Unit, units_of

_MOST_PAIRS = 20
"""Pairs of groups that are told; of more, those that differ most."""


class EqualizedOddsSizes(AbstractFinding[EqualizedOddsResult, EqualizedOddsDecision]):
    """Everything that is measured, under decision settings."""

    @cached_property
    def place(self) -> int:
        """Index of the attribute that is shown: the decision's, or the one with the smallest p-value.

        Raises:
            SettingsError: The decision settings name an attribute that was not tested.
        """
        wanted, names = self.decision.attribute, [one.name for one in self.result.detail.attributes]
        return place_of(wanted, names) if wanted else min(range(len(names)), key=self._order)

    @property
    def test(self) -> AttributeTest:
        """The test of the attribute that is shown."""
        return self.result.detail.tests[self.place]

    @property
    def attribute(self) -> str:
        """The attribute that charts and tables show."""
        return self.result.detail.attributes[self.place].name

    @property
    def n(self) -> int:
        """People."""
        return self.result.detail.people

    @property
    def exact(self) -> bool:
        """Whether groups were permuted among people with the very same value."""
        return self.result.detail.strata.exact

    @property
    def strata(self) -> int:
        """How many different values, or parts of them, people were compared within."""
        return len(self.result.detail.strata.names)

    @cached_property
    def evidence(self) -> tuple[Evidence, ...]:
        """What the verdict rests on: the largest difference between groups of each attribute, adjusted for all."""
        sizes: tuple[Evidence, ...] = self.effects or self._sizes_of_gaps
        return tuple(
            Adjusted(Joined(size, test.p_value if test.sound else math.nan), self._judged)
            for test, size in zip(self.result.detail.tests, sizes, strict=True)
        )

    @cached_property
    def bound(self) -> float:
        """Upper bound of every difference of every attribute."""
        return max(one.upper_bound(self.decision.alpha) for one in self.evidence)

    @cached_property
    def p_value(self) -> float:
        """Of "no attribute's groups differ by more than the tolerance": the smallest of the adjusted ones."""
        return min(one.p_value(self.decision.delta) for one in self.evidence)

    @cached_property
    def p_different(self) -> float:
        """Of "no attribute's groups differ at all": the smallest of the adjusted ones."""
        return min(one.p_value(0.0) for one in self.evidence)

    @cached_property
    def gaps(self) -> tuple[EqualizedOddsGap, ...]:
        """How far apart the groups of each attribute lie; the lower bounds of all attributes hold together."""
        alpha = self.decision.alpha

        def found() -> tuple[EqualizedOddsGap, ...]:
            shown = [Adjusted(size, self._judged) for size in self._sizes_of_gaps] if self.effects else self.evidence
            return tuple(
                gap.at(one.lower_bound(alpha), one.upper_bound(alpha))
                for gap, one in zip(self._measured, shown, strict=True)
            )

        return self.once(("gaps", alpha), found)

    @cached_property
    def beyond(self) -> tuple[tuple[EqualizedOddsGap, ...], ...]:
        """Of each attribute the differences shown to exceed the tolerance, the one to tell first, each with its bounds.

        If there is none, the one with the largest lower bound, and the one that could be larger than all others; the
        largest where no lower bound is to be believed.
        """
        if not self.exact:
            return tuple((gap,) for gap in self.gaps)
        alpha, delta, each = self.decision.alpha, self.decision.delta, each_of(self.decision.alpha, self._judged)
        found = []
        for gap, measured in zip(self.gaps, self._measured, strict=True):
            told = measured.clearest(delta if gap.low > delta else 1.0, each, alpha)
            least = MORE_THAN_NOTHING if gap.low > 0 else 0.0
            first, *others = map(self._as_error, told)
            found.append((replace(first, low=max(first.low, least) if least else 0.0), *others))
        return tuple(found)

    def _as_error(self, gap: EqualizedOddsGap) -> EqualizedOddsGap:
        """Of decisions the share who get one; of two classes the one that is not their outcome."""
        detail = self.result.detail
        if gap.stratum < 0 or not np.isin(detail.compared, (0, 1)).all():
            return gap
        gap = replace(gap, threshold=0.0)
        if detail.asks != "equalized odds" or len(detail.classes) != 2 or gap.answer != gap.stratum:
            return gap
        return replace(gap, answer=1 - gap.answer, groups=gap.groups[::-1])

    @property
    def effects(self) -> tuple[MeanEffects, ...]:
        """The mean differences between the groups of each attribute, in spreads; none where answers are classes."""
        detail = self.result.detail

        def found() -> tuple[MeanEffects, ...]:
            score = score_of(detail) / self.unit.factor
            given = given_of(detail) if detail.shared else None
            return tuple(
                mean_effects(score, given, one.codes, len(one.groups), detail.clusters) for one in detail.attributes
            )

        return self.once(("mean effects",), found) if detail.numbers else ()  # verbatim

    def differences(self, place: int) -> tuple[MeanDifference, ...]:
        """The mean differences of an attribute's groups, with intervals that hold for all attributes together.

        The fair dummies take half of the error rate, so that an interval without nothing is a difference shown.
        """
        if not self.effects:
            return ()
        level = self.decision.alpha / self._judged / (2 if self.result.detail.tests[place].sound else 1)
        return self.once(("differences", place, level), lambda: self.effects[place].differences(level))

    def shown(self, place: int) -> MeanDifference | None:
        """The mean difference of an attribute that shows most; None where nothing can be compared."""
        return max(self.differences(place), key=lambda one: one.low, default=None)

    def told(self, place: int) -> tuple[MeanDifference, ...]:
        """The differences that are told of an attribute: of the pair that shows most on the whole, of the others, the
        largest first, and of that pair in every part.
        """
        shown = self.shown(place)
        if shown is None:
            return ()
        runs = self.differences(place)
        pair = {*shown.groups}
        whole = sorted((one for one in runs if one.everywhere), key=lambda one: ({*one.groups} != pair, -one.value))
        parts = (one for one in runs if one.parts == 1 and not one.everywhere and {*one.groups} == pair)
        return (*whole[:_MOST_PAIRS], *parts)

    @property
    def unit(self) -> Unit:
        """What differences are shown in: percentage points, or the outcome's units, in which its spread is one."""
        detail = self.result.detail
        return units_of(self.outcome, detail.spread) if detail.numbers else POINTS

    @property
    def outcome(self) -> str:
        """Name of the outcome, or of the column of decisions where none is known; empty where there is neither."""
        return self.result.data.outcome or self.result.data.decision

    @property
    def _judged(self) -> int:
        """Attributes of which anything can be shown."""
        sizes: tuple[Evidence, ...] = self.effects or self._measured
        tests = zip(self.result.detail.tests, sizes, strict=True)
        return max(sum(not test.untested or not math.isnan(size.value) for test, size in tests), 1)

    @property
    def _sizes_of_gaps(self) -> tuple[Evidence, ...]:
        return self._measured if self.exact else tuple(Joined(one, only_above=True) for one in self._measured)

    @property
    def _measured(self) -> tuple[MeasuredGap, ...]:
        detail, seed = self.result.detail, self.result.seed

        def found() -> tuple[MeasuredGap, ...]:
            compared, strata = detail.compared, detail.strata.codes
            return tuple(
                MeasuredGap.of(compared, strata, one.codes, seed=(seed, place), sampling=detail.sampling)
                for place, one in enumerate(detail.attributes)
            )

        return self.once(("measured gaps",), found)  # verbatim

    @cached_property
    def violated(self) -> tuple[int, ...]:
        """The attributes whose difference is shown to exceed the tolerance, indices, the smallest p-value first."""
        return self._shown(self.decision.delta)

    @cached_property
    def different(self) -> tuple[int, ...]:
        """The attributes whose groups are shown to be treated differently, however little, in the same order."""
        return self._shown(0.0)

    def unexplained(self, place: int) -> bool:
        """Whether the fair dummies, which know neither parts nor bins, show a difference, however little.

        At an error rate of their own: at the reader's, one who tolerates more errors would be cleared less often.
        """
        test = self.result.detail.tests[place]
        return test.sound and self._judged * test.p_value <= DOUBT

    def _shown(self, delta: float) -> tuple[int, ...]:
        places = range(len(self.evidence))
        shown = [one for one in places if self.evidence[one].p_value(delta) <= self.decision.alpha]
        return tuple(sorted(shown, key=self._order))

    def _order(self, place: int) -> tuple[float, ...]:
        """What attributes are ordered by: how certainly the difference is too large, is there, and its size."""
        one, raw = self.evidence[place], self.result.detail.tests[place].p_value
        value = 0.0 if math.isnan(one.value) else one.value
        return one.p_value(self.decision.delta), one.p_value(0.0), math.inf if math.isnan(raw) else raw, -value

    @property
    def worst_upper_bound(self) -> float:
        """Of the shares, whatever those left out were answered; infinite where who has the same outcome is not exact.

        Asked for calibration, people are compared with those of the same answer, which is not known of them either.
        """
        if not self.exact or self.result.detail.asks == "calibration":
            return math.inf
        data = self.result.data
        missing = max((one.largest_share for one in data.left_out if one.outcome == data.outcome), default=0.0)
        return worst_case(max(gap.high for gap in self.gaps), missing)

    @cached_property
    def attributes(self) -> tuple[FairDummies, ...]:
        """The fair dummies of every protected attribute."""
        return tuple(
            fair_dummies(self.result.detail, place, different_p=one.p_value(0.0), too_small=len(gap.small))
            for place, (gap, one) in enumerate(zip(self.gaps, self.evidence, strict=True))
        )
