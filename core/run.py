"""The whole flow, in one place: a model, a dataset and an audit go in, a result comes out."""

import platform
import time
from dataclasses import replace
from importlib.metadata import version

import numpy as np

from core.audits import AuditSettings
from core.cautions import cautions
from core.dataset import Dataset, EncodedDataset
from core.errors import AuditError, Notice
from core.files import FileStore
from core.model import AbstractModel
from core.plan import AuditPlan
from core.progress import OnProgress, Progress, ignore_progress, part_of
from core.result import AuditResult, DataSummary, ModelSummary

_LIBRARIES = ("torch", "numpy", "scipy", "pandas", "scikit-learn", "onnxruntime")
_SEVERITY = {"serious": 0, "warning": 1, "info": 2}


def run_audit(
    model: AbstractModel,
    dataset: Dataset,
    audit: AuditSettings,
    *,
    seed: int,
    on_progress: OnProgress | None = None,
) -> AuditResult:
    """Audit ``model`` on ``dataset``: encode, learn who is similar, search for worse-treated twins, keep what is found.

    Args:
        model: A loaded model.
        dataset: Checked rows with their roles.
        audit: The test and its settings, the fair metric among them.
        seed: Seed of every random choice; the same inputs and seed give the same result.
        on_progress: Called between blocks of rows; may raise ``CancelledError``.

    Raises:
        EvenhandError: The inputs do not fit each other, the settings are unstable, or nothing reportable came out.
    """
    started = time.perf_counter()
    report = on_progress or ignore_progress
    split_rng, metric_rng, audit_rng = np.random.default_rng(seed).spawn(3)

    if reason := audit.is_compatible(model, dataset):
        raise AuditError(reason)
    report(Progress(0.0, "Preparing the rows"))
    learning, audited = audit.metric.split(model.encode(dataset), split_rng)
    audited = audit.select(audited)
    report(Progress(0.02, "Learning who counts as similar"))
    metric = audit.metric.fit(learning, metric_rng)
    detail, notices = audit.run(model, audited, metric, audit_rng, part_of(report, 0.05, 1.0), learning=learning)
    summary = _summarise_model(model, audited)
    fit = tuple(cautions(summary, audited, metric))
    return AuditResult(
        audit=audit,
        data=_summarise_data(dataset, len(audited)),
        model=summary,
        metric=metric,
        detail=detail,
        notices=_by_severity(dataset.notices + model.notices + metric.notices + fit + notices),
        seed=seed,
        seconds=time.perf_counter() - started,
        versions=library_versions(),
    )


def run_plan(plan: AuditPlan, files: FileStore, on_progress: OnProgress | None = None) -> AuditResult:
    """Fetch what the plan names and audit it.

    Raises:
        EvenhandError: As :func:`run_audit`, or a file is missing or refused.
    """
    dataset = Dataset.build(plan.data.load(files), plan.roles)
    model = plan.model.load(files, dataset)
    result = run_audit(model, dataset, plan.audit, seed=plan.seed, on_progress=on_progress)
    return replace(result, notices=_by_severity(result.notices + plan.model.provenance))


def library_versions() -> tuple[tuple[str, str], ...]:
    """Python and every library the numbers depend on, with versions."""
    return (("python", platform.python_version()), *((name, version(name)) for name in _LIBRARIES))


def _summarise_data(dataset: Dataset, audited: int) -> DataSummary:
    return DataSummary(
        fingerprint=dataset.fingerprint,
        rows_read=dataset.rows_read,
        rows_left_out=dataset.rows_left_out,
        cells_imputed=dataset.cells_imputed,
        rows_audited=audited,
        outcome=dataset.roles.outcome,
        favourable=dataset.roles.favourable,
        protected=dataset.roles.protected,
    )


def _summarise_model(model: AbstractModel, data: EncodedDataset) -> ModelSummary:
    confusion = np.zeros((len(model.classes), len(model.classes)), dtype=np.int64)
    np.add.at(confusion, (data.y, model.predict_proba(data).argmax(axis=1)), 1)
    return ModelSummary(model.name, model.kind, model.fingerprint, model.encoder, model.classes, confusion)


def _by_severity(notices: tuple[Notice, ...]) -> tuple[Notice, ...]:
    return tuple(sorted(dict.fromkeys(notices), key=lambda notice: _SEVERITY[notice.level]))
