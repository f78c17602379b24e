"""What there is to audit of a fitted model: rows that no model was fitted to, with its file or its answers."""

import numpy as np

from core.base.files import FileRef, FileStore
from core.data.dataset import Dataset
from core.data.roles import Roles
from core.models import ModelSource
from core.models.formats.safetensors.source import TorchMLP
from core.models.predictions import PredictionColumns
from core.sources.upload.uploaded import UploadedTable
from core.workflows.mitigation.bench import bench_of
from core.workflows.mitigation.result import TriedModel
from core.workflows.mitigation.settings import MitigationPlan
from core.workflows.rows import as_table


def unseen_rows(plan: MitigationPlan, files: FileStore) -> FileRef:
    """The rows held out and those of the test part, in the order of the table, as a file that can be audited.

    Raises:
        EvenhandError: The table cannot be read, or its rows do not suffice.
    """
    return as_table(bench_of(plan, files).unseen_table, files, "unseen-rows.parquet").file


def answers_table(rows: Dataset, answers: np.ndarray, classes: tuple[str, ...], files: FileStore, name: str) -> FileRef:
    """Rows with the answers of a model that has no file, a column for each class or one for the number.

    Args:
        rows: The rows.
        answers: Class probabilities, shape (n, k), or numbers, shape (n,).
        classes: The k classes; empty for numbers.
        files: Where the table is put.
        name: What it is called.
    """
    columns = dict(zip(answer_columns(classes), answers.reshape(len(rows), -1).T, strict=True))
    return as_table(rows, files, name, columns).file


def answer_columns(classes: tuple[str, ...]) -> tuple[str, ...]:
    """Columns of the answers of a model without a file."""
    return tuple(f"answer {one}" for one in classes) or ("answer",)  # verbatim


def to_audit(
    plan: MitigationPlan, fit: TriedModel, classes: tuple[str, ...], rows: FileRef
) -> tuple[UploadedTable, Roles, ModelSource]:
    """Table, roles and model of an audit of a fitted model on :func:`unseen_rows`, or on these with its answers."""
    roles = plan.roles.reading(plan.roles.features)
    if fit.model is not None:
        return UploadedTable(file=rows), roles, TorchMLP(file=fit.model, trained_on="other rows")
    columns = answer_columns(classes)
    holds = "class probabilities" if classes else "number"
    model = PredictionColumns(columns=columns, holds=holds, classes=classes, trained_on="other rows")
    return UploadedTable(file=fit.table or rows), roles.model_copy(update={"predictions": columns}), model
