"""What tasks are asked about: a table with its roles, a model, a fitted metric, from JSON arguments.

A process that answers several questions keeps what it read last (:func:`keep_what_is_read`).
"""

import json
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
from pydantic import TypeAdapter

from core.base.errors import AuditError
from core.base.files import FileStore
from core.base.progress import OnProgress, Progress
from core.contracts.audit import AbstractAudit, missing_roles, needs_classes
from core.contracts.metric import AbstractMetric, FittedMetric
from core.contracts.model import AbstractModel
from core.data.dataset import Dataset
from core.data.encoded import EncodedDataset
from core.data.roles import Roles
from core.language.told import say
from core.metrics import Metric
from core.metrics.extent import fitted_for_a_test
from core.models import ModelSource
from core.protected_status import StatusSource
from core.run import Streams
from core.sources import DataSource
from dashboard.jobs.task import sources_named

SOURCE: TypeAdapter[Any] = TypeAdapter(DataSource)
MODEL: TypeAdapter[Any] = TypeAdapter(ModelSource)
METRIC: TypeAdapter[Any] = TypeAdapter(Metric)
STATUS: TypeAdapter[Any] = TypeAdapter(StatusSource)
_MODEL_OF = ("source", "roles", "model")
T = TypeVar("T")
_kept: dict[str, tuple[str, Any]] = {}
"""What was read last, by what it is, in a process that keeps it; each with the arguments that it was read from."""


def keep_what_is_read() -> None:
    """From now on what is asked about again is not read again, in this process."""
    _kept.update(dict.fromkeys(("dataset", "model", "rows"), ("", None)))


def _once(what: str, arguments: dict[str, Any], names: tuple[str, ...], read: Callable[[], T]) -> T:
    """What was read last, if it was read from the same of these arguments; otherwise it is read now."""
    if what not in _kept:
        return read()
    asked = json.dumps({name: arguments.get(name) for name in names}, sort_keys=True)
    if _kept[what][0] != asked:
        _kept[what] = "", None
        _kept[what] = asked, read()
    found: T = _kept[what][1]
    return found


def fetch_source(arguments: dict[str, Any], files: FileStore) -> None:
    """Download the built-in tables that ``arguments`` name, those to learn from included, unless they are kept."""
    for source in sources_named(arguments):
        SOURCE.validate_python(source).fetch()


def fetch_nothing(arguments: dict[str, Any], files: FileStore) -> None:
    """For tasks that read only what is kept already."""


def dataset_of(arguments: dict[str, Any], files: FileStore) -> Dataset:
    """The table of ``arguments["source"]`` with its ``roles``, for ``arguments["model"]`` where there is one."""

    def read() -> Dataset:
        frame = SOURCE.validate_python(arguments["source"]).load(files)
        roles = Roles.model_validate(arguments["roles"])
        if "model" not in arguments:
            return Dataset.build(frame, roles).written_out(some=True)
        dataset: Dataset = MODEL.validate_python(arguments["model"]).dataset(frame, roles).written_out(some=True)
        return dataset

    return _once("dataset", arguments, _MODEL_OF, read)


def model_of(arguments: dict[str, Any], files: FileStore, dataset: Dataset) -> Any:
    """The model ``arguments["model"]`` of :func:`dataset_of` the same arguments."""
    brought = MODEL.validate_python(arguments["model"])
    return _once("model", arguments, _MODEL_OF, lambda: brought.load(files, dataset))


def classified(arguments: dict[str, Any], files: FileStore) -> Dataset:
    """The same, for tests that compare answers that are classes.

    Raises:
        AuditError: The outcome is a number.
    """
    dataset = dataset_of(arguments, files)
    if reason := needs_classes(dataset):
        raise AuditError(reason, advice=say("Choose another test."))
    return dataset


def ready(arguments: dict[str, Any], audit: AbstractAudit, files: FileStore) -> tuple[AbstractModel, Dataset]:
    """The model and the rows of ``arguments`` without a gap in what the test reads, for a test that can be run.

    Raises:
        AuditError: It cannot; says why.
    """

    def read() -> tuple[AbstractModel, Dataset]:
        dataset = dataset_of(arguments, files)
        model = model_of(arguments, files, dataset)
        if reason := audit.is_compatible(model, dataset):
            raise AuditError(reason, advice=say("Choose another test, or change its settings."))
        return model, audit.rows(model, dataset)

    return _once("rows", arguments, (*_MODEL_OF, "audit"), read)


def asked_for(
    arguments: dict[str, Any], audit: AbstractAudit, files: FileStore, *, answers: bool
) -> tuple[Dataset, np.ndarray | None]:
    """The rows that a test of classes will read of the table of ``arguments``, and what ``arguments["model"]`` answers.

    Where there is no model yet, of several candidates none has a say in who is similar, and all columns are read.

    Args:
        arguments: The task's.
        audit: The test.
        files: Where uploads lie.
        answers: Whether answers are wanted.

    Returns:
        The rows, and the probability of the favourable outcome that the model gives each, shape (n,); None where none
        are wanted, or there is no model.

    Raises:
        AuditError: The outcome is a number, or no outcome is said to be favourable.
    """
    dataset = classified(arguments, files)
    if "model" not in arguments:
        return dataset, None
    if reason := missing_roles(dataset):
        raise AuditError(reason, advice=say("Choose another test."))
    model = model_of(arguments, files, dataset)
    rows = audit.rows(model, dataset)
    if not answers:
        return rows, None
    given: np.ndarray = model.predict_proba(model.encode(rows))
    return rows, given[:, model.classes.index(dataset.roles.favourable)]


def fitted(
    settings: AbstractMetric, model: AbstractModel, dataset: Dataset, seed: int, on_progress: OnProgress
) -> tuple[FittedMetric, EncodedDataset]:
    """The metric as the audit with this seed fits it, and the rows the audit will rest on."""
    streams = Streams.of(seed)
    learning, audited = settings.split(model.encode(dataset), streams.split)
    on_progress(Progress(0.3, say("Learning who counts as similar")))
    return fitted_for_a_test(settings, learning, streams.metric), audited
