"""How far a list of words reaches each protected group: a list that misses a group says nothing of it.

A text holds some words of each of a list's groups. What it holds of one more than of all others tells a protected
group where a text of the group has more of it than a text of another: the area under the ROC curve (AUC).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.stats import rankdata

from core.base.grouping import Grouping
from core.inference.auc import auc_limits
from core.language.told import say
from core.text.shipped_lists import IDENTITIES, NAMES_BY_RACE
from core.text.swaps import names
from core.text.word_lists import WordList
from core.text.words import key, spans

LEAST_EXCHANGED = 0.5
"""Share of a group's texts in which words have to be exchanged: a sentence about a group is about most of its texts."""
LEAST_TOLD = 0.75
"""The AUC that the listed words have to be shown to exceed: halfway between guessing (.5) and knowing (1). Gendered
words tell gender in biographies with .999."""
_ALPHA = 0.05


@dataclass(frozen=True)
class GroupReach:
    """How far the list reaches one group.

    Attributes:
        attribute: The protected attribute.
        group: Its value.
        texts: Texts of the group.
        exchanged: Texts of it in which a word was exchanged.
        told: Share of pairs, a text of the group and one of another, in which the listed words point to the right one
            (AUC; ties count half); of the list's groups the one that tells it best; NaN where nobody is compared.
        low: Lower end of its 95% interval, which allows for the choice among the list's groups.
        high: Upper end.
        left: Lower end of the same for names and terms of identity that the list does not have, which were left as
            they are: above the mark they tell the group after the exchange as before.
    """

    attribute: str
    group: str
    texts: int
    exchanged: int
    told: float
    low: float
    high: float
    left: float = 0.0

    @property
    def share(self) -> float:
        """Share of the group's texts in which a word was exchanged."""
        return self.exchanged / self.texts

    @property
    def reached(self) -> bool:
        """Whether "no violation" may speak for the group."""
        return self.share >= LEAST_EXCHANGED and self.low > LEAST_TOLD >= self.left


def sides_of(texts: Iterable[str], words: WordList) -> np.ndarray:
    """What each text holds of each of the list's groups more than of the other groups of the same words.

    Args:
        texts: n texts.
        words: The list.

    Returns:
        Words of the group less those of the others, one column for each group in the list; shape (n, S), float64.
    """
    sides = sorted(set(words.sides.values()))
    place = {side: column for column, side in enumerate(sides)}
    rows = [
        np.bincount(
            [place[words.sides[name]] for name in names(text, spans(text), words) if name in words.sides],
            minlength=len(sides),
        )
        for text in texts
    ]
    counts = np.array(rows, dtype=np.float64).reshape(len(rows), len(sides))
    of_list = np.array([number for number, _ in sides])
    together = counts @ (of_list[:, None] == of_list).astype(np.float64)
    found: np.ndarray = 2 * counts - together
    return found


def left_by(words: WordList) -> WordList:
    """The shipped terms of identity and names by race of which a list has no word."""
    rest = tuple(
        one.model_copy(update={"rows": rows})
        for one in (NAMES_BY_RACE, *IDENTITIES)
        if (rows := tuple(row for row in one.rows if words.listed.isdisjoint(map(key, row))))
    )
    return WordList(name=say("Left as they are"), sets=rest)


def reach_of(
    memberships: Sequence[Grouping],
    sides: np.ndarray,
    exchanged: np.ndarray,
    left: np.ndarray,
    belongs: np.ndarray | None = None,
) -> tuple[GroupReach, ...]:
    """How far a list reaches every group that has a text.

    Args:
        memberships: The groups of n texts by each attribute.
        sides: See :func:`sides_of`, shape (n, S).
        exchanged: Whether a word was exchanged in each text, shape (n,), bool.
        left: The same as ``sides`` of the words that were left as they are, :func:`left_by`; shape (n, S').
        belongs: Equal for texts that are not independent of each other, shape (n,), int; None where all are. The
            interval counts each such number once.
    """
    belongs = np.arange(len(sides)) if belongs is None else belongs
    ranks, ranks_left = rankdata(sides, axis=0), rankdata(left, axis=0)
    found = []
    for one in memberships:
        for code, group in enumerate(one.groups):
            own = one.codes == code
            if own.any():
                told, low, high = _told(ranks, own, belongs)
                _, still, _ = _told(ranks_left, own, belongs)
                n, changed = int(own.sum()), int(exchanged[own].sum())
                found.append(GroupReach(one.name, group, n, changed, told, low, high, still))
    return tuple(found)


def _told(ranks: np.ndarray, own: np.ndarray, belongs: np.ndarray) -> tuple[float, float, float]:
    """The largest AUC over the columns, and its interval."""
    n, others = int(own.sum()), int((~own).sum())
    if not others:
        return np.nan, np.nan, np.nan
    if not ranks.shape[1]:
        return 0.5, 0.5, 0.5
    auc = (ranks[own].sum(axis=0) - n * (n + 1) / 2) / (n * others)
    best = min(max(float(auc.max()), 0.0), 1.0)
    counted = len(np.unique(belongs[own])), len(np.unique(belongs[~own]))
    return best, *auc_limits(best, *counted, _ALPHA / ranks.shape[1] / 2)
