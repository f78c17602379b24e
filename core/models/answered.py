"""What a model answered people of a table, beside what came true."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Self

import numpy as np

from core.base.errors import ModelError
from core.contracts.model import AbstractModel
from core.data.attribute import attribute_of
from core.data.counted import count_alike
from core.data.encoded import EncodedDataset
from core.data.labels import condition
from core.data.missing import MISSING_GROUP
from core.inference.sampling import Sampling
from core.language.phrases import quoted
from core.language.told import say


@dataclass(frozen=True)
class Answered:
    """Outcomes and answers of n people.

    Attributes:
        classes: Outcomes as the model names them, length k; empty where answers are numbers.
        favourable: Index of the favourable outcome; -1 without one.
        outcome: Each person's outcome: index of the class, -1 in a table without outcomes, or the number; shape (n,),
            float64.
        answers: Class probabilities, shape (n, k), or the predicted number, shape (n, 1); float64.
        clusters: Which rows belong together, codes, shape (n,), int; None where each row stands alone.
        times: How many people each of these rows stands for, shape (n,), int64; None where each is a person.
    """

    classes: tuple[str, ...]
    favourable: int
    outcome: np.ndarray
    answers: np.ndarray
    clusters: np.ndarray | None = field(default=None, kw_only=True)
    times: np.ndarray | None = field(default=None, kw_only=True)

    @property
    def sampling(self) -> Sampling:
        """What these rows stand for."""
        return Sampling(self.clusters, self.times)

    @property
    def people(self) -> int:
        """How many people were answered."""
        return len(self.outcome) if self.times is None else int(self.times.sum())

    def people_among(self, rows: np.ndarray) -> int:
        """How many people these rows stand for, shape (n,), bool."""
        return int(rows.sum() if self.times is None else self.times @ rows)

    def in_kinds(self, *others: np.ndarray) -> tuple[Self, np.ndarray]:
        """The same people in kinds who agree in outcome, answers and ``others``, and the place of a row of each.

        So many of each kind; the order of the rows makes no difference.

        Args:
            others: What else tells people apart, shape (n,) each.
        """
        kinds, times = count_alike((self.outcome, *self.answers.T, *others), self.times)
        return replace(self, outcome=self.outcome[kinds], answers=self.answers[kinds], times=times), kinds

    @property
    def numbers(self) -> bool:
        """Whether the model answers with a number."""
        return not self.classes

    @property
    def has_outcomes(self) -> bool:
        """Whether it is known what was right."""
        return self.numbers or bool((self.outcome >= 0).all())

    @property
    def decisions(self) -> np.ndarray:
        """The predicted class, index, shape (n,), int64; all 0 where answers are numbers."""
        predicted: np.ndarray = self.answers.argmax(axis=1)
        return predicted

    @property
    def asked(self) -> int:
        """The class to ask about, index: the favourable one, or the one predicted most often; -1 for numbers."""
        if self.numbers or self.favourable >= 0:
            return self.favourable
        return int(np.bincount(self.decisions, self.times, len(self.classes)).argmax())


@dataclass(frozen=True)
class AnsweredGroups:
    """How each of g protected groups was answered; somebody belongs to one of each attribute.

    Attributes:
        who: The groups, ``attribute = value``; length g.
        of: Place of each group's attribute among those protected; shape (g,), int.
        counts: People by true class and predicted class, shape (g, k + 1, k), int; those whose outcome is not known in
            the last row.
    """

    who: tuple[str, ...] = ()
    of: np.ndarray = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    counts: np.ndarray = field(default_factory=lambda: np.zeros((0, 1, 0), dtype=np.int64))

    @classmethod
    def count(cls, data: EncodedDataset, answers: np.ndarray) -> Self:
        """Those of everybody in ``data``, of whom the model gave these class probabilities, shape (n, k)."""
        k, who, of, counts = answers.shape[1], [], [], []
        cells = np.where(data.y < 0, k, data.y) * k + answers.argmax(axis=1)
        for place, name in enumerate(data.dataset.roles.protected):
            attribute = attribute_of(data.dataset, name)
            known, g = attribute.codes >= 0, len(attribute.groups)
            times = None if data.times is None else data.times[known]
            found = np.bincount((attribute.codes * (k + 1) * k + cells)[known], times, g * (k + 1) * k)
            who += [condition(name, group) for group in attribute.groups]
            of += [place] * g
            counts.append(found.astype(np.int64).reshape(g, k + 1, k))
        return cls(tuple(who), np.array(of), np.concatenate(counts)) if who else cls()

    @property
    def people(self) -> np.ndarray:
        """How many people each has; shape (g,), int."""
        return np.asarray(self.counts.sum(axis=(1, 2)))

    @property
    def known(self) -> np.ndarray:
        """Which are groups of people whose attribute is known; shape (g,), bool."""
        return np.array([not who.endswith(MISSING_GROUP) for who in self.who], dtype=bool)

    def shares(self, answer: int, among: Sequence[int] | None = None) -> np.ndarray:
        """The share of each that gets an answer, shape (g,); NaN of nobody.

        Args:
            answer: The class predicted, index.
            among: Those whose true class is one of these, indices; everybody if None.
        """
        rows = self.counts if among is None else self.counts[:, list(among)]
        people = rows.sum(axis=(1, 2))
        return np.asarray(np.where(people > 0, rows[:, :, answer].sum(axis=1) / np.maximum(people, 1), np.nan))


class CountedByClass:
    """Counts of true by predicted class, and what they come to.

    Attributes:
        confusion: Shape (k, k), int; all 0 where no outcome is known.
    """

    confusion: np.ndarray

    @property
    def accuracy(self) -> float:
        """Share of rows predicted correctly; NaN where nothing is counted."""
        return self._share(np.trace(self.confusion))

    @property
    def majority_share(self) -> float:
        """Accuracy of always answering the most frequent class; NaN where nothing is counted."""
        return self._share(self.confusion.sum(axis=1).max(initial=0))

    @property
    def balanced_accuracy(self) -> float:
        """Mean over the classes that occur of the share predicted correctly (App. F.5); NaN where none does."""
        rows = self.confusion.sum(axis=1)
        return float(np.mean(np.diag(self.confusion)[rows > 0] / rows[rows > 0])) if rows.any() else float("nan")

    def _share(self, rows: int) -> float:
        return float(rows / self.confusion.sum()) if self.confusion.any() else float("nan")


def ask(model: AbstractModel, data: EncodedDataset) -> Answered:
    """Ask the model about everybody.

    Raises:
        ModelError: An answer is not a finite number, or none of the classes is the one that is said to be favourable.
    """
    favourable, clusters = data.dataset.roles.favourable, data.clusters
    if favourable and model.classes and favourable not in model.classes:
        raise ModelError(
            say("The model has no class for the favourable answer {favourable}.", favourable=quoted(favourable)),
            where=model.name,
            advice=say(
                "Say which of its classes is good for the person; it knows {classes}.",
                classes=", ".join(model.classes[:8]),
            ),
        )
    alone = clusters is None or len(np.unique(clusters)) == len(clusters)
    return Answered(
        classes=model.classes,
        favourable=model.classes.index(favourable) if favourable and model.classes else -1,
        outcome=data.y.astype(np.float64) if model.classes else data.dataset.numbers,
        answers=model.checked_answers(data),
        clusters=None if alone else clusters,
        times=data.times,
    )
