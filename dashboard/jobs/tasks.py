"""The table of tasks that run in a child process: JSON arguments in, JSON answer out.

Whatever a stranger wrote (a table, a model, a matrix, a list of words) is parsed here, in
``dashboard.jobs.tasks_before``, in the rooms' own tasks, and nowhere else. The table is complete once this module is
imported: a job that it does not name is refused.
"""

import io
import json
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.audits import KINDS
from core.base.errors import Caveat, DataError, EvenhandError, ModelError, how_it_came
from core.base.files import FileRef, FileStore, home
from core.base.memory import LONG_MEMORY
from core.base.progress import OnProgress, Progress, part_of
from core.data.dataset import Dataset
from core.data.roles import Roles
from core.language.phrases import lower_first
from core.language.told import say
from core.plan import AuditPlan
from dashboard.audits.tasks import TASKS_OF_ROOMS
from dashboard.jobs.code import code_fingerprint
from dashboard.jobs.editing import edit_person
from dashboard.jobs.job import in_a_row, name_of_test
from dashboard.jobs.task import CODE, SUMMARY, Task
from dashboard.jobs.task_inputs import SOURCE, fetch_nothing, fetch_source
from dashboard.jobs.tasks_before import (
    fill_encoding,
    fit_metric,
    inspect_model,
    pairs_to_judge,
    pilot,
    pilot_fairer,
    pilot_select,
    propose_meanings,
    read_encoding,
    read_matrix,
    read_pairs,
    try_endpoint,
    unsuited_tests,
)
from dashboard.jobs.tasks_of_folders import TASKS_OF_FOLDERS

if TYPE_CHECKING:
    from core.result import AuditResult
    from core.study import Study

__all__ = ["TASKS", "Task", "fetch_nothing"]


def read_table(arguments: dict[str, Any], files: FileStore, on_progress: OnProgress) -> dict[str, Any]:
    """Read the table of ``arguments["source"]``; keep it as Parquet for other tasks, and its first rows for the page.

    Returns:
        ``table`` and ``first`` (references of the table and of its first rows), ``description`` (how it was read),
        ``guess`` (a role for each column).
    """
    import pandas as pd

    from core.data.guess_roles import RolesGuess, guess_roles
    from core.sources.upload.uploaded import TableDescription, UploadedTable
    from dashboard.jobs.answers import pack
    from dashboard.tables import TableSummary, first_rows, summarise

    source = SOURCE.validate_python(arguments["source"])
    on_progress(Progress(0.1, say("Reading the table")))
    if isinstance(source, UploadedTable):
        frame, description = source.read(files)
    else:
        frame, description = source.load(files), None
    on_progress(Progress(0.6, say("Looking at the columns")))
    declared = None if isinstance(source, UploadedTable) else source.roles(frame)
    stream = io.BytesIO()
    frame.to_parquet(stream, index=False)
    first = json.dumps(pack(first_rows(frame), pd.DataFrame)).encode()
    return {
        "table": files.put(stream.getvalue(), f"{source.title}.parquet").model_dump(mode="json"),
        "first": files.put(first, "first rows.json").model_dump(mode="json"),  # verbatim
        "description": None if description is None else pack(description, TableDescription),
        "summary": pack(summarise(frame), TableSummary),
        "guess": pack(guess_roles(frame), RolesGuess) if declared is None else None,
        "roles": None if declared is None else declared.model_dump(mode="json"),
    }


