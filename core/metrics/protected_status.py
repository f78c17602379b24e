"""A learned fair metric: what a small network uses to tell protected groups apart is free."""

from typing import Literal

import numpy as np

from core.data.dataset import EncodedDataset
from core.errors import MetricError
from core.metric import FittedMetric
from core.metrics.learned import (
    DIRECTIONS,
    ROWS_PER_GROUP,
    AbstractProbedMetric,
    at_most,
    attributes_of,
    clusters_at,
    independence_notice,
    inputs_of,
    learned_metric,
    one_thread,
    small_group_notices,
    stratified_folds,
    weak_notices,
)
from core.metrics.probe import evaluate
from core.metrics.protected_network import ProtectedNetwork, train_network
from core.metrics.subspace import leading, standardised, unused_directions
from core.phrases import count
from core.settings import setting

PARTS = 5
"""Of five parts of the learning rows (at most 20,000 a group) three train the network, one stops its training and one
judges it."""


class ProtectedStatus(AbstractProbedMetric):
    """Protected Status Model for tables (papers/prediction-sensitivity.md, 6.4.2; Mukherjee et al. 2020).

    For each attribute a network with one hidden layer predicts the group from every column but the protected ones,
    all groups weighing the same. The average outer product of its input gradients (of the centred logits, over all
    learning rows) says along which directions its answer changes, also where the change is not linear. Averaged over
    the attributes, each scaled to trace one, its leading eigenvectors span the free subspace.
    """

    kind: Literal["protected_status"] = "protected_status"
    hidden: int = setting(32, label="Hidden units", help="Width of the network's hidden layer.", ge=2, le=1024)
    epochs: int = setting(
        60,
        label="Longest training",
        unit="epochs",
        help="Training stops earlier once it no longer helps on rows kept for that.",
        ge=1,
        le=1000,
    )
    directions: int | None = DIRECTIONS
    explained_share: float = setting(
        0.9,
        label="Explained share",
        help="Share of the squared gradients that the free directions cover.",
        gt=0.0,
        le=1.0,
    )

    def fit(self, data: EncodedDataset, rng: np.random.Generator) -> FittedMetric:
        """Train a network for each protected attribute; see the class.

        Raises:
            MetricError: An attribute has one group only or one with fewer than five rows, there are fewer rows than
                columns, or a network does not respond to any column.
        """
        with one_thread():
            return self._learned(data, rng)

    def _learned(self, data: EncodedDataset, rng: np.random.Generator) -> FittedMetric:
        attributes = attributes_of(data, self.protected)
        columns = inputs_of(data)
        z, scale = standardised(data.x[:, columns])
        unused = unused_directions(z, scale)
        responses, probes = [], []
        for attribute in attributes:
            codes, groups = data.dataset.groups(attribute)
            _check_groups(attribute, codes, groups)
            chosen = at_most(codes, ROWS_PER_GROUP, rng)
            fold = stratified_folds(codes[chosen], PARTS, rng, clusters_at(data, chosen))
            trained, judged = chosen[fold != 0], chosen[fold == 0]
            network = train_network(
                z[trained],
                codes[trained],
                len(groups),
                fold[fold != 0] == 1,
                hidden=self.hidden,
                epochs=self.epochs,
                rng=rng,
            )
            response = _response(network, z, scale, unused, attribute)
            responses.append(response)
            _, own = self._leading(response, columns, data.x.shape[1])
            probes.append(
                evaluate(
                    attribute,
                    groups=groups,
                    codes=codes[judged],
                    probability=network.probability(z[judged]),
                    prior=np.full(len(groups), 1 / len(groups)),
                    directions=own,
                )
            )
        spectrum, free = self._leading(np.mean(responses, axis=0), columns, data.x.shape[1])
        return learned_metric(
            "Protected status model",
            data,
            free,
            include_protected_columns=self.include_protected_columns,
            spectrum=spectrum,
            probes=tuple(probes),
            notices=(
                *independence_notice(self.learn_on),
                *small_group_notices(data, attributes),
                *weak_notices(tuple(probes), "serious"),
            ),
        )

    def _leading(self, response: np.ndarray, columns: np.ndarray, width: int) -> tuple[np.ndarray, np.ndarray]:
        """Eigenvalues, descending, and the leading eigenvectors in encoded space, shape (q, d)."""
        values, vectors = np.linalg.eigh(response)
        values, vectors = np.maximum(values[::-1], 0.0), vectors.T[::-1]
        found = leading(values, vectors, self.directions, self.explained_share)
        directions = np.zeros((len(found), width))
        directions[:, columns] = found
        return values, directions


def _check_groups(attribute: str, codes: np.ndarray, groups: tuple[str, ...]) -> None:
    rows = np.bincount(codes)
    if rows.min() < PARTS:
        raise MetricError(
            f"The group {groups[int(rows.argmin())]!r} has {count(int(rows.min()), 'row')} to learn from; a network "
            f"needs at least "
            f"{PARTS} in each group.",
            where=f"column {attribute!r}",
            advice="Hold out more rows, merge small groups, or learn the metric with logistic probes.",
        )


def _response(
    network: ProtectedNetwork, z: np.ndarray, scale: np.ndarray, unused: np.ndarray, attribute: str
) -> np.ndarray:
    """Average outer product of the input gradients in encoded units, scaled to trace one, shape (p, p)."""
    response = network.mean_outer_product(z) / np.outer(scale, scale)
    used = np.eye(len(scale)) - unused.T @ unused
    response = used @ response @ used
    size = float(np.trace(response))
    if not np.isfinite(size) or size <= 0:
        raise MetricError(
            "The network's answer does not depend on any column, so it shows no direction.",
            where=f"protected attribute {attribute!r}",
            advice="Learn the metric with logistic probes, or declare it.",
        )
    scaled: np.ndarray = (response + response.T) / (2 * size)
    return scaled
