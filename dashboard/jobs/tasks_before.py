"""Tasks that show what a choice means before an audit is run: the model, who is similar, what can be found.

Whatever a stranger wrote (a model, a matrix) is parsed here and in ``dashboard.jobs.tasks`` only, in a child process.
"""

from typing import Any

from core.files import FileRef, FileStore
from core.progress import OnProgress, Progress
from core.run import Streams
from dashboard.jobs.task_inputs import (
    METRIC,
    MODEL,
    classified,
    dataset_of,
    default_audits,
    favourable_answers,
    fitted,
    suited,
)


def inspect_model(arguments: dict[str, Any], files: FileStore, on_progress: OnProgress) -> dict[str, Any]:
    """Load ``arguments["model"]`` and try it on the table of ``source`` with ``roles``."""
    from core.models.inspection import inspect
    from dashboard.jobs.answers import pack
    from dashboard.jobs.previews import ModelPreview

    on_progress(Progress(0.1, "Reading the table"))
    dataset = dataset_of(arguments, files)
    on_progress(Progress(0.4, "Loading the model"))
    model = MODEL.validate_python(arguments["model"]).load(files, dataset)
    on_progress(Progress(0.6, "Trying the model on every row"))
    report = inspect(model, dataset)
    reasons = ((audit.kind, audit.is_compatible(model, dataset)) for audit in default_audits(model, dataset))
    unsuited = tuple((kind, reason) for kind, reason in reasons if reason)
    return pack(ModelPreview(report, unsuited, model.answers_only_here), ModelPreview)


def fit_metric(arguments: dict[str, Any], files: FileStore, on_progress: OnProgress) -> dict[str, Any]:
    """Learn ``arguments["metric"]`` as the audit with this ``seed`` will, and find pairs that it calls similar."""
    from core.metrics.portrait import similar_pairs
    from dashboard.jobs.answers import pack
    from dashboard.jobs.previews import MetricPreview

    _, metric, audited = fitted(arguments, METRIC.validate_python(arguments["metric"]), files, on_progress)
    on_progress(Progress(0.7, "Looking for similar people"))
    pairs = similar_pairs(metric, audited, Streams.of(arguments["seed"]).pilot)
    return pack(MetricPreview(metric, audited.encoder, pairs, len(audited)), MetricPreview)


def pilot(arguments: dict[str, Any], files: FileStore, on_progress: OnProgress) -> dict[str, Any]:
    """Try the search of ``arguments["audit"]`` on a few rows: how long it takes, how much the rows can show."""
    from core.audits.gradient_flow import planning
    from core.audits.gradient_flow.settings import GradientFlow
    from dashboard.jobs.answers import pack

    audit = GradientFlow.model_validate(arguments["audit"])
    model, metric, audited = fitted(arguments, audit.metric, files, on_progress)
    suited(audit, model, audited.dataset)
    on_progress(Progress(0.7, "Trying the search on a few rows"))
    rng = Streams.of(arguments["seed"]).pilot
    return pack(planning.pilot(model, audit.select(audited), metric, audit, rng), planning.Pilot)


def propose_cells(arguments: dict[str, Any], files: FileStore, on_progress: OnProgress) -> dict[str, Any]:
    """The columns that explain the answers of ``arguments["model"]`` together, and each feature alone."""
    from core.audits.transport.proposal import propose, propose_each
    from dashboard.jobs.answers import pack
    from dashboard.jobs.previews import ColumnsProposal

    on_progress(Progress(0.1, "Reading the table"))
    dataset = classified(arguments, files)
    on_progress(Progress(0.3, "Asking the model"))
    answers = favourable_answers(arguments, files, dataset)
    on_progress(Progress(0.6, "Sorting people into kinds"))
    return pack(ColumnsProposal(propose(dataset, answers), propose_each(dataset)), ColumnsProposal)


def look_at_cells(arguments: dict[str, Any], files: FileStore, on_progress: OnProgress) -> dict[str, Any]:
    """The cells that the transport test of ``arguments["audit"]`` makes of the table, and who may be compared."""
    from core.audits.transport.settings import Transport
    from dashboard.audits.transport.cell_list import look
    from dashboard.jobs.answers import pack
    from dashboard.jobs.previews import CellsLook

    on_progress(Progress(0.1, "Reading the table"))
    dataset = classified(arguments, files)
    audit, answers = Transport.model_validate(arguments["audit"]), None
    if not audit.columns:
        on_progress(Progress(0.3, "Asking the model"))
        answers = favourable_answers(arguments, files, dataset)
    on_progress(Progress(0.6, "Sorting people into kinds"))
    return pack(look(dataset, audit, files, answers), CellsLook)


