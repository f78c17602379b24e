"""The finding of groups: claims about groups, the judge's verdict on them, and every number about groups.

Claims are about protected groups and nobody else: each group of an attribute beside everybody else of it or a reference
group, and people who belong to groups of several attributes beside everybody else. They are judged by
:func:`core.judge.judge`: accused is who is shown to fare worse than tolerated; cleared is the table whose groups of
single attributes are all shown to differ by no more than tolerated. Ratios and intersections accuse too; where they
stay open a clearing says so.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from core.audits.group_fairness import KIND, guesses
from core.audits.group_fairness.claims import parts
from core.audits.group_fairness.comparing import GUESSED, JudgedPairs, families_of
from core.audits.group_fairness.conformal import Coverage, GroupCoverage, GroupSets, coverage_of
from core.audits.group_fairness.decision import GroupFairnessDecision
from core.audits.group_fairness.decisions import decision_tables
from core.audits.group_fairness.four_fifths import p_values
from core.audits.group_fairness.localising import WithinColumn, within_columns
from core.audits.group_fairness.measures import Measure, measures_of
from core.audits.group_fairness.numbers import number_tables
from core.audits.group_fairness.result import GroupFairnessResult
from core.audits.group_fairness.subjects import Subjects, subjects_of
from core.audits.group_fairness.table import GroupTable
from core.base.errors import Caveat, SettingsError, forbidding, most_serious_first
from core.base.thresholds import DOUBT, FEWEST_ROWS
from core.caveats.assumptions import IS_A_DECISION
from core.caveats.doubts import out_of_reach
from core.claims import Claim, leading
from core.claims_told import tolerance_number, value_text
from core.contracts.decision import place_of
from core.data.labels import whom
from core.finding import AbstractFinding
from core.group_answers import GroupAnswers
from core.inference.comparisons import Comparisons, People
from core.inference.counted import spread
from core.inference.estimate import Verdict
from core.inference.share import worst_case
from core.language.cached import cached_in_language
from core.language.phrases import LONGEST_VALUE, several, share_to_one_decimal, shortened, upper_first
from core.language.reader import language
from core.language.told import say, say_count
from core.language.units import PLAIN, POINTS, Unit


class GroupFairnessFinding(AbstractFinding[GroupFairnessResult, GroupFairnessDecision]):
    """What was found about groups under decision settings; see the base class."""

    kind = KIND
    recorded = ("coverage",)

    @cached_property
    def subjects(self) -> Subjects:
        """Who is compared with whom."""
        detail, depth, reference = self.result.detail, self.result.audit.depth, self.decision.reference
        attributes, rows, times = detail.recorded, len(detail.outcome), detail.times
        return self.once(("subjects", reference), lambda: subjects_of(attributes, depth, reference, rows, times))

    @cached_property
    def measures(self) -> tuple[Measure, ...]:
        """What they are compared in."""
        detail, decision = self.result.detail, self.decision
        return self.once(
            ("measures", decision.measure, self.good_end), lambda: measures_of(detail, decision, self.good_end)
        )

    @property
    def reads_outcomes(self) -> bool:
        """See the base class."""
        return any(one.name not in ("selection rate", "class") for one in self.measures)

    @cached_property
    def families(self) -> tuple[JudgedPairs, ...]:
        """What is judged together.

        Raises:
            SettingsError: A column to compare within was not looked within.
        """
        detail, decision = self.result.detail, self.decision
        known = [one.name for one in detail.columns]
        if unknown := [name for name in decision.within if name not in known]:
            raise SettingsError(
                say("{names} was not looked within in this audit.", names=several(unknown)),
                where=say("setting 'Compare only people alike in'"),
                advice=say("Choose among {names}.", names=several(known)),
            )
        asked = ("families", decision.measure, self.good_end, decision.reference, decision.within, decision.ratio)
        return self.once(asked, lambda: families_of(detail, decision, self.subjects, self.measures))

    @cached_property
    def factor(self) -> float:
        """What one of the tolerance is in units of the measure: 1 for rates, the outcome's spread for numbers."""
        detail = self.result.detail
        return spread(detail.outcome, detail.times) or 1.0 if detail.numbers else 1.0

    @property
    def unit(self) -> Unit:
        """What differences are told in: percentage points, or the outcome's own units."""
        return PLAIN if self.result.detail.numbers else POINTS

    @cached_property
    def claims(self) -> tuple[Claim, ...]:
        """Everything that is claimed: groups first, of each family differences first; then what a guess shows."""
        decision = self.decision
        recorded = tuple(
            replace(claim, unit=self.unit) if claim.scale == "difference" else claim
            for family in self.families
            for claim in family.claims(decision.delta * self.factor, decision.ratio, decision.alpha)
        )
        if self.result.detail.guess is None or decision.within:
            return recorded
        asked = ("guess", decision.delta, decision.alpha, language())
        return (*recorded, *self.once(asked, lambda: guesses.claims(*self._guessed)))

    @property
    def deciding(self) -> Claim | None:
        """See the base class; one that is open comes before those that are cleared, as in the headline."""
        first = leading(one for one in self.claims if one.beyond or (one.decides and not one.within))
        return first or leading(self.claims)

    @property
    def naming(self) -> tuple[Claim, ...]:
        """The clearest alone, as groups lie within each other; others are told with their numbers."""
        return super().naming[:1]

    @property
    def headlined(self) -> Claim | None:
        """See the base class; where a claim alone forbids to clear, that one."""
        return self._open_alone or super().headlined

    @property
    def pictured(self) -> Claim | None:
        """See the base class; likewise."""
        return self._open_alone or self.deciding

    @property
    def _open_alone(self) -> Claim | None:
        cleared = self.verdict is Verdict.INSUFFICIENT and self.by_claims is Verdict.NO_VIOLATION
        return self.open_claim if cleared else None

    @property
    def _guessed(self) -> tuple[Any, ...]:
        """The guess, the favourable answer, tolerance, error rate, and the part of it that a guess takes."""
        detail, decision = self.result.detail, self.decision
        share = GUESSED if self.subjects.groups else 1.0
        return detail.guess, detail.classes[detail.favourable], decision.delta, decision.alpha, share

    @cached_property
    def among_all(self) -> Claim | None:
        """What the same question finds among all people, where only people alike in some columns are compared."""
        return self.under(within=()).deciding if self.decision.within else None

    @cached_property
    def other_error(self) -> Claim | None:
        """Of the two sides that the verdict names, who more often gets the favourable answer wrongly, with two-sided
        bounds by itself; None where the verdict is about something else than the opposite error, or anybody is too few.
        """
        claim, detail = self.deciding, self.result.detail
        if claim is None or claim.what != "true-positive rate":
            return None
        pairs = (*self.subjects.groups, *self.subjects.intersections)
        pair = next(one for one in pairs if (one.who, one.against) == (claim.who, claim.against))
        wrong, chosen = detail.outcome != detail.favourable, detail.decisions == detail.favourable
        cells, count = np.where(wrong, self.subjects.cells, -1), self.subjects.count
        people = People.of(chosen.astype(np.float64), cells, count, shares=True, sampling=detail.sampling)
        sides, names = np.array([pair.inside, pair.outside], dtype=bool), (claim.who, claim.against)
        compared, half = Comparisons.alone(people, sides, sides[::-1]), self.decision.alpha / 2
        more = int(compared.difference.argmax())
        if compared.first.rows.min() < FEWEST_ROWS:
            return None
        return Claim(
            who=names[more],
            against=names[1 - more],
            what="false-positive rate",  # verbatim
            here=float(compared.first.value[more]),
            there=float(compared.second.value[more]),
            estimate=float(compared.difference[more]),
            low=float(compared.lower(half)[more]),
            high=float(compared.upper(half)[more]),
            tolerance=self.decision.delta,
            unit=POINTS,
        )

    @cached_property
    def unjudged(self) -> tuple[Claim, ...]:
        """Differences of single groups with too few people, so that nothing clears them."""
        return tuple(one for one in self.claims if one.decides and not one.judged)

    @cached_property
    def columns(self) -> tuple[WithinColumn, ...]:
        """Every group within every column, in the first measure."""
        alpha, subjects, measure = self.decision.alpha, self.subjects, self.measures[0]
        asked = ("columns", self.decision.measure, self.good_end, self.decision.reference, alpha)
        detail = self.result.detail
        return self.once(
            asked,
            lambda: within_columns(measure, subjects, detail.columns, alpha, detail.sampling),
        )

    @cached_property
    def turned_within(self) -> WithinColumn | None:
        """Where people alike in a column are compared, and the answer is another one; None where it is the same.

        For a group that is accused: the column within which the difference is shown to be within the tolerance, the
        smallest. For others: the column within which somebody's is shown to be beyond it, the largest, or within which
        it is shown to go the other way.
        """
        claim = self.deciding
        if claim is None or self.decision.within:
            return None
        tolerance = self.decision.delta * self.factor
        if claim.beyond and claim.scale == "ratio":
            return None
        if claim.beyond:
            turned = [one for one in self.columns if one.subject.who == claim.who and one.high <= tolerance]
            return min(turned, key=lambda one: one.high, default=None)
        beyond = max((one for one in self.columns if one.low > tolerance), key=lambda one: one.low, default=None)
        reversed_ones = [one for one in self.columns if one.subject.who == claim.who and one.high < 0 < claim.estimate]
        return beyond or min(reversed_ones, key=lambda one: one.high, default=None)

    @cached_property
    def group_tables(self) -> tuple[GroupTable, ...]:
        """The tables of every attribute and of every two, at the error rate."""
        detail, alpha, good = self.result.detail, self.decision.alpha, self.good_end
        if not detail.numbers:
            return self.once(("groups", alpha), lambda: decision_tables(detail, detail.attributes, alpha))
        return self.once(("groups", alpha, good), lambda: number_tables(detail, detail.attributes, alpha, good))

    def four_fifths(self, place: int) -> tuple[np.ndarray, ...]:
        """p-values of "at least 0.8" for the impact ratio at ``place`` of each table; see :func:`p_values`."""
        asked = ("four fifths", place, self.good_end)  # verbatim
        return self.once(asked, lambda: p_values(self.group_tables, place))

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
        """The prediction sets that are shown; None where there are none, or answers are decisions only."""
        detail = self.result.detail
        return detail.coverage[self.place] if detail.coverage and not detail.decided_only else None

    def sets(self, place: int, *, common: bool = False) -> GroupSets:
        """How the prediction sets of an attribute's groups fare, or those that are common to everybody."""
        detail, alpha = self.result.detail, self.decision.alpha
        return self.once(
            ("sets", place, alpha, common),
            lambda: detail.coverage[place].by_group(alpha, seed=detail.seed, common=common),
        )

    @cached_property
    def open_claim(self) -> Claim | None:
        """A ratio or an intersection that forbids clearing, the furthest: worse beyond doubt, and by what was found
        more than tolerated, though whether by more is open.
        """
        return leading(one for one in self._doubted.claims if not one.decides and one.judged and one.stands_out)

    @property
    def _doubted(self) -> GroupFairnessFinding:
        """The same at the error rate of doubts, which does not grow with the reader's: no clearing is taken back."""
        return self if self.decision.alpha == DOUBT else self.under(alpha=DOUBT)

    @cached_property
    def hidden(self) -> WithinColumn | None:
        """A column at one value of which a group is shown to fare worse than tolerated, the furthest; None if none."""
        tolerance = self.decision.delta * self.factor
        found = [one for one in self.columns if one.largest_low > tolerance]
        return max(found, key=lambda one: one.largest_low, default=None)

    @property
    def hidden_within(self) -> WithinColumn | None:
        """A column over which a difference is small on average and large at one of its values; None if there is none.

        Asked for where people are compared only within columns.
        """
        hidden = self._doubted.hidden
        return hidden if hidden is not None and hidden.column.name in self.decision.within else None

    @property
    def definition(self) -> str:
        """See the base class."""
        measures = sorted({one.name for one in self.measures})
        parts = (self.kind.name, *measures, *self.decision.reference, *self.decision.within)
        return ", ".join(parts)

    @property
    def worst_upper_bound(self) -> float:
        """Of rates, wherever those left out belong; infinite for numbers and among people who are alike."""
        missing, deciding = self.result.data.rows_left_out, [one for one in self.claims if one.decides]
        if self.result.detail.numbers or self.decision.within or not deciding:
            return math.inf
        return max(
            worst_case(one.high, missing / (min(one.people, one.others) + missing)) if one.judged else math.inf
            for one in deciding
        )

    @cached_in_language
    def by_favourable_answers(self) -> str:
        """See the base class."""
        knows = self.result.detail.has_outcomes and GroupAnswers.of(self.result).good
        if not knows or self.decision.measure == "selection rate":
            return ""
        other = self.under(measure="selection rate")
        claim = other.headlined
        if other.verdict is not Verdict.VIOLATION or claim is None or not math.isfinite(claim.here + claim.there):
            return ""
        return say(
            "By favourable answers among all it would be a violation: {here} of {who} get them, {there} of {against}. "
            "Let these decide where earlier decisions may be unfair.",
            here=share_to_one_decimal(claim.here),
            who=whom(claim.who),
            there=share_to_one_decimal(claim.there),
            against=whom(claim.against),
        )

    @cached_property
    def own_caveats(self) -> tuple[Caveat, ...]:
        """See the base class."""
        return most_serious_first(tuple(_reasons(self)))

    @cached_in_language
    def parts(self) -> dict[str, tuple[Claim, ...]]:
        """Every measure of every group, impact ratios, and the largest differences between groups."""
        shares = not self.result.detail.numbers
        found = parts(self.group_tables, self.decision.alpha, GroupAnswers.of(self.result), shares=shares)
        if self.result.detail.guess is not None:
            found["groups guessed"] = guesses.readings(*self._guessed)  # verbatim
        return found

    @cached_property
    def coverage(self) -> tuple[GroupCoverage, ...]:
        """Prediction sets in every group."""
        return tuple(
            one
            for place, sets in enumerate(self.result.detail.coverage)
            for one in coverage_of(sets, self.sets(place), self.sets(place, common=True))
        )

    @property
    def sets_hold_everything(self) -> bool:
        """Whether the sets that are shown rule out no outcome in any group, as with decisions that often err."""
        sets, classes = self.shown_sets, self.result.detail.classes
        return bool(classes) and sets is not None and bool((self.sets(self.place).size == len(classes)).all())


