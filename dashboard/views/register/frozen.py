"""Record and report of an entry, as they are frozen when it is signed."""

import datetime
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import streamlit as st

from core.base.errors import RecordError
from core.base.files import home
from core.language.told import say
from core.records.codec import load_result
from core.register.chain import sha256
from core.register.comparison import plan_of
from core.register.entry import Entry, Status
from core.register.packet import NAMES
from core.report.names import file_stem
from core.report.pdf import chromium, to_pdf
from core.report.signature import SignedBy
from core.report.skeleton import skeleton
from core.study import Study
from dashboard.views.downloads import offer_printed

ENDINGS = {"record": "json", "report": "html"}


def documents(entry: Entry, signature: SignedBy | None = None, others: str = "") -> dict[str, bytes]:
    """Record and report under the decision settings that were chosen before the run.

    Args:
        entry: Of which.
        signature: Who signs them; None for a packet that is sent to a reviewer.
        others: That other audits of the same model on the same rows ended worse, which a signature says itself.

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
    record = NAMES["record"] if signature is None else file_name(entry, "record", datetime.date.today())
    written = workflow.to_json(plan, result, entry.statement).encode()
    if signature is not None:
        signature = replace(signature, sha256=sha256(written))
    report = workflow.page(plan, result, entry.statement, record, signature, others=others)
    return {"record": written, "report": report.encode()}


def to_review(entry: Entry, others: str = "") -> dict[str, bytes]:
    """Record and report before they are signed, and the report as PDF where there is a browser to print it.

    The report says what ``others`` says: that other audits ended worse.

    Raises:
        RecordError: The result is not here any more, or another version wrote it.
        SettingsError: The browser printed nothing, or was not done in time.
    """
    found = documents(entry, None, others)
    return found if chromium() is None else {**found, "print": _printed_once(entry, found["report"])}


def file_name(entry: Entry, which: str, day: datetime.date) -> str:
    """``hiring-screen_transport-test_2026-11-23_report.html``; of one that was withdrawn, it says so."""
    outcomes = entry.summary.outcomes
    work = outcomes[0].title if len(outcomes) == 1 else entry.workflow
    stands = "_withdrawn" if entry.status is Status.WITHDRAWN else ""  # verbatim
    return f"{file_stem(entry.system, work, day)}{stands}_{which}.{ENDINGS[which]}"


def offer(entry: Entry, read: Callable[[str], bytes], *, to_print: bool = False) -> None:
    """The signed files to save, with their fingerprints.

    Args:
        entry: Whose files.
        read: Reads one by its name, and refuses whoever must not read it.
        to_print: Whether the report is offered as PDF too, which starts a browser on this machine.
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
        if to_print and "report" in entry.documents and chromium() is not None:
            offer_printed(
                say("Signed report (PDF)"),
                lambda: printed(entry, read("report")),
                file_name(entry, "report", datetime.date.fromtimestamp(entry.signed)).removesuffix("html") + "pdf",
                key="entry_pdf",
                help=say("Printed from the signed report. Its hash stands at the foot of every page."),
            )
    for name, digest in entry.documents.items():
        st.caption(
            say("SHA-256 of the signed record: `{digest}`", digest=digest)
            if name == "record"
            else say("SHA-256 of the signed report: `{digest}`", digest=digest)
        )


def printed(entry: Entry, report: bytes) -> bytes:
    """The report on paper; once signed, its hash, who signed it, and that it was withdrawn, at the foot of every page.

    Raises:
        SettingsError: There is no Chromium, it printed nothing, or it was not done in time.
    """
    signed = entry.signature
    foot = (
        ""
        if signed is None
        else f"{signed.name} · {signed.when}\n{say('SHA-256 of the report file (HTML)')}: {entry.documents['report']}"
    )
    if entry.status is Status.WITHDRAWN:
        foot = f"{say('WITHDRAWN: what was signed here no longer holds.')}\n{foot}"
    return to_pdf(report.decode(), skeleton(entry.statement.standard).paper, foot=foot)


@st.cache_resource(max_entries=8, show_spinner=False)
def _printed_once(_entry: Entry, report: bytes) -> bytes:
    """The report on paper, for which many who open a link start one browser."""
    return printed(_entry, report)


def can_be_written(entry: Entry) -> bool:
    """Whether the result is here, and this version reads its settings."""
    plan: Any = plan_of(entry)
    return plan is not None and all(place.exists() for place in _places(entry.workflow, plan))


def _result(workflow: str, plan: Any) -> Any:
    places = _places(workflow, plan)
    if isinstance(plan, Study):
        return tuple(map(load_result, places))
    return load_result(places[0], _kinds()[workflow])


def _places(workflow: str, plan: Any) -> tuple[Path, ...]:
    """Folders of the result, one a test."""
    results = home() / "results"
    if isinstance(plan, Study):
        return tuple(results / one.result_fingerprint for one in plan.plans)
    return (results / f"{workflow}-{plan.fingerprint}",)


def _kinds() -> dict[str, Any]:
    from core.workflows.comparison.result import ComparisonResult
    from core.workflows.mitigation.result import MitigationResult
    from core.workflows.selection.result import SelectionResult

    return {"selection": SelectionResult, "fairer": MitigationResult, "comparison": ComparisonResult}
