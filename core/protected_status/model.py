"""A protected status model ready to use, and how well it tells the groups apart."""

from dataclasses import dataclass

import numpy as np

from core.base.errors import Caveat
from core.text.network import AbstractTextNetwork


@dataclass(frozen=True)
class StatusReport:
    """How well a protected status model tells g groups apart, on texts it never learned from.

    Attributes:
        name: What people call it ("Small recurrent network, trained on 510 texts of bios.csv").
        origin: "trained", "uploaded" or "transferred".
        attribute: The protected attribute; empty if the table has none that it could be judged by.
        groups: What its outputs stand for, length g.
        texts: Held-out texts of each group, shape (g,), int; zeros where it cannot be judged.
        accuracy: Share of them recognised, shape (g,); NaN where there are none.
        accuracy_low: Lower ends of the 95% intervals (Wilson), shape (g,).
        accuracy_high: Upper ends, shape (g,).
        learned_from: Texts it learned from; 0 if that is not known.
        epochs: Epochs until the best one; 0 if that is not known.
        weak: Why its sensitivities should not be relied on, one sentence; empty when they may be.
    """

    name: str
    origin: str
    attribute: str
    groups: tuple[str, ...]
    texts: np.ndarray
    accuracy: np.ndarray
    accuracy_low: np.ndarray
    accuracy_high: np.ndarray
    learned_from: int
    epochs: int
    weak: str


@dataclass(frozen=True)
class StatusModel:
    """A protected status model.

    Attributes:
        network: The classifier.
        report: How good it is.
        measured: Rows of the dataset that it did not learn from and that may be measured; shape (m,), int, ascending.
        caveats: What a reader has to know.
    """

    network: AbstractTextNetwork
    report: StatusReport
    measured: np.ndarray
    caveats: tuple[Caveat, ...] = ()
