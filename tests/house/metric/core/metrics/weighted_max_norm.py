"""A fair metric that is no quadratic form: how far apart two people are in the column in which they differ most."""

from typing import Annotated, ClassVar, Literal

import numpy as np
from pydantic import Field

from core.base.settings import setting
from core.contracts.metric import AbstractMetric, FittedMetric
from core.data.encoded import EncodedDataset
from core.metrics.subspace import encoded_columns


class MaxNorm(FittedMetric):
    """d²(x, x') = max over columns of w² (x - x')²; ``matrix`` is diag(w²), whose form is never smaller."""

    quadratic: ClassVar[bool] = False

    def squared_distance(self, x: np.ndarray, other: np.ndarray) -> np.ndarray:
        """See the base class."""
        largest: np.ndarray = (np.diag(self.matrix) * (x - other) ** 2).max(axis=1)
        return largest

    def gradient(self, x: np.ndarray, other: np.ndarray) -> np.ndarray:
        """Of the column in which they differ most, the first of equals; 0 in all others."""
        slope = 2.0 * np.diag(self.matrix) * (x - other)
        place = (np.abs(slope) * np.abs(x - other)).argmax(axis=1)
        only = np.zeros_like(slope)
        only[np.arange(len(x)), place] = slope[np.arange(len(x)), place]
        return only


class WeightedMaxNorm(AbstractMetric):
    """People are as far apart as in the one column in which they differ most."""

    title = "The largest difference counts"
    about = "Two people are as far apart as in the column in which they differ most, however many others differ too."
    reads = "columns"

    kind: Literal["weighted_max_norm"] = "weighted_max_norm"
    weights: tuple[tuple[str, Annotated[float, Field(ge=0.0, le=1e9)]], ...] = setting(
        (), label="Weights", help="How much a difference in a column counts; 1 where nothing is said."
    )

    def fit(self, data: EncodedDataset, rng: np.random.Generator) -> FittedMetric:
        """The declared metric; the rows do not matter."""
        weight = np.ones(data.encoder.width)
        for name, value in self.weights:
            weight[encoded_columns(data, (name,))] = value
        free = np.eye(data.encoder.width)[weight == 0]
        return MaxNorm("Largest difference", data.encoder.names, np.diag(weight**2), free, np.empty(0))
