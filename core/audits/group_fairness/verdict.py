"""The finding of groups: a verdict about subgroups, and every number about groups and prediction sets.

A subgroup of a protected attribute whose lower bound exceeds the tolerance is a violation. "No violation" is said only
where the upper bound of every subgroup that is judged lies within it, and every group of a protected attribute is
judged: one of fewer than 30 people may be wronged to the last of them. Both hold for all subgroups together with
probability 1 - alpha; the p-value is the smallest alpha at which there is a violation. Rates and impact ratios of
groups, and prediction sets, are told with their intervals; no tolerance is set for them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cached_property

import numpy as np

from core.audits.group_fairness import KIND
from core.audits.group_fairness.conformal import Coverage, GroupSets
from core.audits.group_fairness.decision import GroupFairnessDecision
from core.audits.group_fairness.decisions import decision_tables
from core.audits.group_fairness.four_fifths import p_values
from core.audits.group_fairness.numbers import number_tables
from core.audits.group_fairness.result import GroupFairnessDetail, GroupFairnessResult
from core.audits.group_fairness.subgroups.verdicts import Judgements, judge
from core.audits.group_fairness.summaries import (
    CoverageSummary,
    DifferenceSummary,
    GroupSummary,
    SubgroupsSummary,
    summarise_coverage,
    summarise_differences,
    summarise_groups,
    summarise_subgroups,
)
from core.audits.group_fairness.table import GroupTable
from core.audits.group_fairness.wording_subgroups import described
from core.decision import place_of
from core.errors import Notice, most_serious_first
from core.finding import AbstractFinding
from core.inference.estimate import Verdict
from core.inference.share import worst_case
from core.language.cached import cached_in_language
from core.language.told import say, say_count
from core.phrases import LONGEST_VALUE, shortened, whole
from core.tables import Table
from core.thresholds import FEWEST_ROWS


class GroupFairnessFinding(AbstractFinding[GroupFairnessResult, GroupFairnessDecision]):
    """What was found about groups under decision settings; see the base class."""

    kind = KIND
    recorded = ("groups", "differences", "subgroups", "coverage")

    @cached_property
    def group_tables(self) -> tuple[GroupTable, ...]:
        """The tables of every attribute and of every two, at the error rate."""
        detail, alpha = self.result.detail, self.decision.alpha
        return self.once(("groups", alpha), lambda: _tables(detail, alpha))

    def four_fifths(self, place: int) -> tuple[np.ndarray, ...]:
        """p-values of "at least 0.8" for the impact ratio at ``place`` of each table; see :func:`p_values`."""
        return self.once(("four fifths", place), lambda: p_values(self.group_tables, place))  # verbatim

    @cached_property
    def judged(self) -> Judgements:
        """What is said about each subgroup."""
        scan, alpha = self.result.detail.subgroups, self.decision.alpha
        return judge(scan, self.decision.delta, alpha, self.once(("bounds", alpha), lambda: scan.bounds(alpha)))

    @cached_property
    def protected(self) -> np.ndarray:
        """Which subgroups a protected attribute makes, alone or with other columns; shape (s,), bool."""
        scan = self.result.detail.subgroups
        columns = np.isin(scan.columns, self.result.data.protected)
        return np.asarray(np.any(scan.members[:, columns] >= 0, axis=1))

    @cached_property
    def wronged(self) -> np.ndarray:
        """Subgroups of a protected attribute that fare worse than tolerated, beyond doubt; shape (s,), bool.

        Other subgroups that do are no violation: a model that errs among people of some age and income treats no
        protected group worse for that. They are named all the same, and forbid "no violation".
        """
        return np.asarray(self.judged.firm & self.protected)

    @cached_property
    def unjudged(self) -> tuple[str, ...]:
        """Groups of protected attributes with too few people to be a subgroup, so that nothing clears them."""
        scan, people = self.result.detail.subgroups, {one.name: one for one in self.result.detail.attributes}
        found = []
        for name, values in zip(scan.columns, scan.values, strict=True):
            if name not in people:
                continue
            rows = np.bincount(people[name].codes, minlength=len(people[name].groups))
            known = dict(zip(people[name].groups, rows.tolist(), strict=True))
            found += [f"{name} = {value}" for value in values if 0 < known.get(value, 0) < FEWEST_ROWS]
        return tuple(found)

    @cached_property
    def worst(self) -> int:
        """Place of the subgroup that fares worst beyond doubt, one of a protected attribute first; -1 without any."""
        judged = self.judged
        order = np.lexsort((-judged.low, ~self.protected, ~judged.firm))
        return int(order[0]) if judged.firm.any() else -1

    @cached_property
    def place(self) -> int:
        """Index of the attribute whose prediction sets are shown: the decision's, or the first.

        Raises:
            SettingsError: The decision settings name an attribute that was not looked at.
        """
        names, wanted = [one.name for one in self.result.detail.attributes], self.decision.attribute
        return place_of(wanted, names) if wanted else 0

    @property
    def shown_sets(self) -> Coverage | None:
        """The prediction sets that are shown; None where there are none."""
        coverage = self.result.detail.coverage
        return coverage[self.place] if coverage else None

    def sets(self, place: int, *, common: bool = False) -> GroupSets:
        """How the prediction sets of an attribute's groups fare, or those that are common to everybody."""
        detail, alpha = self.result.detail, self.decision.alpha
        return self.once(
            ("sets", place, alpha, common),
            lambda: detail.coverage[place].by_group(alpha, seed=detail.seed, common=common),
        )

    @cached_in_language
    def impact_tables(self) -> tuple[Table, ...]:
        """See the base class."""
        found: tuple[Table, ...] = self.kind.part("report.groups").impact_tables(self)
        return found

    @property
    def own_named(self) -> str:
        """See the base class."""
        if self.worst < 0:
            return ""
        return shortened(described(self.result.detail.subgroups, self.worst), LONGEST_VALUE)

    @cached_property
    def own_verdict(self) -> Verdict:
        """See the base class."""
        if self.wronged.any():
            return Verdict.VIOLATION
        all_certified = bool(len(self.judged.certified)) and bool(self.judged.certified.all())
        return Verdict.NO_VIOLATION if all_certified and not self.unjudged else Verdict.INSUFFICIENT

    @property
    def worst_upper_bound(self) -> float:
        """Of the shares of wrong decisions, wherever those left out belong; infinite for errors that are numbers."""
        scan, missing = self.result.detail.subgroups, self.result.data.rows_left_out
        if not scan.shares or not len(scan):
            return math.inf
        sides = np.minimum(scan.rows, scan.people - scan.rows)
        pairs = zip(self.judged.high, missing / (sides + missing), strict=True)
        return max(worst_case(float(high), float(share)) for high, share in pairs)

    @cached_property
    def own_reasons(self) -> tuple[Notice, ...]:
        """See the base class."""
        return most_serious_first(tuple(_reasons(self)))

    @property
    def p_value(self) -> float:
        """The smallest alpha at which a subgroup of a protected attribute is firmly worse off; NaN if there is none."""
        scan = self.result.detail.subgroups
        if not self.protected.any():
            return math.nan
        return scan.together(float(self.judged.p_values[self.protected].min()))

    @cached_property
    def groups(self) -> tuple[GroupSummary, ...]:
        """Every measure of every group."""
        return tuple(one for table in self.group_tables for one in summarise_groups(table))

    @cached_property
    def differences(self) -> tuple[DifferenceSummary, ...]:
        """The largest differences between groups."""
        return tuple(one for table in self.group_tables for one in summarise_differences(table))

    @cached_property
    def subgroups(self) -> SubgroupsSummary:
        """How many subgroups there are and what is said about them."""
        return summarise_subgroups(self.result.detail.subgroups, self.judged)

    @cached_property
    def coverage(self) -> tuple[CoverageSummary, ...]:
        """Prediction sets in every group."""
        return tuple(
            one
            for place, sets in enumerate(self.result.detail.coverage)
            for one in summarise_coverage(sets, self.sets(place), self.sets(place, common=True))
        )

    @property
    def sets_hold_everything(self) -> bool:
        """Whether the sets that are shown rule out no outcome in any group, as with decisions that often err."""
        sets, classes = self.shown_sets, self.result.detail.classes
        return bool(classes) and sets is not None and bool((self.sets(self.place).size == len(classes)).all())


