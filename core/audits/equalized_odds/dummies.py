"""The fair dummies of each attribute as record and report hold them."""

import math
from dataclasses import dataclass, fields

import numpy as np

from core.audits.equalized_odds.result import EqualizedOddsDetail, TestedWith


@dataclass(frozen=True)
class FairDummies(TestedWith):
    """The fair dummies of one protected attribute, which say whether there is a difference and nothing of its size.

    Attributes:
        groups: Its groups or quantile bins.
        people: People in each of them.
        continuous: Whether it was tested as a number.
        p_value: p-value of the fair dummies; NaN, like all that follows from it, where no row could be tested.
        p_error: Its Monte-Carlo standard error.
        different_p: p-value of "its groups do not differ", joined with that of the size, adjusted for the others.
        statistic: Loss of the model that looks for differences, with the groups people belong to.
        null_mean: Mean loss with groups drawn anew.
        null_spread: Standard deviation of those losses.
        dummies: How often groups were drawn anew, K; in each split where there are several.
        splits: Random splits into rows to learn from and rows to test; 0 where none is needed.
        other_p: p-value under the other way to draw them; NaN without one.
        calibration_p: p-value of "who belongs to which group was learned rightly"; NaN where it was not needed.
        too_small: Combinations of group and stratum with fewer than 30 people, or than 10 clusters that they belong to.
    """

    groups: tuple[str, ...]
    people: tuple[int, ...]
    continuous: bool
    p_value: float
    p_error: float
    different_p: float
    statistic: float
    null_mean: float
    null_spread: float
    dummies: int
    splits: int
    other_p: float
    calibration_p: float
    too_small: int


def fair_dummies(detail: EqualizedOddsDetail, place: int, *, different_p: float, too_small: int) -> FairDummies:
    """The test of an attribute; its p-value of "no difference" joined with the size's and adjusted for the others."""
    one, test = detail.attributes[place], detail.tests[place]
    return FairDummies(
        **{field.name: getattr(test, field.name) for field in fields(TestedWith)},
        groups=one.groups,
        people=tuple(np.bincount(one.codes, detail.times, len(one.groups)).astype(int).tolist()),
        continuous=one.continuous,
        p_value=test.p_value,
        p_error=test.p_error,
        different_p=different_p,
        statistic=test.statistic,
        null_mean=math.nan if test.untested else float(test.null.mean()),
        null_spread=math.nan if test.untested else float(test.null.std(ddof=1)),
        dummies=len(test.null),
        splits=len(test.by_split) or int(test.resampling != "permutation"),
        other_p=test.other_p_value,
        calibration_p=math.nan if test.calibration is None else test.calibration.p_value,
        too_small=too_small,
    )
