"""What an equalized odds test keeps: who was answered what, and how the groups drawn anew compare."""

import math
from dataclasses import dataclass

import numpy as np

from core.audits.equalized_odds.settings import Asks, EqualizedOdds
from core.base.thresholds import FEWEST_ROWS
from core.data.attribute import Attribute
from core.inference.p_values import mean_normal_score, monte_carlo_p
from core.language.phrases import listed
from core.language.told import Retelling, retold, say
from core.models.answered import Answered
from core.result import AuditResult

CONTRADICTED = 0.01
"""Below this p-value the rows contradict the model of P(A | Y)."""


@dataclass(frozen=True)
class Strata:
    """The people among whom groups are exchanged; s strata.

    Attributes:
        names: What people of a stratum have in common: an outcome; for numbers, from where to where.
        codes: Stratum of each of the n people, shape (n,), int64.
        exact: Whether all people of a stratum have the same value, so that permuting them is exact.
    """

    names: tuple[str, ...]
    codes: np.ndarray
    exact: bool

    def name(self, place: int) -> str:
        """What people of a stratum have in common, in the reader's language."""
        return retold(self.names[place])


@dataclass(frozen=True)
class AttributeCalibration:
    """How well the model of P(A | Y), learned on other rows, says who belongs to which group; b bins, g groups.

    Attributes:
        group: Group each bin is about, shape (b,), int; for a continuous attribute the quantile's place.
        expected: Mean probability of the group in the bin; for a continuous attribute the share promised; shape (b,).
        observed: Share of people who belong to it, shape (b,).
        rows: People in the bin, shape (b,), int.
        p_value: Of "the model is right", over all bins.
    """

    group: np.ndarray
    expected: np.ndarray
    observed: np.ndarray
    rows: np.ndarray
    p_value: float


@dataclass(frozen=True)
class TestedWith(Retelling):
    """What a test of one protected attribute rests on.

    Attributes:
        attribute: Its name.
        learned: Rows r̂ was learned from; those tested, where it was learned anew from each set of dummies.
        tested: Rows tested.
        left_out: Rows not tested, since all people of their stratum are of one group.
        single_strata: Strata with one group only.
        tiny_strata: Strata of several groups with too few people for their permutations to say anything.
        learner: What r̂ is, in words.
        learner_r2: Share of the answers' variance that r̂ and the strata explain beyond the mean, on the tested rows.
        resampling: How the dummies were drawn; "permutation" within strata is exact.
    """

    attribute: str
    learned: int
    tested: int
    left_out: int
    single_strata: int
    tiny_strata: int
    learner: str
    learner_r2: float
    resampling: str


@dataclass(frozen=True)
class AttributeTest(TestedWith):
    """The test of one protected attribute with K dummies; of one that could not be tested K is 0 and numbers are NaN.

    Attributes:
        statistic: t*: mean loss of r̂ with the groups people belong to.
        null: Mean loss with each set of dummies, shape (K,).
        calibration: How well P(A | Y) was learned; None where it was not needed.
        other_null: Mean losses under the other way to draw dummies, shape (K,); empty where permutation is exact.
        by_split: p-values of each random split into rows to learn from and rows to test, or of each draw of one row a
            cluster, shape (s, 2): drawn as asked, and the other way. Losses, rows and chart of the calibration are
            those of the first. Empty without splits.
    """

    statistic: float
    null: np.ndarray
    calibration: AttributeCalibration | None
    other_null: np.ndarray
    by_split: np.ndarray

    @property
    def untested(self) -> bool:
        """Whether no row could be tested: people who are compared with each other are all of one group."""
        return not len(self.null)

    @property
    def p_value(self) -> float:
        """(1 + number of dummies with a loss no larger) / (K + 1) (Algorithm 2, line 7); NaN if untested.

        Those of several splits are joined by the mean of their normal scores.
        """
        return self._joined(0)[0]

    @property
    def other_p_value(self) -> float:
        """The p-value under the other way to draw dummies; NaN without one."""
        return self._joined(1)[0] if len(self.other_null) else math.nan

    @property
    def sound(self) -> bool:
        """Whether a small p-value would prove a dependence: enough rows, which do not contradict P(A | Y)."""
        contradicted = self.calibration is not None and self.calibration.p_value < CONTRADICTED
        return not contradicted and self.tested >= FEWEST_ROWS

    @property
    def p_error(self) -> float:
        """Monte-Carlo standard error of the p-value: of the draws, and of the splits where there are several."""
        return self._joined(0)[1]

    def _joined(self, way: int) -> tuple[float, float]:
        """p-value and its error, drawn as asked (0) or the other way (1)."""
        if self.untested:
            return math.nan, math.nan
        null = (self.null, self.other_null)[way]
        if len(self.by_split) > 1:
            return mean_normal_score(self.by_split[:, way], finest=1 / (len(null) + 1))
        p = monte_carlo_p(np.count_nonzero(null <= self.statistic), len(null))
        return p, math.sqrt(p * (1 - p) / (len(null) + 1))


@dataclass(frozen=True)
class EqualizedOddsDetail(Answered):
    """What one equalized odds test found about n people.

    Attributes:
        asks: The question.
        attributes: The protected attributes.
        strata: Who has the same outcome (the same answer, for calibration; everybody, for demographic parity).
        tests: One test for each attribute, in the same order.
        given: Columns in which people of a stratum agree, for conditional demographic parity.
    """

    asks: Asks
    attributes: tuple[Attribute, ...]
    strata: Strata
    tests: tuple[AttributeTest, ...]
    given: tuple[str, ...] = ()

    @property
    def compared(self) -> np.ndarray:
        """What groups are compared by, shape (n, c): their answers (:func:`comparable`); for calibration the outcome
        that is a number, or whether it is the class asked about.
        """
        if self.asks != "calibration":
            return comparable(self.answers)
        return self.outcome[:, None] if self.numbers else (self.outcome == self.asked).astype(np.float64)[:, None]

    @property
    def spread(self) -> float:
        """The outcome's standard deviation where it is a number, or 1 where it has none; NaN for classes."""
        return float(self.outcome.std()) or 1.0 if self.numbers else math.nan

    @property
    def shared(self) -> str:
        """What people of a stratum have in common: their outcome or their answer; empty where all are compared."""
        if self.asks == "demographic parity":
            return listed(self.given)
        return say("answer") if self.asks == "calibration" else say("outcome")

    def stratum(self, place: int) -> str:
        """The people of a stratum in words: ``outcome yes``, ``answer 0.2 to 0.3``, ``everybody``."""
        name = self.strata.name(place)
        if self.asks == "demographic parity":
            return name
        return say("answer {name}", name=name) if self.asks == "calibration" else say("outcome {name}", name=name)


def comparable(answers: np.ndarray) -> np.ndarray:
    """Answers, shape (n, k), and for probabilities of more than two classes also the decisions, one column a class.

    With two classes, decisions are a threshold of a probability. With more, groups can have every probability above any
    threshold as often, and yet be decided for a class in different shares.
    """
    if answers.shape[1] < 3 or ((answers == 0) | (answers == 1)).all():
        return answers
    return np.column_stack([answers, np.eye(answers.shape[1])[answers.argmax(axis=1)]])


EqualizedOddsResult = AuditResult[EqualizedOdds, EqualizedOddsDetail, None]
"""A result of this test."""