def pilot_transport(arguments: dict[str, Any], files: FileStore, on_progress: OnProgress) -> dict[str, Any]:
    """Try the transport test of ``arguments["audit"]``, which has so many ``cells``, on some people."""
    from core.audits.transport import planning
    from core.audits.transport.decision import TransportDecision
    from core.audits.transport.settings import Transport
    from dashboard.jobs.answers import pack

    audit = Transport.model_validate(arguments["audit"])
    if audit.fair_metric is not None:
        model, metric, audited = fitted(arguments, audit.fair_metric, files, on_progress)
    else:
        dataset, metric = dataset_of(arguments, files), None
        model = MODEL.validate_python(arguments["model"]).load(files, dataset)
        suited(audit, model, dataset)
        audited = model.encode(dataset)
    on_progress(Progress(0.6, "Trying the test on some people"))
    found = planning.pilot(
        model,
        audited,
        metric,
        audit,
        decision=TransportDecision.model_validate(arguments["decision"]),
        cells=arguments["cells"],
        rng=Streams.of(arguments["seed"]).pilot,
    )
    return pack(found, planning.TransportPilot)


def look_at_carriers(arguments: dict[str, Any], files: FileStore, on_progress: OnProgress) -> dict[str, Any]:
    """How the number features that ``arguments["model"]`` reads differ between the groups of the table."""
    from core.audits.column_sensitivity.planning import CarriersLook, look_at_carriers
    from dashboard.jobs.answers import pack

    on_progress(Progress(0.1, "Reading the table"))
    dataset = dataset_of(arguments, files)
    on_progress(Progress(0.4, "Comparing the groups"))
    model = MODEL.validate_python(arguments["model"]).load(files, dataset)
    return pack(look_at_carriers(model, dataset), CarriersLook)


def pilot_columns(arguments: dict[str, Any], files: FileStore, on_progress: OnProgress) -> dict[str, Any]:
    """Try the sensitivity test of columns of ``arguments["audit"]`` on some people."""
    from core.audits.column_sensitivity import planning
    from core.audits.column_sensitivity.settings import ColumnSensitivity
    from dashboard.jobs.answers import pack

    on_progress(Progress(0.1, "Reading the table"))
    dataset = dataset_of(arguments, files)
    on_progress(Progress(0.4, "Trying the test on some people"))
    model = MODEL.validate_python(arguments["model"]).load(files, dataset)
    audit = ColumnSensitivity.model_validate(arguments["audit"])
    suited(audit, model, dataset)
    rng = Streams.of(arguments["seed"]).pilot
    return pack(planning.pilot(model, model.encode(dataset), audit, rng), planning.ColumnPilot)


def pilot_fair_dummies(arguments: dict[str, Any], files: FileStore, on_progress: OnProgress) -> dict[str, Any]:
    """Try the fair-dummies test of ``arguments["audit"]`` at the error rate ``alpha`` on some people."""
    from core.audits.equalized_odds import planning
    from core.audits.equalized_odds.settings import EqualizedOdds
    from dashboard.jobs.answers import pack

    on_progress(Progress(0.1, "Reading the table"))
    dataset = dataset_of(arguments, files)
    on_progress(Progress(0.3, "Trying the test on some people"))
    model = MODEL.validate_python(arguments["model"]).load(files, dataset)
    audit = EqualizedOdds.model_validate(arguments["audit"])
    suited(audit, model, dataset)
    rng = Streams.of(arguments["seed"]).pilot
    found = planning.pilot(model, model.encode(dataset), audit, arguments["alpha"], rng)
    return pack(found, planning.EqualizedOddsPilot)


def read_matrix(arguments: dict[str, Any], files: FileStore, on_progress: OnProgress) -> dict[str, Any]:
    """The matrix in ``arguments["file"]``."""
    from core.metrics.files import read_matrix

    return read_matrix(files.path(FileRef.model_validate(arguments["file"])).read_bytes()).model_dump(mode="json")


def read_pairs(arguments: dict[str, Any], files: FileStore, on_progress: OnProgress) -> list[tuple[int, int]]:
    """The comparable pairs in ``arguments["file"]``, rows counted from 0."""
    from core.metrics.files import read_pairs

    return list(read_pairs(files.path(FileRef.model_validate(arguments["file"])).read_bytes()))
