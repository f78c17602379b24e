"""Every number of a fair-dummies test that a report shows, collected once."""

import math
from dataclasses import dataclass

import numpy as np

from core.audits.equalized_odds.decision import EqualizedOddsDecision
from core.audits.equalized_odds.result import EqualizedOddsDetail, EqualizedOddsResult
from core.audits.equalized_odds.settings import Asks
from core.audits.equalized_odds.wording import (
    gap_shares,
    shared_text,
    threshold_text,
    verdict_headline,
    verdict_sentence,
)
from core.audits.groups.report import around
from core.audits.groups.report.around import CoverageNumbers, DifferenceNumbers, GroupNumbers, SubgroupNumbers
from core.report.numbers import Numbers


@dataclass(frozen=True)
class GapNumbers:
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
        too_small: Combinations of group and stratum with fewer than 30 people.
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
class AttributeNumbers:
    """The test of one protected attribute.

    Attributes:
        attribute: Its name.
        groups: Its groups or bands.
        people: People in each of them.
        continuous: Whether it was tested as a number.
        p_value: Raw p-value; NaN, like all that follows from it, where no row could be tested.
        p_error: Its Monte-Carlo standard error.
        adjusted_p: p-value adjusted for the other attributes (Holm).
        statistic: Loss of the model that looks for differences, with the groups people belong to.
        null_mean: Mean loss with groups drawn anew.
        null_spread: Standard deviation of those losses.
        dummies: How often groups were drawn anew, K.
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
        gap: The largest difference between its groups.
    """

    attribute: str
    groups: tuple[str, ...]
    people: tuple[int, ...]
    continuous: bool
    p_value: float
    p_error: float
    adjusted_p: float
    statistic: float
    null_mean: float
    null_spread: float
    dummies: int
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
    gap: GapNumbers


@dataclass(frozen=True)
class EqualizedOddsNumbers(Numbers):
    """Everything that follows from a fair-dummies test under decision settings.

    Attributes:
        asks: The question.
        attribute: The attribute that charts and tables show.
        n: People.
        exact: Whether groups were permuted among people with the very same value.
        strata: How many different values, or bands of them, people were compared within.
        attributes: Every protected attribute.
        groups: Every number of every group.
        differences: The largest differences between groups.
        subgroups: How many there are and what is said about them.
        coverage: Prediction sets in every group.
    """

    asks: Asks
    attribute: str
    n: int
    exact: bool
    strata: int
    attributes: tuple[AttributeNumbers, ...]
    groups: tuple[GroupNumbers, ...]
    differences: tuple[DifferenceNumbers, ...]
    subgroups: SubgroupNumbers
    coverage: tuple[CoverageNumbers, ...]

    @property
    def shown(self) -> AttributeNumbers:
        """The attribute that charts and tables show."""
        return next(one for one in self.attributes if one.attribute == self.attribute)


def collect(result: EqualizedOddsResult, decision: EqualizedOddsDecision) -> EqualizedOddsNumbers:
    """All numbers of ``result`` under ``decision``.

    Raises:
        SettingsError: The decision settings names an attribute that was not tested.
    """
    detail = result.detail
    return EqualizedOddsNumbers(
        headline=verdict_headline(result, decision),
        sentence=verdict_sentence(result, decision),
        verdict=detail.verdict(decision),
        reasons=detail.reasons(decision),
        p_value=detail.p_value(decision),
        asks=detail.asks,
        attribute=detail.attributes[detail.place(decision)].name,
        n=len(detail.outcome),
        exact=detail.strata.exact,
        strata=len(detail.strata.names),
        attributes=tuple(_attribute(detail, place, decision) for place in range(len(detail.attributes))),
        groups=around.groups(detail, decision),
        differences=around.differences(detail, decision),
        subgroups=around.subgroups(detail, decision),
        coverage=around.coverage(detail, decision),
    )


def _attribute(detail: EqualizedOddsDetail, place: int, decision: EqualizedOddsDecision) -> AttributeNumbers:
    one, test = detail.attributes[place], detail.tests[place]
    return AttributeNumbers(
        attribute=one.name,
        groups=one.groups,
        people=tuple(np.bincount(one.codes, minlength=len(one.groups)).tolist()),
        continuous=one.continuous,
        p_value=test.p_value,
        p_error=test.p_error,
        adjusted_p=float(detail.adjusted[place]),
        statistic=test.statistic,
        null_mean=math.nan if test.untested else float(test.null.mean()),
        null_spread=math.nan if test.untested else float(test.null.std(ddof=1)),
        dummies=len(test.null),
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
        gap=_gap(detail, place, decision),
    )


def _gap(detail: EqualizedOddsDetail, place: int, decision: EqualizedOddsDecision) -> GapNumbers:
    gap, one = detail.gap(place, decision), detail.attributes[place]
    first, second = gap_shares(detail, place, decision)
    known = gap.stratum >= 0
    return GapNumbers(
        value=gap.value,
        low=gap.low,
        high=gap.high,
        where=(shared_text(detail, gap.stratum) or "everybody") if known else "",
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
