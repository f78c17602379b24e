"""The finding of a column sensitivity test: its verdict, what its reader has to know, and every number.

A lower bound above delta is a violation. "No violation" is said of real changes only, never of slopes: a model that is
flat where people stand may still jump between the groups. It also asks that the bound hold whatever the distribution,
that the share of people who would be decided otherwise lie within the tolerance, and that no group's own mean exceed
it. And it speaks only of the columns that were changed; what the group shows in other columns was left as it is.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from core.audits.column_sensitivity import KIND, doubts
from core.audits.column_sensitivity.decision import ColumnSensitivityDecision
from core.audits.column_sensitivity.result import AttributeScores, ColumnSensitivityResult
from core.audits.column_sensitivity.summaries import AttributeSummary, GroupSummary, ShiftSummary
from core.doubts import few_carry_the_mean
from core.errors import Notice, SettingsError, most_serious_first
from core.finding import OneEstimateFinding
from core.inference.bounded import upper_bound_within_one
from core.inference.estimate import Verdict
from core.inference.holm import holm
from core.inference.mean import mean_of
from core.inference.resampled import EstimateLike, ResampledEstimate
from core.inference.several_means import SeveralMeans, several_means
from core.thresholds import FEWEST_ROWS

NO_GRADIENTS = "The slope has no value, because the model has no gradients."


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
    def own_verdict(self) -> Verdict:
        """See the base class."""
        found = self.inference.verdict(self.decision.delta, self.decision.alpha)
        if len(self.scores.codes) < FEWEST_ROWS:
            return Verdict.INSUFFICIENT
        if found is Verdict.NO_VIOLATION and self._hidden:
            return Verdict.INSUFFICIENT
        return found

    @cached_property
    def own_reasons(self) -> tuple[Notice, ...]:
        """See the base class."""
        if self.undefined:
            return (Notice("serious", self.undefined, "Read the change of the answer instead."),)
        values = self.scores.values(self.decision.measure)
        notices = [
            *doubts.always(self.scores, self.result.detail.through),
            *few_carry_the_mean(values, "people", "more rows"),
        ]
        if self.inference.verdict(self.decision.delta, self.decision.alpha) is Verdict.NO_VIOLATION:
            notices += self._hidden
        return most_serious_first(notices)

    @cached_property
    def _hidden(self) -> tuple[Notice, ...]:
        """Why "no violation" is not claimed, though the upper bound lies at or below delta."""
        if self.decision.measure == "slope":
            return (doubts.SLOPES_EXCLUDE_NOTHING,)
        return tuple(doubts.hidden(self.scores, self.decision, self.bound_within_one, self.group_means.low))

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
