"""The rows in three parts: to train on, to choose on, and to audit the choice on."""

from dataclasses import dataclass

import numpy as np

from core.data.clusters import in_parts
from core.data.dataset import Dataset
from core.language.told import say, say_as
from core.workflows.rows import check_part
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


_NAMES = {
    "training": lambda: say("training"),
    "validation": lambda: say("validation"),
    "audit": lambda: say_as("rows", "audit"),
}


def part(dataset: Dataset, plan: SelectionPlan, rng: np.random.Generator) -> PartedRows:
    """Part the rows at random, in the plan's proportions; each part keeps the order of the table.

    Raises:
        DataError: A part has fewer than 30 rows, or one outcome of the table does not occur in a part.
    """
    fits = isinstance(plan.candidates, LogisticPath)
    shares = (plan.parts.training if fits else 0.0, plan.parts.validation, plan.parts.audit)
    places = [np.sort(rows) for rows in in_parts(len(dataset), shares, rng, dataset.clusters)]
    for name, rows in zip(_NAMES, places, strict=True):
        if fits or name != "training":
            check_part(_NAMES[name](), rows, dataset)
    training, validation, audit = map(dataset.take, places)
    return PartedRows(training if fits else None, validation, audit)
