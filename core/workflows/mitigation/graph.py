"""Graph-Laplacian post-processing (Petersen et al. 2021, "Post-processing for individual fairness", equation 3.2)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from core.contracts.metric import FittedMetric
from core.workflows.mitigation.networks import Answering, Training
from core.workflows.mitigation.settings import Smoothing


def smoothed(method: Smoothing, training: Training) -> Smoothed:
    """The baseline, whose answers are smoothed."""
    if training.metric is None:
        raise TypeError("The method compares similar people, and nobody said who is.")
    weight = training.strength / (1 - training.strength)
    return Smoothed(training.baseline, training.metric, method.neighbours, weight)


@dataclass(frozen=True)
class Smoothed:
    """A model whose answers for people asked together are smoothed over a graph of who is similar.

    Attributes:
        model: The model.
        metric: Who is similar, a quadratic form.
        neighbours: How many most similar people each is joined to.
        weight: μ, how much a difference between joined people weighs beside the model's own answers.
    """

    model: Answering
    metric: FittedMetric
    neighbours: int
    weight: float

    def answers(self, x: np.ndarray) -> np.ndarray:
        """The answers f that are least ‖f - ŷ‖² + μ fᵀ L f: (I + μ L)⁻¹ ŷ.

        They are means of the model's own answers ŷ with positive weights, so that probabilities stay probabilities.
        """
        from scipy.sparse.linalg import splu

        given = self.model.answers(x)
        if not self.weight or len(x) < 2:
            return given
        system = sparse.eye_array(len(x), format="csc") + self.weight * laplacian(x, self.metric, self.neighbours)
        return np.asarray(splu(system.tocsc()).solve(given))


def laplacian(x: np.ndarray, metric: FittedMetric, neighbours: int) -> sparse.csr_array:
    """The Laplacian of the graph that joins each row of ``x``, (n, d), to those most similar to it; shape (n, n).

    Edges weigh exp(-d²/s) with s the mean d² of joined people, and all weights are divided by a row's mean sum, so that
    μ means the same however many people are joined.
    """
    from sklearn.neighbors import NearestNeighbors

    near = NearestNeighbors(n_neighbors=min(neighbours, len(x) - 1)).fit(_straightened(x, metric))
    joined = near.kneighbors_graph(mode="distance")
    squared = joined.data**2
    joined.data = np.exp(-squared / max(float(squared.mean()), np.finfo(np.float64).tiny))
    weights = joined.maximum(joined.T)
    degree = np.asarray(weights.sum(axis=1)).ravel()
    return sparse.csr_array((sparse.diags_array(degree) - weights) / degree.mean())


def unlike(answers: np.ndarray, x: np.ndarray, metric: FittedMetric) -> float:
    """The mean difference of the answers to each person and to the most similar other one.

    Args:
        answers: Class probabilities, shape (n, k), of which the share that moves is taken; or numbers, shape (n,) or
            (n, 1).
        x: The people, shape (n, d).
        metric: Who is similar, a quadratic form.
    """
    from sklearn.neighbors import NearestNeighbors

    nearest = NearestNeighbors(n_neighbors=1).fit(_straightened(x, metric)).kneighbors(return_distance=False)[:, 0]
    apart = np.abs(answers - answers[nearest])
    return float(apart.sum(axis=1).mean() / 2 if apart.ndim == 2 and apart.shape[1] > 1 else apart.mean())


def _straightened(x: np.ndarray, metric: FittedMetric) -> np.ndarray:
    """Rows between which the squared Euclidean distance is d², shape (n, d)."""
    values, vectors = metric.eigen
    return np.asarray(x @ (vectors * np.sqrt(values)))
