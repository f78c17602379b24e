"""What tasks are asked about: a table with its roles, a model, a fitted metric, from JSON arguments."""

from typing import Any

from pydantic import TypeAdapter

from core.base.errors import AuditError
from core.base.files import FileStore
from core.base.progress import OnProgress, Progress
from core.contracts.audit import AbstractAudit, missing_roles, needs_classes
from core.contracts.metric import AbstractMetric, FittedMetric
from core.contracts.model import AbstractModel
from core.data.dataset import Dataset, EncodedDataset
from core.data.roles import Roles
from core.language.told import say
from core.metrics import Metric
from core.metrics.extent import fitted_for_a_test
from core.models import ModelSource
from core.protected_status import StatusSource
from core.run import Streams
from core.sources import DataSource

SOURCE: TypeAdapter[Any] = TypeAdapter(DataSource)
MODEL: TypeAdapter[Any] = TypeAdapter(ModelSource)
METRIC: TypeAdapter[Any] = TypeAdapter(Metric)
STATUS: TypeAdapter[Any] = TypeAdapter(StatusSource)


def fetch_source(arguments: dict[str, Any], files: FileStore) -> None:
    """Download the built-in tables that ``arguments`` name, those to learn from included, unless they are kept."""
    plans = arguments["study"]["plans"] if "study" in arguments else []
    sources = [arguments["source"] if "source" in arguments else plans[0]["data"]]
    statuses = [arguments.get("status"), *((given.get("audit") or {}).get("status") for given in (arguments, *plans))]
    sources += [status["corpus"]["data"] for status in statuses if status and status.get("corpus")]
    for source in sources:
        SOURCE.validate_python(source).fetch()


def fetch_nothing(arguments: dict[str, Any], files: FileStore) -> None:
    """For tasks that read only what is kept already."""


def dataset_of(arguments: dict[str, Any], files: FileStore) -> Dataset:
    """The table of ``arguments["source"]`` with its ``roles``, for ``arguments["model"]`` where there is one."""
    frame = SOURCE.validate_python(arguments["source"]).load(files)
    roles = Roles.model_validate(arguments["roles"])
    if "model" not in arguments:
        return Dataset.build(frame, roles).written_out(some=True)
    dataset: Dataset = MODEL.validate_python(arguments["model"]).dataset(frame, roles).written_out(some=True)
    return dataset


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
    dataset = dataset_of(arguments, files)
    model = MODEL.validate_python(arguments["model"]).load(files, dataset)
    if reason := audit.is_compatible(model, dataset):
        raise AuditError(reason, advice=say("Choose another test, or change its settings."))
    return model, audit.rows(model, dataset)


def asked_for(arguments: dict[str, Any], audit: AbstractAudit, files: FileStore) -> Dataset:
    """The rows that a test of classes will read of the table of ``arguments``: all where there is no model yet.

    Raises:
        AuditError: The outcome is a number, or no outcome is said to be favourable.
    """
    dataset = classified(arguments, files)
    if "model" not in arguments:
        return dataset
    if reason := missing_roles(dataset):
        raise AuditError(reason, advice=say("Choose another test."))
    return audit.rows(MODEL.validate_python(arguments["model"]).load(files, dataset), dataset)


def fitted(
    settings: AbstractMetric, model: AbstractModel, dataset: Dataset, seed: int, on_progress: OnProgress
) -> tuple[FittedMetric, EncodedDataset]:
    """The metric as the audit with this seed fits it, and the rows the audit will rest on."""
    streams = Streams.of(seed)
    learning, audited = settings.split(model.encode(dataset), streams.split)
    on_progress(Progress(0.3, say("Learning who counts as similar")))
    return fitted_for_a_test(settings, learning, streams.metric), audited
