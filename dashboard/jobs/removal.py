"""What is deleted, and when: what a visitor deletes, what nobody opened for long, and what a killed process left.

Two sorts of things are kept because somebody wants them: drafts, and the jobs of :data:`OWN_WORK`. Everything else
(uploads, results, previews and the tables they read, logs) is kept because one of these names it, and goes with the
last one that does.
"""

import re
import shutil
import time
from collections.abc import Callable, Container, Iterable
from contextlib import suppress
from pathlib import Path

from core.base.errors import EvenhandError, RecordError, StorageError
from core.base.files import PARTIAL, home, number_of_machine
from core.language.told import say
from core.models.endpoint.kept import FOLDER as ANSWERS
from core.protected_status import memo
from core.register.entry import Entry
from core.register.projects import dissolve, entries_in
from core.register.register import Register
from dashboard.jobs.job import OWN_WORK, Job
from dashboard.jobs.outbox import RUNNING, is_of, origin
from dashboard.jobs.registering import id_of
from dashboard.jobs.table import JobTable
from dashboard.jobs.wanted import Consequences, Wanted, days_of_uploads, drafts, files_in, of_job, users_of

DAY = 86400.0
_HOUR = 3600.0
_PATIENCE = 15.0
_UNFINISHED_RESULT = re.compile(r"\..+-[0-9a-f]{16}")


def retention_days() -> float:
    """Days without use after which drafts, audits and what they need are deleted; 0 if they never are.

    Raises:
        SettingsError: ``EVENHAND_RETENTION_DAYS`` is no number.
    """
    return number_of_machine("EVENHAND_RETENTION_DAYS", 30)


def upload_days() -> float:
    """Days after which uploads, and the tables and models made of them, are deleted while results stay; 0 for never.

    Raises:
        SettingsError: ``EVENHAND_KEEP_UPLOADS_DAYS`` is no number.
    """
    return number_of_machine("EVENHAND_KEEP_UPLOADS_DAYS", 0)


