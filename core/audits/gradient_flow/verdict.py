"""The finding of a gradient-flow test.

The search leads to possible people (:mod:`core.audits.gradient_flow.people`). Their lower bound above delta is a
violation, unless the fair metric was learned and forgives nearly everything. "No violation" is claimed only if their
upper bound and the search's lie at or below delta and nothing is known that makes them doubtful
(:mod:`core.audits.gradient_flow.doubts`); everything else is insufficient evidence.
"""

import math
from dataclasses import replace
from functools import cached_property
from types import MappingProxyType
from typing import Any, Self, get_args

import numpy as np

from core.audits.gradient_flow import KIND, doubts, groups
from core.audits.gradient_flow.checks import Checks, checks
from core.audits.gradient_flow.decision import Statistic
from core.audits.gradient_flow.estimates import GradientFlowEstimates, Sweep
from core.audits.gradient_flow.result import Repeated
from core.base.errors import Caveat, each_once, forbidding
from core.claims import Claim
from core.inference.estimate import Verdict
from core.inference.paired import EachRow
from core.inference.several import holm
from core.language.cached import cached_in_language
from core.language.phrases import number, whole
from core.language.told import localized, retold, say

STATISTICS: tuple[Statistic, ...] = get_args(Statistic)


class GradientFlowFinding(GradientFlowEstimates):
    """What a gradient-flow test found under decision settings; see the base class."""

    kind = KIND
    nothing = 1.0
    recorded = ("adjusted", "verdicts", "detectable", "sweeps", "checks")
    recorded_as = MappingProxyType({"checks": "diagnostics"})

    @cached_property
    def own_caveats(self) -> tuple[Caveat, ...]:
        """See the base class."""
        if self.undefined:
            return (Caveat("serious", self.undefined, say("Read the loss ratio instead, or bring more rows.")),)
        caveats = (
            *forbidding("any claim", doubts.too_few(self)),
            *(
                forbidding("clearing", doubts.against_clearing(self))
                if self.by_claims is Verdict.NO_VIOLATION
                else forbidding("accusing", doubts.forgives_everything(self))
            ),
            *doubts.hangs_on_metric(self),
            *doubts.tail_warning(self),
            *doubts.rising(self),
            *doubts.between_people(self),
            *doubts.step_error(self),
            *self.other_open,
        )
        return each_once(caveats)

    @cached_in_language
    def other_open(self) -> tuple[Caveat, ...]:
        """That the other statistic does not clear what this one does; empty where it does, or this one does not."""
        other = next(one for one in self.both if one is not self)
        if self.by_claims is not Verdict.NO_VIOLATION or other.by_claims is Verdict.NO_VIOLATION or other.undefined:
            return ()
        known = {"value": number(other.estimate), "bound": number(other.upper_bound)}
        caveat = Caveat(
            "warning",
            say("Not shown to be tolerated: how often it errs, {value} times as often, at most {bound}.", **known)
            if other.decision.statistic == "error-rate ratio"
            else say("Not shown to be tolerated: how far off it is, {value} times, at most {bound}.", **known),
            say("Say before the next audit which of the two statistics matters."),
        )
        return (caveat,)

    @property
    def rests_on(self) -> str:
        """See the base class."""
        if self.detail.people is None:
            return super().rests_on
        return say(
            "{rows}; possible people for {some} of them",
            rows=super().rests_on,
            some=whole(self.detail.people.number),
        )

    @property
    def missing(self) -> str:
        """What more rows would not settle: a metric that is known too little, or people who could exist."""
        if self.undefined:
            return ""
        if doubts.given_exactly(self) is not self.by_claims:
            return say("the metric has to be learned from more people, or declared")
        if self.detail.people is not None and self._people_open and self.detail.rows_of() > self.detail.people.number:
            return say(
                "people who could exist are looked for beside {some} rows, however many there are",
                some=whole(self.detail.people.number),
            )
        if doubts.by_search_alone(self) is self.by_claims:
            return ""
        return say(
            "it is {people} times for similar people who could exist, {searched} times between people, where the "
            "search ended",
            people=number(self.estimate),
            searched=number(self.inference.value),
        )

    @property
    def _people_open(self) -> bool:
        """Whether what was found of possible people neither exceeds the tolerance nor keeps within it."""
        people, delta, alpha = self.of_people(), self.decision.delta, self.decision.alpha
        return people.lower_bound(alpha) <= delta < people.upper_bound(alpha)

    @cached_property
    def both(self) -> tuple[Self, ...]:
        """The finding by each of the two statistics."""
        return tuple(self if one == self.decision.statistic else self.under(statistic=one) for one in STATISTICS)

    @cached_property
    def adjusted(self) -> tuple[float, ...]:
        """p-values of the two statistics, adjusted for each other (Holm)."""
        return tuple(holm(np.array([one.p_value for one in self.both])).tolist())

    @cached_in_language
    def parts(self) -> dict[str, tuple[Claim, ...]]:
        """Both statistics, what the search finds alone, every group, and what other settings find.

        Intervals of groups hold together.
        """
        return {
            "intervals": tuple(one.claims[0] for one in self.both) + self.searched,
            "groups": groups.told(self),
            **_varied(self),
        }

    @cached_in_language
    def naming(self) -> tuple[Claim, ...]:
        """The groups shown to be beyond the tolerance, the clearest first; none unless everybody together is.

        Groups are asked about only behind that gate, so that the chance of any wrong claim stays at alpha (serial
        gatekeeping; Westfall and Krishen 2001, J. Statistical Planning and Inference 99:25). Of an attribute all of
        whose groups are beyond, none is told apart from the others.
        """
        if self.verdict is not Verdict.VIOLATION:
            return ()
        names = self.detail.cells.all_groups()
        each = [(name, one) for (name, _), one in zip(names, self.parts["groups"], strict=True)]
        apart = {attribute for attribute, one in each if not one.beyond}
        return tuple(sorted((one for name, one in each if one.beyond and name in apart), key=lambda one: -one.low))

    @property
    def searched(self) -> tuple[Claim, ...]:
        """Both statistics of the search alone, given exactly this metric, as published; nothing where no other are."""
        learned = self.detail.relearned is not None
        if self.detail.people is None and not learned:
            return ()
        who = say("by the search alone, given exactly this metric") if learned else say("by the search alone")
        alone: dict[str, Any] = {"who": who, "decides": False}
        return tuple(
            replace(
                Claim.of_evidence(one.given_metric, one.decision.delta, one.decision.alpha, what=one.what, **alone),
                error=one.given_metric.standard_error,
                people=one.n,
                unit=one.unit,
                why=retold(one.given_metric.undefined),
            )
            for one in self.both
        )

    def each_row(self, claim: Claim) -> EachRow | None:
        """The loss ratios that the claim averages over.

        None for a ratio of error rates, where the metric was learned, whose error is not a row's, and where rows belong
        together; of a search without possible people also before its end, and where not all rows were in memory.
        """
        detail, last = self.detail, len(self.detail.steps) - 1
        if self.decision.statistic != "loss ratio" or detail.clusters is not None or detail.relearned is not None:
            return None
        if detail.people is not None:
            own = detail.people.taken[:, 0]
            return EachRow(detail.people.rows[own], detail.people.ratio[own])
        whole = self.index == last and len(detail.rows) == detail.rows_of()
        return EachRow(detail.rows, detail.ratios) if whole else None

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        """The verdict by each of the two statistics."""
        return tuple(one.verdict for one in self.both)

    @property
    def detectable(self) -> tuple[float, ...]:
        """The smallest true value of each of the two statistics that a test of this size finds."""
        return tuple(one.minimum_detectable for one in self.both)

    @cached_property
    def sweeps(self) -> tuple[Sweep, ...]:
        """Both statistics at every recorded stopping time."""
        return tuple(one.sweep for one in self.both)

    @cached_property
    def checks(self) -> Checks:
        """What tells whether the numbers can be trusted."""
        return checks(self)


