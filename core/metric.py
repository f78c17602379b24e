"""The fair metric: a quadratic form that says which people count as similar.

d²(x, x') = (x - x')ᵀ Σ (x - x') in the model's encoded space (papers/gradient-flow-test.md, A.1). A direction with
Σv = 0 is free: two people who differ along it only are the same person to the metric.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from core.dataset import EncodedDataset
from core.errors import Notice
from core.settings import Settings, setting


@dataclass(frozen=True)
class Probe:
    """How well one protected attribute can be predicted from the features, on rows the probe never saw.

    Attributes:
        attribute: The protected attribute.
        groups: Its values, length g.
        auc: Held-out area under the ROC curve (mean of one-vs-rest for g > 2); 0.5 is chance.
        auc_low: Lower end of its 95% interval (DeLong).
        auc_high: Upper end.
        accuracy: Held-out accuracy within each group, shape (g,).
        accuracy_low: Lower ends of their 95% intervals (Wilson), shape (g,).
        accuracy_high: Upper ends, shape (g,).
        held_out: Held-out rows in each group, shape (g,), int.
        directions: The probe's unit directions in encoded space, shape (q, d).
    """

    attribute: str
    groups: tuple[str, ...]
    auc: float
    auc_low: float
    auc_high: float
    accuracy: np.ndarray
    accuracy_low: np.ndarray
    accuracy_high: np.ndarray
    held_out: np.ndarray
    directions: np.ndarray


@dataclass(frozen=True)
class FittedMetric:
    """A fair metric ready to use.

    Attributes:
        name: Plain-language name ("Learned sensitive subspace").
        columns: Encoded column names, length d.
        matrix: Σ, symmetric positive semidefinite, shape (d, d).
        free: Orthonormal basis of the directions declared or learned to be free, shape (q, d); q may be 0.
        spectrum: How much each learned direction carries (singular or eigen values, descending); empty if declared.
        probes: What was learned about each protected attribute; empty if declared.
        learned_on: Rows the metric was learned from; 0 if declared.
        notices: What a reader has to know about it.
    """

    name: str
    columns: tuple[str, ...]
    matrix: np.ndarray
    free: np.ndarray
    spectrum: np.ndarray
    probes: tuple[Probe, ...] = ()
    learned_on: int = 0
    notices: tuple[Notice, ...] = ()

    def squared_distance(self, x: np.ndarray, other: np.ndarray) -> np.ndarray:
        """d² between rows of ``x`` and ``other``, both (n, d); returns (n,)."""
        moved = x - other
        return np.einsum("ni,ij,nj->n", moved, self.matrix, moved)

    @cached_property
    def eigen(self) -> tuple[np.ndarray, np.ndarray]:
        """Eigenvalues of Σ, ascending, clipped at zero, shape (d,), and eigenvectors as columns, (d, d)."""
        values, vectors = np.linalg.eigh(self.matrix)
        return np.maximum(values, 0.0), vectors

    @property
    def largest_eigenvalue(self) -> float:
        """σ_max(Σ), which with λ and the step size decides whether Euler steps are stable."""
        return float(self.eigen[0][-1])


class AbstractMetric(Settings, ABC):
    """Settings of a fair metric. Subclasses add ``kind: Literal[...]`` and their own fields."""

    @abstractmethod
    def fit(self, data: EncodedDataset, rng: np.random.Generator) -> FittedMetric:
        """The metric in the encoded space of ``data``.

        Raises:
            MetricError: It cannot be learned from these rows, or what was declared does not fit the columns.
        """


class AbstractLearnedMetric(AbstractMetric):
    """A metric learned from rows, by default rows that are not audited (Theorem 3.1 needs independence)."""

    learn_on: Literal["held-out rows", "audited rows"] = setting(
        "held-out rows",
        label="Learn the metric on",
        help="Held-out rows keep the test exact. The paper learns it on the audited rows themselves.",
    )
    held_out: float = setting(
        0.3, label="Share of rows held out", help="Rows set aside to learn the metric; not audited.", ge=0.05, le=0.9
    )
