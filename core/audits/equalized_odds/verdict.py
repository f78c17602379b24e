"""The finding of an equalized odds test: its verdict, what its reader has to know, and every number.

The verdict is about the tolerance. A violation is a difference between groups whose lower bound exceeds it, for any
attribute: p-values are adjusted for the number of attributes, so that the bounds of all hold together. "No violation"
is said only where the upper bound of every difference, over all strata, answers, groups and attributes, lies at or
below the tolerance, and nothing serious speaks against it. That groups are treated differently, however little, is
shown by the p-value of a tolerance of nothing, in which the fair dummies have their say: it is told as a finding of its
own, and is a violation at a tolerance of 0 only.

Differences are in shares of people, "gaps"; of answers that are numbers in their means, in spreads (standard
deviations) of this table's outcomes, so that the same tolerance suits any table. Gaps of numbers are told beside them.
The verdict is about the number of units that the share comes to here, which its sentence names: a bound of a difference
holds with probability 1 - alpha whatever number it is held against afterwards, one taken from the same rows included.
It is not about the same share of the population's spread, which few rows with heavy tails do not tell.

Probabilities differ somewhere by as much as is told, at a threshold that was searched for and that nobody may use. So
the classes that the model decides for are compared too (:attr:`EqualizedOddsFinding.of_decisions`). Where these are
shown to differ by more than is tolerated, the headline is about them. This takes no error rate of its own: they are
looked at only after probabilities were shown to differ so, which they do wherever decisions do (closed testing; Marcus,
Peritz and Gabriel 1976, "On closed testing procedures with special reference to ordered analysis of variance").

Gaps are those of parts of an outcome that is a number, and of quantile bins of an attribute that is one. Groups that
lie differently within a part have a gap that is not the model's, so that it shows no violation. Differences within
parts and bins can cancel, so that a small gap clears nothing there if the fair dummies, which know neither, say that
there is a difference. A p-value that rests on a model of P(A | Y) which the rows contradict proves nothing.
"""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from core.audits.equalized_odds import KIND, doubts
from core.audits.equalized_odds.compared import counted_among, gap_shares, part_text
from core.audits.equalized_odds.decision import EqualizedOddsDecision
from core.audits.equalized_odds.dummies import FairDummies, fair_dummies
from core.audits.equalized_odds.effects import MeanDifference, MeanEffects, mean_effects
from core.audits.equalized_odds.evidence import MORE_THAN_NOTHING, Joined
from core.audits.equalized_odds.gap import EqualizedOddsGap, MeasuredGap
from core.audits.equalized_odds.result import AttributeTest, EqualizedOddsResult
from core.audits.equalized_odds.spreads import given_of, score_of
from core.base.errors import Caveat, forbidding, most_serious_first
from core.base.thresholds import DOUBT
from core.claims import Claim, first_told, leading
from core.contracts.decision import place_of
from core.data.labels import condition
from core.finding import AbstractFinding
from core.inference.estimate import Interval, Verdict
from core.inference.evidence import Adjusted, Evidence
from core.inference.several import each_of
from core.inference.share import worst_case
from core.language.cached import cached_in_language
from core.language.told import say
from core.language.units import POINTS, Unit

_MOST_PAIRS = 20
"""Pairs of groups that are told; of more, those that differ most."""


