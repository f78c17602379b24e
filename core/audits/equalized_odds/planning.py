"""Before an equalized odds test: how long it takes, what violation it can find, and what difference it can exclude."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, replace

import numpy as np

from core.audits.equalized_odds.engine import pose, rows_of, run
from core.audits.equalized_odds.gap import largest_gap
from core.audits.equalized_odds.result import AttributeTest, comparable
from core.audits.equalized_odds.settings import EqualizedOdds
from core.audits.equalized_odds.testing import Question, examine
from core.data.attribute import Attribute, attribute_of
from core.data.dataset import EncodedDataset
from core.errors import AuditError
from core.inference.power import detectable_excess
from core.model import AbstractModel
from core.models.answered import ask
from core.progress import ignore_progress
from core.thresholds import FEWEST_ROWS, POWER

PILOT_PEOPLE = 2_000
_TRIES = 3
_DUMMIES = 99
_FIRST_SHARE = 0.3


@dataclass(frozen=True)
class EqualizedOddsPilot:
    """What a test of some random people says about the whole test; a protected attributes.

    Attributes:
        people: People tried.
        audited: People that the whole test is about, n.
        seconds: Estimated time of the whole test.
        attributes: Names of the attributes.
        found: Violation that will be found with probability :data:`POWER`: the share of one group's people who get the
            worst answer of those they are compared with; shape (a,); NaN where no test was possible.
        bound: Upper bound of every difference between groups if they do not differ at all; 1 if nothing can be said.
        too_small: Combinations of group and stratum with fewer than 30 people.
    """

    people: int
    audited: int
    seconds: float
    attributes: tuple[str, ...]
    found: np.ndarray
    bound: float
    too_small: int

    def rows_needed(self, tolerance: float) -> float:
        """People needed for the bound to fall to the tolerance, if the groups do not differ; infinite if unknown.

        Bounds of shares shrink with the root of the number of people.
        """
        if self.bound >= 1 or tolerance <= 0:
            return float("inf")
        return self.audited * (self.bound / tolerance) ** 2


def pilot(
    model: AbstractModel, data: EncodedDataset, audit: EqualizedOdds, alpha: float, rng: np.random.Generator
) -> EqualizedOddsPilot:
    """Test some random people, then plant violations of known size among them and see which are found.

    Violations are planted where there is none: groups are exchanged first among those who are compared with each other.
    The planted share that is found shrinks with the root of the number of people.

    Args:
        model: The model.
        data: All people to audit.
        audit: The test.
        alpha: The error rate.
        rng: Source of every random choice.

    Raises:
        ModelError: An answer is not a finite number.
        AuditError: For an attribute no row can be tested.
    """
    chosen = np.sort(rng.permutation(len(data))[:PILOT_PEOPLE])
    started = time.perf_counter()
    detail, _ = run(audit, model, data.take(chosen), rng=rng, on_progress=ignore_progress)
    seconds = (time.perf_counter() - started) * len(data) / len(chosen)
    names = data.dataset.roles.protected
    level = alpha / len(names)
    question = pose(audit, detail)
    scale = (len(chosen) / len(data)) ** 0.5
    found = [scale * _smallest_found(question, one, audit, level, rng) for one in detail.attributes]
    bound, too_small = _without_differences(model, data, audit, level, rng)
    return EqualizedOddsPilot(len(chosen), len(data), seconds, names, np.array(found), bound, too_small)


def _smallest_found(
    question: Question, attribute: Attribute, audit: EqualizedOdds, alpha: float, rng: np.random.Generator
) -> float:
    """The planted share that these people show with probability :data:`POWER`."""
    tried = audit.model_copy(update={"dummies": _DUMMIES})
    share = _FIRST_SHARE
    for tries in (1, _TRIES):
        tests = [_planted(question, attribute, tried, share, rng) for _ in range(tries)]
        mean = float(np.mean([float("nan") if test is None else _strength(test, alpha) for test in tests]))
        if not mean > 0:
            return float("nan") if tries == 1 else share
        # Sums of squares grow with the square of a difference, and the loss of a mean learned elsewhere in proportion.
        share = min(share * mean ** (-0.5 if question.strata.exact else -1.0), 1.0)
    return share


def _planted(
    question: Question, attribute: Attribute, audit: EqualizedOdds, share: float, rng: np.random.Generator
) -> AttributeTest | None:
    """The test where so large a share of the smallest group gets the worst answer; None if there is nothing to test."""
    exchanged = _exchanged(attribute, question.strata.codes, rng)
    rows = np.bincount(exchanged.codes, minlength=len(exchanged.groups))
    enough = np.flatnonzero(rows >= FEWEST_ROWS)
    if len(enough) < 2:
        return None
    group = enough[rows[enough].argmin()]
    hit = (exchanged.codes == group) & (rng.random(len(exchanged.codes)) < share)
    lowest = np.full(len(question.strata.names), np.inf)
    np.minimum.at(lowest, question.strata.codes, question.score)
    planted = replace(question, score=np.where(hit, lowest[question.strata.codes], question.score))
    learning, tested = rows_of(question, audit, rng)
    try:
        return examine(planted, exchanged, learning, tested, audit, rng=rng)
    except AuditError:
        return None


def _strength(test: AttributeTest, alpha: float) -> float:
    """How far below its null distribution the statistic lies, as a share of what it takes to be found."""
    spread = float(test.null.std(ddof=1))
    if not spread > 0:
        return float("nan")
    needed = _needed(test.null, alpha) if test.resampling == "permutation" else detectable_excess(1.0, alpha, POWER)
    return (float(test.null.mean()) - test.statistic) / spread / needed


def _needed(null: np.ndarray, alpha: float) -> float:
    """How many standard deviations a sum of squares has to move, if it is about a multiple of chi-square.

    Its degrees of freedom are those with the null's mean and variance (Satterthwaite 1946), gains being one less loss.
    """
    from scipy.special import chdtri, chndtrinc

    freedom = 2 * float((1 - null).mean()) ** 2 / float(null.var(ddof=1))
    return float(chndtrinc(chdtri(freedom, alpha), freedom, 1 - POWER)) / math.sqrt(2 * freedom)


def _without_differences(
    model: AbstractModel, data: EncodedDataset, audit: EqualizedOdds, level: float, rng: np.random.Generator
) -> tuple[float, int]:
    """Bound of every difference with groups exchanged among those who are compared; cells too small to judge."""
    answered = ask(model, data)
    question = pose(audit, answered)
    compared = question.score[:, None] if audit.asks == "calibration" else comparable(answered.answers)
    bound, too_small = 0.0, 0
    for name in data.dataset.roles.protected:
        one = _exchanged(attribute_of(data.dataset, name), question.strata.codes, rng)
        gap = largest_gap(compared, question.strata.codes, one.codes, level, groups=len(one.groups))
        bound, too_small = max(bound, gap.high), too_small + len(gap.small)
    return bound, too_small


def _exchanged(attribute: Attribute, strata: np.ndarray, rng: np.random.Generator) -> Attribute:
    """The attribute with people's groups exchanged within strata."""
    order = np.lexsort((rng.random(len(strata)), strata))
    places = np.argsort(strata, kind="stable")
    taken = np.empty_like(places)
    taken[places] = order
    return replace(attribute, codes=attribute.codes[taken], values=attribute.values[taken])
