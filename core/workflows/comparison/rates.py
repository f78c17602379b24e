"""What models are compared in: how often each is right, and how differently it decides about groups.

Every rate is a weighted sum of shares, or means, of sets of people that are the same for every model
(:mod:`core.inference.paired`). The favourable class is the positive one of SPD, EOD and AOD (Bellamy et al. 2018,
"AI Fairness 360"); the largest group of an attribute is the reference.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol

import numpy as np

from core.base.thresholds import FEWEST_ROWS
from core.claims import Claim
from core.data.labels import compared_with, condition, labelled
from core.inference.paired import PairedDifference, WeightedSets
from core.inference.several import holm
from core.language.phrases import lower_first, shortened
from core.language.reader import language
from core.language.told import say
from core.language.units import PLAIN, POINTS, SHARES, Unit
from core.workflows.comparison.result import ComparisonResult

_LONGEST_OUTCOME = 40
"""Letters of an outcome among whose people answers are counted."""


class AtErrorRate(Protocol):
    """A plan of models that are compared, as far as charts of their rates ask."""

    @property
    def alpha(self) -> float:
        """The error rate of the differences."""


@dataclass(frozen=True, eq=False)
class Rate:
    """One quantity in which models are compared.

    Attributes:
        key: ``accuracy``, ``balanced accuracy``, ``error``, ``SPD``, ``EOD`` or ``AOD``.
        what: What it is, in words.
        attribute: The protected attribute whose groups are compared; empty for none.
        group: The group it is about.
        reference: The group with which that one is compared.
        counted: What is counted of each model's answer about each person, shape (m, n).
        sets: What is made of it.
        unit: What it is told in; differences of shares are told in percentage points.
        largest: The largest difference of two such counts; None where there is none.
    """

    key: str
    what: str
    attribute: str
    group: str
    reference: str
    counted: np.ndarray
    sets: WeightedSets
    unit: Unit = POINTS
    largest: float | None = 1.0

    @property
    def title(self) -> str:
        """What its number is, and about whom."""
        if not self.attribute:
            return self.what
        return say(
            "{attribute}, how much more often {group} than {reference}: {what} ({key})",
            what=lower_first(self.what),
            key=self.key,
            attribute=self.attribute,
            group=self.group,
            reference=self.reference,
        )

    @property
    def heading(self) -> str:
        """In what groups are compared, and which, beside what :meth:`told` says of a model."""
        if not self.attribute:
            return self.what
        group = condition(self.attribute, self.group)
        return say(
            "{group} and {reference}: {what} ({key})",
            what=lower_first(self.what),
            key=self.key,
            group=group,
            reference=compared_with(group, condition(self.attribute, self.reference)),
        )

    def worse_first(self, value: float) -> tuple[str, str]:
        """The group that gets the favourable answer less often where this is a model's value, and the other one."""
        groups = [condition(self.attribute, group) for group in (self.group, self.reference)]
        more, fewer = groups if value >= 0 else reversed(groups)
        return fewer, compared_with(fewer, more)

    def told(self, value: float, low: float = math.nan, high: float = math.nan) -> str:
        """A model's value, of a difference of groups by how much which one is behind; with its interval if known."""
        if not self.attribute:
            told = self.unit.text(value)
            return told if math.isnan(low) else f"{told} ({self.unit.interval(low, high)})"
        who, others = self.worse_first(value)
        known = {"who": who, "others": others, "points": self.unit.number(abs(value))}
        if math.isnan(low):
            return say("{who} {points} points behind {others}", **known)
        least, most = sorted((low, high) if value >= 0 else (-high, -low))
        known["most"] = self.unit.number(most)
        if least >= 0:
            return say(
                "{who} {points} points behind {others} ({least} to {most})", least=self.unit.number(least), **known
            )
        return say(
            "{who} {points} points behind {others} ({most} behind to {ahead} ahead)",
            ahead=self.unit.number(-least),
            **known,
        )

    def towards(self, difference: Claim) -> str:
        """Which way a model differs from another: in whose favour, or whether its value is higher."""
        if not difference.estimate:
            return say("no difference")
        if self.attribute:
            who, others = self.worse_first(-difference.estimate)
            return say("in favour of {who} over {others}", who=who, others=others)
        return say("higher") if difference.estimate > 0 else say("lower")

    @cached_property
    def values(self) -> np.ndarray:
        """The rate of each model, shape (m,)."""
        return np.array([self.sets.value(one) for one in self.counted])


def rates(result: ComparisonResult) -> tuple[Rate, ...]:
    """Everything the models can be compared in: rates whose sets hold at least 30 people each."""
    return result.once(("every", language()), lambda: _large_enough(result))


def _large_enough(result: ComparisonResult) -> tuple[Rate, ...]:
    data, found = result.data, tuple(one for one in _rates(result) if (one.sets.rows >= FEWEST_ROWS).all())
    return labelled(found, data.labels, data.outcome or data.decision, data.columns)


