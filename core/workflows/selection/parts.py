"""The rows in three parts: to train on, to choose on, and to audit the choice on."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.data.dataset import MINIMUM_ROWS, Dataset
from core.errors import DataError
from core.workflows.selection.settings import LogisticPath, SelectionPlan


@dataclass(frozen=True)
class PartedRows:
    """A dataset in parts that share no row.

    Attributes:
        training: Rows to fit on; None where nothing is fitted.
        validation: Rows the candidates are compared on.
        audit: Rows only the chosen model is tried on.
    """

    training: Dataset | None
    validation: Dataset
    audit: Dataset

    @property
    def sizes(self) -> tuple[int, int, int]:
        """Rows of each part, in order."""
        return (0 if self.training is None else len(self.training), len(self.validation), len(self.audit))


def part(dataset: Dataset, plan: SelectionPlan, rng: np.random.Generator) -> PartedRows:
    """Part the rows at random, in the plan's proportions; each part keeps the order of the table.

    Raises:
        DataError: A part has fewer than 30 rows, or one outcome of the table does not occur in a part.
    """
    fits = isinstance(plan.candidates, LogisticPath)
    weights = np.array([plan.parts.training if fits else 0.0, plan.parts.validation, plan.parts.audit])
    ends = np.round(len(dataset) * np.cumsum(weights) / weights.sum()).astype(int)
    order = rng.permutation(len(dataset))
    training, validation, audit = (dataset.take(np.sort(rows)) for rows in np.split(order, ends[:2]))
    parts = PartedRows(training if fits else None, validation, audit)
    for name, rows in (("training", parts.training), ("validation", validation), ("audit", audit)):
        if rows is not None:
            _check(rows, name, dataset)
    return parts


def _check(rows: Dataset, name: str, whole: Dataset) -> None:
    where = f"{len(rows):,} of {len(whole):,} rows are for the {name}"
    if len(rows) < MINIMUM_ROWS:
        raise DataError(
            f"Too few rows are left for the {name}; each part needs at least {MINIMUM_ROWS}.",
            where=where,
            advice="Bring more rows, or give this part a larger share of them.",
        )
    if absent := [label for label in whole.labels if label not in rows.labels]:
        raise DataError(
            f"The outcome {absent[0]!r} is so rare that it does not occur in the rows for the {name}.",
            where=where,
            advice="Bring more rows with this outcome, give this part a larger share, or choose another seed.",
        )
