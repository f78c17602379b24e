"""Claims about groups, and about people who belong to several, from one engine of comparisons.

Two families are judged, each with lower bounds that hold together: groups of single attributes, and intersections of
attributes. Groups take :data:`FIRST` of the error rate, so that many intersections, each of few people, do not blunt
what is said of groups. Within a family a difference and a ratio are judged for each subject, together.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np

from core.audits.group_fairness.columns import joint
from core.audits.group_fairness.decision import GroupFairnessDecision
from core.audits.group_fairness.measures import Measure
from core.audits.group_fairness.result import GroupFairnessDetail
from core.audits.group_fairness.subjects import Subject, Subjects
from core.base.remembered import remembered
from core.claims import Claim, Scale
from core.inference.clusters import enough
from core.inference.comparisons import Comparisons, People
from core.inference.pair_effects import ClusteredRows
from core.inference.sampling import Sampling
from core.inference.several import Largest
from core.inference.stratified import WithinCells

FIRST = 0.8
"""Share of the error rate that groups of single attributes take where there are intersections too."""


GUESSED = 0.5
"""Share of the error rate that groups take to which people are only guessed to belong, where others are recorded."""


@dataclass(frozen=True)
class Within:
    """Differences among people who agree in some columns, judged together (Bonferroni)."""

    each: tuple[WithinCells, ...]

    @property
    def difference(self) -> np.ndarray:
        """First less second, shape (s,)."""
        return np.array([one.value for one in self.each])

    @property
    def largest(self) -> Largest:
        """How they depend on each other is not known."""
        return Largest(np.zeros(0), len(self.each))

    def lower(self, tail: float) -> np.ndarray:
        """Lower bounds, shape (s,)."""
        return np.array([one.lower(tail) for one in self.each])

    def upper(self, tail: float) -> np.ndarray:
        """Upper bounds, shape (s,)."""
        return np.array([one.upper(tail) for one in self.each])

    def p_values(self, delta: float) -> np.ndarray:
        """Of "the difference is at most ``delta``", shape (s,)."""
        return np.array([one.p_value(delta) for one in self.each])


@dataclass(frozen=True)
class JudgedPairs:
    """Pairs of one measure that are judged together, and those of too few people, which are not.

    Attributes:
        measure: What is compared.
        pairs: Who is compared; a pair that is turned asks for the difference in the other direction.
        turned: Which pairs are, shape (s,), bool.
        rates: The quantity of both sides of every pair, and how many people that rests on; none is judged here.
        judged: Whether a pair has enough people, shape (s,), bool.
        compared: Differences of the pairs that are judged.
        share: Of the error rate.
        decides: Whether "no violation" takes this family.
    """

    measure: Measure
    pairs: tuple[Subject, ...]
    turned: np.ndarray
    rates: Comparisons
    judged: np.ndarray
    compared: Comparisons | Within
    share: float
    decides: bool

    def claims(self, delta: float, ratio: float, alpha: float) -> Iterator[Claim]:
        """What is claimed of each pair: a difference, and of shares with a good end a ratio.

        Args:
            delta: Tolerance of a difference, in units of the measure.
            ratio: Tolerance of a ratio.
            alpha: Error rate of all families together.
        """
        difference = self.compared.difference
        yield from self._claims("difference", delta, difference, self._difference_ends(alpha), self._adjusted(delta))
        if self.has_ratios:
            ends, p_values = self._ratio_ends(alpha), self._adjusted_of_ratios(ratio)
            yield from self._claims("ratio", ratio, cast(Comparisons, self.compared).ratio, ends, p_values)

    @property
    def has_ratios(self) -> bool:
        """Whether ratios are judged beside differences."""
        return self.measure.has_ratios and isinstance(self.compared, Comparisons)

    @remembered
    def _difference_ends(self, alpha: float) -> tuple[np.ndarray, np.ndarray]:
        return self.compared.lower(self.compared.largest.level(alpha * self.share)), self.compared.upper(alpha)

    @remembered
    def _ratio_ends(self, alpha: float) -> tuple[np.ndarray, np.ndarray]:
        compared = cast(Comparisons, self.compared)
        return compared.ratio_limits(alpha)[0], compared.ratio_limits(compared.largest.level(alpha * self.share))[1]

    @remembered
    def _adjusted(self, delta: float) -> np.ndarray:
        return np.minimum(self.compared.largest.together(self.compared.p_values(delta)) / self.share, 1.0)

    @remembered
    def _adjusted_of_ratios(self, ratio: float) -> np.ndarray:
        compared = cast(Comparisons, self.compared)
        return np.minimum(compared.largest.together(compared.ratio_p_values(ratio)) / self.share, 1.0)

    def _claims(
        self, scale: Scale, tolerance: float, estimate: np.ndarray, ends: tuple[np.ndarray, np.ndarray], p: np.ndarray
    ) -> Iterator[Claim]:
        known = iter(zip(estimate, *ends, p, strict=True))
        unknown = (-np.inf, np.inf, 1.0) if scale == "difference" else (0.0, np.inf, 1.0)
        plain = self.rates.difference if scale == "difference" else self.rates.ratio
        for place, pair in enumerate(self.pairs):
            value, low, high, p_value = next(known) if self.judged[place] else (plain[place], *unknown)
            sides = (self.rates.second, self.rates.first)
            here, there = sides[::-1] if self.turned[place] else sides
            yield Claim(
                who=pair.who,
                against=pair.against,
                what=self.measure.name,
                of=self.measure.of,
                scale=scale,
                here=float(here.value[place]),
                there=float(there.value[place]),
                people=int(here.rows[place]),
                others=int(there.rows[place]),
                estimate=float(value),
                low=float(low),
                high=float(high),
                p_value=float(p_value),
                tolerance=tolerance,
                decides=self.decides and scale == "difference",
                one_sided=self.measure.one_sided,
                judged=bool(self.judged[place]),
                more=bool(self.turned[place]),
            )


def families_of(
    detail: GroupFairnessDetail,
    decision: GroupFairnessDecision,
    subjects: Subjects,
    measures: Sequence[Measure],
) -> tuple[JudgedPairs, ...]:
    """Groups and intersections in every measure."""
    within = tuple(one for one in detail.columns if one.name in decision.within)
    alike = joint(within, len(detail.outcome))
    if detail.guess is not None and not subjects.groups:
        return ()
    whole = 1.0 if detail.guess is None else 1 - GUESSED
    kinds = [(subjects.groups, whole * (FIRST if subjects.intersections else 1.0), True)]
    if subjects.intersections:
        kinds.append((subjects.intersections, whole * (1 - FIRST), False))
    counted = (_Counted.of(one, subjects, alike if within else None, detail.sampling) for one in measures)
    return tuple(
        people.judge(pairs, decision.ratio, share=share / len(measures), decides=decides)
        for people in counted
        for pairs, share, decides in kinds
    )


@dataclass(frozen=True)
class _Counted:
    """People of a measure by cells of groups, in which subjects are compared.

    Attributes:
        measure: What is compared.
        people: Everybody.
        within: The same by what they are alike in; None where everybody is compared.
    """

    measure: Measure
    people: People
    within: CountedWithin | None

    @classmethod
    def of(cls, measure: Measure, subjects: Subjects, alike: np.ndarray | None, sampling: Sampling) -> _Counted:
        cells = np.where(measure.among, subjects.cells, -1)
        people = People.of(measure.values, cells, subjects.count, shares=measure.shares, sampling=sampling)
        return cls(measure, people, None if alike is None else within_cells(measure, subjects, alike, sampling))

    def judge(self, subjects: Sequence[Subject], ratio: float, *, share: float, decides: bool) -> JudgedPairs:
        measure, people, belonging = self.measure, self.people, self.people.belonging
        pairs = [(one, turned) for one in subjects for turned in _directions(measure, one)]
        shape = len(pairs), len(people.powers)
        inside = np.array([one.outside if turned else one.inside for one, turned in pairs], dtype=bool).reshape(shape)
        outside = np.array([one.inside if turned else one.outside for one, turned in pairs], dtype=bool).reshape(shape)
        rates = Comparisons.alone(people, outside, inside)
        judged = np.ones(len(pairs), dtype=bool)
        for rows, members in ((rates.first.rows, outside), (rates.second.rows, inside)):
            judged &= enough(rows, None if belonging is None else belonging.occur(members))
        compared: Comparisons | Within
        if self.within is None:
            asked = ratio if measure.has_ratios else None
            compared = Comparisons.of(people, outside[judged], inside[judged], ratio=asked)
        else:
            sides = zip(outside[judged], inside[judged], strict=True)
            compared = Within(tuple(self.within.compare(*pair) for pair in sides))
        turned = np.array([turned for _, turned in pairs], dtype=bool)
        return JudgedPairs(measure, tuple(one for one, _ in pairs), turned, rates, judged, compared, share, decides)


def _directions(measure: Measure, subject: Subject) -> tuple[bool, ...]:
    """A difference without a good end counts in both directions; a pair of groups is there in both anyway."""
    if measure.one_sided:
        return (measure.more_harms,)
    return (False,) if subject.others else (False, True)


@dataclass(frozen=True)
class CountedWithin:
    """People of a measure by cell and by what they are alike in.

    Attributes:
        powers: People, sums of the measure and of its square, shape (c, v, 3).
        alike: What the people who are counted are alike in, codes, shape (n,).
        belonging: Their rows, where rows belong to clusters.
    """

    powers: np.ndarray
    alike: np.ndarray
    belonging: ClusteredRows | None

    def compare(self, first: np.ndarray, second: np.ndarray) -> WithinCells:
        """Two sets of cells, shape (c,), bool, among people who are alike."""
        found = WithinCells.of(self.powers[first].sum(axis=0), self.powers[second].sum(axis=0))
        rows = self.belonging
        if rows is None:
            return found
        side = first[rows.cells].astype(np.int64) - second[rows.cells]
        return found.by_clusters(rows.values, side, self.alike, rows.clusters)


def within_cells(measure: Measure, subjects: Subjects, alike: np.ndarray, sampling: Sampling) -> CountedWithin:
    """Count people who are alike, codes of shape (n,), by cell of groups."""
    count = int(alike.max(initial=0)) + 1
    here = np.flatnonzero(measure.among)
    place = subjects.cells[here] * count + alike[here]
    many = sampling.people(len(alike))[here].astype(np.float64)
    powers = [np.bincount(place, many * measure.values[here] ** power, subjects.count * count) for power in range(3)]
    belonging = ClusteredRows.of(measure.values, np.where(measure.among, subjects.cells, -1), sampling)
    return CountedWithin(np.stack(powers, axis=1).reshape(subjects.count, count, 3), alike[here], belonging)
