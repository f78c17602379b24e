"""How far people who judged the same items agree: the majority, and Fleiss' kappa with an interval.

Kappa is that of Fleiss (1971), "Measuring nominal scale agreement among many raters", Psychological Bulletin 76, over
the items that two people or more judged; where not everybody judged each, every item counts alike (Gwet 2014, Handbook
of Inter-Rater Reliability, chapter 5). Its error is that of the items' influence on it (Gwet, as above).
"""

import math
from dataclasses import dataclass

import numpy as np

from core.inference.pairwise import share_limits
from core.language.phrases import whole
from core.language.told import say

FEWEST = 20
"""Items with another answer than the most frequent one below which intervals missed in up to 40% of simulations."""


@dataclass(frozen=True)
class Agreement:
    """How far people agree beyond chance.

    Attributes:
        n: Items that two people or more judged.
        kappa: Fleiss' kappa: 1 where all agree, 0 where no more than by chance; NaN when undefined.
        low: Lower end of its interval.
        high: Upper end.
        undefined: Why nothing can be said, one sentence; empty when something can.
    """

    n: int
    kappa: float
    low: float
    high: float
    undefined: str = ""


def majority(judged: np.ndarray) -> np.ndarray:
    """What more than half of those who judged an item said, shape (n,); NaN where there is no such answer.

    Args:
        judged: Answers of a people about n items, shape (a, n), NaN where somebody said nothing.
    """
    found = np.full(judged.shape[1], np.nan)
    said = np.isfinite(judged).sum(axis=0)
    for answer in np.unique(judged[np.isfinite(judged)]):
        found[2 * (judged == answer).sum(axis=0) > said] = answer
    return found


def agreement(judged: np.ndarray, alpha: float, clusters: np.ndarray | None = None) -> Agreement:
    """Fleiss' kappa of several people, its interval by Fisher's z.

    Args:
        judged: Their answers, shape (a, n), NaN where somebody said nothing.
        alpha: The interval misses with this probability.
        clusters: Code of each item's cluster, shape (n,), int; None where each stands for itself.
    """
    from scipy.special import stdtrit

    both = np.isfinite(judged).sum(axis=0) >= 2
    judged, nan = judged[:, both], math.nan
    n = judged.shape[1]
    answers = np.unique(judged[np.isfinite(judged)])
    codes = np.arange(n) if clusters is None else np.unique(clusters[both], return_inverse=True)[1]
    blocks = int(codes.max()) + 1 if n else 0
    if blocks < 2:
        return Agreement(n, nan, nan, nan, say("Fewer than two items were judged by two people or more."))
    counts = (judged[:, :, None] == answers).sum(axis=0)
    most_frequent = int(counts.sum(axis=0).argmax())
    if (apart := int((np.delete(counts, most_frequent, axis=1) > 0).any(axis=1).sum())) < FEWEST:
        why = say(
            "About {n} of {all} items somebody gave another answer than the most frequent one; agreement beyond chance "
            "needs {fewest}.",
            n=whole(apart),
            all=whole(n),
            fewest=FEWEST,
        )
        return Agreement(n, nan, nan, nan, why)
    said = counts.sum(axis=1)
    shares = counts / said[:, None]
    agreed = (counts * (counts - 1)).sum(axis=1) / (said * (said - 1))
    overall = shares.mean(axis=0)
    chance, of_each = float(overall @ overall), shares @ overall
    kappa = (float(agreed.mean()) - chance) / (1 - chance)
    if agreed.min() == 1:
        most = float(share_limits(np.zeros(1), np.array([blocks]), alpha / 2).high[0])
        return Agreement(n, 1.0, 1 - most / (1 - chance), 1.0)
    influence = (agreed - chance) / (1 - chance) - 2 * (1 - kappa) * (of_each - chance) / (1 - chance) - kappa
    sums = np.bincount(codes, influence, blocks)
    error = math.sqrt(float(sums @ sums) * blocks / (blocks - 1)) / n
    z, half = math.atanh(kappa), -float(stdtrit(blocks - 1, alpha / 2)) * error / (1 - kappa**2)
    return Agreement(n, kappa, math.tanh(z - half), math.tanh(z + half))
