"""A learned fair metric: what a small network uses to tell protected groups apart is free."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from core.base.errors import MetricError
from core.base.settings import setting
from core.contracts.metric import FittedMetric, random_half
from core.data.encoded import EncodedDataset
from core.language.phrases import quoted
from core.language.told import say
from core.metrics.learned import (
    BY_CHANCE,
    DIRECTIONS,
    ROWS_PER_GROUP,
    AbstractProbedMetric,
    at_most,
    attributes_of,
    clusters_at,
    independence_caveat,
    inputs_of,
    learned_metric,
    one_thread,
    small_group_caveats,
    stratified_folds,
    weak_caveats,
)
from core.metrics.probe import evaluate, tells
from core.metrics.protected_network import ProtectedNetwork, train_network
from core.metrics.subspace import signs, standardised, unused_directions

PARTS = 5
"""Of five parts of the learning rows (at most 20,000 a group) one judges the network; of the other four each of its
members trains on three and stops by one."""

FAINT = 0.1
"""A direction is not free if the squared response along it is less than this share of that along the first."""


@dataclass(frozen=True)
class _Drawn:
    """What is drawn for the network of an attribute.

    Attributes:
        attribute: The attribute.
        groups: Its values that have enough rows, length g.
        rows: Positions of the rows that teach and judge it, shape (m,), int.
        codes: Group of each, shape (m,), int.
        fold: The part of each, shape (m,), int.
        seed: Of its training.
    """

    attribute: str
    groups: tuple[str, ...]
    rows: np.ndarray
    codes: np.ndarray
    fold: np.ndarray
    seed: int


class ProtectedStatus(AbstractProbedMetric):
    """Protected Status Model for tables (papers/prediction-sensitivity.md, 6.4.2; Mukherjee et al. 2020).

    For each attribute a network predicts the group from every column but the protected ones, all groups weighing the
    same: the average of eight with one hidden layer each. The average outer product of its input gradients (of the
    centred logits, over all learning rows) says along which directions its answer changes, also where the change is not
    linear. Its leading eigenvectors are free, so many as two networks agree on that were each trained on half of the
    people; none if the network tells the groups of people it never saw no better than by chance, nor if the answer
    changes no more along the first than that of networks trained on groups dealt out at random, which respond to
    something too. The free subspace is the span of all attributes' directions. Groups with fewer than five rows teach
    nothing, and a caveat says so.
    """

    title = say("What reveals the group, learned by a small network")
    about = say("As the first, for groups that only combinations of columns reveal.")
    learns_long: ClassVar[bool] = True

    kind: Literal["protected_status"] = "protected_status"
    hidden: int = setting(
        32, label=say("Hidden units"), help=say("Width of the network's hidden layer."), ge=2, le=1024
    )
    epochs: int = setting(
        60,
        label=say("Longest training"),
        unit=say("epochs"),
        help=say("Training stops earlier once it no longer helps on rows kept for that."),
        ge=1,
        le=1000,
    )
    directions: int | None = DIRECTIONS
    null_networks: int = setting(
        5,
        label=say("Networks of shuffled groups"),
        help=say(
            "Directions are free only if the network's answers change more along the first than those of so "
            "many networks trained on groups dealt out at random. Counts where the evidence decides the "
            "number of directions."
        ),
        ge=1,
        le=100,
    )

    def fit(self, data: EncodedDataset, rng: np.random.Generator) -> FittedMetric:
        """Train a network for each protected attribute; see the class.

        Raises:
            MetricError: An attribute has fewer than two groups of five rows, there are fewer rows than columns, a
                network does not respond to any column, or none tells its groups better than by chance.
        """
        with one_thread():
            return self._learned(data, self._drawn(data, rng), rng)

    def learn_from_half(
        self, data: EncodedDataset, metric: FittedMetric, rng: np.random.Generator
    ) -> Callable[[], FittedMetric]:
        """See the base class; each attribute keeps its number of directions."""
        counts = tuple(len(probe.directions) for probe in metric.probes)
        half = random_half(data, rng)
        drawn = list(self._drawn(data.take(half), rng))

        def learn() -> FittedMetric:
            with one_thread():
                return self._learned(data.take(half), drawn, rng, counts)

        return learn

    def _drawn(self, data: EncodedDataset, rng: np.random.Generator) -> Iterator[_Drawn]:
        """What is drawn for the network of each attribute."""
        attributes = attributes_of(data, self.protected)
        inputs_of(data)  # raises before anything is drawn
        for attribute in attributes:
            codes, groups = data.dataset.groups(attribute)
            learned = _large_enough(attribute, codes, groups)
            able = np.flatnonzero(np.isin(codes, learned))
            codes = np.searchsorted(learned, codes[able])
            some = at_most(codes, ROWS_PER_GROUP, rng)
            chosen, codes = able[some], codes[some]
            fold = stratified_folds(codes, PARTS, rng, clusters_at(data, chosen))
            yield _Drawn(attribute, tuple(groups[k] for k in learned), chosen, codes, fold, _seed(rng))

    def _learned(
        self,
        data: EncodedDataset,
        drawn: Iterable[_Drawn],
        rng: np.random.Generator,
        counts: tuple[int, ...] | None = None,
    ) -> FittedMetric:
        """The metric; so many directions of each attribute as ``counts`` says, or by evidence, which draws more."""
        attributes = attributes_of(data, self.protected)
        columns = inputs_of(data)
        z, scale = standardised(data.x[:, columns])
        unused = unused_directions(z, scale)
        probes, ratios = [], []
        for place, one in enumerate(drawn):
            attribute, groups, chosen, fold = one.attribute, one.groups, one.rows, one.fold
            clusters = clusters_at(data, chosen)
            trained, judged = chosen[fold != 0], chosen[fold == 0]
            part, groups_of, codes = fold[fold != 0], one.codes[fold != 0], one.codes[fold == 0]
            together = None if clusters is None else clusters[fold != 0]
            network = self._trained(z[trained], groups_of, len(groups), part, one.seed)
            spaces = _Spaces(z, scale, unused)
            values, vectors = spaces.response(network, network)
            if not np.isfinite(values).all() or values[0] <= 0:
                raise MetricError(
                    say("The network's answer does not depend on any column, so it shows no direction."),
                    where=say("protected attribute {attribute}", attribute=quoted(attribute)),
                    advice=say("Learn the metric with logistic probes, or declare it."),
                )
            wanted = self.directions if counts is None else counts[place]
            if wanted is None:
                halves = [
                    self._trained(z[trained[half]], groups_of[half], len(groups), part[half], _seed(rng))
                    for half in _halves(groups_of, rng, together)
                ]
                values = _evidence(spaces.response(*halves)[0])
                null = [
                    self._trained(z[trained], _dealt_out(groups_of, rng, together), len(groups), part, _seed(rng))
                    for _ in range(self.null_networks)
                ]
                told = spaces.response(network, network)[0][0] > max(spaces.response(one, one)[0][0] for one in null)
                wanted = max(1, int((values > 1).sum())) if told else 0
            ratios.append(values[values > 0])
            probability = network.probability(z[judged])
            known = None if clusters is None else clusters[fold == 0]
            if counts is None and not tells(codes, probability, BY_CHANCE, known):
                wanted = 0
            wanted = min(wanted, len(vectors))
            own = np.zeros((wanted, data.x.shape[1]))
            own[:, columns] = vectors[:wanted]
            probes.append(
                evaluate(
                    attribute,
                    groups=groups,
                    codes=codes,
                    probability=probability,
                    prior=np.full(len(groups), 1 / len(groups)),
                    directions=own,
                )
            )
        return learned_metric(
            say("Protected status model"),
            data,
            np.concatenate([probe.directions for probe in probes]),
            include_protected_columns=self.include_protected_columns,
            spectrum=np.sort(np.concatenate(ratios))[::-1],
            probes=tuple(probes),
            caveats=(
                *independence_caveat(self.learn_on),
                *small_group_caveats(data, attributes, PARTS),
                *weak_caveats(tuple(probes), "serious"),
            ),
        )

    def _trained(self, z: np.ndarray, codes: np.ndarray, groups: int, part: np.ndarray, seed: int) -> ProtectedNetwork:
        return train_network(z, codes, groups, part, hidden=self.hidden, epochs=self.epochs, seed=seed)


def _seed(rng: np.random.Generator) -> int:
    return int(rng.integers(2**62))


def _large_enough(attribute: str, codes: np.ndarray, groups: tuple[str, ...]) -> np.ndarray:
    """The groups that a network can learn from, ascending, int; two at least."""
    rows = np.bincount(codes)
    if (rows >= PARTS).sum() < 2:
        second = int(np.argsort(-rows, kind="stable")[1])
        raise MetricError(
            say(
                "A network needs at least two groups of {fewest} rows to learn from; the second largest, {group}, has "
                "{rows}.",
                fewest=PARTS,
                group=quoted(groups[second]),
                rows=int(rows[second]),
            ),
            where=say("column {attribute}", attribute=quoted(attribute)),
            advice=say("Hold out more rows, merge small groups, or learn the metric with logistic probes."),
        )
    return np.flatnonzero(rows >= PARTS)


@dataclass(frozen=True)
class _Spaces:
    """Standardised columns ``z``, the ``scale`` they were divided by, and directions in which no two rows differ."""

    z: np.ndarray
    scale: np.ndarray
    unused: np.ndarray

    def response(self, network: ProtectedNetwork, other: ProtectedNetwork) -> tuple[np.ndarray, np.ndarray]:
        """Eigenvalues, descending, shape (q,), and eigenvectors, (q, p), of the networks' mean outer product.

        In encoded units, within the directions in which rows differ.
        """
        product = network.mean_outer_product(other, self.z) / np.outer(self.scale, self.scale)
        used = np.eye(len(self.scale)) - self.unused.T @ self.unused
        values, vectors = np.linalg.eigh(used @ product @ used)
        first = vectors.T[::-1][: len(self.scale) - len(self.unused)]
        return values[::-1], first * signs(first)[:, None]


def _halves(codes: np.ndarray, rng: np.random.Generator, clusters: np.ndarray | None) -> tuple[np.ndarray, np.ndarray]:
    """Two random halves, each group dealt out evenly, clusters kept together; each shape (n,), bool."""
    first = stratified_folds(codes, 2, rng, clusters) == 0
    return first, ~first


def _dealt_out(codes: np.ndarray, rng: np.random.Generator, clusters: np.ndarray | None) -> np.ndarray:
    """The groups exchanged at random, shape (n,), int: between rows, or between clusters where rows belong together.

    A cluster takes over the groups of another, row by row; from the first again where the other has fewer rows.
    """
    if clusters is None:
        return rng.permutation(codes)
    _, place, rows = np.unique(clusters, return_inverse=True, return_counts=True)
    order = np.argsort(place, kind="stable")
    first = np.cumsum(rows) - rows
    within = np.empty(len(codes), dtype=np.int64)
    within[order] = np.arange(len(codes)) - np.repeat(first, rows)
    other = rng.permutation(len(rows))[place]
    exchanged: np.ndarray = codes[order[first[other] + within % rows[other]]]
    return exchanged


def _evidence(values: np.ndarray) -> np.ndarray:
    """Eigenvalues that two networks share, over what could be chance, shape (q,).

    Two networks trained on different people agree on what tells the groups; what each responds to by chance has no
    sign in common, so that their product is as often negative along it as positive. Chance is taken to reach as far as
    the most negative eigenvalue, and a tenth of the first at least.
    """
    return values / max(-float(values[-1]), FAINT * float(abs(values[0])))