def _varied(found: GradientFlowEstimates) -> dict[str, tuple[Claim, ...]]:
    """A claim for each value of each setting that was varied, by the name of the setting."""
    return {one.setting: _claims(found, one) for one in found.detail.repeated}


def _claims(found: GradientFlowEstimates, one: Repeated) -> tuple[Claim, ...]:
    decision = found.decision
    claims = []
    for at, estimate in zip(one.at.tolist(), one.estimates(decision.statistic, found.index), strict=True):
        claim = Claim.of_evidence(
            estimate,
            decision.delta,
            decision.alpha,
            what=found.what,
            unit=found.unit,
            who=_named(one.setting, at, own=at == one.own),
            people=one.rows,
            why="" if math.isfinite(estimate.value) else say("no value"),
        )
        claims.append(replace(claim, error=estimate.standard_error, p_value=math.nan, decides=False))
    return tuple(claims)


def _named(setting: str, at: float, *, own: bool) -> str:
    """A value of a setting as people read it."""
    value = localized(f"{at:g}")
    named = {
        "rotations": say("turned by {angle}°", angle=value),
        "other_weights": say("λ = {weight}", weight=value),
        "other_penalties": say("ridge of {strength}", strength=value) if at else say("no ridge"),
    }[setting]
    return say("{value}, as chosen", value=named) if own else named
