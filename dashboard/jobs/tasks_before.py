"""Tasks that show what a choice means before an audit is run: the model, who is similar, what can be found.

Whatever a stranger wrote (a model, a matrix) is parsed in a child process: here, in ``dashboard.jobs.tasks`` and in the
rooms' own tasks.
"""

import time
from typing import Any

import numpy as np

from core.audits import KINDS
from core.base.errors import AuditError
from core.base.files import FileRef, FileStore
from core.base.memory import held_at_first, most_held
from core.base.progress import OnProgress, Progress, part_of
from core.contracts.audit import Given
from core.finding import room_of
from core.language.told import say
from core.run import Streams
from dashboard.jobs.task_inputs import METRIC, MODEL, SOURCE, classified, dataset_of, fitted, model_of, ready

_TRIED = 5
"""Rows about which a model behind an address is asked at first."""
_MORE, _BESIDES = 1.15, 20 * 2**20
"""What a whole test takes of memory, as multiples of its try and bytes besides: its results, and what is said of them.

Measured on five kinds of test from 20,000 to 600,000 rows (``benchmarks/test_memory_told.py``)."""


def inspect_model(arguments: dict[str, Any], files: FileStore, on_progress: OnProgress) -> dict[str, Any]:
    """Load ``arguments["model"]`` and try it on the table of ``source`` with ``roles``."""
    from core.models.inspection import inspect
    from core.models.proof import compared_columns
    from core.run import rows_with_known_answers
    from dashboard.jobs.answers import pack
    from dashboard.jobs.previews import ModelPreview

    on_progress(Progress(0.1, say("Reading the table")))
    dataset = dataset_of(arguments, files)
    on_progress(Progress(0.4, say("Loading the model")))
    brought, model = MODEL.validate_python(arguments["model"]), model_of(arguments, files, dataset)
    on_progress(Progress(0.5, say("Trying the model on every row")))
    report = inspect(
        model,
        dataset,
        part_of(on_progress, 0.5, 0.9),
        compare=compared_columns(brought, dataset.all_roles),
        known=rows_with_known_answers(brought, files),
    )
    from core.workflows.proposing import (
        begun,
        held_back,
        proposed,
        unsuited,
    )  # every room's planning: not before what may fill the memory

    audits = begun(model, dataset)
    settings = tuple((kind, audit.model_dump_json()) for kind, audit in audits.items())
    found = unsuited(audits, model, dataset)
    held = held_back(audits, found, model, dataset)
    wanted = proposed(audits, found, model, dataset, held)
    able = ((kind, audit.is_compatible(model, dataset)) for kind, audit in audits.items() if kind not in found)
    unready = tuple((kind, reason) for kind, reason in able if reason)
    told = (tuple(found.items()), tuple(held.items()))
    read = SOURCE.validate_python(arguments["source"]).for_categories(model.categories, dataset.brought, files)
    preview = ModelPreview(
        report, *told, model.answers_only_here, settings, wanted, unready, source=read.model_dump_json()
    )
    return pack(preview, ModelPreview)


def fill_encoding(arguments: dict[str, Any], files: FileStore, on_progress: OnProgress) -> dict[str, Any]:
    """The preprocessing that the features of the table of ``source`` with ``roles`` propose."""
    from core.models.prepared import filled_from

    on_progress(Progress(0.1, say("Reading the table")))
    dataset = dataset_of(arguments, files)
    encoder = filled_from(dataset.all_cells, dataset.all_roles.features, raw=bool(arguments["raw"]))
    return {"encoder": encoder.model_dump(mode="json")}


def read_encoding(arguments: dict[str, Any], files: FileStore, on_progress: OnProgress) -> dict[str, Any]:
    """The preprocessing that ``arguments["file"]`` declares."""
    from core.models import declared

    file = FileRef.model_validate(arguments["file"])
    path = files.path(file)
    with path.open("rb") as stream:
        encoder = declared.read_encoding(stream.read(declared.MAXIMUM_BYTES + 1), file.name)
    return {"encoder": encoder.model_dump(mode="json")}


