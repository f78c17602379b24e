"""Pairs of real people for somebody to judge: nearly alike in everything but what may differ."""

from dataclasses import dataclass

import numpy as np

from core.base.errors import MetricError
from core.data.encoded import EncodedDataset
from core.language.phrases import listed, quoted
from core.language.told import say
from core.metrics.portrait import ROW_LIMIT, SimilarPairs

TELLING = 3
"""Columns in which people may differ where nobody chose any: those that tell the groups most."""
_BLOCK = 500


@dataclass(frozen=True)
class PairsToJudge:
    """Pairs of real people for somebody to judge.

    Attributes:
        pairs: The pairs.
        differing: Columns in which the two of a pair may be as unlike as people are.
    """

    pairs: SimilarPairs
    differing: tuple[str, ...]


def pairs_to_judge(
    data: EncodedDataset, differing: tuple[str, ...], rng: np.random.Generator, most: int = 60
) -> PairsToJudge:
    """Up to ``most`` pairs of rows that are as nearly alike as the table has them in all columns but ``differing``.

    The two differ in ``differing``; without any, in a protected attribute and as they may in the three columns that
    tell the groups most, so that something can be learned from them. No row appears twice, and the order says
    nothing of how alike they are, so that the first of them are as good a sample as all. At most 4,000 rows, drawn at
    random, are compared. Distances are those of the columns in which the two should be alike, each in standard
    deviations.

    Args:
        data: The rows.
        differing: Columns that the model reads, in which the people of a pair may be as unlike as people are.
        rng: Draws the rows, and the order of the pairs.
        most: How many pairs.

    Raises:
        MetricError: No column is left to be alike in, or no two rows differ as they should.
    """
    chosen = np.sort(rng.permutation(len(data))[:ROW_LIMIT])
    part = data.take(chosen)
    roles, frame = part.dataset.roles, part.dataset.frame
    protected = frame[list(roles.protected)]
    groups = frame[list(differing)] if differing else protected
    other = groups.groupby(list(groups.columns), sort=True, observed=True, dropna=False).ngroup().to_numpy()
    differing = differing or _most_telling(part, other)
    alike = [n for n, name in enumerate(part.encoder.features) if name not in (*differing, *roles.protected)]
    x = part.x[:, np.isin(part.encoder.sources, alike)]
    spread = x.std(axis=0)
    x = x[:, spread > 0] / spread[spread > 0]
    if not x.shape[1]:
        raise MetricError(
            say("No column is left in which the people of a pair could be alike."),
            advice=say("Let them differ in fewer columns."),
        )
    first, second = _disjoint(_nearest(x, other), most)
    if not len(first):
        raise MetricError(
            say("No two rows differ in {columns}.", columns=listed([quoted(name) for name in groups.columns])),
            advice=say("Let them differ in other columns."),
        )
    order = rng.permutation(len(first))
    first, second = first[order], second[order]
    apart, shuffled = ((x[first] - x[second]) ** 2).sum(axis=1), rng.permutation(len(x))
    typical = float(np.median(((x[shuffled] - x[np.roll(shuffled, 1)]) ** 2).sum(axis=1)))
    return PairsToJudge(SimilarPairs.of(part, first, second, apart, typical), differing)


def _most_telling(data: EncodedDataset, group: np.ndarray) -> tuple[str, ...]:
    """Features by the largest share of an encoded column's variance that lies between groups; never all of them."""
    size = np.bincount(group)[:, None]
    z = (data.x - data.x.mean(axis=0)) / np.maximum(data.x.std(axis=0), np.finfo(float).tiny)
    between = np.zeros((len(size), z.shape[1]))
    np.add.at(between, group, z)
    share = (between**2 / np.maximum(size, 1)).sum(axis=0) / len(z)
    features = data.encoder.features
    told = np.array([share[data.encoder.sources == n].max(initial=0.0) for n in range(len(features))])
    order = [n for n in np.argsort(-told, kind="stable") if features[n] not in data.dataset.roles.protected]
    chosen = sorted(order[: min(TELLING, max(len(order) - 1, 0))])
    return tuple(features[n] for n in chosen)


def _nearest(x: np.ndarray, other: np.ndarray) -> np.ndarray:
    """For each row the nearest that differs in ``other``, as pairs of positions, the nearest pair first; (m, 2)."""
    length = (x**2).sum(axis=1)
    found = []
    for start in range(0, len(x), _BLOCK):
        rows = slice(start, start + _BLOCK)
        apart = np.maximum(length[rows, None] + length - 2 * x[rows] @ x.T, 0.0)
        apart[other[rows, None] == other] = np.inf
        partner = apart.argmin(axis=1)
        own = np.arange(len(partner))
        found.append(np.stack([apart[own, partner], own + start, partner], axis=1))
    pairs = np.concatenate(found)
    pairs = pairs[np.isfinite(pairs[:, 0])]
    ordered: np.ndarray = pairs[np.argsort(pairs[:, 0], kind="stable"), 1:].astype(np.int64)
    return ordered


def _disjoint(candidates: np.ndarray, most: int) -> tuple[np.ndarray, np.ndarray]:
    """The first ``most`` candidates without a row twice."""
    used: set[int] = set()
    kept: list[tuple[int, int]] = []
    for first, second in candidates.tolist():
        if len(kept) == most:
            break
        if first not in used and second not in used:
            kept.append((first, second))
            used |= {first, second}
    pairs = np.array(kept, dtype=np.int64).reshape(-1, 2)
    return pairs[:, 0], pairs[:, 1]