class EqualizedOddsFinding(AbstractFinding[EqualizedOddsResult, EqualizedOddsDecision]):
    """What an equalized odds test found under decision settings; see the base class."""

    kind = KIND
    recorded = ("asks", "attribute", "n", "exact", "strata", "p_different", "spread", "attributes")

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

    @cached_property
    def evidence(self) -> tuple[Evidence, ...]:
        """What the verdict rests on: the largest difference between groups of each attribute, adjusted for all."""
        sizes: tuple[Evidence, ...] = self.effects or self._sizes_of_gaps
        return tuple(
            Adjusted(Joined(size, test.p_value if test.sound else math.nan), self._judged)
            for test, size in zip(self.result.detail.tests, sizes, strict=True)
        )

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

    @cached_property
    def of_decisions(self) -> EqualizedOddsFinding | None:
        """The same of the classes that the model decides for, without fair dummies; None without probabilities."""
        detail = self.result.detail
        if not self.exact or detail.numbers or detail.asks == "calibration" or np.isin(detail.answers, (0, 1)).all():
            return None

        def decided() -> EqualizedOddsResult:
            tests = tuple(replace(one, null=np.empty(0)) for one in detail.tests)
            answers = np.eye(len(detail.classes))[detail.decisions]
            return replace(self.result, detail=replace(detail, answers=answers, tests=tests))

        return EqualizedOddsFinding(self.once(("decisions",), decided), self.decision)  # verbatim

    @property
    def told_of(self) -> EqualizedOddsFinding:
        """The finding that headline and case are of: decisions, where they are shown to differ by too much."""
        decided = self.of_decisions
        shown = self.verdict is Verdict.VIOLATION and decided is not None and any(one.beyond for one in decided.claims)
        return decided if shown and decided is not None else self

    @property
    def headlined(self) -> Claim | None:
        """See the base class; of decisions where these are shown to differ by too much."""
        told = self.told_of
        return super().headlined if told is self else leading(one for one in told.claims if one.beyond)

    def decisions_of(self, claim: Claim) -> tuple[float, float] | None:
        """How far apart the decisions lie of the two groups that a claim is about, and the upper bound.

        None where the claim is not about a threshold of a probability that was searched for.
        """
        decided, alpha = self.of_decisions, self.decision.alpha
        if decided is None:
            return None
        classes = len(self.result.detail.classes)
        told = enumerate(zip(self.of_attributes, self.beyond, strict=True))
        for place, ((first, *_), (gap, *_)) in told:
            if first == claim and 0 <= gap.answer < classes:
                return decided._measured[place].decided_between(gap.groups, each_of(alpha, decided._judged))
        return None

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
        return Unit(detail.spread, say("units of {outcome}", outcome=self.outcome)) if detail.numbers else POINTS

    @property
    def outcome(self) -> str:
        """Name of the outcome, or of the column of decisions where none is known; empty where there is neither."""
        return self.result.data.outcome or self.result.data.decision

    @cached_property
    def bound(self) -> float:
        """Upper bound of every difference of every attribute."""
        return max(one.upper_bound(self.decision.alpha) for one in self.evidence)

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

    @cached_in_language
    def of_attributes(self) -> tuple[tuple[Claim, ...], ...]:
        """The claims of each attribute: the one to tell first, and of whom a difference could still be larger."""
        return tuple(map(self._claims_of, range(len(self.evidence))))

    @cached_in_language
    def claims(self) -> tuple[Claim, ...]:
        """First the first one of each attribute, then the others; without a direction that is a harm."""
        each = self.of_attributes
        return (*(one[0] for one in each), *(one for _, *others in each for one in others))

    def _claims_of(self, place: int) -> tuple[Claim, ...]:
        if self.effects:
            return (self._of_means(place),)
        first, *others = (self._shares(place, gap) for gap in self.beyond[place])
        first = replace(first, p_value=self.evidence[place].p_value(self.decision.delta))
        return (first,) if first.beyond else (first, *others)

    def _of_means(self, place: int) -> Claim:
        """What is claimed of numbers: the clearest difference of means, in spreads, and by how much no other is larger.

        The means of either group are not told.
        """
        evidence, alpha, shown = self.evidence[place], self.decision.alpha, self.shown(place)
        low = evidence.lower_bound(alpha)
        return replace(
            self._of_mean(place, shown) if shown else self._nothing(place),
            what=say("mean answer"),
            low=low,
            high=evidence.upper_bound(alpha),
            p_value=evidence.p_value(self.decision.delta),
            judged=low > 0 or not math.isnan(evidence.value),
            interval=None,
            why="",
        )

    def _shares(self, place: int, gap: EqualizedOddsGap) -> Claim:
        """What is claimed of a difference of shares."""
        judged = gap.low > 0 or not math.isnan(self.evidence[place].value)
        return replace(self._of_gap(place, gap), low=gap.low, high=gap.high, judged=judged, why="")

    @cached_in_language
    def parts(self) -> dict[str, tuple[Claim, ...]]:
        """The differences of shares that are shown to be beyond, or those that claims are of; and those of means.

        Of numbers, shares are told beside the means, and nothing is held against them.
        """
        places = range(len(self.gaps))
        if self.effects:
            gaps = tuple(self._of_gap(place, gap) for place, gap in enumerate(self.gaps))
            means = tuple(self._of_mean(place, one) for place in places for one in self.told(place))
            shares = tuple(replace(one, tolerance=math.nan, unit=POINTS, judged=one.defined) for one in gaps)
            return {"fair dummies means": means, "fair dummies shares": shares}  # verbatim
        first = sorted(places, key=lambda place: first_told(self.of_attributes[place][0]), reverse=True)
        told = tuple(self._of_gap(place, gap) for place in first for gap in self.beyond[place])
        shown = {"fair dummies gap": told}  # verbatim
        if self.of_decisions is not None:
            shown["fair dummies decisions"] = self.of_decisions.parts["fair dummies gap"]  # verbatim
        return shown

    def _of_gap(self, place: int, gap: EqualizedOddsGap) -> Claim:
        """A difference of shares between two groups, with its one-sided bounds."""
        if gap.stratum < 0:
            return self._nothing(place)
        hidden = gap.high <= self.decision.delta and bool(len(gap.small))
        here, there = gap_shares(self.result.detail, place, gap)
        return replace(
            self._compares(place, gap.groups, gap.stratum),
            what=self._compared(gap),
            here=here,
            there=there,
            estimate=gap.value,
            low=gap.low,
            high=gap.high,
            judged=not hidden,
            why=say("within the tolerance, but some groups are too small") if hidden else "",
        )

    def _of_mean(self, place: int, one: MeanDifference) -> Claim:
        """A difference of means between two groups, in spreads; either of them may have the larger one."""
        return replace(
            self._compares(place, one.groups),
            what=say("mean answer") if one.everywhere else say("mean answer {part}", part=part_text(one)),
            estimate=one.value,
            low=one.low,
            high=max(one.high, -one.low),
            interval=Interval(one.low, one.high, 1 - self.decision.alpha),
        )

    def _compares(self, place: int, groups: tuple[int, int], stratum: int = -1) -> Claim:
        """Two groups of an attribute, and nothing said of them yet."""
        one = self.result.detail.attributes[place]
        who, against = (condition(one.name, one.groups[group]) for group in groups)
        people, others = (self._people(place, group, stratum) for group in groups)
        return self._about(who, against, people=people, others=others)

    def _nothing(self, place: int) -> Claim:
        """An attribute of which no two groups can be compared."""
        name, why = self.result.detail.attributes[place].name, say("no two groups to compare")
        return self._about(name, "", judged=False, why=why)

    def _about(self, who: str, against: str, **known: Any) -> Claim:
        """A claim at the tolerance; no direction is a harm."""
        same: dict[str, Any] = {"tolerance": self.decision.delta, "unit": self.unit, "one_sided": False}
        return Claim(who=who, against=against, **same, **known)

    def _people(self, place: int, group: int, stratum: int) -> int:
        """How many people of a group are in a stratum, or in any."""
        detail = self.result.detail
        there = detail.strata.codes == stratum if stratum >= 0 else detail.strata.codes >= 0
        return detail.people_among(there & (detail.attributes[place].codes == group))

    def _compared(self, gap: EqualizedOddsGap) -> str:
        """What people are counted by, and what they share: ``the prediction hired = yes where the outcome was no``."""
        return "" if gap.stratum < 0 else counted_among(self.result.detail, gap, self.result.data)

    @cached_property
    def own_caveats(self) -> tuple[Caveat, ...]:
        """See the base class."""
        detail, drawn = self.result.detail, list[Caveat]()
        if not self._by_counts or self.decision.delta == 0:
            drawn += doubts.close(detail, self.evidence, self.decision)
        if not self._by_counts:
            drawn += doubts.out_of_reach(detail, self.decision.alpha, self._judged)
        return most_serious_first(
            (*forbidding("clearing", self._not_cleared), *doubts.unsound(detail), *doubts.left_out(detail), *drawn)
        )

    @property
    def _by_counts(self) -> bool:
        """Whether answers are decisions, whose bounds rest on no draws of the result's seed."""
        return not self.effects and all(gap.decided is not None for gap in self._measured)

    @cached_property
    def _not_cleared(self) -> tuple[Caveat, ...]:
        """Why "no violation" is not claimed, whatever the bounds."""
        detail, alpha, delta = self.result.detail, self.decision.alpha, self.decision.delta
        within = [place for place, one in enumerate(self.evidence) if one.upper_bound(alpha) <= delta]
        return (
            *doubts.untested(detail),
            *doubts.stretched(detail),
            *doubts.hidden(detail, filter(self.unexplained, within)),
            *doubts.small(
                detail,
                self.gaps,
                self.effects,
                "warning" if self.violated else "serious",
                self.result.data.belongs_to if detail.clusters is not None else "",
            ),
        )

    @cached_property
    def p_value(self) -> float:
        """Of "no attribute's groups differ by more than the tolerance": the smallest of the adjusted ones."""
        return min(one.p_value(self.decision.delta) for one in self.evidence)

    @cached_property
    def p_different(self) -> float:
        """Of "no attribute's groups differ at all": the smallest of the adjusted ones."""
        return min(one.p_value(0.0) for one in self.evidence)

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
    def attributes(self) -> tuple[FairDummies, ...]:
        """The fair dummies of every protected attribute."""
        return tuple(
            fair_dummies(self.result.detail, place, different_p=one.p_value(0.0), too_small=len(gap.small))
            for place, (gap, one) in enumerate(zip(self.gaps, self.evidence, strict=True))
        )
