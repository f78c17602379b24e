"""What tasks are asked about: a table with its roles, a model, a fitted metric, from JSON arguments."""

from typing import Any

import numpy as np
from pydantic import TypeAdapter

from core.audit import AbstractAudit, missing_roles, needs_classes
from core.audits import KINDS, AuditSettings
from core.data.dataset import Dataset, EncodedDataset
from core.data.roles import Roles
from core.errors import AuditError
from core.files import FileStore
from core.metric import AbstractMetric, FittedMetric
from core.metrics import Metric
from core.metrics.sensitive_subspace import SensitiveSubspace
from core.model import AbstractModel
from core.models import ModelSource
from core.progress import OnProgress, Progress
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


def default_audits(model: AbstractModel, dataset: Dataset) -> tuple[AuditSettings, ...]:
    """Every test with its default settings; those that need a feature to be named have all that may be."""
    from core.audits.column_sensitivity.planning import carriers

    given = {"metric": SensitiveSubspace(), "through": carriers(model, dataset)}
    return tuple(
        kind.settings(**{name: value for name, value in given.items() if name in kind.settings.model_fields})
        for kind in KINDS.values()
    )


def dataset_of(arguments: dict[str, Any], files: FileStore) -> Dataset:
    """The table of ``arguments["source"]`` with its ``roles``."""
    source = SOURCE.validate_python(arguments["source"])
    return Dataset.build(source.load(files), Roles.model_validate(arguments["roles"]))


def classified(arguments: dict[str, Any], files: FileStore) -> Dataset:
    """The same, for tests that compare answers that are classes.

    Raises:
        AuditError: The outcome is a number.
    """
    dataset = dataset_of(arguments, files)
    if reason := needs_classes(dataset):
        raise AuditError(reason, advice="Choose another test.")
    return dataset


def suited(audit: AbstractAudit, model: AbstractModel, dataset: Dataset) -> None:
    """Refuse a test that cannot be run, before it is tried on some rows.

    Raises:
        AuditError: It cannot; says why.
    """
    if reason := audit.is_compatible(model, dataset):
        raise AuditError(reason, advice="Choose another test, or change its settings.")


def favourable_answers(arguments: dict[str, Any], files: FileStore, dataset: Dataset) -> np.ndarray | None:
    """The probability of the favourable outcome that ``arguments["model"]`` gives each row of ``dataset``; (n,).

    None where there is no model yet: of several candidates none has a say in who is similar.

    Raises:
        AuditError: No outcome is said to be favourable.
    """
    if "model" not in arguments:
        return None
    if reason := missing_roles(dataset):
        raise AuditError(reason, advice="Choose another test.")
    model = MODEL.validate_python(arguments["model"]).load(files, dataset)
    answers: np.ndarray = model.predict_proba(model.encode(dataset))[:, model.classes.index(dataset.roles.favourable)]
    return answers


def fitted(
    arguments: dict[str, Any], settings: AbstractMetric, files: FileStore, on_progress: OnProgress
) -> tuple[AbstractModel, FittedMetric, EncodedDataset]:
    """The model, the metric as the audit with this seed fits it, and the rows the audit will rest on.

    Raises:
        AuditError: The outcome is a number: the tests with a metric take classes.
    """
    on_progress(Progress(0.1, "Reading the table"))
    dataset = classified(arguments, files)
    model = MODEL.validate_python(arguments["model"]).load(files, dataset)
    streams = Streams.of(arguments["seed"])
    learning, audited = settings.split(model.encode(dataset), streams.split)
    on_progress(Progress(0.3, "Learning who counts as similar"))
    return model, settings.fit(learning, streams.metric), audited