def _rates(result: ComparisonResult) -> Iterator[Rate]:
    known, times = np.isfinite(result.outcome), result.people_of_rows
    if known.any():
        everybody = WeightedSets(np.where(known, 0, -1), np.ones(1), times)
        if not result.classes:
            apart = np.abs(result.answers - result.outcome)
            yield Rate("error", say("Mean absolute error"), "", "", "", apart, everybody, PLAIN, None)
        else:
            right = (result.answers == result.outcome).astype(np.float64)
            yield Rate("accuracy", say("Accuracy"), "", "", "", right, everybody, SHARES)
            true = np.where(known, result.outcome, -1).astype(np.int64)
            present = np.unique(true[known])
            codes = np.where(known, np.searchsorted(present, true), -1)
            each = WeightedSets(codes, np.full(len(present), 1 / len(present)), times)
            yield Rate("balanced accuracy", say("Balanced accuracy"), "", "", "", right, each, SHARES)
    if result.favourable < 0:
        return
    chosen = (result.answers == result.favourable).astype(np.float64)
    good = np.where(known, result.outcome == result.favourable, -1).astype(np.int64)
    for attribute, names, codes in zip(result.data.protected, result.groups, result.memberships, strict=True):
        reference = int(np.bincount(codes, times, len(names)).argmax())
        for group in range(len(names)):
            if group == reference:
                continue
            who = attribute, names[group], names[reference]
            side = np.select([codes == group, codes == reference], [0, 1], -1)
            yield Rate("SPD", say("Favourable answers among all people"), *who, chosen, _beside(side, times))
            if not known.any():
                continue
            found = np.where(good == 1, side, -1)
            deserving = shortened(condition(result.data.outcome, result.data.favourable), _LONGEST_OUTCOME)
            what = say("Favourable answers among people with {outcome}", outcome=deserving)
            yield Rate("EOD", what, *who, chosen, _beside(found, times))
            both = np.where((side >= 0) & (good >= 0), side + 2 * good, -1)
            what = say("Favourable answers, averaged over outcomes")
            yield Rate("AOD", what, *who, chosen, WeightedSets(both, np.array([0.5, -0.5, 0.5, -0.5]), times))


def _beside(side: np.ndarray, times: np.ndarray | None) -> WeightedSets:
    return WeightedSets(side, np.array([1.0, -1.0]), times)


def sized(difference: Claim) -> Claim:
    """A difference without its sign, which :meth:`Rate.towards` tells in words."""
    if difference.estimate >= 0 or difference.interval is None:
        return difference
    low, high, ends = -difference.high, -difference.low, difference.interval
    turned = replace(ends, low=-ends.high, high=-ends.low)
    return replace(difference, estimate=-difference.estimate, low=low, high=high, interval=turned)


def rate_claims(result: ComparisonResult, alpha: float) -> tuple[tuple[Rate, tuple[Claim, ...]], ...]:
    """Every rate of every model as a claim, each with an interval of its own."""
    return result.once(("rates", alpha, language()), lambda: _rate_claims(result, alpha))


def _rate_claims(result: ComparisonResult, alpha: float) -> tuple[tuple[Rate, tuple[Claim, ...]], ...]:
    nobody = np.zeros(len(result.outcome))
    return tuple(
        (
            rate,
            tuple(
                _claim(name, "", rate, _paired(result, rate, counted, nobody), alpha)
                for name, counted in zip(result.names, rate.counted, strict=True)
            ),
        )
        for rate in rates(result)
    )


def differences(result: ComparisonResult, alpha: float) -> tuple[tuple[Rate, Claim], ...]:
    """Every rate of every other model less that of the baseline, on the same people; p-values are Holm's, over all."""
    return result.once(("differences", alpha, language()), lambda: _differences(result, alpha))


def largest_first(result: ComparisonResult, alpha: float) -> tuple[tuple[Rate, Claim], ...]:
    """The same differences, those that are shown before others, the largest first."""
    found = differences(result, alpha)
    return tuple(sorted(found, key=lambda pair: (pair[1].p_value > alpha, -abs(pair[1].estimate))))


def _differences(result: ComparisonResult, alpha: float) -> tuple[tuple[Rate, Claim], ...]:
    found: list[tuple[Rate, Claim]] = []
    baseline = result.baseline
    for rate in rates(result):
        for place in result.others:
            paired = _paired(result, rate, rate.counted[place], rate.counted[baseline])
            claim = _claim(result.names[place], result.names[baseline], rate, paired, alpha)
            here, there = rate.values[place], rate.values[baseline]
            unit = PLAIN if rate.largest is None else POINTS
            claim = replace(claim, here=float(here), there=float(there), unit=unit, p_value=paired.p_value)
            found.append((rate, claim))
    adjusted = holm(np.array([claim.p_value for _, claim in found], dtype=np.float64))
    return tuple((rate, replace(claim, p_value=float(p))) for (rate, claim), p in zip(found, adjusted, strict=True))


def _claim(name: str, against: str, rate: Rate, found: PairedDifference, alpha: float) -> Claim:
    low, high = found.limits(alpha)
    return Claim(
        who=name,
        against=against,
        what=rate.title,
        scale="difference",
        here=math.nan,
        there=math.nan,
        people=int(rate.sets.rows.sum()),
        others=0,
        estimate=found.value,
        low=low,
        high=high,
        tolerance=0.0,
        decides=False,
        one_sided=False,
        more=True,
        interval=found.two_sided(alpha),
        unit=rate.unit,
    )


def _paired(result: ComparisonResult, rate: Rate, first: np.ndarray, second: np.ndarray) -> PairedDifference:
    clusters = result.clusters if len(result.clusters) else None
    return PairedDifference.of(first, second, rate.sets, largest=rate.largest, clusters=clusters)