class Removal:
    """Deletes from Evenhand's folder.

    Args:
        table: The jobs.
    """

    def __init__(self, table: JobTable) -> None:
        self._table = table

    def of_audit(self, name: str, visitor: str) -> Consequences:
        """What deleting this job means for this visitor."""
        return self._consequences(lambda one: one.job is not None and one.name == name, visitor, "")

    def of_draft(self, name: str, visitor: str, only: str = "") -> Consequences:
        """What deleting this draft means for this visitor, or deleting ``only`` one of its files."""
        return self._consequences(lambda one: one.job is None and one.name == name, visitor, only)

    def delete_audit(self, name: str, visitor: str) -> None:
        """Delete a job of this visitor's, with all that nobody else uses; for others who asked for it, it stays.

        So does its entry of the register, unless it is signed.

        Raises:
            StorageError: The register cannot be written now; all but the entry was deleted.
            RecordError: It belongs to a project, where its entry is deleted.
        """
        if _is_in_project(name, visitor):
            raise RecordError(
                say("This audit belongs to a project."), advice=say("An admin of it deletes its entry in the register.")
            )
        self._delete_run(name, visitor)
        try:
            Register().delete(id_of(name, visitor), visitor)
        except EvenhandError as error:
            raise StorageError(
                say("All was deleted but the entry in the register, which cannot be written now."),
                where=error.where,
                advice=say("Delete the entry on the page Register as soon as its database answers."),
            ) from error

    def delete_entry(self, entry: Entry, by: str, *, drafts_too: bool = False) -> None:
        """Delete an entry of a project with its run, and the drafts that use its uploads if asked, for an admin of it.

        Raises:
            RecordError: It may not be deleted, or not by them.
        """
        if not Register().delete(entry.id, by):
            raise RecordError(
                say("This entry cannot be deleted, or not by you."), advice=say("Ask an admin of its project.")
            )
        self._delete_run(entry.job, entry.owner, drafts_too=drafts_too)

    def delete_project(self, project: str, by: str, *, drafts_too: bool = False) -> None:
        """Delete a project with its entries and runs, and the drafts that use their uploads if asked, for an admin.

        What was signed stays in the register of whoever ran it.

        Raises:
            RecordError: They do not manage it.
        """
        for entry in entries_in(Register(), project, by):
            self._delete_run(entry.job, entry.owner, drafts_too=drafts_too)
        dissolve(Register(), project, by)

    def _delete_run(self, name: str, visitor: str, *, drafts_too: bool = False) -> None:
        wanted = self._wanted()
        found = [one for one in wanted if one.job is not None and one.name == name and visitor in one.visitors]
        drafts = [one for run in found for one in users_of(wanted, run.files, (visitor,)) if one.job is None]
        self._table.disown(name, visitor)
        self._delete([one for one in found if not set(one.visitors) - {visitor}])
        for draft in drafts if drafts_too else ():
            self.delete_draft(draft.name, visitor)

    def delete_draft(self, name: str, visitor: str) -> None:
        """Delete a draft of this visitor's, with all that nobody else uses."""
        self._delete(
            [one for one in self._wanted() if one.job is None and (one.name, one.visitors) == (name, (visitor,))]
        )

    def delete_files(self, digests: Iterable[str]) -> None:
        """Delete uploads that nothing names any more, and what was computed from them."""
        self._collect(frozenset(digests))

    def forget(self, names: Container[str]) -> None:
        """Delete these jobs, whoever asked for them, and the drafts of the same visitors that use the same files."""
        wanted = self._wanted()
        doomed = [one for one in wanted if one.job is not None and one.name in names]
        drafts = [draft for one in doomed for draft in users_of(wanted, one.files, one.visitors) if draft.job is None]
        self._delete(list({(one.name, one.visitors): one for one in (*doomed, *drafts)}.values()))

    def unused_for(self, days: float) -> tuple[list[str], list[tuple[str, str]]]:
        """Jobs, and drafts with their visitors, that nobody opened for so many days."""
        old = [one for one in self._wanted() if time.time() - one.used > days * DAY]
        jobs = [one.name for one in old if one.job is not None]
        return jobs, [(one.name, one.visitors[0]) for one in old if one.job is None]

    def retire(self) -> None:
        """Delete what nobody opened for as long as it is kept; who had it will be told.

        What is in review or signed stays, except for its uploads where these are kept for some days only.

        Raises:
            StorageError, RecordError: The register does not say what is in review; nothing was deleted.
        """
        self._retire_uploads()
        days = retention_days()
        if days == 0:
            return
        now, needed = time.time(), Register().jobs_under_review()
        old = [one for one in self._wanted() if now - one.used > days * DAY and one.name not in needed]
        for one in old:
            self._table.note_retired("audit" if one.job else "draft", one.visitors)
        self._delete(old)
        previews = [job for job in self._table.everything() if job.kind not in OWN_WORK]
        self._table.remove([job.id for job in previews if _age(job) > days * DAY])
        for path in (*(home() / "drafts").rglob("*.unreadable"), *(home() / "jobs").glob("damaged-*")):
            _unlink(path, days * DAY)

    def _retire_uploads(self) -> None:
        """Delete uploads and what previews made of them so many days after they were brought; results stay.

        A project may say for how many days it keeps those of its audits.
        """
        general, jobs = upload_days(), self._table.everything()
        of_files = days_of_uploads(jobs, general)
        running = {digest for job in jobs if job.unfinished for digest in files_in(job.arguments)}
        for path in (home() / "files").glob("[!.]*"):
            if path.name not in running and (days := of_files.get(path.name, general)):
                _unlink(path, days * DAY)
        gone = {digest for digest, days in of_files.items() if days and not (home() / "files" / digest).exists()}
        previews = [job for job in jobs if job.kind not in OWN_WORK and not job.unfinished]
        self._table.remove([job.id for job in previews if gone & files_in(job.arguments).keys()])
        self._table.remove([job.id for job in previews if general and _age(job) > general * DAY])
        for weights in memo.kept(home() / "status"):
            lost = is_of(weights, gone) and not is_of(weights, set())
            if lost or general:
                _unlink(weights, 0 if lost else general * DAY)
                _unlink(origin(weights), 0 if lost else general * DAY)

    def sweep(self) -> None:
        """Remove what nothing names, and what killed processes left half written."""
        self._collect(frozenset())
        jobs = {job.id for job in self._table.everything()}
        for what in ("asked", "answered", "logs"):
            for path in (self._table.folder / what).glob("*"):
                if path.stem not in jobs:
                    _unlink(path, _HOUR)
        leftovers = [*home().rglob(f"*{PARTIAL}"), *(home() / "temporary").glob("*")]
        leftovers += [path for path in (home() / "results").glob(".*") if _UNFINISHED_RESULT.fullmatch(path.name)]
        for path in leftovers:
            _unlink(path, _HOUR)

    def _consequences(self, is_doomed: Callable[[Wanted], bool], visitor: str, only: str) -> Consequences:
        wanted = self._wanted()
        doomed, others = [one for one in wanted if is_doomed(one)], [one for one in wanted if not is_doomed(one)]
        files = {digest: name for one in doomed for digest, name in one.files.items() if name and only in ("", digest)}
        still = {digest for one in others for digest in one.files}
        return Consequences(
            going=tuple(sorted({name for digest, name in files.items() if digest not in still})),
            staying=tuple(sorted({name for digest, name in files.items() if digest in still})),
            audits=tuple(one.name for one in users_of(others, files, (visitor,)) if one.job is not None),
            shared=any(set(one.visitors) - {visitor} for one in doomed),
            drafts=tuple(one.name for one in users_of(others, files, (visitor,)) if one.job is None),
        )

    def _delete(self, doomed: list[Wanted]) -> None:
        if not doomed:
            return
        self._remove_jobs([one.job for one in doomed if one.job is not None])
        for one in doomed:
            for path in one.paths:
                _unlink(path)
        reached, _ = _reach({digest for one in doomed for digest in one.files}, self._previews())
        self._collect(frozenset(reached).union(*(one.results | one.answers for one in doomed)))
        self._table.wipe()

    def _collect(self, named: frozenset[str]) -> None:
        """Remove what no draft and no job of one's own names: what is ``named`` at once, the rest after a day."""
        wanted = self._wanted()
        living, previews = _reach({digest for one in wanted for digest in one.files}, self._previews())
        dead = [job for job in self._previews() if job.id not in previews and _is_due(job, named)]
        self._remove_jobs(dead)
        for folder, kept in (
            ("files", living),
            ("results", {name for one in wanted for name in one.results}),
            (ANSWERS, {identity for one in wanted for identity in one.answers}),
        ):
            for path in (home() / folder).glob("[!.]*"):
                name = path.name.partition(".")[0]
                if name not in kept:
                    _unlink(path, 0 if name in named else DAY)
        for weights in memo.kept(home() / "status"):
            if origin(weights).exists() and not is_of(weights, living):
                _unlink(weights, 0)
                _unlink(origin(weights), 0)

    def _remove_jobs(self, jobs: list[Job]) -> None:
        """Stop the unfinished ones, and delete all with what they were asked and answered."""
        names = [job.id for job in jobs]
        unfinished = [job.id for job in jobs if job.unfinished]
        if unfinished:
            self._table.stop(unfinished)
            _wait_while(lambda: any(job is not None and job.unfinished for job in map(self._table.get, unfinished)))
        self._table.remove(names)
        folders = [home() / RUNNING / name for name in names]
        _wait_while(lambda: any(folder.exists() for folder in folders))  # a child that waits to be asked again goes now

    def _previews(self) -> list[Job]:
        return [job for job in self._table.everything() if job.kind not in OWN_WORK]

    def _wanted(self) -> list[Wanted]:
        return [*drafts(), *(of_job(job) for job in self._table.everything() if job.kind in OWN_WORK)]


