"""A learned fair metric: what differs between people the auditor calls comparable is free."""

from collections.abc import Callable
from typing import Annotated, ClassVar, Literal

import numpy as np
from pydantic import Field

from core.base.errors import Caveat, MetricError
from core.base.settings import setting
from core.contracts.metric import AbstractMetric, FittedMetric, chosen, parted
from core.data.encoded import EncodedDataset
from core.language import phrases
from core.language.told import say, say_count
from core.metrics.learned import DIRECTIONS, PROTECTED_COLUMNS, independence_caveat, learned_metric, one_thread
from core.metrics.subspace import RANK_TOLERANCE, signs, standardised

RowNumber = Annotated[int, Field(ge=0)]

PAIRS_PER_DIRECTION = 5
"""Fewer pairs than this for each free direction leave the direction mostly to chance."""

FEWEST_SETS = 10
"""Sets of pairs with nobody in common, from which it is known how sure the directions are."""
CLEAR_RATIO = 0.5
"""A direction is free if the squared differences of comparable people in it are this share of those of random pairs.
Pairs that differ by noise alone reach the noise's share: 0.18 where it has a standard deviation of 0.42 in each column
of spread one."""


class ComparablePairs(AbstractMetric):
    """Directions in which comparable people differ about as much as people drawn at random (see ``contrast``).

    If two people are comparable, what differs between them should not matter (factor model of Mukherjee et al. 2020).
    But they also differ by chance in everything else, so that not every direction they differ in is meant: free is one
    in which their squared differences are at least half of those of random pairs.
    """

    title = say("What differs between people whom I call similar")
    about = say(
        "You judge pairs of people, or bring pairs who deserve the same answer: what differs between them is ignored."
    )
    learns_from_rows: ClassVar[bool] = True

    kind: Literal["comparable_pairs"] = "comparable_pairs"
    pairs: tuple[tuple[RowNumber, RowNumber], ...] = setting(
        label=say("Comparable pairs"),
        help=say("Rows of people who deserve the same answer, by number in the file (0 is the first row)."),
        min_length=1,
    )
    directions: int | None = DIRECTIONS
    learn_on: Literal["paired rows", "audited rows"] = setting(
        "paired rows",
        label=say("Rows named in a pair"),
        help=say("Left out of the audit, which keeps the test exact; or audited like all others."),
        names={"paired rows": say("paired rows"), "audited rows": say("audited rows")},
    )
    include_protected_columns: bool = PROTECTED_COLUMNS

    @property
    def keeps_rows_apart(self) -> bool:
        """See the base class."""
        return self.learn_on != "audited rows"

    def split(self, data: EncodedDataset, rng: np.random.Generator) -> tuple[EncodedDataset, EncodedDataset]:
        """The rows named in a pair with those that belong to them, and all others, unless both are to be audited."""
        if not self.keeps_rows_apart:
            return data, data
        paired = np.isin(data.dataset.frame.index.to_numpy(), np.array(self.pairs))
        if data.clusters is not None:
            paired = np.isin(data.clusters, data.clusters[paired])
        return parted(data, paired, say("Name fewer rows in pairs, or have the paired rows audited too."))

    def fit(self, data: EncodedDataset, rng: np.random.Generator) -> FittedMetric:
        """Learn from the pairs whose rows are both in ``data``.

        Raises:
            MetricError: A row is paired with itself, no pair is left, or the people of every pair are alike in all
                columns.
        """
        for number, (first, second) in enumerate(self.pairs):
            if first == second:
                raise MetricError(
                    say("Row {record} is paired with itself.", record=first + 1),
                    where=say("pair {number}", number=number + 1),
                    advice=say("Pair it with another row."),
                )
        found, absent = self._positions(data)
        differences = data.x[found[:, 0]] - data.x[found[:, 1]]
        if not differences.any():
            raise MetricError(
                say(
                    "The people of every pair are alike in all columns the model reads, so no direction can be learned."
                ),
                where=phrases.count(len(found), "pair"),
                advice=say("Pair people who differ in what should not matter."),
            )
        with one_thread():
            ratios, vectors = contrast(differences, data.x)
        directions = clear(ratios, vectors, self.directions)
        if not len(directions):
            raise MetricError(
                say(
                    "In no direction do the people of a pair differ as people do who are paired at random: their "
                    "squared differences reach {ratios} of those, and {needed} is needed.",
                    ratios=phrases.percent(round(float(ratios[0]), 2)),
                    needed=phrases.percent(CLEAR_RATIO),
                ),
                where=phrases.count(len(found), "pair"),
                advice=say("Pair people who differ in what should not matter, or say how many directions are free."),
            )
        return learned_metric(
            say("Learned from comparable pairs"),
            data,
            directions,
            include_protected_columns=self.include_protected_columns,
            spectrum=ratios,
            caveats=(
                *independence_caveat(self.learn_on),
                *_caveats(len(found), absent, len(directions), self.directions),
                *_few_sets(_sharing(found, data.clusters)),
            ),
        )

    def learn_from_half(
        self, data: EncodedDataset, metric: FittedMetric, rng: np.random.Generator
    ) -> Callable[[], FittedMetric]:
        """Half of the pairs; they and not the rows are what the directions are learned from.

        Pairs that share somebody stay together. Nothing is learned where fewer than ``FEWEST_SETS`` sets of pairs have
        nobody in common.
        """
        found, _ = self._positions(data)
        sets = _sharing(found, data.clusters)
        index = data.dataset.frame.index.to_numpy()
        half = index[found[chosen(sets, len(found), 0.5, rng)]].tolist()
        changes = {"pairs": tuple((first, second) for first, second in half), "directions": metric.found}

        def learn() -> FittedMetric:
            for few in _few_sets(sets):
                raise MetricError(few.what, advice=few.advice)
            return self.model_copy(update=changes).fit(data, rng)

        return learn

    def _positions(self, data: EncodedDataset) -> tuple[np.ndarray, int]:
        """Positions of the rows of every usable pair, shape (m, 2), and how many pairs lack a row."""
        where = {int(row): position for position, row in enumerate(data.dataset.frame.index)}
        found = [(where[i], where[j]) for i, j in self.pairs if i in where and j in where]
        if not found:
            first = next(row for row in self.pairs[0] if row not in where)
            raise MetricError(
                say(
                    "None of {pairs} can be used: each names a row that is not among the usable rows.",
                    pairs=phrases.count(len(self.pairs), "pair"),
                ),
                where=say("row {record} is the first", record=first + 1),
                advice=say("Number rows from 1 without the header, and name rows without missing values."),
            )
        return np.array(found), len(self.pairs) - len(found)


