"""The finding of a column sensitivity test: its verdict, what its reader has to know, and every number.

Every protected attribute is judged: a mean change whose lower bound exceeds delta is a violation (the bounds of all
attributes hold together, as in Holm's first step), and "no violation" takes the upper bounds of all. It is said of real
changes only, never of slopes: a model that is flat where people stand may still jump between the groups. It also asks
that the share of people who would be decided otherwise lie within the tolerance, that no group and no corner of the
table is shown to be beyond it, and that no feature tells the attribute without having changed with it. And it speaks
only of the columns that were changed; what the group shows in other columns was left as it is.
"""

import math
from functools import cached_property

import numpy as np

from core.audits.column_sensitivity import KIND, doubts
from core.audits.column_sensitivity.decision import ColumnMeasure, ColumnSensitivityDecision
from core.audits.column_sensitivity.result import AttributeScores, ColumnSensitivityResult, Shift
from core.base.errors import Caveat, forbidding, most_serious_first
from core.base.thresholds import FEWEST_ROWS
from core.caveats.doubts import few_carry_the_mean
from core.claims import Claim
from core.contracts.decision import place_of
from core.data.labels import condition
from core.inference.bounded import means_with_zero
from core.inference.estimate import Verdict
from core.inference.evidence import Adjusted
from core.inference.excess import (
    GROUP_DRAWS,
    LEVEL,
    GroupExcess,
    GroupSample,
    corners_beyond,
    excesses,
    shown_beyond,
    too_small,
)
from core.inference.mean import mean_of
from core.inference.paired import EachRow
from core.inference.resampled import ResampledEstimate
from core.inference.sampling import Sampling
from core.inference.several_means import SeveralMeans, several_means
from core.inference.share import Share, worst_case
from core.language.cached import cached_in_language
from core.language.told import retold, say
from core.moved_answers import decided_otherwise, means_of_groups, open_share
from core.one_estimate import OneEstimateFinding

NO_GRADIENTS = say("The slope has no value, because the model has no gradients.")
NAME: dict[ColumnMeasure, str] = {
    "change": say("Mean change of the answer"),
    "slope": say("Mean change of the answer as its slope promises"),
}
"""What is estimated, as the beginning of a sentence; a heading of tables and charts."""


