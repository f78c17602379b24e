"""Tasks of the transport test: the columns that are proposed, and the cells they make."""

from typing import Any

from core.base.files import FileStore
from core.base.progress import OnProgress, Progress
from core.language.told import say
from dashboard.jobs.task import Task
from dashboard.jobs.task_inputs import asked_for, fetch_source


def propose_cells(arguments: dict[str, Any], files: FileStore, on_progress: OnProgress) -> dict[str, Any]:
    """The columns proposed together, also by the answers of ``arguments["model"]``, and each feature alone."""
    from core.audits.transport.proposal import left_out, propose, propose_each
    from core.audits.transport.settings import Transport
    from dashboard.audits.transport.previews import ColumnsProposal
    from dashboard.jobs.answers import pack

    on_progress(Progress(0.1, say("Asking the model")))
    dataset, answers = asked_for(arguments, Transport(), files, answers=True)
    on_progress(Progress(0.6, say("Looking for people who are alike")))
    together = propose(dataset, answers)
    return pack(ColumnsProposal(together, propose_each(dataset), left_out(dataset, together)), ColumnsProposal)


def look_at_cells(arguments: dict[str, Any], files: FileStore, on_progress: OnProgress) -> dict[str, Any]:
    """The cells that the transport test of ``arguments["audit"]`` makes of the table, and who may be compared."""
    from core.audits.transport.settings import Transport
    from dashboard.audits.transport.cell_list import look
    from dashboard.audits.transport.previews import CellsLook
    from dashboard.jobs.answers import pack

    on_progress(Progress(0.1, say("Asking the model")))
    audit = Transport.model_validate(arguments["audit"])
    dataset, answers = asked_for(arguments, audit, files, answers=not audit.columns)
    on_progress(Progress(0.6, say("Looking for people who are alike")))
    return pack(look(dataset, audit, files, answers), CellsLook)


TASKS = {
    "propose_cells": Task(propose_cells, fetch_source, seconds=120, stays="small"),
    "look_at_cells": Task(look_at_cells, fetch_source, seconds=120, leaves_files=True, stays="small"),
}
