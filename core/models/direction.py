"""Whether a model's answers go against the outcomes: the other way round, or the wrong ones."""

from dataclasses import dataclass
from functools import partial
from typing import Literal

import numpy as np

from core.base.errors import Caveat
from core.contracts.model import AbstractModel
from core.data.counted import count_alike
from core.data.encoded import EncodedDataset
from core.inference.counted import ranks_of
from core.inference.direction import BoundedSum, bounded_association
from core.inference.sampling import Sampling
from core.language.phrases import quoted, share_text
from core.language.told import Retelling, localized, say

LEVEL = 0.05
"""Answers that are independent of the outcomes are taken to go against them with at most this probability."""

Measure = Literal["decisions", "scores", "classes", "numbers"]


@dataclass(frozen=True)
class Direction(Retelling):
    """How answers go with the outcomes: above 0 with them, below 0 against them, 0 on average for independent ones.

    Attributes:
        measure: What is measured. "decisions" for two classes: Youden's J, the share answered with a class among those
            whose outcome it is, less that among the others. "scores" for probabilities of two classes: the area under
            the ROC curve less 1/2. "classes" for more: the accuracy less that of independent answers that name each
            class as often. "numbers": Spearman's rank correlation.
        value: The measure.
        upper: Its one-sided upper bound at the level 5%.
        about: The class that decisions and scores are about; empty for others.
        shares: For decisions the two shares; for classes the two accuracies; two zeros for others.
        advice: How this model's answers are turned round, one sentence.
    """

    measure: Measure
    value: float
    upper: float
    about: str
    shares: tuple[float, float]
    advice: str

    @property
    def against(self) -> bool:
        """Whether the answers go against the outcomes beyond chance."""
        return self.upper < 0

    @property
    def clearly_with(self) -> bool:
        """Whether the answers go with the outcomes by more than their bound is away, so that nothing is reversed."""
        return self.value > self.upper - self.value

    @property
    def told(self) -> str:
        """What is seen, as a sentence without its stop."""
        first, second = (share_text(share) for share in self.shares)
        if self.measure == "decisions":
            return say(
                "The model answers {answer} for {first} of those whose outcome is {answer} and for {second} of the "
                "others",
                answer=quoted(self.about),
                first=first,
                second=second,
            )
        if self.measure == "scores":
            return say(
                "Where one of two rows has the outcome {answer}, the model gives that one the higher probability of "
                "{answer} in {share} of all pairs; by chance it would be half of them",
                share=share_text(self.value + 0.5),
                answer=quoted(self.about),
            )
        if self.measure == "classes":
            return say(
                "The model is right on {first} of the rows; answers drawn at random, each class as often, would be "
                "right on {second}",
                first=first,
                second=second,
            )
        return say(
            "The rank correlation of the outcome and the number that the model answers is {correlation}",
            correlation=localized(f"{self.value:.2f}"),
        )

    @property
    def caveats(self) -> tuple[Caveat, ...]:
        """Why nothing can be claimed where answers go against the outcomes; empty where they do not."""
        if not self.against:
            return ()
        what = say("{told}. Answers go against the outcomes, so nothing is claimed.", told=self.told)
        return (Caveat("serious", what, self.advice),)


def direction_of(model: AbstractModel, data: EncodedDataset, answers: np.ndarray) -> Direction | None:
    """How a model's answers go with the outcomes; None where there are none, or where either does not vary.

    Args:
        model: The model.
        data: The rows, n.
        answers: Its answers about them, shape (n, k), or (n, 1) for numbers; finite.
    """
    sampling = Sampling(data.clusters)
    if not model.classes:
        from scipy.stats import rankdata

        ranks, true = rankdata(answers[:, 0]), rankdata(data.dataset.numbers)
        scale = float(np.sqrt(np.square(ranks - ranks.mean()).sum() * np.square(true - true.mean()).sum()))
        found = bounded_association(_column(ranks), _column(true), LEVEL, sampling)
        return _direction(model, "numbers", found, scale)
    if not (data.y >= 0).all():
        return None
    k, favourable = len(model.classes), data.dataset.roles.favourable
    place = model.classes.index(favourable) if favourable in model.classes else 1
    by_scores = k == 2 and model.gives != "labels"
    decided, scores, true = answers.argmax(axis=1), answers[:, place], data.y
    if sampling.clusters is None:
        kinds, times = count_alike((true, scores if by_scores else decided), data.times)
        decided, scores, true, sampling = decided[kinds], scores[kinds], true[kinds], Sampling(times=times)
    people = sampling.people(len(true))
    n = int(people.sum())
    bounded = partial(bounded_association, alpha=LEVEL, sampling=sampling)
    if k > 2:
        given, happened = np.eye(k)[decided], np.eye(k)[true]
        accuracies = float(people @ (decided == true)) / n, float((people @ given) @ (people @ happened)) / n**2
        return _direction(model, "classes", bounded(given, happened), n, shares=accuracies)
    inside, chosen, about = true == place, decided == place, model.classes[place]
    own, others = int(people @ inside), int(people @ ~inside)
    if not own * others:
        return None
    if not by_scores:
        shares = float(people @ (chosen & inside)) / own, float(people @ (chosen & ~inside)) / others
        found = bounded(_column(chosen), _column(inside))
        return _direction(model, "decisions", found, own * others / n, about=about, shares=shares)
    found = bounded(_column(ranks_of(scores, people)), _column(inside))
    return _direction(model, "scores", found, own * others, about=about)


def _direction(
    model: AbstractModel,
    measure: Measure,
    found: BoundedSum | None,
    scale: float,
    *,
    about: str = "",
    shares: tuple[float, float] = (0.0, 0.0),
) -> Direction | None:
    """An association over ``scale``, which makes the measure of it."""
    if found is None:
        return None
    return Direction(measure, found.value / scale, found.upper / scale, about, shares, model.turning)


def _column(values: np.ndarray) -> np.ndarray:
    return values.astype(np.float64)[:, None]