def propose_meanings(arguments: dict[str, Any], files: FileStore, on_progress: OnProgress) -> dict[str, Any]:
    """What the labels in ``arguments["column"]`` of the table of ``source`` with ``roles`` probably mean."""
    from core.models.meanings import propose_meanings
    from dashboard.jobs.answers import pack
    from dashboard.jobs.previews import MeaningsPreview

    on_progress(Progress(0.1, say("Looking at the labels")))
    proposed = propose_meanings(dataset_of(arguments, files), arguments["column"])
    return pack(MeaningsPreview(proposed), MeaningsPreview)


def try_endpoint(arguments: dict[str, Any], files: FileStore, on_progress: OnProgress) -> dict[str, Any]:
    """Ask the model behind the address of ``arguments["model"]`` about a few rows of ``source`` with ``roles``.

    The first is asked alone: until then no connection stands, and what that takes is not taken again.
    """
    from dashboard.jobs.answers import pack
    from dashboard.jobs.previews import EndpointTrial

    on_progress(Progress(0.1, say("Reading the table")))
    dataset = dataset_of(arguments, files)
    model = model_of(arguments, files, dataset)
    dataset = dataset.reading(model.reads)
    few = model.encode(dataset.take(np.arange(_TRIED)))
    on_progress(Progress(0.5, say("Asking the model")))
    first = model.answers(few.take(np.arange(1)))
    began = time.perf_counter()
    answers = np.concatenate([first, model.answers(few.take(np.arange(1, _TRIED)))])
    seconds = time.perf_counter() - began
    given = {model.classes[k] if model.classes else "answer": column for k, column in enumerate(answers.T)}
    shown = few.people(np.arange(_TRIED)).set_axis(few.dataset.frame.index + 1, axis=0)
    asked = shown.assign(**{f"{name} (answer)": column for name, column in given.items()})
    return pack(EndpointTrial(asked, seconds, len(dataset)), EndpointTrial)


def fit_metric(arguments: dict[str, Any], files: FileStore, on_progress: OnProgress) -> dict[str, Any]:
    """Learn ``arguments["metric"]`` as the audit with this ``seed`` will, and find pairs that it calls similar."""
    from core.metrics.portrait import similar_pairs
    from dashboard.jobs.answers import pack
    from dashboard.jobs.previews import MetricPreview

    on_progress(Progress(0.1, say("Reading the table")))
    dataset, settings = classified(arguments, files), METRIC.validate_python(arguments["metric"])
    model = model_of(arguments, files, dataset)
    rows = dataset.reading((*model.reads, *model.encoder.features))
    metric, audited = fitted(settings, model, rows, arguments["seed"], on_progress)
    on_progress(Progress(0.7, say("Looking for similar people")))
    pairs = similar_pairs(metric, audited, Streams.of(arguments["seed"]).pilot)
    return pack(MetricPreview(metric, audited.encoder, pairs, len(audited)), MetricPreview)


def pairs_to_judge(arguments: dict[str, Any], files: FileStore, on_progress: OnProgress) -> dict[str, Any]:
    """Pairs of people alike in all columns that the model reads but ``arguments["differing"]``, for this ``seed``."""
    from core.metrics.judging import PairsToJudge, pairs_to_judge
    from dashboard.jobs.answers import pack

    on_progress(Progress(0.1, say("Reading the table")))
    dataset = classified(arguments, files)
    model = model_of(arguments, files, dataset)
    data = model.encode(dataset.reading((*model.reads, *model.encoder.features)))
    on_progress(Progress(0.5, say("Looking for pairs of people")))
    rng = Streams.of(arguments["seed"]).pilot
    return pack(pairs_to_judge(data, tuple(arguments["differing"]), rng), PairsToJudge)


