"""A table of texts as a text model reads it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from core.data.cells import as_text
from core.data.encoded import EncodedDataset


@dataclass(frozen=True)
class EncodedTexts(EncodedDataset):
    """Texts with the embedding that the model's last layer reads; ``x`` is it, shape (n, H), float64.

    Attributes:
        embed: The pooled embedding of other texts: m texts -> (m, H), float64.
    """

    embed: Callable[[Sequence[str]], np.ndarray]

    def people(self, rows: np.ndarray) -> pd.DataFrame:
        """The texts at these positions, as a table of one column."""
        return self.dataset.frame.iloc[rows].loc[:, [self.dataset.roles.text]].reset_index(drop=True)

    @property
    def texts(self) -> tuple[str, ...]:
        """The texts, in order."""
        return tuple(map(str, as_text(self.dataset.frame[self.dataset.roles.text])))
