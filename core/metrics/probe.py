"""How well a protected attribute is predicted on rows that the prediction never saw."""

import numpy as np

from core.contracts.metric import Probe

_Z = 1.959963984540054
"""The normal quantile at 0.975."""


def evaluate(
    attribute: str,
    *,
    groups: tuple[str, ...],
    codes: np.ndarray,
    probability: np.ndarray,
    prior: np.ndarray,
    directions: np.ndarray,
) -> Probe:
    """Diagnostics of held-out answers.

    Args:
        attribute: The protected attribute.
        groups: Its values, length g.
        codes: True group of each held-out row, shape (n,), int.
        probability: Predicted probability of each group, shape (n, g).
        prior: Share of each group in the rows the predictions were learned from, shape (g,). The predicted group is
            the one whose probability exceeds its share most, so that a rare group can be predicted at all.
        directions: Unit directions of the probe, shape (q, d).
    """
    predicted = (probability / prior).argmax(axis=1)
    held_out = np.bincount(codes, minlength=len(groups))
    right = np.bincount(codes[predicted == codes], minlength=len(groups))
    low, high = wilson(right, held_out)
    area, error = area_under_curve(codes, probability)
    return Probe(
        attribute=attribute,
        groups=groups,
        auc=area,
        auc_low=max(area - _Z * error, 0.0),
        auc_high=min(area + _Z * error, 1.0),
        accuracy=right / np.maximum(held_out, 1),
        accuracy_low=low,
        accuracy_high=high,
        held_out=held_out,
        directions=directions,
    )


def tells(
    codes: np.ndarray, score: np.ndarray, level: float, clusters: np.ndarray | None = None, folds: int = 1
) -> bool:
    """Whether rows score higher for their own group than if the groups were dealt out at random, at a one-sided level.

    The statistic is the sum over rows of the rank of each among all rows by the score of its own group; with two groups
    this is the Mann-Whitney test. Its mean and variance over all ways to deal the groups out are exact, and it is
    normal in the limit, however small a group (combinatorial central limit theorem; Hoeffding 1951, Annals of
    Mathematical Statistics 22:558). Where rows belong together its error is taken from the sums of clusters.

    Args:
        codes: Group of each held-out row, shape (n,), int.
        score: Score of each group, shape (n, g).
        level: How often groups that nothing tells are taken for told.
        clusters: Which rows belong together, shape (n,); None where each row stands for itself.
        folds: Of how many folds each was scored by what the others taught; 1 for rows that taught nothing. Scores of
            different folds were taught by rows they share, so that the sum varies more, by 1 + k / (k - 1) for k folds
            (Nadeau and Bengio 2003, Machine Learning 52:239).
    """
    from scipy.special import stdtr
    from scipy.stats import rankdata

    n = len(codes)
    share = np.bincount(codes, minlength=score.shape[1]) / n
    rank = rankdata(score, axis=0)
    centred = rank - rank.mean(axis=0)
    centred -= (centred @ share)[:, None]
    own = centred[np.arange(n), codes]
    if clusters is None:
        variance, degrees = float((n * share * centred**2).sum()) / (n - 1), np.inf
    else:
        sums = np.bincount(np.unique(clusters, return_inverse=True)[1], weights=own)
        degrees = len(sums) - 1
        variance = float((sums**2).sum()) * len(sums) / max(degrees, 1)
    variance *= 1 + folds / (folds - 1) if folds > 1 else 1
    return variance > 0 and degrees > 0 and bool(stdtr(degrees, -own.sum() / variance**0.5) <= level)


def wilson(right: np.ndarray, total: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Wilson's 95% interval of shares ``right / total``; 0 to 1 where there is no row. Shapes (g,)."""
    n = np.maximum(total, 1)
    share = right / n
    centre = (share + _Z**2 / (2 * n)) / (1 + _Z**2 / n)
    half = _Z / (1 + _Z**2 / n) * np.sqrt(share * (1 - share) / n + _Z**2 / (4 * n**2))
    return np.where(total > 0, centre - half, 0.0), np.where(total > 0, centre + half, 1.0)


def area_under_curve(codes: np.ndarray, score: np.ndarray) -> tuple[float, float]:
    """Area under the ROC curve and its standard error (DeLong, DeLong and Clarke-Pearson 1988).

    With two groups the score of the second decides; with more, the mean of one group against the rest, whose error
    follows from the same placement values.

    Args:
        codes: Group of each row, shape (n,), int.
        score: Score of each group, shape (n, g).
    """
    from scipy.stats import rankdata

    versus = [1] if score.shape[1] == 2 else range(score.shape[1])
    areas, influence = [], np.zeros(len(codes))
    for group in versus:
        positive = codes == group
        m, n = int(positive.sum()), int((~positive).sum())
        if m == 0 or n == 0:
            continue
        rank = rankdata(score[:, group])
        above = np.empty(len(codes))
        above[positive] = (rank[positive] - rankdata(score[positive, group])) / n
        above[~positive] = 1 - (rank[~positive] - rankdata(score[~positive, group])) / m
        area = float(above[positive].mean())
        areas.append(area)
        size = np.where(positive, np.sqrt(m * max(m - 1, 1)), np.sqrt(n * max(n - 1, 1)))
        influence += (above - area) / size
    return float(np.mean(areas)), float(np.sqrt((influence**2).sum()) / len(areas))
