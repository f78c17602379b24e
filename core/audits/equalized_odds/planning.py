"""Before an equalized odds test: how long it takes, what violation it can find, and what difference it can exclude."""

import math
import time
from dataclasses import dataclass, replace

import numpy as np

from core.audits.equalized_odds.decision import EqualizedOddsDecision
from core.audits.equalized_odds.effects import mean_effects
from core.audits.equalized_odds.engine import MOST_ROWS, run
from core.audits.equalized_odds.gap import MeasuredGap
from core.audits.equalized_odds.question import Question, pose
from core.audits.equalized_odds.result import comparable
from core.audits.equalized_odds.settings import EqualizedOdds
from core.base.thresholds import POWER
from core.contracts.audit import Given
from core.contracts.model import AbstractModel
from core.data.attribute import Attribute, attribute_of
from core.data.clusters import some_of
from core.data.dataset import Dataset
from core.data.encoded import EncodedDataset
from core.models.answered import Answered, ask

PILOT_PEOPLE, PILOT_PEOPLE_IN_CLASSES = 2_000, 10_000
"""People tried. In strata of classes more are tried after them: some thousand people are permuted by counts, in hardly
more time the more they are, and a time that grew with people as it does up to there would be far too long."""
_TABLES = 20
_CLEARED = 0.9
"""In this share of tables the bound stays as low as is said."""


@dataclass(frozen=True)
class EqualizedOddsPilot:
    """What a test of some random people says about the whole test; a protected attributes.

    Attributes:
        people: People tried.
        audited: People that the whole test is about, n.
        seconds: Estimated time of the whole test.
        attributes: Names of the attributes.
        found: By how much the difference of the two groups that are known least must exceed the tolerance for the
            violation to be found with probability :data:`POWER`; shape (a,); NaN where none can be shown.
        bound: Upper bound of every difference between groups, which nine tables in ten stay below if they do not differ
            at all; 1 if nothing can be said.
        too_small: Combinations of group and stratum with too few people to be cleared; of numbers pairs of
            groups.
        spread: The outcome's standard deviation, in which ``found`` and ``bound`` are; NaN where answers are classes.
    """

    people: int
    audited: int
    seconds: float
    attributes: tuple[str, ...]
    found: np.ndarray
    bound: float
    too_small: int
    spread: float = math.nan

    @property
    def unbounded(self) -> bool:
        """Whether no bound can be given: a difference of shares is never larger than 1."""
        return math.isinf(self.bound) or (math.isnan(self.spread) and self.bound >= 1)

    def rows_needed(self, tolerance: float) -> float:
        """People needed for the bound to fall to the tolerance, if the groups do not differ; infinite if unknown.

        Bounds of shares shrink with the root of the number of people.
        """
        if self.unbounded or tolerance <= 0:
            return float("inf")
        return self.audited * (self.bound / tolerance) ** 2


def for_table(audit: EqualizedOdds, model: AbstractModel, dataset: Dataset) -> EqualizedOdds:
    """The settings with which the test begins: where no outcome is known, the only question that can be asked."""
    return audit.model_copy(update={"asks": "demographic parity"}) if dataset.roles.without_outcome else audit


def pilot(
    audit: EqualizedOdds, given: Given[AbstractModel, EncodedDataset], decision: EqualizedOddsDecision
) -> EqualizedOddsPilot:
    """Time the test of some random people, and work out what all of them can show.

    Upper bounds are those of people whose groups are exchanged among those who are compared with each other, so that
    the groups do not differ.

    Args:
        audit: The test.
        given: The model and all people to audit.
        decision: Its error rate is that of the bounds.

    Raises:
        ModelError: An answer is not a finite number.
        AuditError: For an attribute no row can be tested.
    """
    data, rng, alpha = given.data, given.rng, decision.alpha
    answered = ask(given.model, data)
    question = pose(audit, answered, data.dataset)
    tried, seconds = _timed(audit, given, PILOT_PEOPLE)
    each, rows = seconds / tried, len(data)
    if not question.strata.exact:
        rows = min(rows, MOST_ROWS)
    elif rows > tried:
        fewer, shorter = tried, seconds
        tried, seconds = _timed(audit, given, PILOT_PEOPLE_IN_CLASSES)
        each = max(seconds - shorter, 0.0) / max(tried - fewer, 1)
    seconds += each * max(rows - tried, 0)
    names = data.dataset.roles.protected
    attributes = [attribute_of(data.dataset, name) for name in names]
    if answered.numbers:
        known = _known_of_means(answered, question, attributes, audit, alpha)
    else:
        compared = question.score[:, None] if audit.asks == "calibration" else comparable(answered.answers)
        known = _known_of_shares(compared, question, attributes, alpha, rng)
    return EqualizedOddsPilot(tried, len(data), seconds, names, *known)


def _timed(audit: EqualizedOdds, given: Given[AbstractModel, EncodedDataset], most: int) -> tuple[int, float]:
    """How many of at most so many random people were tried, and the seconds that took."""
    chosen = np.sort(some_of(len(given.data), most, given.rng, given.data.clusters))
    started = time.perf_counter()
    run(audit, replace(given, data=given.data.take(chosen)))
    return len(chosen), time.perf_counter() - started


_Known = tuple[np.ndarray, float, int, float]
"""``found``, ``bound``, ``too_small`` and ``spread`` of a pilot."""


def _known_of_shares(
    compared: np.ndarray,
    question: Question,
    attributes: list[Attribute],
    alpha: float,
    rng: np.random.Generator,
) -> _Known:
    measured = [
        MeasuredGap.of(compared, question.strata.codes, one.codes, sampling=question.sampling) for one in attributes
    ]
    shown = [gap.detectable(alpha / len(attributes), POWER) if question.strata.exact else math.nan for gap in measured]
    bounds = [max(gap.exchanged(rng).upper_bound(alpha) for gap in measured) for _ in range(_TABLES)]
    return np.array(shown), float(np.quantile(bounds, _CLEARED)), sum(len(gap.small) for gap in measured), math.nan


def _known_of_means(
    answered: Answered, question: Question, attributes: list[Attribute], audit: EqualizedOdds, alpha: float
) -> _Known:
    spread = float(answered.outcome.std()) or 1.0
    given = None if audit.asks == "demographic parity" else question.given
    score, clusters = question.score / spread, question.sampling.clusters
    effects = [mean_effects(score, given, one.codes, len(one.groups), clusters) for one in attributes]
    return (
        np.array([one.detectable(alpha / len(attributes), POWER) for one in effects]),
        max(one.clearable(alpha, _CLEARED) for one in effects),
        sum(len(one.unclear) for one in effects),
        spread,
    )
