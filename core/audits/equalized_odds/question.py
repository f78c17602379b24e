"""What is asked about people: does a score depend on the group, given who is compared with whom?"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from core.audits.equalized_odds.result import Strata
from core.audits.equalized_odds.settings import EqualizedOdds
from core.base.errors import SettingsError
from core.data.attribute import attribute_of
from core.data.dataset import Dataset
from core.inference.sampling import ALONE, Sampling
from core.language.phrases import all_at_once, listed, number, quoted
from core.language.told import say
from core.models.answered import Answered

FEW_VALUES = 20
"""A number of at most so many different values is taken value by value."""
OFTEN = 20
"""... if each of them has so many rows on average."""
_MOST_PARTS = 10
_FEWEST_PARTS = 3
_ROWS_A_PART = 100


@dataclass(frozen=True)
class Question:
    """What is asked about n people: does the score depend on the group, given the strata?

    Attributes:
        score: A number or a probability, shape (n,), float64.
        probability: Whether it is a probability, so that the loss is the cross-entropy; squared error otherwise.
        strata: Who is compared with whom.
        given: The number that strata are made of, shape (n,); unused where they are exact.
        sampling: What rows stand for.
    """

    score: np.ndarray
    probability: bool
    strata: Strata
    given: np.ndarray
    sampling: Sampling = ALONE

    @property
    def everybody(self) -> np.ndarray:
        """How many people each row stands for, shape (n,), int64."""
        return self.sampling.people(len(self.score))

    def people(self, rows: np.ndarray) -> int:
        """How many people the rows at these positions stand for."""
        return int(self.everybody[rows].sum())

    def take(self, rows: np.ndarray) -> Question:
        """The same about the rows at these positions."""
        strata = replace(self.strata, codes=self.strata.codes[rows])
        return Question(self.score[rows], self.probability, strata, self.given[rows], self.sampling.take(rows))


def pose(audit: EqualizedOdds, answered: Answered, dataset: Dataset | None = None) -> Question:
    """What is asked, as a score and what it may depend on.

    Args:
        audit: The settings.
        answered: What the model said.
        dataset: Where the columns stand in which people are to be alike; needed only if there are such columns.

    Raises:
        SettingsError: People are to be alike in a column that is no feature, or that is protected.
    """
    answers, outcome, asked, sampling = answered.answers, answered.outcome, answered.asked, answered.sampling
    answer = answers[:, 0] if answered.numbers else answers[:, asked]
    happened = outcome if answered.numbers else (outcome == asked).astype(np.float64)
    if audit.asks == "demographic parity":
        everybody = Strata((say("everybody"),), np.zeros(len(outcome), dtype=np.int64), exact=True)
        people = everybody if dataset is None or not audit.given else alike_in(dataset, audit.given)
        return Question(answer, not answered.numbers, people, outcome, sampling)
    if audit.asks == "calibration":
        return Question(happened, not answered.numbers, strata_of(answer), answer, sampling)
    if answered.numbers:
        return Question(answer, False, strata_of(outcome), outcome, sampling)
    own = outcome.astype(np.int64)
    return Question(
        answers[np.arange(len(outcome)), own], True, Strata(answered.classes, own, exact=True), outcome, sampling
    )


def alike_in(dataset: Dataset, names: tuple[str, ...]) -> Strata:
    """People who agree in all of these columns, at least one, numbers in quantile bins.

    Raises:
        SettingsError: A column is no feature of the table, or is protected.
    """
    allowed = [name for name in dataset.roles.features if name not in dataset.roles.protected]
    if unknown := [name for name in names if name not in allowed]:
        raise SettingsError(
            say(
                "{columns} may not be what people are alike in: choose unprotected features.",
                columns=listed([*map(quoted, unknown)]),
            ),
            where=say("setting 'Compare only people alike in'"),
            advice=say("Choose among {columns}.", columns=listed([*map(quoted, allowed[:12])]))
            if allowed
            else say("Leave it empty."),
        )
    columns = [attribute_of(dataset, name) for name in names]
    found, codes = np.unique(np.stack([one.codes for one in columns], axis=1), axis=0, return_inverse=True)
    told = tuple(
        all_at_once([f"{one.name} = {one.groups[code]}" for one, code in zip(columns, row, strict=True)])
        for row in found
    )
    return Strata(told, codes.reshape(-1).astype(np.int64), exact=True)


def strata_of(values: np.ndarray) -> Strata:
    """Numbers value by value if there are few, each often; otherwise in parts of about equal size.

    Parts are tenths, fewer where a tenth has less than 100 rows: groups of fewer than 30 people in a part cannot be
    compared. With fewer than three, people of a part would hardly be alike.
    """
    distinct, codes = np.unique(values, return_inverse=True)
    if len(distinct) <= FEW_VALUES and len(distinct) * OFTEN <= len(values):
        return Strata(tuple(map(number, map(float, distinct))), codes.astype(np.int64), exact=True)
    parts = min(max(len(values) // _ROWS_A_PART, _FEWEST_PARTS), _MOST_PARTS)
    cuts = np.unique(np.quantile(values, np.arange(1, parts) / parts, method="inverted_cdf"))
    codes = np.unique(np.searchsorted(cuts, values), return_inverse=True)[1].astype(np.int64)
    ends = [(float(values[codes == code].min()), float(values[codes == code].max())) for code in range(codes.max() + 1)]
    return Strata(
        tuple(say("{low} to {high}", low=number(low), high=number(high)) for low, high in ends), codes, exact=False
    )