def pilot(arguments: dict[str, Any], files: FileStore, on_progress: OnProgress) -> dict[str, Any]:
    """Try the test of ``arguments["audit"]`` on a few rows: how long it takes, how much the rows can show.

    Returns:
        ``tried``, what the room says of it, and ``memory``, the bytes that the whole test will take. Reading and
        preparing all rows takes most of them, and happens in this process as it will then, so it is measured; where
        the process read them for another question before, with what that took.
    """
    from dashboard.jobs.answers import pack

    kind = KINDS[arguments["audit"]["kind"]]
    tries = room_of(kind).pilot
    if tries is None:
        raise AuditError(say("There is nothing to try of this test."), advice=say("Run it."))
    audit, seed = kind.settings.model_validate(arguments["audit"]), arguments["seed"]
    on_progress(Progress(0.1, say("Reading the table")))
    model, rows = ready(arguments, audit, files)
    metric = None
    data: Any = rows if tries.encodes else model.encode(rows)
    if audit.fair_metric is not None:
        metric, data = fitted(audit.fair_metric, model, rows, seed, on_progress)
    on_progress(Progress(0.5, say("Trying the test on a few rows")))
    given = Given(model, audit.select(data), Streams.of(seed).pilot, metric, files=files)
    tried = tries.run(audit, given, kind.decision.model_validate(arguments["decision"]))
    return {"tried": pack(tried, tries.gives), "memory": _taken() + tries.memory(tried)}


def pilot_fairer(arguments: dict[str, Any], files: FileStore, on_progress: OnProgress) -> dict[str, Any]:
    """Try the comparison of ``arguments["plan"]`` for a few epochs: whether it can be run, and how long it takes.

    Returns:
        ``tried``, what the try shows, and ``memory``, the bytes that it took.
    """
    from core.workflows.mitigation.planning import MitigationPilot, pilot
    from core.workflows.mitigation.settings import MitigationPlan
    from dashboard.jobs.answers import pack

    tried = pilot(MitigationPlan.model_validate(arguments["plan"]), files, on_progress)
    return {"tried": pack(tried, MitigationPilot), "memory": _taken()}


def unsuited_tests(arguments: dict[str, Any], files: FileStore, on_progress: OnProgress) -> dict[str, Any]:
    """Why the tests of ``arguments["audits"]`` cannot be run for the model, in their order; empty where they can."""
    from core.workflows.proposing import unlearned

    on_progress(Progress(0.1, say("Reading the table")))
    dataset = dataset_of(arguments, files)
    model = model_of(arguments, files, dataset)
    audits = [KINDS[one["kind"]].settings.model_validate(one) for one in arguments["audits"]]
    reasons = (
        one.needs_rows(dataset)
        or one.is_compatible(model, dataset)
        or unlearned(one, model, dataset, arguments["seed"])
        for one in audits
    )
    return {"reasons": [str(reason) for reason in reasons]}


def pilot_select(arguments: dict[str, Any], files: FileStore, on_progress: OnProgress) -> dict[str, int]:
    """Do once what the selection of ``arguments["plan"]`` does with every candidate; ``memory``: the bytes it takes."""
    from core.workflows.selection.planning import pilot
    from core.workflows.selection.settings import SelectionPlan

    pilot(SelectionPlan.model_validate(arguments["plan"]), files, on_progress)
    return {"memory": _taken()}


def _taken() -> int:
    """Bytes that the whole of something takes which this process has tried, with what it read for other questions."""
    return int(_MORE * (most_held() - held_at_first())) + _BESIDES


def read_matrix(arguments: dict[str, Any], files: FileStore, on_progress: OnProgress) -> dict[str, Any]:
    """The matrix in ``arguments["file"]``."""
    from core.metrics.files import read_matrix

    return read_matrix(files.path(FileRef.model_validate(arguments["file"])).read_bytes()).model_dump(mode="json")


def read_pairs(arguments: dict[str, Any], files: FileStore, on_progress: OnProgress) -> list[tuple[int, int]]:
    """The comparable pairs in ``arguments["file"]``, rows counted from 0."""
    from core.metrics.files import read_pairs

    return list(read_pairs(files.path(FileRef.model_validate(arguments["file"])).read_bytes()))
