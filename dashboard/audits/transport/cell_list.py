"""A transport test's cells before it is run: who may be compared with whom, and the list of cells as a file."""

import numpy as np

from core.audits.transport.budget import reach
from core.audits.transport.preview import preview, propose
from core.audits.transport.result import Cells
from core.audits.transport.settings import Transport
from core.audits.transport.similarity import MOST_CELLS_IN_A_FILE, costs_between
from core.base.files import FileStore
from core.base.tables import as_csv as written
from core.contracts.metric import FittedMetric
from core.data.dataset import Dataset
from dashboard.audits.transport.previews import CellsLook

_ANY_METRIC = FittedMetric("any metric", ("distance",), np.zeros((1, 1)), np.eye(1), np.zeros(1), (), 0)  # verbatim
"""In place of a metric that is not learned yet: whom people may be compared with is the same for all of them."""


def look(dataset: Dataset, audit: Transport, files: FileStore, answers: np.ndarray | None = None) -> CellsLook:
    """Sort people as the test will, and follow its costs once.

    Args:
        dataset: The people.
        audit: The settings.
        files: Where the list is kept.
        answers: The model's, shape (n,), by which columns are proposed where the settings name none.

    Raises:
        SettingsError: A column, a limit or a group of the settings does not fit the table.
        AuditError: Nobody can be compared, there are too many cells, or an uploaded cost matrix does not fit.
    """
    seen = preview(dataset, audit.columns or propose(dataset, answers), audit.space)
    strata = seen.strata
    cost, caveats = costs_between(audit, strata, _ANY_METRIC, np.zeros((len(strata), 1)), files)
    found = reach(cost, strata.group)
    sizes, cells = seen.histogram
    return CellsLook(
        columns=seen.columns,
        labels=seen.cells.labels,
        sizes=sizes,
        cells=cells,
        people=int(strata.people.sum()),
        comparable=float(strata.people[found.across].sum() / strata.people.sum()),
        moves=found.moves,
        caveats=(*caveats, *seen.caveats),
        listed=files.put(as_csv(seen.cells), "cells.csv") if len(strata) <= MOST_CELLS_IN_A_FILE else None,
    )


def as_csv(cells: Cells) -> bytes:
    """The list of cells, in the order of a cost matrix: number, values or bins, outcome, people; a line each."""
    header = ("cell", *cells.frame, "true outcome", "people")  # verbatim
    values = [cells.frame[name] for name in cells.frame]
    outcomes = [cells.labels[label] for label in cells.label]
    rows = zip(range(1, len(cells) + 1), *values, outcomes, cells.people, strict=True)
    return written([_one_line(cell) for cell in row] for row in (header, *rows))


def _one_line(cell: object) -> str:
    return "".join(letter if letter.isprintable() else " " for letter in str(cell))