def examine_table(arguments: dict[str, Any], files: FileStore, on_progress: OnProgress) -> dict[str, Any]:
    """The health of ``arguments["table"]`` under ``arguments["roles"]``, and whether the rows can be audited.

    Returns:
        ``health``, ``found`` (the rows without a gap in any column), ``least`` (those without one in what a test of
        predictions alone reads), ``labels``, and ``same`` (the features that are nearly the outcome or the audited
        score).
    """
    import pandas as pd

    from core.base.errors import most_serious_first
    from core.data.guess_copies import about_the_same, same_among_features
    from core.data.quality.giving_away import about_features, giving_away
    from core.data.quality.health import Health, examine
    from core.data.quality.unexplained import unexplained
    from core.result import DataSummary
    from dashboard.jobs.answers import pack

    on_progress(Progress(0.1, say("Checking the table")))
    frame = pd.read_parquet(files.path(FileRef.model_validate(arguments["table"])))
    roles = Roles.model_validate(arguments["roles"])
    health = examine(frame, roles)
    told: tuple[Caveat, ...] = ()
    try:
        dataset = Dataset.build(frame, roles)
    except DataError as error:
        if not roles.predictions:
            raise
        dataset = Dataset.build(frame, roles, reads=roles.predictions)
        why = say("Tests that read the features cannot be run: {why}", why=lower_first(error.what))
        told = (Caveat("warning", why, error.advice),)
    people = dataset.written_out(some=True)
    same = same_among_features(people)
    told = (
        *told,
        *about_the_same(same),
        *unexplained(people),
        *about_features(giving_away(people, dataset.roles.features)),
    )
    health = replace(health, findings=most_serious_first((*health.findings, *told)))
    answers = dataset.reading(roles.predictions)
    found, least = (pack(DataSummary.of(one, one.people, one.clusters), DataSummary) for one in (dataset, answers))
    return {
        "health": pack(health, Health),
        "found": found,
        "least": least,
        "labels": list(dataset.labels),
        "same": list(same),
    }


def recognise_model(arguments: dict[str, Any], files: FileStore, on_progress: OnProgress) -> dict[str, Any]:
    """The format of ``arguments["file"]``, by its bytes; of one that is refused why, and the lines that convert it."""
    from core.models.conversion import lines_for
    from core.models.sniff import recognise

    ref = FileRef.model_validate(arguments["file"])
    path = files.path(ref)
    try:
        return {"format": recognise(path, ref.name)}
    except ModelError as error:
        lines = lines_for(path, ref.name)
        if not lines:
            raise
        return {"format": "", "refused": error.what, "lines": lines}


def audit(arguments: dict[str, Any], files: FileStore, on_progress: OnProgress) -> dict[str, Any]:
    """Run the tests of ``arguments["study"]`` one after the other, each kept under its plan's fingerprint.

    A test whose result this code has kept already is not run again.
    """
    from core.records.audits import AUDITS
    from core.records.codec import load_result
    from core.result import AuditResult
    from core.study import Study

    study = Study.model_validate(arguments["study"])
    found: dict[str, AuditResult] = {}
    for plan, one in _run_tests(study.plans, files, on_progress):
        if isinstance(one, AuditResult):
            found[plan.result_fingerprint] = one
        elif len(study.plans) == 1:
            raise one
        else:
            raise _of_a_test(one, plan, study) from one
    on_progress(Progress(1.0, say("Reading the result")))
    every = tuple(found.get(plan.result_fingerprint) or load_result(_kept_at(plan)) for plan in study.plans)
    return {"results": [plan.result_fingerprint for plan in study.plans], SUMMARY: _summary(AUDITS, study, every)}


def _of_a_test(error: EvenhandError, plan: AuditPlan, study: "Study") -> EvenhandError:
    """The error in which one of several tests ended, which names it and those whose results are kept."""
    kept = [name_of_test(other.audit.kind) for other in study.plans if other != plan and _is_kept(other)]
    found = (
        say("What the {kept} found is kept: leave this test out to see it.", kept=in_a_row(", ", *kept)) if kept else ""
    )
    where = in_a_row(", ", name_of_test(plan.audit.kind), error.where)
    return type(error)(error.what, where=where, advice=in_a_row(" ", error.advice, found))


