"""A dataset as a model reads it."""

from dataclasses import dataclass, replace
from typing import Self

import numpy as np
import pandas as pd

from core.data.dataset import Dataset
from core.data.encoder import Encoder


@dataclass(frozen=True)
class EncodedDataset:
    """A dataset as a model reads it.

    Attributes:
        dataset: The rows in original units.
        encoder: The way from those to ``x`` and back.
        x: Encoded features, shape (n, d), float64.
        y: True class of each row as an index into ``classes``, shape (n,), int64; -1 where there is no outcome, or the
            outcome is a number (:attr:`Dataset.numbers`).
        classes: The model's classes as outcome values, length k; empty for a model that answers with a number.
    """

    dataset: Dataset
    encoder: Encoder
    x: np.ndarray
    y: np.ndarray
    classes: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.x)

    @property
    def times(self) -> np.ndarray | None:
        """How many people each row stands for (:attr:`Dataset.times`)."""
        return self.dataset.times

    @property
    def clusters(self) -> np.ndarray | None:
        """Which rows belong together (:attr:`Dataset.clusters`)."""
        return self.dataset.clusters

    def people(self, rows: np.ndarray) -> pd.DataFrame:
        """The columns the model reads, in original units, of the rows at these positions."""
        return self.dataset.frame.iloc[rows].loc[:, list(self.encoder.features)].reset_index(drop=True)

    def take(self, rows: np.ndarray) -> Self:
        """The rows at these positions (0-based within this dataset)."""
        return replace(self, dataset=self.dataset.take(rows), x=self.x[rows], y=self.y[rows])
