"""Record and report of an entry, as they are frozen when it is signed."""

import datetime
from typing import Any

from core.errors import RecordError
from core.files import home
from core.records.codec import load_result
from core.register.comparison import plan_of
from core.register.entry import Entry
from core.report.names import file_stem
from core.study import Study

ENDINGS = {"record": "json", "report": "html"}


def documents(entry: Entry) -> dict[str, bytes]:
    """Record and report under the decision settings that were chosen before the run.

    Raises:
        RecordError: The result is not here any more, or another version wrote it.
    """
    from core.workflows.table import WORKFLOWS

    workflow: Any = next(one for one in WORKFLOWS if one.key == entry.workflow)
    plan: Any = plan_of(entry)
    if plan is None:
        raise RecordError(
            "Another version of Evenhand wrote this entry, so that its record cannot be written here.",
            advice="Run the audit again, and sign that.",
        )
    result = _result(entry.workflow, plan)
    record = file_name(entry, "record", datetime.date.today())
    return {
        "record": workflow.to_json(plan, result, entry.statement).encode(),
        "report": workflow.page(plan, result, entry.statement, record).encode(),
    }


def file_name(entry: Entry, which: str, day: datetime.date) -> str:
    """``hiring-screen_transport-test_2026-11-23_report.html``."""
    outcomes = entry.summary.outcomes
    work = outcomes[0].title if len(outcomes) == 1 else entry.workflow
    return f"{file_stem(entry.system, work, day)}_{which}.{ENDINGS[which]}"


def _result(workflow: str, plan: Any) -> Any:
    results = home() / "results"
    if isinstance(plan, Study):
        return tuple(load_result(results / one.result_fingerprint) for one in plan.plans)
    return load_result(results / f"{workflow}-{plan.fingerprint}", _kinds()[workflow])


def _kinds() -> dict[str, Any]:
    from core.workflows.mitigation.result import MitigationResult
    from core.workflows.selection.result import SelectionResult

    return {"selection": SelectionResult, "fairer": MitigationResult}
