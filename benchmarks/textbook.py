"""What textbooks say of the same tables, in numpy alone: nothing of the product's own statistics is used here.

- Two proportions: each group of a protected attribute against everybody else of it; where rows belong together, the
  error is that of whole clusters (linearised; Cochran 1977, section 6.4).
- Cochran, Mantel and Haenszel: the answer and the group, given the outcome, or given the outcome and all that people
  are compared by (the mean-score statistic of Landis, Heyman and Koch 1978 and the risk difference of Greenland and
  Robins 1985).
- Paired bootstrap: how far a model's answer moves when the person is put into the other group.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import pandas as pd
from scipy.stats import chi2, norm
from sklearn.base import ClassifierMixin

from core.inference.estimate import Verdict

ALPHA = 0.05


@dataclass(frozen=True)
class Difference:
    """A difference of means between two sets of people.

    Attributes:
        who: The first set.
        value: Its mean less that of the second.
        error: Standard error.
        means: Both means.
        people: Both numbers of people.
    """

    who: str
    value: float
    error: float
    means: tuple[float, float]
    people: tuple[int, int]

    def bounds(self, alpha: float) -> tuple[float, float]:
        """One-sided limits, each at error rate ``alpha``."""
        wide = float(norm.isf(alpha)) * self.error
        return self.value - wide, self.value + wide


def difference(who: str, y: np.ndarray, inside: np.ndarray, clusters: np.ndarray | None = None) -> Difference:
    """The mean of ``y`` inside less the mean outside, with the error of independent rows or whole clusters.

    Shares get one more person of each answer on either side in their error (Agresti and Caffo 2000), so that it is
    never zero.
    """
    y = np.asarray(y, dtype=np.float64)
    sides = inside, ~inside
    means = tuple(float(y[side].mean()) if side.any() else math.nan for side in sides)
    people = tuple(int(side.sum()) for side in sides)
    if clusters is None:
        variance = 0.0
        for side, n in zip(sides, people, strict=True):
            if set(np.unique(y)) <= {0.0, 1.0}:
                share = (y[side].sum() + 1) / (n + 2)
                variance += share * (1 - share) / (n + 2)
            else:
                variance += y[side].var(ddof=1) / n if n > 1 else math.nan
    else:
        weight = np.where(inside, (y - means[0]) / max(people[0], 1), -(y - means[1]) / max(people[1], 1))
        _, codes = np.unique(clusters, return_inverse=True)
        sums = np.bincount(codes, weight)
        variance = float(sums @ sums) * len(sums) / max(len(sums) - 1, 1)
    return Difference(who, means[0] - means[1], math.sqrt(variance), means, people)  # type: ignore[arg-type]


def against_the_rest(
    y: np.ndarray, groups: np.ndarray, clusters: np.ndarray | None = None, *, named: str = ""
) -> list[Difference]:
    """Each group against everybody else."""
    return [difference(f"{named}{one}", y, groups == one, clusters) for one in np.unique(groups)]


def judge(differences: Iterable[Difference], tolerance: float, *, both_ways: bool = False) -> Verdict:
    """A violation if a lower limit (Bonferroni) exceeds the tolerance; none if every upper limit lies within it."""
    found = list(differences)
    if both_ways:
        found += [Difference(one.who, -one.value, one.error, one.means, one.people) for one in found]
    if not found or any(math.isnan(one.value + one.error) for one in found):
        return Verdict.INSUFFICIENT
    if any(one.bounds(ALPHA / len(found))[0] > tolerance for one in found):
        return Verdict.VIOLATION
    cleared = all(one.bounds(ALPHA)[1] <= tolerance for one in found)
    return Verdict.NO_VIOLATION if cleared else Verdict.INSUFFICIENT


def pairs(y: np.ndarray, groups: np.ndarray, strata: np.ndarray, clusters: np.ndarray | None) -> list[Difference]:
    """Every two groups within every stratum in which both have two people."""
    found = []
    for stratum in np.unique(strata):
        for one, other in combinations(np.unique(groups), 2):
            rows = (strata == stratum) & np.isin(groups, (one, other))
            inside = groups[rows] == one
            if 1 < inside.sum() < len(inside) - 1:
                given = None if clusters is None else clusters[rows]
                found.append(difference(f"{one} against {other}, {stratum}", y[rows], inside, given))
    return found


def mean_score_test(y: np.ndarray, groups: np.ndarray, strata: np.ndarray) -> float:
    """The p-value of Cochran, Mantel and Haenszel's mean-score statistic: no group's mean differs in any stratum."""
    y, names = np.asarray(y, dtype=np.float64), np.unique(groups)[:-1]
    total, spread = np.zeros(len(names)), np.zeros((len(names), len(names)))
    for stratum in np.unique(strata):
        rows = strata == stratum
        n, scores = int(rows.sum()), y[rows]
        if n < 2:
            continue
        inside = (groups[rows][None, :] == names[:, None]).astype(np.float64)
        shares = inside.mean(axis=1)
        total += inside @ scores - n * shares * scores.mean()
        spread += scores.var(ddof=1) * n * (np.diag(shares) - np.outer(shares, shares))
    if not np.any(spread):
        return 1.0
    statistic = float(total @ np.linalg.pinv(spread) @ total)
    return float(chi2.sf(statistic, np.linalg.matrix_rank(spread)))


def mantel_haenszel(who: str, y: np.ndarray, inside: np.ndarray, strata: np.ndarray) -> Difference:
    """The risk difference common to all strata, with Greenland and Robins' error (1985, eq. 10)."""
    top = bottom = spread = 0.0
    for stratum in np.unique(strata):
        rows = strata == stratum
        a = y[rows & inside]
        b = y[rows & ~inside]
        n1, n0 = len(a), len(b)
        if not (n1 and n0):
            continue
        weight = n1 * n0 / (n1 + n0)
        top += weight * (a.mean() - b.mean())
        bottom += weight
        x, z = a.sum(), b.sum()
        spread += (x * (n1 - x) * n0**3 + z * (n0 - z) * n1**3) / (n1 * n0 * (n1 + n0) ** 2)
    if not bottom:
        return Difference(who, math.nan, math.nan, (math.nan, math.nan), (0, 0))
    means = float(y[inside].mean()), float(y[~inside].mean())
    people = int(inside.sum()), int((~inside).sum())
    return Difference(who, top / bottom, math.sqrt(spread) / bottom, means, people)


