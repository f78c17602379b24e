"""Clusters: rows that belong to one person, household, template or document, and so are not independent."""

from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd

from core.base.errors import Caveat, DataError
from core.base.thresholds import FEWEST_CLUSTERS
from core.data.cells import as_text
from core.language.phrases import count, quoted, whole
from core.language.told import say


def cluster_codes(values: pd.Series) -> np.ndarray:
    """The cluster of each row as a code 0..G-1, shape (n,), int64.

    A row whose cell is missing is a cluster of its own. Rows are told by the index, so that a row that was drawn twice
    stays one.

    Args:
        values: What each row belongs to; the index is the row's number in the file.
    """
    codes, names = pd.factorize(as_text(values))
    alone = codes < 0
    codes[alone] = len(names) + pd.factorize(values.index[alone])[0]
    return np.asarray(codes, dtype=np.int64)


def count_clusters(clusters: np.ndarray | None) -> int:
    """How many there are; 0 where each row stands for itself."""
    return 0 if clusters is None else len(np.unique(clusters))


def in_parts(
    rows: int, shares: Sequence[float], rng: np.random.Generator, clusters: np.ndarray | None = None
) -> list[np.ndarray]:
    """Positions of the rows in parts at random, in proportion to ``shares``; rows of a cluster stay together.

    Args:
        rows: How many there are, n.
        shares: Size of each part, in any unit.
        rng: Source of the order.
        clusters: Code of each row's cluster, 0..G-1, shape (n,), int; None where each row stands for itself.
    """
    ends = np.round(rows * np.cumsum(shares) / np.sum(shares)).astype(int)
    if clusters is None:
        return np.split(rng.permutation(rows), ends[:-1])
    place, sizes = np.unique(clusters, return_inverse=True, return_counts=True)[1:]
    order = rng.permutation(len(sizes))
    middles = np.empty(len(sizes))
    middles[order] = np.cumsum(sizes[order]) - sizes[order] / 2
    part = np.searchsorted(ends[:-1], middles, side="right")[place]
    return [np.flatnonzero(part == number) for number in range(len(shares))]


def some_of(rows: int, most: int, rng: np.random.Generator, clusters: np.ndarray | None = None) -> np.ndarray:
    """Positions of at most ``most`` random rows, in random order; rows of a cluster follow each other.

    So a pilot sees how alike they are; only the last cluster may be cut off.
    """
    order = rng.permutation(rows)
    if clusters is not None:
        codes = np.unique(clusters, return_inverse=True)[1]
        order = np.argsort(rng.permutation(int(codes.max()) + 1)[codes], kind="stable")
    return order[:most]


def refuse_few_clusters(clusters: np.ndarray, name: str) -> None:
    """Refuse rows that belong to so few that nothing can be said of others.

    Raises:
        DataError: They belong to fewer than 10.
    """
    if (found := count_clusters(clusters)) < FEWEST_CLUSTERS:
        raise DataError(
            say(
                "The {rows} belong to only {found} different {name}; rows of one are not independent, so a "
                "test needs at least {fewest}.",
                rows=count(len(clusters), "row"),
                found=found,
                name=quoted(name),
                fewest=FEWEST_CLUSTERS,
            ),
            where=say("column {name}", name=quoted(name)),
            advice=say("Bring rows of more of them, or take back the role if the rows are independent all the same."),
        )


def about_clusters(values: pd.Series, clusters: np.ndarray) -> Iterator[Caveat]:
    """How many rows belong together, and how many name nothing that they belong to."""
    name = quoted(str(values.name))
    found = count_clusters(clusters)
    yield Caveat(
        "info",
        say(
            "{rows} belong to {found} different {name}. Rows of one are not independent: they count together.",
            rows=count(len(values), "row"),
            found=whole(found),
            name=name,
        ),
    )
    if alone := int(values.isna().sum()):
        yield Caveat(
            "info",
            say(
                "{rows} without {name}: each counts on its own, as if it belonged to nobody else.",
                rows=count(alone, "row"),
                name=name,
            ),
        )
