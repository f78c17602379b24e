"""What a transport test keeps: the cells, and for each loss the sums and envelopes from which every answer follows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from core.audits.transport.reading import Loss
from core.audits.transport.settings import CellColumn
from core.inference.transport.sample import CellSample


@dataclass(frozen=True)
class Cells:
    """The kinds of people: K combinations of the columns' values and the true outcome.

    Attributes:
        columns: The columns that tell people apart, as they were binned, protected attributes among them.
        frame: Value or bin of each column in each cell as people read it; K rows, columns named as above, in order.
        label: True outcome of each cell as an index into ``labels``; shape (K,), int.
        labels: The outcomes as text.
        group: Protected group of each cell, a combination of the protected attributes' values; shape (K,), int.
        groups: The combinations as people read them ("Black, Female").
        protected: Names of the protected attributes.
        people: Audited people in each cell; shape (K,), int.
        favourable: Share of each cell's people to whom the model gives the favourable outcome; shape (K,); for cells
            without people what the model answers, NaN where nobody asked it.
    """

    columns: tuple[CellColumn, ...]
    frame: pd.DataFrame
    label: np.ndarray
    labels: tuple[str, ...]
    group: np.ndarray
    groups: tuple[str, ...]
    protected: tuple[str, ...]
    people: np.ndarray
    favourable: np.ndarray


@dataclass(frozen=True)
class LossPart:
    """One loss over the cells.

    Attributes:
        loss: Which.
        sample: People and their losses, summed per cell.
    """

    loss: Loss
    sample: CellSample


@dataclass(frozen=True)
class TransportDetail:
    """Cells and losses of one transport test.

    Attributes:
        cells: The kinds of people.
        parts: One for each loss the model's answers allow, the 0-1 loss first.
        draws: Bootstrap draws B.
        seed: Seed of the draws.
    """

    cells: Cells
    parts: tuple[LossPart, ...]
    draws: int
    seed: int


@dataclass(frozen=True)
class TransportDetail:
    """What one transport test found.

    Attributes:
        cells: The kinds of people.
        parts: One for each loss the model's answers allow.
        draws: Bootstrap draws.
        seed: Seed of every bootstrap draw.
    """

    cells: Cells
    parts: tuple[LossPart, ...]
    draws: int
    seed: int