def _reasons(finding: GroupFairnessFinding) -> Iterator[Caveat]:
    """What the verdict does not speak of, and what forbids to clear."""
    if finding.result.detail.guess is not None:
        yield from guesses.caveats(finding.result.detail.guess, finding.decision.within)
    if finding.by_claims is Verdict.NO_VIOLATION:
        yield from forbidding("clearing", _not_cleared(finding))
    if small := finding.unjudged:
        yield Caveat(
            "warning" if finding.by_claims is Verdict.VIOLATION else "serious",
            say_count(
                "Of {n} comparison of groups one side has fewer than {fewest}, which decides nothing: {first}.",
                "Of {n} comparisons of groups one side has fewer than {fewest}, which decides nothing; the first is "
                "{first}.",
                len(small),
                fewest=say("30 people, or 10 that they belong to")
                if finding.result.detail.clusters is not None
                else say("30 people"),
                first=shortened(small[0].who, LONGEST_VALUE),
            ),
            say("Merge small groups, or bring more rows."),
        )
    if beyond := finding.subjects.beyond:
        yield Caveat(
            "warning",
            say_count(
                "{n} small intersection of groups is not judged.",
                "{n} small intersections of groups are not judged.",
                beyond,
            ),
            say("Choose fewer protected attributes, or combine fewer at once."),
        )
    if finding.decision.outcome == "a decision" and finding.result.detail.has_outcomes:
        yield IS_A_DECISION