def ratio_to_the_rest(y: np.ndarray, inside: np.ndarray) -> tuple[float, float, float]:
    """The ratio of two shares and its one-sided limits at 95% (Katz et al. 1978)."""
    a, b, n, m = float(y[inside].sum()), float(y[~inside].sum()), int(inside.sum()), int((~inside).sum())
    if not (a and b):
        return (0.0 if b else math.nan), 0.0, math.inf
    ratio = (a / n) / (b / m)
    wide = float(norm.isf(ALPHA)) * math.sqrt(1 / a - 1 / n + 1 / b - 1 / m)
    return ratio, ratio * math.exp(-wide), ratio * math.exp(wide)


def moved(model: ClassifierMixin, read: pd.DataFrame, name: str, favourable: str) -> np.ndarray:
    """How far each person's probability moves in the other groups of a column, on average over them, shape (n,)."""
    column = list(model.classes_).index(favourable)
    before = model.predict_proba(read)[:, column]
    values = np.unique(read[name])
    changes = [np.abs(model.predict_proba(read.assign(**{name: value}))[:, column] - before) for value in values]
    return np.sum(changes, axis=0) / (len(values) - 1)


def paired_bootstrap(changes: np.ndarray, clusters: np.ndarray | None, draws: int = 1_999) -> tuple[float, float]:
    """One-sided limits of a mean of paired changes at 95%, whole clusters drawn anew."""
    rng = np.random.default_rng(0)
    codes = np.arange(len(changes)) if clusters is None else np.unique(clusters, return_inverse=True)[1]
    sums, sizes = np.bincount(codes, changes), np.bincount(codes)
    drawn = rng.multinomial(len(sums), np.full(len(sums), 1 / len(sums)), size=draws)
    low, high = np.quantile(drawn @ sums / (drawn @ sizes), (ALPHA, 1 - ALPHA))
    return float(low), float(high)
