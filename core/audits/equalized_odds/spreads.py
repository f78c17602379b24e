"""What people of each group are answered, among those who have something in common: quartiles and shares, no rows."""

from dataclasses import dataclass

import numpy as np

from core.audits.equalized_odds.result import EqualizedOddsDetail
from core.base.thresholds import FEWEST_ROWS
from core.data.bins import equal_bins
from core.inference.counted import between
from core.inference.sampling import ALONE, Sampling
from core.inference.share import Share

CONFIDENCE = 0.95
_MOST_BINS = 10


@dataclass(frozen=True)
class Spread:
    """The scores of some people of one group; where scores are 0 or 1, the share of ones with its interval.

    Attributes:
        group: Index of the group; -1 for all groups together.
        stratum: Index of the stratum; -1 for a bin of a number.
        people: How many.
        given: Mean of the number they are binned by; NaN for a stratum.
        middle: Median score, or the share of ones; NaN with fewer than 30 people, like all that follows.
        low: First quartile, or the lower end of Wilson's 95% interval.
        high: Third quartile, or its upper end.
        least: 5% quantile, or ``low``.
        most: 95% quantile, or ``high``.
    """

    group: int
    stratum: int
    people: int
    given: float
    middle: float
    low: float
    high: float
    least: float
    most: float

    @property
    def known(self) -> bool:
        """Whether there are enough people."""
        return bool(np.isfinite(self.middle))


def spreads(detail: EqualizedOddsDetail, place: int) -> tuple[Spread, ...]:
    """The scores of each group of an attribute: by stratum, or in bins of the number people are compared by.

    Bins are of about equal size and at least 30 people; people with equal numbers stay together.
    """
    one, score, shares = detail.attributes[place], score_of(detail), is_share(detail)
    members = [np.flatnonzero(one.codes == g) for g in range(len(one.groups))]
    if detail.strata.exact:
        return tuple(
            _spread(score[inside], shares, group=g, stratum=stratum, sampling=detail.sampling.take(inside))
            for stratum in range(len(detail.strata.names))
            for g, rows in enumerate(members)
            if len(inside := rows[detail.strata.codes[rows] == stratum])
        )
    given = given_of(detail)
    return tuple(
        _spread(score[inside], shares, group=g, given=float(given[inside].mean()))
        for g, rows in enumerate(members)
        for inside in (rows[own] for own in equal_bins(given[rows], _MOST_BINS))
    )


def together(detail: EqualizedOddsDetail) -> tuple[Spread, ...]:
    """The scores of all groups together, in bins of the number people are compared by."""
    score, given, shares = score_of(detail), given_of(detail), is_share(detail)
    return tuple(
        _spread(score[inside], shares, group=-1, given=float(given[inside].mean()))
        for inside in equal_bins(given, _MOST_BINS)
    )


def score_of(detail: EqualizedOddsDetail) -> np.ndarray:
    """What may not depend on the group, shape (n,), float64.

    The predicted number; the probability of the true class, for demographic parity of the class asked about; for
    calibration the outcome that is a number, or 1 where it is the class asked about.
    """
    if detail.asks == "calibration":
        return detail.compared[:, 0]
    if detail.numbers:
        return detail.answers[:, 0]
    column = detail.outcome.astype(np.int64) if detail.asks == "equalized odds" else detail.asked
    chosen: np.ndarray = detail.answers[np.arange(len(detail.outcome)), column]
    return chosen


def given_of(detail: EqualizedOddsDetail) -> np.ndarray:
    """The number people are compared by, shape (n,), float64: the outcome, or the answer for calibration."""
    return detail.outcome if detail.asks != "calibration" else detail.answers[:, max(detail.asked, 0)]


def is_share(detail: EqualizedOddsDetail) -> bool:
    """Whether scores say yes or no: decisions, or whether an outcome came true."""
    score = score_of(detail)
    return not detail.numbers and bool(((score == 0) | (score == 1)).all())


def _spread(
    score: np.ndarray,
    shares: bool,
    *,
    group: int,
    stratum: int = -1,
    given: float = float("nan"),
    sampling: Sampling = ALONE,
) -> Spread:
    people = sampling.people(len(score))
    n = int(people.sum())
    if n < FEWEST_ROWS:
        return Spread(group, stratum, n, given, *[float("nan")] * 5)
    if shares:
        share = Share(int(people @ score), n)
        ends = share.two_sided(1 - CONFIDENCE)
        return Spread(group, stratum, n, given, share.value, ends.low, ends.high, ends.low, ends.high)
    least, low, middle, high, most = map(float, between(score, np.array((0.05, 0.25, 0.5, 0.75, 0.95)), people))
    return Spread(group, stratum, n, given, middle, low, high, least, most)
