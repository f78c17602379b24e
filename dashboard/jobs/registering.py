"""Every finished audit, selection and mitigation enters the register by itself.

The worker sees to it, and the table of jobs is its outbox: a claim of a visitor on a finished job says which register
it entered. A page might never be opened, and a job that ends while the register's database is locked, full or gone
would be lost if it were entered at its end only. So the claims that entered no register, or another one, are entered
whenever it answers; entering one twice changes nothing. What comes out in words is worked out by the job itself, which
has the result in its memory, and kept in its answer.

What writes the register is imported once there is something to enter, for whoever waits for a first verdict waits for
this process too.
"""

import datetime
import hashlib
import logging
import threading
import time
from typing import TYPE_CHECKING

from pydantic import ValidationError

from core.base.errors import RecordError
from dashboard.jobs.job import OWN_WORK, Claim, Job, study_of
from dashboard.jobs.table import JobTable
from dashboard.jobs.task import SUMMARY
from dashboard.logs import log

if TYPE_CHECKING:
    from core.register.entry import Entry, Summary
    from core.register.register import Register

_BETWEEN_LOOKS = 1.0
_BETWEEN_IDENTITIES = 30.0
_AFTER_A_FAILURE = 30.0
_OF_ONE_AUDIT = {"date", "data_period", "unknown"}
"""What of a statement does not hold for the same audit with new data, as nothing of its reviewer does."""


class Registrar:
    """Enters what is finished; asked again and again.

    Args:
        table: The jobs.
    """

    def __init__(self, table: JobTable) -> None:
        self._table = table
        self._identity = ""
        self._next_identity = float("-inf")
        self._failing = ""

    def start(self) -> None:
        """Look from now on, in a thread that ends with the process: a database that does not answer stops no run."""
        threading.Thread(target=self._look_on, daemon=True).start()

    def look(self) -> float:
        """Enter what is finished; returns the seconds after which to look again."""
        try:
            if not self._identity and not self._table.unregistered(OWN_WORK, ""):
                return _BETWEEN_LOOKS
            from core.register.register import Register

            if time.monotonic() >= self._next_identity:
                self._identity = Register().identity()
                self._next_identity = time.monotonic() + _BETWEEN_IDENTITIES
            if claims := self._table.unregistered(OWN_WORK, self._identity):
                self._identity = enter(claims, self._table, Register())
                log("runs_registered", count=len(claims))
        except Exception as error:
            if self._failing != (kind := type(error).__name__):
                log("register_refuses", level=logging.ERROR, error=error)
            self._failing = kind
            return _AFTER_A_FAILURE
        if self._failing:
            log("register_back")
        self._failing = ""
        return _BETWEEN_LOOKS

    def _look_on(self) -> None:
        while True:
            time.sleep(self.look())


def enter(claims: list[Claim], table: JobTable, register: "Register") -> str:
    """Enter finished jobs for those who asked for them.

    Returns:
        The identity of the register.

    Raises:
        StorageError: The register or the table of jobs cannot be written now.
        RecordError: Some could not be entered; the others were.
    """
    refused: RecordError | None = None
    identity = register.identity()
    for claim in claims:
        try:
            entry = _entry(claim, register)
            register.enter(entry)
        except RecordError as error:
            refused = error
            continue
        identity = identity or register.identity()
        if not table.note_registered(claim, identity):
            register.delete(entry.id, entry.owner)
    if refused is not None:
        raise refused
    return identity


def id_of(job: str, visitor: str) -> str:
    """The entry of a visitor's job; nobody who does not know the visitor's secret name can guess it."""
    return hashlib.sha256(f"{job} {visitor}".encode()).hexdigest()[:32]


def _entry(claim: Claim, register: "Register") -> "Entry":
    from core.register.entry import Entry
    from core.report.statement import OF_THE_REVIEWER, Statement

    job, arguments = claim.job, claim.job.arguments
    plan = arguments.get("study", arguments.get("plan"))
    before = register.get(claim.after, claim.visitor) if claim.after else None
    made = job.finished or job.submitted
    kept = {} if before is None else before.statement.model_dump(exclude=_OF_ONE_AUDIT | OF_THE_REVIEWER)
    return Entry(
        id=id_of(job.id, claim.visitor),
        owner=claim.visitor,
        job=job.id,
        workflow=OWN_WORK[job.kind],
        made=made,
        plan=plan if isinstance(plan, dict) else {},
        summary=summary_of(claim.job),
        statement=Statement(**kept, date=datetime.date.fromtimestamp(made)),
        after="" if before is None else before.id,
        project=_project(before, claim.visitor, register),
    )


def _project(before: "Entry | None", visitor: str, register: "Register") -> str:
    """What repeats an entry of a project belongs to it too, if its visitor may run audits there."""
    return before.project if before is not None and "state" in register.rights(before.id, visitor) else ""


def summary_of(job: Job) -> "Summary":
    """What the job says of its result; without the result where an older version ran it."""
    from core.register.entry import Summary
    from core.register.summary import without_result

    try:
        return Summary.model_validate(job.answer[SUMMARY])
    except (KeyError, TypeError, ValidationError):
        pass
    try:
        return without_result(study_of(job))
    except RecordError:
        return Summary()
