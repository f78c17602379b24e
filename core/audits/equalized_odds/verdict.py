"""The finding of an equalized odds test: its verdict, what its reader has to know, and every number.

The verdict is about the tolerance. A violation is a difference between groups whose lower bound exceeds it, for any
attribute: p-values are adjusted for the number of attributes, so that the bounds of all hold together. "No violation"
is said only where the upper bound of every difference, over all strata, answers, groups and attributes, lies at or
below the tolerance, and nothing serious speaks against it. That groups are treated differently, however little, is
shown by the p-value of a tolerance of nothing, in which the fair dummies have their say: it is told as a finding of its
own, and is a violation at a tolerance of 0 only.

Probabilities differ somewhere by as much as is told, at a threshold that was searched for and that nobody may use. So
the classes that the model decides for are compared too (:attr:`EqualizedOddsFinding.of_decisions`). Where these are
shown to differ by more than is tolerated, the headline is about them. This takes no error rate of its own: they are
looked at only after probabilities were shown to differ so, which they do wherever decisions do (closed testing; Marcus,
Peritz and Gabriel 1976, "On closed testing procedures with special reference to ordered analysis of variance").
"""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from core.audits.equalized_odds import KIND, doubts
from core.audits.equalized_odds.compared import alike, counted_among, gap_shares, part_text
from core.audits.equalized_odds.effects import MeanDifference
from core.audits.equalized_odds.gap import EqualizedOddsGap
from core.audits.equalized_odds.result import EqualizedOddsResult
from core.audits.equalized_odds.sizes import EqualizedOddsSizes
from core.audits.equalized_odds.spreads import given_of
from core.base.errors import Caveat, forbidding, most_serious_first
from core.caveats.doubts import out_of_reach
from core.claims import Claim, first_told, leading
from core.data.labels import condition
from core.inference.estimate import Interval, Verdict
from core.inference.several import each_of
from core.language.cached import cached_in_language
from core.language.told import say
from core.language.units import POINTS


