"""How well a protected status model tells the groups apart, and whether that is enough."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np

from core.data.dataset import Dataset
from core.inference.pairwise import differences, share_limits
from core.language.phrases import percent
from core.language.told import say
from core.language.units import POINTS
from core.metrics.probe import wilson
from core.protected_status.training import probabilities
from core.text.network import AbstractTextNetwork
from core.text.tokens import Tokens

LARGEST_GAP = 0.15
"""Difference of the accuracies of two groups that is too large. In App. D of papers/prediction-sensitivity.md a
protected status model that had lost 18% of the recall in one group was worse than no such model."""

_Z = 1.959963984540054
"""The normal quantile at 0.975."""


@dataclass(frozen=True)
class Accuracy:
    """Accuracy within each of g groups.

    Attributes:
        texts: Texts judged, shape (g,), int.
        share: Share of them recognised, shape (g,); NaN where there are none.
        low: Lower ends of the 95% intervals (Wilson), shape (g,); NaN where there are none.
        high: Upper ends, shape (g,).
    """

    texts: np.ndarray
    share: np.ndarray
    low: np.ndarray
    high: np.ndarray


@dataclass(frozen=True)
class Known:
    """A protected attribute of a table that speaks of the same groups as a protected status model.

    Attributes:
        attribute: The attribute.
        codes: The model's output that stands for each row's group, shape (n,), int; -1 where none does.
    """

    attribute: str
    codes: np.ndarray


def unknown(groups: int) -> Accuracy:
    """What is said where nothing can be judged."""
    nothing = np.full(groups, np.nan)
    return Accuracy(np.zeros(groups, dtype=np.int64), nothing, nothing, nothing)


def judge(network: AbstractTextNetwork, tokens: Sequence[Tokens], codes: np.ndarray, groups: int) -> Accuracy:
    """Share of the texts of each group for which the group's output is the largest.

    Texts of no known group (code -1) and texts without a word count for nothing.

    Args:
        network: The model.
        tokens: Tokens of n texts as the model reads them.
        codes: Output that stands for each text's group, shape (n,), int.
        groups: Number of outputs g.
    """
    judged = np.flatnonzero((codes >= 0) & has_words(tokens))
    if not len(judged):
        return unknown(groups)
    predicted = probabilities(network, [tokens[place] for place in judged.tolist()]).argmax(axis=1)
    true = codes[judged]
    return accuracy(np.bincount(true[predicted == true], minlength=groups), np.bincount(true, minlength=groups))


def accuracy(right: np.ndarray, texts: np.ndarray) -> Accuracy:
    """Shares ``right / texts`` with Wilson's intervals; shapes (g,)."""
    low, high = wilson(right, texts)
    share = right / np.maximum(texts, 1)
    share, low, high = (np.where(texts > 0, values, np.nan) for values in (share, low, high))
    return Accuracy(texts, share, low, high)


def has_words(tokens: Sequence[Tokens]) -> np.ndarray:
    """Whether the model reads anything of each text, shape (n,), bool."""
    return np.array([bool((~each.special).any()) for each in tokens], dtype=bool)


def why_weak(found: Accuracy, groups: tuple[str, ...]) -> str:
    """Why the model's sensitivities should not be relied on, one sentence; empty where they may be.

    It is weak if the lower 95% bound of its balanced accuracy is not above the middle between guessing and certainty,
    or if two groups' accuracies are further apart than ``LARGEST_GAP``. The bound adds two right and two wrong answers
    to each group (Agresti and Coull 1998), so that a handful of right answers proves nothing.
    """
    judged = np.flatnonzero(found.texts > 0)
    if len(judged) < 2:
        return say(
            "How well it tells the groups apart is not known: there are no texts of two of its groups to judge it by."
        )
    n, share = found.texts[judged], found.share[judged]
    centre = (n * share + 2) / (n + 4)
    error = sqrt(float((centre * (1 - centre) / (n + 4)).sum())) / len(judged)
    balanced, bound = float(share.mean()), float(centre.mean()) - _Z * error
    chance = 1 / len(groups)
    if bound <= (1 + chance) / 2:
        return say(
            "It recognises the group of {balanced} of the texts, all groups counting alike, where guessing "
            "gets {chance}; the lower 95% bound, {bound}, is not above {needed}.",
            balanced=percent(round(balanced, 2)),
            chance=percent(round(chance, 2)),
            bound=percent(round(bound, 2)),
            needed=percent(round((1 + chance) / 2, 2)),
        )
    worst, best = judged[int(share.argmin())], judged[int(share.argmax())]
    if share.max() - share.min() > LARGEST_GAP:
        return say(
            "It recognises {least} of the texts of {worst} and {most} of those of {best}, so it sees "
            "the words of one group better than those of the other.",
            least=percent(round(float(found.share[worst]), 2)),
            worst=repr(groups[worst]),
            most=percent(round(float(found.share[best]), 2)),
            best=repr(groups[best]),
        )
    return ""


def why_uneven(found: Accuracy, groups: tuple[str, ...]) -> str:
    """Which two groups it does not recognise equally often, beyond chance, one sentence; empty where none are shown.

    Intervals of the differences of all pairs hold together at 95% (Bonferroni).
    """
    judged = np.flatnonzero(found.texts > 0)
    pairs = len(judged) * (len(judged) - 1) // 2
    if not pairs:
        return ""
    n, share = found.texts[judged], found.share[judged]
    apart = differences(share_limits(np.round(share * n), n, 0.025 / pairs))
    most, least = np.unravel_index(int(np.nanargmax(apart.low)), apart.low.shape)
    if apart.low[most, least] <= 0:
        return ""
    return say(
        "It recognises {least} of the texts of {worst} and {most} of those of {best}, a difference of {difference} "
        "({interval}).",
        least=percent(round(float(share[least]), 3)),
        worst=repr(groups[judged[least]]),
        most=percent(round(float(share[most]), 3)),
        best=repr(groups[judged[most]]),
        difference=POINTS.text(float(apart.value[most, least])),
        interval=POINTS.interval(float(apart.low[most, least]), float(apart.high[most, least])),
    )


def known_groups(dataset: Dataset, groups: tuple[str, ...], preferred: str = "") -> Known | None:
    """The first protected attribute of which two groups or more are among the model's; None if there is none.

    Names agree whatever their case and the spaces around them.

    Args:
        dataset: The table.
        groups: What the model's outputs stand for.
        preferred: The attribute to try first.
    """
    places = {group.strip().casefold(): place for place, group in enumerate(groups)}
    for attribute in sorted(dataset.roles.protected, key=lambda name: name != preferred):
        codes, names = dataset.groups(attribute)
        meant = np.array([places.get(name.strip().casefold(), -1) for name in names], dtype=np.int64)
        if np.count_nonzero(meant >= 0) >= 2:
            return Known(attribute, meant[codes])
    return None