def _not_cleared(finding: GroupFairnessFinding) -> Iterator[Caveat]:
    """Why "no violation" is not claimed although all differences of single groups lie within the tolerance."""
    if claim := finding.open_claim:
        yield Caveat("serious", _still_open(claim), say("Bring more rows of these people."))
    yield from out_of_reach(_most_often(finding), finding.decision.delta)
    if hidden := finding.hidden_within:
        yield Caveat(
            "serious",
            say(
                "On average over {column} the difference is small, but at one of its values {who} fare worse than "
                "tolerated.",
                column=hidden.column.name,
                who=whom(hidden.subject.who),
            ),
            say("Look at the table of differences within columns."),
        )


def _still_open(claim: Claim) -> str:
    """That somebody is shown to fare worse, by how much it was found, and that it is open whether by too much."""
    known = {
        "who": upper_first(whom(claim.who)),
        "against": whom(claim.against),
        "found": value_text(claim),
        "tolerated": tolerance_number(claim),
    }
    if claim.scale == "ratio":
        return say(
            "{who} surely get the better answer less often than {against}; whether below {tolerated} times as often is "
            "open: {found} was found.",
            **known,
        )
    return say(
        "{who} surely fare worse than {against}; whether by more than the {tolerated} tolerated is open: {found} was "
        "found.",
        **known,
    )


def _most_often(finding: GroupFairnessFinding) -> float:
    """The largest share of a group that gets the better answer, where that alone decides; else infinite."""
    deciding = [one for one in finding.claims if one.decides and one.scale == "difference"]
    shares = [side for one in deciding for side in (one.here, one.there)]
    known = deciding and all(map(math.isfinite, shares)) and not finding.result.detail.numbers
    if not known or finding.decision.within or not all(one.one_sided for one in deciding):
        return math.inf
    return max(shares)