def _is_in_project(run: str, visitor: str) -> bool:
    """Whether this visitor's entry of a run belongs to a project; no if the register cannot be read now."""
    try:
        return any(entry.project and entry.owner == visitor for entry in Register().known_as(run))
    except EvenhandError:
        return False


def _reach(files: set[str], previews: list[Job]) -> tuple[set[str], set[str]]:
    """These files with those that previews made of them, and the ids of the previews that need no others."""
    reached, alive = set(files), set[str]()
    asked = {job.id: set(files_in(job.arguments)) for job in previews}
    while fresh := [job for job in previews if job.id not in alive and asked[job.id] <= reached]:
        for job in fresh:
            alive.add(job.id)
            reached |= set(files_in(job.answer))
    return reached, alive


def _is_due(job: Job, named: frozenset[str]) -> bool:
    """Whether a preview that nobody needs goes now."""
    if named & (files_in(job.arguments).keys() | files_in(job.answer).keys()):
        return True
    return not job.unfinished and _age(job) > DAY


def _wait_while(goes_on: Callable[[], bool]) -> None:
    until = time.monotonic() + _PATIENCE
    while time.monotonic() < until and goes_on():
        time.sleep(0.05)


def _age(job: Job) -> float:
    """Seconds since it ended, or since it was asked for."""
    return time.time() - (job.finished or job.submitted)


def _unlink(path: Path, older_than: float = 0) -> None:
    """Remove a file or a folder that was not changed for so many seconds."""
    with suppress(OSError):
        if older_than and time.time() - path.lstat().st_mtime < older_than:
            return
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink()
