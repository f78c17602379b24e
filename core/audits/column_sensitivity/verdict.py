"""The finding of a column sensitivity test: its verdict, what its reader has to know, and every number.

A lower bound above delta is a violation. "No violation" is said of real changes only, never of slopes: a model that is
flat where people stand may still jump between the groups. It also asks that the bound hold whatever the distribution,
that the share of people who would be decided otherwise lie within the tolerance, and that no group's own mean exceed
it. And it speaks only of the columns that were changed; what the group shows in other columns was left as it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from core.audits.column_sensitivity import KIND
from core.audits.column_sensitivity.decision import ColumnSensitivityDecision
from core.audits.column_sensitivity.result import AttributeScores, ColumnSensitivityResult
from core.doubts import decided_otherwise, few_carry_the_mean, rare_kind, worse_groups
from core.errors import Notice, SettingsError, most_serious_first
from core.finding import OneEstimateFinding
from core.inference.bounded import upper_bound_within_one
from core.inference.estimate import Verdict
from core.inference.holm import holm
from core.inference.mean import mean_of
from core.inference.resampled import EstimateLike, ResampledEstimate
from core.inference.several_means import SeveralMeans, several_means
from core.phrases import count
from core.thresholds import FEWEST_ROWS, SMALL_GROUP

NO_GRADIENTS = "The slope has no value, because the model has no gradients."


@dataclass(frozen=True)
class AttributeSummary:
    """One protected attribute; shares of probability.

    Attributes:
        attribute: Its name.
        read: Whether the model reads it.
        change: Mean change of the answer.
        change_low: Lower end of its interval.
        change_high: Upper end.
        adjusted_p: p-value of "the mean change is at most the tolerance", adjusted for the other attributes (Holm).
        slope: Mean slope; NaN, like its interval, if the model has no gradients.
        slope_low: Lower end of its interval.
        slope_high: Upper end.
        flipped: People who would get another predicted outcome in some other group.
        flipped_low: Lower end of the share's interval (Wilson).
        flipped_high: Upper end.
    """

    attribute: str
    read: bool
    change: float
    change_low: float
    change_high: float
    adjusted_p: float
    slope: float
    slope_low: float
    slope_high: float
    flipped: int
    flipped_low: float
    flipped_high: float


@dataclass(frozen=True)
class GroupSummary:
    """The read measure among people of one group; the intervals of all groups hold together."""

    group: str
    people: int
    mean: float
    low: float
    high: float


@dataclass(frozen=True)
class ShiftSummary:
    """By how much an encoded column changes on average when everybody else is put into a group.

    Attributes:
        column: Its name, as the encoder names it.
        group: The group people are put into.
        shift: Mean change in original units, or of an indicator's share.
        indicator: Whether the column marks a category by 0 and 1.
    """

    column: str
    group: str
    shift: float
    indicator: bool


class ColumnSensitivityFinding(OneEstimateFinding[ColumnSensitivityResult, ColumnSensitivityDecision]):
    """What a column sensitivity test found under decision settings; see the base class.

    Raises:
        SettingsError: The decision settings name an attribute that was not measured.
    """

    kind = KIND
    recorded = ("attribute", *OneEstimateFinding.recorded, "attributes", "groups", "groups_p", "shifts", "learned_on")

    @cached_property
    def scores(self) -> AttributeScores:
        """The attribute the verdict is about: the decision's, or the first."""
        attributes = self.result.detail.attributes
        for one in attributes:
            if self.decision.attribute in ("", one.attribute):
                return one
        raise SettingsError(
            f"{self.decision.attribute!r} was not changed in this audit.",
            where="setting 'Protected attribute'",
            advice=f"Choose among {', '.join(repr(one.attribute) for one in attributes)}.",
        )

    @cached_property
    def inference(self) -> EstimateLike:
        """Mean of the decision's measure, with the studentised bootstrap's bounds and p-value."""
        detail, measure, values = self.result.detail, self.decision.measure, self.scores.values(self.decision.measure)
        if np.isnan(values).any():
            return ResampledEstimate(float("nan"), len(values), np.empty(0), undefined=NO_GRADIENTS)
        largest = 1.0 if measure == "change" else float("inf")
        return self.once(
            ("mean", self.attribute, measure),
            lambda: mean_of(values, draws=detail.draws, seed=detail.seed, largest=largest),
        )

    @cached_property
    def group_means(self) -> SeveralMeans:
        """The measure by the people's own group, with intervals that hold together."""
        one, detail, decision = self.scores, self.result.detail, self.decision
        return self.once(
            ("groups", one.attribute, decision.measure, decision.alpha),
            lambda: several_means(
                one.values(decision.measure),
                one.codes,
                len(one.groups),
                decision.alpha,
                draws=detail.draws,
                seed=detail.seed,
            ),
        )

    @cached_property
    def bound_within_one(self) -> float:
        """Upper bound of the mean change that holds whatever the distribution of changes in 0 to 1."""
        change, alpha, seed = self.scores.change, self.decision.alpha, self.result.detail.seed
        return self.once(
            ("bound", self.attribute, alpha),
            lambda: upper_bound_within_one(np.clip(change, 0.0, 1.0), alpha, draws=9_999, seed=seed),
        )

    @cached_property
    def verdict(self) -> Verdict:
        """See the base class."""
        found = self.inference.verdict(self.decision.delta, self.decision.alpha)
        if len(self.scores.codes) < FEWEST_ROWS:
            return Verdict.INSUFFICIENT
        if found is Verdict.NO_VIOLATION and any(_blind(self)):
            return Verdict.INSUFFICIENT
        return found

    @cached_property
    def reasons(self) -> tuple[Notice, ...]:
        """See the base class."""
        if self.undefined:
            return (Notice("serious", self.undefined, "Read the change of the answer instead."),)
        values = self.scores.values(self.decision.measure)
        notices = [*_always(self), *few_carry_the_mean(values, "people", "more rows")]
        if self.inference.verdict(self.decision.delta, self.decision.alpha) is Verdict.NO_VIOLATION:
            notices += _blind(self)
        return most_serious_first(notices)

    @property
    def attribute(self) -> str:
        """The attribute the verdict is about."""
        return self.scores.attribute

    @cached_property
    def attributes(self) -> tuple[AttributeSummary, ...]:
        """Every attribute that was changed."""
        each = [
            (
                one,
                self.under(attribute=one.attribute, measure="change"),
                self.under(attribute=one.attribute, measure="slope"),
            )
            for one in self.result.detail.attributes
        ]
        adjusted = holm(np.array([change.p_value for _, change, _ in each]))
        return tuple(
            _summary(one, change, slope, float(p_value))
            for (one, change, slope), p_value in zip(each, adjusted, strict=True)
        )

    @cached_property
    def groups(self) -> tuple[GroupSummary, ...]:
        """The measure by people's own group; empty where it is undefined."""
        if self.undefined:
            return ()
        found = self.group_means
        rows = zip(self.scores.groups, found.rows, found.means, found.low, found.high, strict=True)
        return tuple(
            GroupSummary(name, int(people), float(mean), float(low), float(high))
            for name, people, mean, low, high in rows
        )

    @property
    def groups_p(self) -> float:
        """p-value of "the means of all groups are alike"; NaN with fewer than two large groups."""
        return float("nan") if self.undefined else self.group_means.p_value

    @cached_property
    def shifts(self) -> tuple[ShiftSummary, ...]:
        """What changes in the encoded columns."""
        encoder, one = self.result.model.encoder, self.scores
        scale = {
            name: getattr(encoder.columns[source], "scale", None)
            for name, source in zip(encoder.names, encoder.sources, strict=True)
        }
        return tuple(
            ShiftSummary(name, group, float(one.shift[g, j]) * (scale[name] or 1.0), scale[name] is None)
            for j, name in enumerate(one.columns)
            for g, group in enumerate(one.groups)
        )

    @property
    def learned_on(self) -> int:
        """Rows the mean changes of features were learned from."""
        return self.result.detail.learned_on