class EqualizedOddsFinding(EqualizedOddsSizes):
    """What an equalized odds test found under decision settings; see the base class."""

    kind = KIND
    recorded = ("asks", "attribute", "n", "exact", "strata", "p_different", "spread", "attributes")

    @property
    def reads_outcomes(self) -> bool:
        """See the base class."""
        return self.result.detail.asks != "demographic parity"

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

        return EqualizedOddsFinding(self.once(("decisions",), decided), self.decision, self.good_end)  # verbatim

    @property
    def told_of(self) -> EqualizedOddsFinding:
        """The finding that headline and case are of: decisions, where they are shown to differ by too much."""
        decided = self.of_decisions
        shown = self.verdict is Verdict.VIOLATION and decided is not None and any(one.beyond for one in decided.claims)
        return decided if shown and decided is not None else self

    @property
    def claims_widest_only(self) -> bool:
        """See the base class."""
        return any(len(one.groups) > 2 for one in self.result.detail.attributes)

    @property
    def deciding(self) -> Claim | None:
        """See the base class; of differences that are shown, the one of each attribute that is told first."""
        return leading(first for first, *_ in self.of_attributes if first.beyond) or super().deciding

    @property
    def headlined(self) -> Claim | None:
        """See the base class; of decisions where these are shown to differ by too much."""
        return self.told_of.deciding if self.verdict is Verdict.VIOLATION else super().headlined

    @property
    def pictured(self) -> Claim:
        """What is claimed of the attribute that charts and tables show."""
        return self.claims[self.place]

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

    @cached_in_language
    def of_attributes(self) -> tuple[tuple[Claim, ...], ...]:
        """The claims of each attribute: the one to tell first, and the others shown or, with none shown, possible."""
        return tuple(map(self._claims_of, range(len(self.evidence))))

    @cached_in_language
    def claims(self) -> tuple[Claim, ...]:
        """First the first one of each attribute, then the others, those that are shown last.

        Only of numbers may a direction be a harm.
        """
        each = self.of_attributes
        others = (one for _, *more in each for one in more)
        return (*(first for first, *_ in each), *sorted(others, key=lambda one: one.beyond))

    def _claims_of(self, place: int) -> tuple[Claim, ...]:
        if self.effects:
            return (self._of_means(place),)
        first, *others = (self._shares(place, gap) for gap in self.beyond[place])
        first = replace(first, p_value=self.evidence[place].p_value(self.decision.delta))
        return first, *others

    def _of_means(self, place: int) -> Claim:
        """What is claimed of numbers: the clearest difference of means, in spreads, and by how much no other is larger.

        The means of either group are not told.
        """
        evidence, alpha, shown = self.evidence[place], self.decision.alpha, self.shown(place)
        low = evidence.lower_bound(alpha)
        return replace(
            self._as_harm(self._of_mean(place, shown), shown) if shown else self._nothing(place),
            what=self._mean,
            low=low,
            high=evidence.upper_bound(alpha),
            p_value=evidence.p_value(self.decision.delta),
            judged=low > 0 or not math.isnan(evidence.value),
            interval=None,
            why="",
        )

    def _as_harm(self, claim: Claim, one: MeanDifference) -> Claim:
        """A difference of means with those first who fare worse, where it is known who does."""
        if self.good_end == "not said" or not one.low > 0:
            return claim
        if self.more_harms:
            return replace(claim, one_sided=True)
        turned: dict[str, Any] = {
            "who": claim.against,
            "against": claim.who,
            "people": claim.others,
            "others": claim.people,
        }
        return replace(claim, one_sided=True, **turned)

    @property
    def more_harms(self) -> bool:
        """Whether those fare worse whose mean is larger, where it is said which end of the numbers is good.

        Of two groups with the same answers, those fare worse whose outcomes are better.
        """
        return (self.good_end == "low") is not (self.result.detail.asks == "calibration")

    def shown_by(self, claim: Claim) -> MeanDifference | None:
        """The difference of means that a claim of numbers, one an attribute, is made of."""
        return self.shown(self.claims.index(claim))

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

    @cached_in_language
    def drawn_means(self) -> tuple[Claim, ...]:
        """The differences of means as a chart draws them: the one to tell of an attribute first, with the bounds that
        decide, and the others with their intervals.
        """
        drawn: list[Claim] = []
        for place, (claim, *_) in enumerate(self.of_attributes):
            shown = self.shown(place)
            if shown is not None:
                drawn.append(replace(self._of_mean(place, shown), low=claim.low, high=claim.high, interval=None))
            drawn += (self._of_mean(place, one) for one in self.told(place) if one != shown)
        return tuple(drawn)

    def _of_gap(self, place: int, gap: EqualizedOddsGap) -> Claim:
        """A difference of shares between two groups, with its one-sided bounds."""
        if gap.stratum < 0:
            return self._nothing(place)
        hidden = gap.high <= self.decision.delta and bool(len(gap.small))
        here, there = gap_shares(self.result.detail, place, gap)
        return replace(
            self._compares(place, gap.groups, self.result.detail.strata.codes == gap.stratum),
            what=self._compared(gap),
            of=self._wrong_answer(gap),
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
            self._compares(place, one.groups, self._among(one)),
            what=self._mean if one.everywhere else say("{mean} {part}", mean=self._mean, part=self._part(one)),
            estimate=one.value,
            low=one.low,
            high=max(one.high, -one.low),
            interval=Interval(one.low, one.high, 1 - self.decision.alpha),
        )

    @property
    def _mean(self) -> str:
        """What means are of: answers, or the outcomes of people with the same answer."""
        return say("mean outcome") if self.result.detail.asks == "calibration" else say("mean answer")

    def _part(self, one: MeanDifference) -> str:
        """Which of the people with the same outcome or answer a difference is over: ``with the same outcome, of 3``."""
        return ", ".join(filter(None, (alike(self.result.detail, about=not self.exact), part_text(one))))

    def _among(self, one: MeanDifference) -> np.ndarray:
        """Who is in the parts that a difference of means is over, shape (n,), bool."""
        given, (low, high) = given_of(self.result.detail), one.ends
        return np.ones(len(given), dtype=bool) if one.everywhere else (low <= given) & (given <= high)

    def _compares(self, place: int, groups: tuple[int, int], among: np.ndarray) -> Claim:
        """Two groups of an attribute among some people, shape (n,), bool, and nothing said of them yet."""
        detail, one = self.result.detail, self.result.detail.attributes[place]
        who, against = (condition(one.name, one.groups[group]) for group in groups)
        people, others = (detail.people_among(among & (one.codes == group)) for group in groups)
        return self._about(who, against, people=people, others=others)

    def _nothing(self, place: int) -> Claim:
        """An attribute of which no two groups can be compared."""
        name, why = self.result.detail.attributes[place].name, say("no two groups to compare")
        return self._about(name, "", judged=False, why=why)

    def _about(self, who: str, against: str, **known: Any) -> Claim:
        """A claim at the tolerance, of which no direction is known to be a harm."""
        same: dict[str, Any] = {"tolerance": self.decision.delta, "unit": self.unit, "one_sided": False}
        return Claim(who=who, against=against, **same, **known)

    def _compared(self, gap: EqualizedOddsGap) -> str:
        """What people are counted by, and what they share: ``the prediction hired = yes where the outcome was no``."""
        return "" if gap.stratum < 0 else counted_among(self.result.detail, gap, self.result.data)

    def _wrong_answer(self, gap: EqualizedOddsGap) -> str:
        """The decision that people of another outcome are compared in, which is an error; empty elsewhere."""
        detail = self.result.detail
        if not self._by_counts or detail.numbers or detail.given or detail.asks != "equalized odds":
            return ""
        answer = detail.classes[gap.answer % len(detail.classes)]
        return answer if answer != detail.strata.name(gap.stratum) else ""

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

    @property
    def _of_favours(self) -> bool:
        """Whether what is compared is who gets which answer, and not who gets a wrong one, which may well be rare."""
        return self.result.detail.asks == "demographic parity" and not self.effects

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
            *(out_of_reach(max(one.attainable for one in self._measured), delta) if self._of_favours else ()),
        )