def _sharing(pairs: np.ndarray, clusters: np.ndarray | None) -> np.ndarray:
    """Sets of pairs that share somebody, directly or through others: a code 0.. a pair, shape (m,), int.

    Args:
        pairs: Positions of the two rows of each, shape (m, 2), int.
        clusters: Whom each row belongs to, shape (n,), int; None where each stands for itself.
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    people, place = np.unique(pairs if clusters is None else clusters[pairs], return_inverse=True)
    first, second = place.reshape(pairs.shape).T
    linked = coo_array((np.ones(len(pairs)), (first, second)), shape=(len(people), len(people)))
    return np.asarray(connected_components(linked, directed=False)[1][first], dtype=np.int64)


def _few_sets(sets: np.ndarray) -> tuple[Caveat, ...]:
    """Says that no claim can be made, where the pairs share too many people."""
    number = int(sets.max()) + 1
    if number >= FEWEST_SETS:
        return ()
    what = say_count(
        "All pairs hang together: each shares somebody with another, directly or through others. So it cannot be told "
        "how sure the learned directions are.",
        "The pairs fall into {n} sets that have nobody in common; how sure the learned directions are cannot be told "
        "from fewer than {fewest}.",
        number,
        fewest=FEWEST_SETS,
    )
    return (Caveat("warning", what, say("Pair more people who stand in no other pair, or declare the metric.")),)


def _caveats(used: int, absent: int, count: int, wanted: int | None) -> tuple[Caveat, ...]:
    caveats = []
    if absent:
        what = say(
            "Left out {absent} of {pairs}: a row they name is not among the usable rows.",
            absent=absent,
            pairs=phrases.count(absent + used, "pair"),
        )
        caveats.append(Caveat("warning", what, say("Check the row numbers, and rows with missing values.")))
    if used < PAIRS_PER_DIRECTION * count:
        what = say(
            "Only {found} for {directions}.",
            found=phrases.count(used, "pair"),
            directions=phrases.count(count, "free direction"),
        )
        caveats.append(
            Caveat(
                "warning",
                what,
                say("Bring {fewest} pairs or more for each direction.", fewest=PAIRS_PER_DIRECTION),
            )
        )
    if wanted is not None and count < wanted:
        what = say(
            "The pairs differ in {directions} only, free instead of the {wanted} asked for.",
            directions=phrases.count(count, "direction"),
            wanted=wanted,
        )
        caveats.append(Caveat("warning", what, say("Bring more pairs, or ask for fewer directions.")))
    return tuple(caveats)


def contrast(differences: np.ndarray, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Directions of encoded space by how much comparable people differ in them, against random pairs of people.

    The generalised eigenproblem P v = ρ R v, with P the mean of d dᵀ over differences d of comparable people and R that
    over random pairs, twice the covariance of ``x``. Mean squared differences along v have the ratio ρ; the direction
    in which people then differ is R v. R is shrunk towards a multiple of the identity in standardised columns (Ledoit
    and Wolf 2004, Journal of Multivariate Analysis 88:365), so that few rows make no direction look rare.

    Args:
        differences: x_i - x_j of comparable people, shape (m, d), not all zero; their sign does not matter.
        x: People, from whom random pairs are drawn, shape (n, d).

    Returns:
        The ratios ρ, descending, shape (q,), and unit directions, shape (q, d); q is the number of directions in which
        comparable people differ at all.
    """
    from scipy.linalg import eigh
    from sklearn.covariance import ledoit_wolf

    z, scale = standardised(x)
    scaled = differences / scale
    random = 2 * ledoit_wolf(z)[0]
    random += RANK_TOLERANCE * np.trace(random) / len(random) * np.eye(len(random))
    ratios, vectors = eigh(scaled.T @ scaled / len(scaled), random)
    ratios, directions = ratios[::-1], (random @ vectors).T[::-1] * scale
    differs = ratios > RANK_TOLERANCE * ratios[0]
    kept = directions[differs] / np.linalg.norm(directions[differs], axis=1, keepdims=True)
    return ratios[differs], kept * signs(kept)[:, None]


def clear(ratios: np.ndarray, directions: np.ndarray, wanted: int | None) -> np.ndarray:
    """So many of the first ``directions`` as are wanted, or with ``None`` those whose ratio is clear; shape (q, d)."""
    kept: np.ndarray = directions[:wanted] if wanted is not None else directions[ratios >= CLEAR_RATIO]
    return kept