def _summary(
    one: AttributeScores, change: ColumnSensitivityFinding, slope: ColumnSensitivityFinding, adjusted: float
) -> AttributeSummary:
    share = one.flips.two_sided(change.decision.alpha)
    return AttributeSummary(
        one.attribute,
        one.read,
        change.estimate,
        change.interval.low,
        change.interval.high,
        adjusted,
        slope.estimate,
        slope.interval.low,
        slope.interval.high,
        one.flips.count,
        share.low,
        share.high,
    )


def _blind(finding: ColumnSensitivityFinding) -> Iterator[Notice]:
    """Why "no violation" is not claimed, though the upper bound lies at or below delta."""
    one, decision = finding.scores, finding.decision
    if decision.measure == "slope":
        yield Notice(
            "serious",
            "A small slope excludes nothing: a model that is flat where people stand may still jump between the "
            "groups.",
            "Read the change of the answer.",
        )
        return
    missed = f"{len(one.change):,} rows may miss a rare kind of people"
    yield from rare_kind(finding.bound_within_one, decision.delta, missed, "rows")
    changed = one.flips
    yield from decided_otherwise(
        changed,
        decision,
        f"{changed.count:,} of {changed.n:,} people would be decided otherwise in another group; up to",
        "may be",
        "Bring more rows, or look at these people.",
    )
    low = finding.group_means.low
    yield from worse_groups(one.groups, low, decision.delta, f"people of {one.attribute}", "everybody")


def _always(finding: ColumnSensitivityFinding) -> Iterator[Notice]:
    """What the verdict does not speak of."""
    one = finding.scores
    if len(one.codes) < FEWEST_ROWS:
        measured = count(len(one.codes), "person was", "people were")
        yield Notice("serious", f"Only {measured} measured.", "Bring more rows.")
    rows = np.bincount(one.codes, minlength=len(one.groups))
    rare = [f"{name} ({people:,})" for name, people in zip(one.groups, rows, strict=True) if people < SMALL_GROUP]
    if rare:
        yield Notice(
            "serious",
            f"Everybody was also put into groups that hardly anybody belongs to: {one.attribute} "
            f"{', '.join(rare[:5])}{', …' if len(rare) > 5 else ''}. They count as much as the others, and what the "
            "model says of them may be a guess.",
            "Check them for typing errors, merge small groups, or cut a number such as age into bins.",
        )
    if not one.read:
        yield Notice(
            "warning",
            f"The model does not read {one.attribute!r}; only {', '.join(map(repr, finding.result.detail.through))} "
            "changed with it.",
            "Name every feature that carries it and should not count.",
        )
    yield Notice(
        "info",
        "Only the columns named here were changed. What the group shows in others was left as it is.",
        "Use the gradient-flow or the transport test to look at all columns together.",
    )
