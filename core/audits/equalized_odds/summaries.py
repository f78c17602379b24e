"""What the record and the report keep of an equalized odds test, attribute by attribute."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from core.audits.equalized_odds.compared import gap_shares, shared_text, threshold_text
from core.audits.equalized_odds.effects import MeanDifference
from core.audits.equalized_odds.gap import EqualizedOddsGap
from core.audits.equalized_odds.result import EqualizedOddsDetail
from core.data.attribute import Attribute
from core.language.told import say_as


@dataclass(frozen=True)
class GapSummary:
    """The largest difference between two groups of an attribute; shares of people.

    Attributes:
        value: The difference; NaN where no two groups can be compared.
        low: Lower bound of the largest difference.
        high: Upper bound of every difference.
        where: What the compared people have in common; empty without a difference.
        first: The group with the larger share; empty without a difference.
        first_share: Its share above the threshold.
        second: The group with the smaller share.
        second_share: Its share above the threshold.
        answer: The class whose probability differs, or that is decided for; empty where answers are numbers.
        threshold: Where the shares differ most, in the answer's units.
        too_small: Combinations of group and stratum with fewer than 30 people, or than 10 clusters that they belong to.
        counted: What the people counted have, in words: an answer, one above the threshold; empty without a difference.
    """

    value: float
    low: float
    high: float
    where: str
    first: str
    first_share: float
    second: str
    second_share: float
    answer: str
    threshold: float
    too_small: int
    counted: str


@dataclass(frozen=True)
class MeanSummary:
    """The mean difference between two groups of an attribute, in the outcome's units.

    Attributes:
        more: The group with the larger mean.
        less: The other group.
        value: The difference.
        low: Lower end of an interval that holds for all differences together.
        high: Its upper end.
        given_low: Smallest outcome (answer, for calibration) of the people compared; NaN where everybody is.
        given_high: Their largest one.
        everywhere: Whether it is the mean over all of them, not a part.
    """

    more: str
    less: str
    value: float
    low: float
    high: float
    given_low: float
    given_high: float
    everywhere: bool


@dataclass(frozen=True)
class AttributeSummary:
    """The test of one protected attribute.

    Attributes:
        attribute: Its name.
        groups: Its groups or quantile bins.
        people: People in each of them.
        continuous: Whether it was tested as a number.
        p_value: p-value of the fair dummies; NaN, like all that follows from it, where no row could be tested.
        p_error: Its Monte-Carlo standard error.
        adjusted_p: p-value of "its groups differ by no more than the tolerance", adjusted for the other attributes.
        different_p: p-value of "its groups do not differ", adjusted likewise.
        statistic: Loss of the model that looks for differences, with the groups people belong to.
        null_mean: Mean loss with groups drawn anew.
        null_spread: Standard deviation of those losses.
        dummies: How often groups were drawn anew, K; in each split where there are several.
        splits: Random splits into rows to learn from and rows to test; 0 where none is needed.
        learned: Rows that model was learned from.
        tested: Rows tested.
        left_out: Rows not tested, since everybody with their outcome is of one group.
        single_strata: Outcomes with one group only.
        tiny_strata: Outcomes with hardly anybody of several groups.
        learner: What looked for differences.
        learner_r2: Share of the answers' variance it explains on the tested rows.
        resampling: How groups were drawn anew.
        other_p: p-value under the other way to draw them; NaN without one.
        calibration_p: p-value of "who belongs to which group was learned rightly"; NaN where it was not needed.
        gap: The largest difference between its groups, in shares of people.
        means: Differences between its groups' means; empty where answers are classes.
    """

    attribute: str
    groups: tuple[str, ...]
    people: tuple[int, ...]
    continuous: bool
    p_value: float
    p_error: float
    adjusted_p: float
    different_p: float
    statistic: float
    null_mean: float
    null_spread: float
    dummies: int
    splits: int
    learned: int
    tested: int
    left_out: int
    single_strata: int
    tiny_strata: int
    learner: str
    learner_r2: float
    resampling: str
    other_p: float
    calibration_p: float
    gap: GapSummary
    means: tuple[MeanSummary, ...]


def summarise(
    detail: EqualizedOddsDetail,
    place: int,
    gap: EqualizedOddsGap,
    *,
    adjusted_p: float,
    different_p: float,
    means: tuple[MeanSummary, ...],
) -> AttributeSummary:
    """The test of an attribute, its p-values adjusted for the others, and its largest gap."""
    one, test = detail.attributes[place], detail.tests[place]
    return AttributeSummary(
        attribute=one.name,
        groups=one.groups,
        people=tuple(np.bincount(one.codes, minlength=len(one.groups)).tolist()),
        continuous=one.continuous,
        p_value=test.p_value,
        p_error=test.p_error,
        adjusted_p=adjusted_p,
        different_p=different_p,
        statistic=test.statistic,
        null_mean=math.nan if test.untested else float(test.null.mean()),
        null_spread=math.nan if test.untested else float(test.null.std(ddof=1)),
        dummies=len(test.null),
        splits=len(test.by_split) or int(test.resampling != "permutation"),
        learned=test.learned,
        tested=test.tested,
        left_out=test.left_out,
        single_strata=test.single_strata,
        tiny_strata=test.tiny_strata,
        learner=test.learner,
        learner_r2=test.learner_r2,
        resampling=test.resampling,
        other_p=test.other_p_value,
        calibration_p=math.nan if test.calibration is None else test.calibration.p_value,
        gap=_summarise_gap(detail, place, gap),
        means=means,
    )


def summarise_means(
    attribute: Attribute, differences: tuple[MeanDifference, ...], spread: float
) -> tuple[MeanSummary, ...]:
    """Differences of an attribute's groups, which are in spreads of the outcome, in its units."""
    return tuple(
        MeanSummary(
            more=attribute.groups[one.groups[0]],
            less=attribute.groups[one.groups[1]],
            value=spread * one.value,
            low=spread * one.low,
            high=spread * one.high,
            given_low=one.ends[0],
            given_high=one.ends[1],
            everywhere=one.everywhere,
        )
        for one in differences
    )


def _summarise_gap(detail: EqualizedOddsDetail, place: int, gap: EqualizedOddsGap) -> GapSummary:
    one, known = detail.attributes[place], gap.stratum >= 0
    first, second = gap_shares(detail, place, gap)
    return GapSummary(
        value=gap.value,
        low=gap.low,
        high=gap.high,
        where=(shared_text(detail, gap.stratum) or say_as("among whom", "everybody")) if known else "",
        first=one.groups[gap.groups[0]] if known else "",
        first_share=first,
        second=one.groups[gap.groups[1]] if known else "",
        second_share=second,
        answer=detail.classes[gap.answer % len(detail.classes)]
        if known and detail.classes and detail.asks != "calibration"
        else "",
        threshold=gap.threshold,
        too_small=len(gap.small),
        counted=threshold_text(detail, gap) if known else "",
    )
