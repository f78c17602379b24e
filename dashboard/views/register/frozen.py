"""Record and report of an entry, as they are frozen when it is signed."""

import datetime
from collections.abc import Callable
from functools import partial
from typing import Any

import streamlit as st

from core.base.errors import RecordError
from core.base.files import home
from core.language.told import say
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
            say("Another version of Evenhand wrote this entry, so that its record cannot be written here."),
            advice=say("Run the audit again, and sign that."),
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


def offer(entry: Entry, read: Callable[[str], bytes]) -> None:
    """The signed files to save, with their fingerprints.

    Args:
        entry: Whose files.
        read: Reads one by its name, and refuses whoever must not read it.
    """
    with st.container(horizontal=True, key="entry_files"):
        for name in entry.documents:
            st.download_button(
                say("Signed record (JSON)") if name == "record" else say("Signed report (HTML)"),
                partial(read, name),
                file_name(entry, name, datetime.date.fromtimestamp(entry.signed)),
                icon=":material/download:",
                on_click="ignore",
                key=f"entry_{name}",
            )
    for name, digest in entry.documents.items():
        st.caption(
            say("SHA-256 of the signed record: `{digest}`", digest=digest)
            if name == "record"
            else say("SHA-256 of the signed report: `{digest}`", digest=digest)
        )


def _result(workflow: str, plan: Any) -> Any:
    results = home() / "results"
    if isinstance(plan, Study):
        return tuple(load_result(results / one.result_fingerprint) for one in plan.plans)
    return load_result(results / f"{workflow}-{plan.fingerprint}", _kinds()[workflow])


def _kinds() -> dict[str, Any]:
    from core.workflows.comparison.result import ComparisonResult
    from core.workflows.mitigation.result import MitigationResult
    from core.workflows.selection.result import SelectionResult

    return {"selection": SelectionResult, "fairer": MitigationResult, "comparison": ComparisonResult}