class ColumnSensitivityFinding(OneEstimateFinding[ColumnSensitivityResult, ColumnSensitivityDecision]):
    """What a column sensitivity test found under decision settings; see the base class.

    The estimate with its bounds is that of the attribute that decides: for a violation the one whose lower bound is
    largest, otherwise the one whose upper bound is.

    Raises:
        SettingsError: The decision settings name an attribute that was not measured.
    """

    kind = KIND
    recorded = ("attribute", *OneEstimateFinding.recorded, "groups_p", "shifts", "learned_on")

    @property
    def reads_outcomes(self) -> bool:
        """Never: answers are held against each other."""
        return False

    @cached_property
    def estimates(self) -> tuple[Adjusted, ...]:
        """Mean of the decision's measure by attribute, as one of all that are judged together."""
        attributes = self.result.detail.attributes
        return tuple(Adjusted(self._mean(one, self.decision.measure), len(attributes)) for one in attributes)

    @cached_property
    def _place(self) -> int:
        """The attribute that decides."""
        alpha, places = self.decision.alpha, range(len(self.estimates))
        lower = [one.lower_bound(alpha) for one in self.estimates]
        upper = [one.upper_bound(alpha) for one in self.estimates]
        bounds = lower if max(lower) > self.decision.delta else upper
        return max(places, key=lambda place: (bounds[place], self.estimates[place].value))

    @property
    def judged_together(self) -> int:
        """All attributes."""
        return len(self.result.detail.attributes)

    @cached_property
    def inference(self) -> ResampledEstimate:
        """The mean of the attribute that decides, by itself."""
        return self._mean(self.decides, self.decision.measure)

    @property
    def deciding(self) -> Claim:
        """See the base class."""
        return self.claims[self._place]

    @property
    def headlined(self) -> Claim | None:
        """See the base class; who would be decided otherwise, where only that is open."""
        one, flips = self.most_flips
        return open_share(self, one.attribute, flips) or super().headlined

    @property
    def what(self) -> str:
        """See the base class."""
        return retold(NAME[self.decision.measure])

    @cached_in_language
    def claims(self) -> tuple[Claim, ...]:
        """One an attribute."""
        return self._claims(self.decision.measure)

    def _claims(self, measure: ColumnMeasure) -> tuple[Claim, ...]:
        """What a measure says of each attribute; intervals hold together, and no direction is a harm."""
        attributes = self.result.detail.attributes
        means = [self._mean(one, measure) for one in attributes]
        return tuple(
            Claim.of_evidence(
                Adjusted(mean, len(attributes)),
                self.decision.delta,
                self.decision.alpha,
                who=one.attribute,
                what=retold(NAME[measure]),
                unit=self.unit,
                people=len(one.codes),
                judged=len(one.codes) >= FEWEST_ROWS,
                one_sided=False,
                why=retold(mean.undefined),
            )
            for one, mean in zip(attributes, means, strict=True)
        )

    @cached_in_language
    def parts(self) -> dict[str, tuple[Claim, ...]]:
        """The measure that is not read; groups of the shown attribute; who would be decided otherwise."""
        alpha, attributes = self.decision.alpha, self.result.detail.attributes
        otherwise = say("Share decided otherwise")
        other: ColumnMeasure = "slope" if self.decision.measure == "change" else "change"
        return {
            "column sensitivity interval": self._claims(other),  # verbatim
            "column sensitivity groups": self._groups,  # verbatim
            "column sensitivity flips": (  # verbatim
                *(decided_otherwise(one.attribute, otherwise, one.flips, alpha) for one in attributes),
                *(
                    decided_otherwise(
                        condition(one.attribute, one.group), otherwise, one.changed, alpha, p_value=one.p_changed
                    )
                    for one in self._of_shown
                ),
            ),
        }

    @property
    def _groups(self) -> tuple[Claim, ...]:
        """The measure by people's own group of the shown attribute; empty where it is undefined."""
        if self.undefined:
            return ()
        p_values = [one.p_mean for one in self._of_shown] if self.decision.measure == "change" else ()
        attribute, groups, alpha = self.scores.attribute, self.scores.groups, self.decision.alpha
        return means_of_groups(attribute, groups, self.group_means, self.pictured, alpha=alpha, p_values=p_values)

    @property
    def _of_shown(self) -> list[GroupExcess]:
        return [one for one in self.excesses if one.attribute == self.scores.attribute]

    @property
    def decides(self) -> AttributeScores:
        """The attribute that decides."""
        return self.result.detail.attributes[self._place]

    @property
    def attribute(self) -> str:
        """The name of the attribute that decides."""
        return self.decides.attribute

    @cached_property
    def _shown(self) -> int:
        names, wanted = [one.attribute for one in self.result.detail.attributes], self.decision.attribute
        return place_of(wanted, names, "changed") if wanted else self._place

    @property
    def scores(self) -> AttributeScores:
        """The attribute that charts and tables show: the decision's, or the one that decides."""
        return self.result.detail.attributes[self._shown]

    @property
    def pictured(self) -> Claim:
        """What is claimed of the attribute that charts and tables show."""
        return self.claims[self._shown]

    @property
    def p_value(self) -> float:
        """Of "no attribute's mean exceeds the tolerance": the smallest of the adjusted ones."""
        return float(np.min([one.p_value(self.decision.delta) for one in self.estimates]))

    @cached_property
    def group_means(self) -> SeveralMeans:
        """The measure of the shown attribute by people's own group, with intervals that hold together."""
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
                sampling=Sampling(one.clusters),
            ),
        )

    @cached_property
    def excesses(self) -> tuple[GroupExcess, ...]:
        """Whether the change is beyond the tolerance in any group of any attribute."""
        groups = [(one, g) for one in self.result.detail.attributes for g in range(len(one.groups))]
        samples = [
            GroupSample(one.attribute, one.groups[g], one.change[one.codes == g], one.flips_of(g), one.attribute)
            for one, g in groups
        ]

        def means(place: int) -> np.ndarray:
            one, g = groups[place]
            clusters, seed = one.clusters_of(g), self.result.detail.seed + place
            return self.once(
                ("group", place),
                lambda: means_with_zero(samples[place].values, draws=GROUP_DRAWS, seed=seed, clusters=clusters),
            )

        return excesses(samples, self.decision.delta, means)

    @cached_property
    def beyond(self) -> tuple[GroupExcess, ...]:
        """The groups, then the corners, shown to be beyond the tolerance, at levels that do not follow the reader's."""
        detail = self.result.detail
        corners = corners_beyond(
            detail.corners,
            [(one.attribute, one.change, one.flipped) for one in detail.attributes],
            self.decision.delta,
            detail.attributes[0].clusters,
        )
        return (*shown_beyond(self.excesses, LEVEL), *corners)

    @cached_property
    def most_flips(self) -> tuple[AttributeScores, Share]:
        """The attribute for which most people would be decided otherwise, and how many."""
        return max(((one, one.flips) for one in self.result.detail.attributes), key=lambda pair: pair[1].count)

    @property
    def worst_upper_bound(self) -> float:
        """Of mean changes and shares decided otherwise, whatever happens to those left out; infinite for slopes."""
        if self.decision.measure == "slope":
            return math.inf
        data, alpha = self.result.data, self.decision.alpha
        of_flips = (one.flips.upper_bound(alpha) for one in self.result.detail.attributes)
        known = max(*(one.upper_bound(alpha) for one in self.estimates), *of_flips)
        return worst_case(known, data.rows_left_out / max(data.rows_read, 1))

    @cached_property
    def own_caveats(self) -> tuple[Caveat, ...]:
        """See the base class."""
        if self.undefined:
            return (Caveat("serious", self.undefined, say("Read the change of the answer instead.")),)
        detail, measure = self.result.detail, self.decision.measure
        beyond = self.beyond if self.by_claims is not Verdict.VIOLATION else ()
        caveats = [
            *(self._hidden or doubts.worse(beyond, self.decision.delta)),
            *(caveat for one in detail.attributes for caveat in doubts.always(one, detail.through)),
            *(doubts.told_by(detail.tells) if self.by_claims is Verdict.INSUFFICIENT else ()),
            *doubts.unjudged(too_small(self.excesses, self.decision.delta)),
            *few_carry_the_mean(self.decides.values(measure), say("people"), say("more rows")),
        ]
        return most_serious_first(caveats)

    @cached_property
    def _hidden(self) -> tuple[Caveat, ...]:
        """Why "no violation" is not claimed, though all upper bounds lie at or below delta; empty where they do not."""
        if self.by_claims is not Verdict.NO_VIOLATION:
            return ()
        if self.decision.measure == "slope":
            return forbidding("clearing", (doubts.SLOPES_EXCLUDE_NOTHING,))
        detail = self.result.detail
        told, hidden = doubts.told_by(detail.tells), doubts.hidden(detail.attributes, self.decision, self.beyond)
        return forbidding("clearing", (*told, *hidden))

    def each_row(self, claim: Claim) -> EachRow | None:
        """What a claim averages over; None where it is not known which rows of the table were measured."""
        if self.result.data.rows_left_out or self.result.detail.through:
            return None
        one = next(one for one in self.result.detail.attributes if one.attribute == claim.who)
        largest = 1.0 if self.decision.measure == "change" else None
        return EachRow(np.arange(len(one.codes)), one.values(self.decision.measure), largest, one.clusters)

    def _mean(self, one: AttributeScores, measure: ColumnMeasure) -> ResampledEstimate:
        detail, values = self.result.detail, one.values(measure)
        if np.isnan(values).any():
            return ResampledEstimate(float("nan"), len(values), np.empty(0), undefined=retold(NO_GRADIENTS))
        largest = 1.0 if measure == "change" else float("inf")
        return self.once(
            ("mean", one.attribute, measure),
            lambda: mean_of(values, draws=detail.draws, seed=detail.seed, largest=largest, clusters=one.clusters),
        )

    @property
    def groups_p(self) -> float:
        """p-value of "the means of all groups are alike"; NaN with fewer than two large groups."""
        return float("nan") if self.undefined else self.group_means.p_value

    @cached_property
    def shifts(self) -> tuple[Shift, ...]:
        """What changes in the encoded columns."""
        encoder, one = self.result.model.encoder, self.scores
        scale = {
            name: getattr(encoder.columns[source], "scale", None)
            for name, source in zip(encoder.names, encoder.sources, strict=True)
        }
        return tuple(
            Shift(name, group, float(one.shift[g, j]) * (scale[name] or 1.0), scale[name] is None)
            for j, name in enumerate(one.columns)
            for g, group in enumerate(one.groups)
        )