def _tables(detail: GroupFairnessDetail, alpha: float) -> tuple[GroupTable, ...]:
    if detail.numbers:
        return number_tables(detail.outcome, detail.answers[:, 0], detail.attributes, alpha)
    favourable = detail.answers[:, detail.favourable] if detail.favourable >= 0 else np.array([])
    only_decisions = bool(np.isin(favourable, (0.0, 1.0)).all())
    return decision_tables(
        detail.outcome.astype(np.int64),
        detail.decisions,
        detail.attributes,
        alpha,
        classes=detail.classes,
        favourable=detail.favourable,
        scores=None if only_decisions else favourable,
    )


def _reasons(finding: GroupFairnessFinding) -> Iterator[Notice]:
    """What the verdict does not speak of."""
    scan = finding.result.detail.subgroups
    if not len(scan):
        yield Notice(
            "serious",
            say("No combination has 30 people inside and 30 outside, so no subgroup is judged."),
            say("Bring more rows, or choose columns with fewer values."),
        )
    elif finding.unjudged:
        yield Notice(
            "warning" if finding.wronged.any() else "serious",
            say_count(
                "{n} group has fewer than 30 people, too few to clear: {first}.",
                "{n} groups have fewer than 30 people, too few to clear: {first} is the first.",
                len(finding.unjudged),
                first=shortened(finding.unjudged[0], LONGEST_VALUE),
            ),
            say("Merge small groups, or bring more rows."),
        )
    if len(scan) and scan.too_small:
        yield Notice(
            "warning",
            say_count(
                "{n} combination of values has fewer than 30 people inside or outside; nothing is said of them.",
                "{n} combinations of values have fewer than 30 people inside or outside; nothing is said of them.",
                scan.too_small,
            ),
            say("Merge rare values, or bring more rows."),
        )
    if scan.beyond:
        yield Notice(
            "warning",
            say_count(
                "Only the {judged} largest subgroups are judged, {n} smaller one is not.",
                "Only the {judged} largest subgroups are judged, {n} smaller ones are not.",
                scan.beyond,
                judged=whole(len(scan)),
            ),
            say("Choose fewer columns, or combine fewer at once."),
        )
