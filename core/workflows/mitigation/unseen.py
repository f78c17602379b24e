"""What there is to audit of a fitted model: rows that no model was fitted to, with its file or its answers."""

import numpy as np

from core.base.files import FileRef, FileStore
from core.data.cells import as_text, is_number_column
from core.data.dataset import Dataset
from core.data.roles import Roles
from core.models import ModelSource
from core.models.formats.safetensors.source import TorchMLP
from core.models.predictions import PredictionColumns
from core.sources.upload.uploaded import UploadedTable
from core.study import Study
from core.workflows.comparison.settings import ComparedModel, ComparisonPlan
from core.workflows.mitigation.bench import bench_of
from core.workflows.mitigation.result import MitigationResult, TriedModel
from core.workflows.mitigation.settings import MitigationPlan
from core.workflows.mitigation.wording import name
from core.workflows.rows import as_table


def unseen_rows(plan: MitigationPlan, files: FileStore) -> FileRef:
    """The rows held out and those of the test part, in the order of the table, as a file that can be audited.

    It has every column of the table, among them those that other models read or answer in.

    Raises:
        EvenhandError: The table cannot be read, or its rows do not suffice.
    """
    rows = bench_of(plan, files).unseen_table
    others = rows.brought.loc[rows.frame.index].drop(columns=list(rows.frame))
    more = {str(name): (column if is_number_column(column) else as_text(column)) for name, column in others.items()}
    return as_table(rows, files, "unseen-rows.parquet", {name: one.to_numpy() for name, one in more.items()}).file


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


def beside_own(
    plan: MitigationPlan, result: MitigationResult, fit: TriedModel, rows: FileRef, own: Study
) -> ComparisonPlan:
    """A fitted model beside the model of an audit, by the tests of that audit, on :func:`unseen_rows`.

    Error rates of the fitted model, and of the difference between both, are divided by the number of fitted models,
    since these rows helped to choose one of them. They had no part in choosing the model of the audit.

    Args:
        plan: What was fitted.
        result: The fitted models.
        fit: One of them that has a file.
        rows: The rows that none of them was fitted to.
        own: An audit on the whole table, whose model is the baseline.

    Raises:
        ValidationError: Its columns have other roles, or both models have one name.
    """
    data, roles, model = to_audit(plan, fit, result.classes, rows)
    tests = [test.model_copy(update={"data": data}) for test in own.plans]
    fitted = [
        test.model_copy(
            update={
                "roles": roles,
                "model": model,
                "decision": test.decision.model_copy(update={"alpha": test.decision.alpha / len(result.fits)}),
            }
        )
        for test in tests
    ]
    return ComparisonPlan(
        models=(
            ComparedModel(name=own.plans[0].model.title[:80], study=Study(plans=tuple(tests))),
            ComparedModel(name=name(fit), study=Study(plans=tuple(fitted))),
        ),
        alpha=plan.alpha / len(result.fits),
    )