def run_workflow(key: str) -> Callable[[dict[str, Any], FileStore, OnProgress], dict[str, Any]]:
    """The task that runs ``arguments["plan"]`` of the workflow ``key`` and keeps what came out.

    Its answer holds the folder of the result under ``key`` and, where there are some, ``rows``: a file with the rows
    that no model was fitted to.
    """

    def run(arguments: dict[str, Any], files: FileStore, on_progress: OnProgress) -> dict[str, Any]:
        workflow = _workflow(key)
        plan = workflow.plan.model_validate(arguments["plan"])
        result, folder = workflow.run(plan, files, part_of(on_progress, 0.0, 0.99)), _name_of_result(key, plan)
        _keep(result, home() / "results" / folder)
        rows = workflow.unseen_rows(plan, files)
        answer = {key: folder, SUMMARY: _summary(workflow, plan, result)}
        return answer if rows is None else {**answer, "rows": rows.model_dump(mode="json")}

    return run


def compare(arguments: dict[str, Any], files: FileStore, on_progress: OnProgress) -> dict[str, Any]:
    """Run the comparison ``arguments["plan"]``; a test whose result this code has kept is not run again."""
    from core.records.codec import load_result
    from core.result import AuditResult
    from core.workflows.comparison.run import run
    from core.workflows.comparison.settings import ComparisonPlan

    def run_tests(
        plans: Sequence[AuditPlan], files: FileStore, on_progress: OnProgress
    ) -> Iterator[AuditResult | EvenhandError]:
        for _, one in _run_tests(plans, files, on_progress):
            if isinstance(one, EvenhandError):
                yield one
        for plan in plans:
            found: AuditResult = load_result(_kept_at(plan))
            yield found

    plan = ComparisonPlan.model_validate(arguments["plan"])
    result = run(plan, files, part_of(on_progress, 0.0, 0.99), run_tests)
    folder = _name_of_result("comparison", plan)
    _keep(result, home() / "results" / folder)
    return {"comparison": folder, SUMMARY: _summary(_workflow("comparison"), plan, result)}


def _results_of_comparison(arguments: dict[str, Any]) -> tuple[str, ...]:
    from core.workflows.comparison.settings import ComparisonPlan

    plan = ComparisonPlan.model_validate(arguments["plan"])
    tests = (test.result_fingerprint for one in plan.models for test in one.study.plans)
    return (_name_of_result("comparison", plan), *tests)


def _results_of_study(arguments: dict[str, Any]) -> tuple[str, ...]:
    from core.study import Study

    return tuple(plan.result_fingerprint for plan in Study.model_validate(arguments["study"]).plans)


def _result_of_workflow(key: str) -> Callable[[dict[str, Any]], tuple[str, ...]]:
    def name(arguments: dict[str, Any]) -> tuple[str, ...]:
        return (_name_of_result(key, _workflow(key).plan.model_validate(arguments["plan"])),)

    return name


def _summary(workflow: Any, plan: Any, result: Any) -> dict[str, Any] | None:
    """What the register keeps of a result; None where that could not be worked out, which costs nobody the result."""
    from core.register.summary import summarise

    try:
        return summarise(workflow, plan, result).model_dump(mode="json")
    except Exception as error:
        print(how_it_came(error), end="", file=sys.stderr, flush=True)
        return None


def _workflow(key: str) -> Any:
    from core.workflows.table import WORKFLOWS

    return next(one for one in WORKFLOWS if one.key == key)


def _name_of_result(key: str, plan: Any) -> str:
    return f"{key}-{plan.fingerprint}"


def _run_tests(
    plans: Sequence[AuditPlan], files: FileStore, on_progress: OnProgress
) -> Iterator[tuple[AuditPlan, "AuditResult | EvenhandError"]]:
    """Run and keep what is not kept yet; each plan of that with what it found or the error that it ended in."""
    from core.records.pieces import run_plans

    def keep(plan: AuditPlan, result: "AuditResult") -> None:
        _keep(result, _kept_at(plan))
        (_kept_at(plan) / CODE).write_text(code_fingerprint())

    missing = [plan for plan in plans if not _is_kept(plan)]
    found = run_plans(missing, files, on_progress, keep) if missing else ()
    yield from zip(missing, found, strict=True)


def _keep(result: Any, folder: Path) -> None:
    """Save a result; what else lies in its folder, as a broken run leaves it, goes."""
    from core.records.codec import save_result

    if not (folder / "result.json").exists():
        shutil.rmtree(folder, ignore_errors=True)
    save_result(result, folder)


def _is_kept(plan: AuditPlan) -> bool:
    """Whether the plan's result lies here whole, and this code found it."""
    from core.base.errors import RecordError
    from core.records.codec import load_result

    code = _kept_at(plan) / CODE
    try:
        if not code.is_file() or code.read_text() != code_fingerprint():
            return False
        load_result(_kept_at(plan))
    except (RecordError, OSError):
        return False
    return True


def _kept_at(plan: AuditPlan) -> Path:
    return home() / "results" / plan.result_fingerprint


_LONG: dict[str, Any] = {"lane": "long", "seconds": 6 * 3600, "memory": LONG_MEMORY, "leaves_files": True}

_HALL = {
    "read_table": Task(read_table, fetch_source, leaves_files=True, stays="small"),
    "examine_table": Task(examine_table, fetch_nothing, stays="small"),
    "recognise_model": Task(recognise_model, fetch_nothing, seconds=30),
    "inspect_model": Task(inspect_model, fetch_source, stays="small"),
    "propose_meanings": Task(propose_meanings, fetch_source, stays="small"),
    "try_endpoint": Task(try_endpoint, fetch_source),
    "fill_encoding": Task(fill_encoding, fetch_source, stays="small"),
    "read_encoding": Task(read_encoding, fetch_nothing, seconds=30),
    "fit_metric": Task(fit_metric, fetch_source, seconds=600, stays="small"),
    "pairs_to_judge": Task(pairs_to_judge, fetch_source, stays="small"),
    "pilot": Task(pilot, fetch_source, seconds=300, stays="small"),
    "edit_person": Task(edit_person, fetch_source, seconds=300, stays="always"),
    "read_matrix": Task(read_matrix, fetch_nothing, seconds=30),
    "read_pairs": Task(read_pairs, fetch_nothing, seconds=30),
    "select": Task(run_workflow("selection"), fetch_source, results=_result_of_workflow("selection"), **_LONG),
    "pilot_fairer": Task(pilot_fairer, fetch_source, seconds=300),
    "unsuited_tests": Task(unsuited_tests, fetch_source, seconds=600),
    "pilot_select": Task(pilot_select, fetch_source, seconds=300),
    "fairer": Task(run_workflow("fairer"), fetch_source, results=_result_of_workflow("fairer"), **_LONG),
    "compare": Task(compare, fetch_source, results=_results_of_comparison, leaves_weights=True, **_LONG),
    "audit": Task(audit, fetch_source, results=_results_of_study, leaves_weights=True, **_LONG),
}

TASKS: dict[str, Task] = _HALL | TASKS_OF_FOLDERS | TASKS_OF_ROOMS
"""Every task by its name: the hall's and each room's."""

WARM = (
    *("pandas", "pyarrow.parquet", "pyarrow.dataset", "pyarrow.pandas_compat", "scipy.stats", "sklearn.linear_model"),
    *("core.register.summary", "core.data.quality.health", "core.models.meanings", "dashboard.tables"),
    *(
        "dashboard.jobs.previews",
        "dashboard.jobs.found_once",
        "torch",
        "fairlearn.metrics",
        "core.run",
        "core.workflows.table",
    ),
    *(f"core.audits.{kind}.{part}" for kind in KINDS for part in ("room", "engine")),
)
"""Modules that many tasks need: whatever is not among them each child imports again (:mod:`core.wall.forks`)."""
