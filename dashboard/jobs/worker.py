"""The worker: takes queued jobs, runs each in a child of its own, kills a child that is cancelled or too long.

Children are forked by a process that has imported what they need (:mod:`core.wall.forks`). What a child says is a
stranger's word.
"""

import importlib
import logging
import math
import os
import select
import socket
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from core.base.errors import EvenhandError, StorageError
from core.base.files import home
from core.base.memory import available_memory, memory_to_use
from core.language.phrases import count
from core.language.told import say
from core.wall.behind import PROGRAM as OPENED
from core.wall.behind import own_environment
from core.wall.forks import Forks
from core.wall.forks_of_a_job import PROGRAM as FORKS_OF_A_JOB
from dashboard.jobs.broker import Broker
from dashboard.jobs.child import disk_failure
from dashboard.jobs.children import BETWEEN_MEASURES, WORTH_WAITING, Child, Staying, key_of_child
from dashboard.jobs.code import CHILD, LOCK, is_alive
from dashboard.jobs.elsewhere import Elsewhere
from dashboard.jobs.job import Failure, Job, State
from dashboard.jobs.messages import Begun, BrokenRulesError, Done, Failed, Listener, Message, Went
from dashboard.jobs.outbox import RUNNING, discard, prepare
from dashboard.jobs.registering import Registrar
from dashboard.jobs.table import JobTable
from dashboard.jobs.takeover import OutboxError, take_log, take_over
from dashboard.jobs.task import LaneName, libraries_named, opened_behind_the_wall
from dashboard.jobs.tasks import Task
from dashboard.jobs.turns import PROMPT, Line, Run, lanes, may_take
from dashboard.logs import log

_PAUSE_ON_A_FULL_DISK = 0.5

_CANCELLED = Failure(
    "CancelledError", say("This run was stopped."), "", say("Run it again when you like; nothing was lost.")
)
_ORPHANED = Failure(
    "Killed", say("The worker process was stopped while this ran."), "", say("Run it again; your choices are kept.")
)
_BROKE_RULES = Failure(
    "Killed",
    say(
        "The process that did this work broke the rules it is held to, and was stopped; nothing that it said was kept."
    ),
    "",
    say("Check where the files that you uploaded come from. If you trust them, report this."),
)
_KILLED = Failure(
    "Killed",
    say("The process that did this work was stopped from outside, or ran out of memory."),
    "",
    say("Run it again; if it stops again, try fewer rows."),
)


_FIRST_TIDYING, _BETWEEN_TIDYINGS = 20.0, 86400.0
"""Seconds after its start, and after the last time, for which a worker that has nothing to do deletes nothing old."""
_BETWEEN_SIGNS = 1.0
"""Seconds after which the worker shows again that it lives."""
_BETWEEN_FORECASTS = 2.0
"""Seconds after which it is worked out again when queued runs will start."""


class Worker:
    """Runs queued jobs until there is nothing to do.

    Args:
        table: The jobs.
        tasks: Name of the module that holds the table of tasks.
        forks: Forks the children.
    """

    def __init__(self, table: JobTable, tasks: str, forks: Forks) -> None:
        self._table = table
        self._module = tasks
        self._tasks: dict[str, Task] = importlib.import_module(tasks).TASKS
        self._forks = forks
        self._walls: Forks | None = None
        self._children: dict[str, Child] = {}
        self._staying = Staying(forks, self._let_go, self._deleted)
        self._lanes = lanes()
        self._served: dict[tuple[LaneName, str], float] = {}
        self._untold: dict[str, Callable[[], None]] = {}
        self._foretold = float("-inf")
        self._tidies = time.monotonic() + _FIRST_TIDYING
        self._signed = float("-inf")
        self._refused = False
        self._seen = table.watch()
        self._waiting = False

    def run(self, starter: int, idle_seconds: float) -> None:
        """Work until nobody needs it: idle for long, or idle with its starter gone, or its folder removed."""
        self._recover()
        Registrar(self._table).start()
        busy = time.monotonic()
        while self._table.folder.exists():
            self._show_life()
            try:
                self._work()
                self._note_disk()
            except StorageError as error:
                self._note_disk(error)
                time.sleep(_PAUSE_ON_A_FULL_DISK)
            if self._children:
                busy = time.monotonic()
            idle = time.monotonic() - busy
            if idle > idle_seconds or (idle > 10 and not is_alive(starter)):
                return
            pipes = [child.listener.pipe for child in self._children.values()]
            select.select(pipes, [], [], 0.1 if pipes else 0.05)

    def stop(self) -> None:
        """Kill every child and say so."""
        self._staying.dismiss_all()
        for child in list(self._children.values()):
            self._end(child, "killed", failure=_ORPHANED)

    def _work(self) -> None:
        """See once to everything that is to be done."""
        for tell in list(self._untold.values()):
            tell()
        for child in list(self._children.values()):
            self._watch(child)
        if self._seen.changed() or self._waiting:
            self._waiting = True  # until both have succeeded: a full disk must not hide what changed
            self._cancel()
            self._waiting = self._start_queued()
        self._staying.see()
        if not self._children and time.monotonic() > self._tidies:
            from dashboard.jobs.removal import Removal

            self._tidies = time.monotonic() + _BETWEEN_TIDYINGS
            removal = Removal(self._table)
            with suppress(EvenhandError):
                removal.retire()
            removal.sweep()

    def _show_life(self) -> None:
        """Let whoever looks see, by the age of the lock, that the worker does not hang."""
        if time.monotonic() - self._signed > _BETWEEN_SIGNS:
            self._signed = time.monotonic()
            with suppress(OSError):
                os.utime(self._table.folder / LOCK)

    def _note_disk(self, error: StorageError | None = None) -> None:
        """Log when the folder begins to take nothing, and when it takes something again."""
        refuses = error is not None
        if refuses and not self._refused:
            log("folder_refuses", level=logging.ERROR, error=error)
        elif self._refused and not refuses:
            log("folder_back")
        self._refused = refuses

    def _tell(self, name: str, state: State, answer: Any = None, failure: Failure | None = None) -> None:
        """Keep how a job ended: now, or as soon as the disk has room for it."""

        def tell() -> None:
            self._table.finish(name, state, answer, failure)
            del self._untold[name]

        self._untold[name] = tell
        with suppress(StorageError):
            tell()

    def _start_queued(self) -> bool:
        """Start what may start; whether others still wait for their turn."""
        queued = {job.id: job for job in self._table.in_state("queued")}
        for job in list(queued.values()):
            if job.kind not in self._tasks:
                self._tell(
                    job.id,
                    "failed",
                    failure=Failure("Unexpected", say("There is no task {kind}.", kind=repr(job.kind))),
                )
                del queued[job.id]
        line = Line(
            [self._run_of(job) for job in queued.values()], self._running, self._lanes, self._served, self._room
        )
        starting, waiting = line.turns()
        for run in starting:
            if self._table.start(run.name) and self._spawn(queued[run.name]):
                self._served |= dict.fromkeys(((run.lane, visitor) for visitor in run.visitors), time.monotonic())
        self._line_up(replace(line, queued=waiting, running=self._running), queued)
        if any(run.lane == "long" and line.has_place(run) for run in waiting):
            self._staying.dismiss_all()  # what it lacks is memory
        return bool(waiting)

    def _line_up(self, line: Line, queued: dict[str, Job]) -> None:
        """Keep the place of each run that waits, and when it will start, where it moved or some time has passed."""
        behind: Counter[LaneName] = Counter()
        places: dict[str, int] = {}
        for run in line.queued:
            places[run.name] = behind[run.lane]
            behind[run.lane] += 1
        moved = any(queued[name].ahead != place for name, place in places.items())
        if not places or not (moved or time.monotonic() - self._foretold > _BETWEEN_FORECASTS):
            return
        self._foretold = time.monotonic()
        known = {name: child.seconds_left for name, child in self._children.items()}
        known |= {name: queued[name].needs.seconds or None for name in places}
        starts = line.expected_starts({name: left for name, left in known.items() if left is not None})
        now = time.time()
        self._table.line_up(
            {name: (place, now + starts[name] if name in starts else None) for name, place in places.items()}
        )

    @property
    def _running(self) -> list[Run]:
        return [self._run_now(child) for child in self._children.values()]

    def _run_now(self, child: Child) -> Run:
        """What a child does; who asks about the same files waits for it, unless it takes its time."""
        run = replace(self._run_of(child.job), lane=child.lane)
        return run if time.monotonic() - child.since < WORTH_WAITING else replace(run, child="")

    @property
    def _room(self) -> int:
        """Bytes that long runs may take: no more than this machine gives out, what they hold now included."""
        held = sum(child.holds for child in self._children.values() if child.lane == "long")
        return min(memory_to_use(), available_memory() + held)

    def _run_of(self, job: Job) -> Run:
        task = self._tasks[job.kind]
        lane = task.lane_for(job.arguments)
        memory, needs = (may_take(task, job.needs), job.needs.memory) if lane == "long" else (0, 0)
        return Run(job.id, lane, frozenset(job.visitors), memory, needs, key_of_child(job, task))

    def _spawn(self, job: Job) -> bool:
        """Have a child work at a job, one that waits for its question or a new one; whether one does."""
        task = self._tasks[job.kind]
        try:
            child = self._staying.ask(job, task, self._log(job)) or self._forked(job, task)
        except OSError as error:
            self._tell(job.id, "failed", failure=disk_failure(error) or _KILLED)
            return False
        except StorageError as error:
            self._tell(job.id, "failed", failure=Failure.of(error))
            return False
        self._children[job.id] = child
        waited = _tenths(time.time() - job.submitted)
        log("run_started", run=job.id, kind=job.kind, lane=child.lane, waited=waited, again=child.again or None)
        return True

    def _forked(self, job: Job, task: Task) -> Child:
        """A new child that works at a job."""
        folder = self._folder(job)
        uploads = prepare(folder, task, job, self._log(job))
        given: dict[str, socket.socket] = {}
        broker, elsewhere, wall = None, None, None
        try:
            if (broker := Broker.for_job(job.arguments)) is not None:
                given["broker"] = broker.end_of_child
            if (elsewhere := Elsewhere.for_job(task, job.arguments, job.needs.memory)) is not None:
                given["elsewhere"] = elsewhere.end_of_child
            if opened := opened_behind_the_wall(job.arguments):
                wall, given["wall"] = self._wall(uploads, opened, may_take(task, job.needs))
            told: dict[str, Any] = {"tasks": self._module, "folder": str(folder), "given": list(given)}
            told["memory"] = may_take(task, job.needs)
            pid, pipe = self._forks.fork(CHILD, told, libraries_named(job.arguments), list(given.values()))
        except OSError:
            self._end_helpers(broker, elsewhere, wall)
            raise
        finally:
            if "wall" in given:
                given["wall"].close()
        return Child(job, task, task.lane_for(job.arguments), pid, Listener(pipe), folder, broker, elsewhere, wall)

    def _wall(self, uploads: list[Path], modules: tuple[str, ...], memory: int) -> tuple[int, socket.socket]:
        """What opens model files for a job and reads its uploads only; it goes when the job does."""
        if self._walls is None:
            self._walls = Forks.start(own_environment(), (FORKS_OF_A_JOB, OPENED))
        try:
            told = {"readable": list(map(str, uploads)), "memory": memory}
            return self._walls.fork(FORKS_OF_A_JOB, told, modules)
        except OSError:
            self._walls = None  # the next job gets another
            raise

    def _end_helpers(self, broker: Broker | None, elsewhere: Elsewhere | None, wall: int | None) -> None:
        """End what works for a job beside its child."""
        if wall is not None and self._walls is not None:
            with suppress(OSError):  # it has ended, and with it all that it forked
                self._walls.end(wall)
        for helper in (broker, elsewhere):
            if helper is not None:
                helper.end()

    def _cancel(self) -> None:
        for name in self._table.to_cancel():
            if name in self._children:
                self._end(self._children[name], "cancelled", failure=_CANCELLED)
            else:
                self._tell(name, "cancelled", failure=_CANCELLED)

    def _watch(self, child: Child) -> None:
        overgrows = child.overgrows()
        try:
            for message in child.listener.messages():
                self._hear(child, message)
                if child.ended:
                    return
        except BrokenRulesError:
            self._end(child, "killed", failure=_BROKE_RULES)
            return
        except EOFError:
            if child.again and not child.begun:  # it had ended while it waited
                del self._children[child.job.id]
                self._let_go(child)
                self._spawn(child.job)
            else:
                self._end(child, "killed", failure=_KILLED)
            return
        taken, longest = time.monotonic() - child.since, child.task.longest(child.job.arguments)
        if child.lane == "quick" and taken > PROMPT:
            child.lane = "reading"
        if taken > longest:
            self._end(child, "failed", failure=_too_long(longest))
        elif time.monotonic() - child.measured > BETWEEN_MEASURES and child.overfills():
            self._end(child, "killed", failure=_BROKE_RULES)
        elif overgrows:
            self._end(child, "killed", failure=_KILLED)

    def _hear(self, child: Child, message: Message) -> None:
        match message:
            case Begun() if not child.begun:
                child.begun = True
                with suppress(StorageError):
                    self._table.begin(child.job.id)
            case Went():
                now, child.done = time.monotonic(), message.done
                if now - child.reported > 0.1:
                    with suppress(StorageError):
                        self._table.report(child.job.id, message.done, message.phase)
                    child.reported = now
            case Done():
                self._end(child, "done", answer=message.answer, stays=message.stays and bool(child.key))
            case Failed():
                stays = message.stays and bool(child.key) and message.kind not in ("Unexpected", "StorageError")
                self._end(child, "failed", failure=message.failure, stays=stays)
            case _:
                raise BrokenRulesError("a second beginning")

    def _end(
        self, child: Child, state: Any, answer: Any = None, failure: Failure | None = None, *, stays: bool = False
    ) -> None:
        child.ended = True
        del self._children[child.job.id]
        if stays:
            self._staying.halt(child)  # lest it changed what it left while that is read
        else:
            self._end_processes(child)
        lost = None
        if failure is not _BROKE_RULES and not self._deleted([child.job]):
            lost = self._take_over(child.folder, child.job, child.task, answer)
        if stays and lost is None:
            self._staying.keep(child)
            self._tell(child.job.id, state, answer, failure)
            _log_end(child, state, failure)
            return
        if stays:
            self._end_processes(child)
        if state == "done" and lost is not None:
            state, answer, failure = "failed", None, lost
        if failure is not None and failure.kind in ("Unexpected", "Killed"):
            take_log(child.folder, self._log(child.job))
        if state != "done":
            discard(child.folder)  # whoever deletes a table waits until its jobs have ended, and for nothing else
        self._tell(child.job.id, state, answer, failure)
        _log_end(child, state, failure)
        discard(child.folder)

    def _let_go(self, child: Child) -> None:
        """End a child that works at nothing."""
        self._end_processes(child)
        discard(child.folder)

    def _end_processes(self, child: Child) -> None:
        child.listener.pipe.close()
        self._forks.end(child.pid)
        self._end_helpers(child.broker, child.elsewhere, child.wall)

    def _deleted(self, jobs: list[Job]) -> set[str]:
        """Ids of those of these jobs that somebody has deleted."""
        with suppress(StorageError):
            return self._table.missing([job.id for job in jobs])
        return set()

    def _take_over(self, folder: Path, job: Job, task: Task, answer: Any) -> Failure | None:
        """Keep what a child left that has answered; returns why it cannot be kept."""
        try:
            take_over(folder, task, job.arguments, answer)
        except OutboxError:
            return _BROKE_RULES
        except EvenhandError as error:
            return Failure.of(error)
        except OSError as error:
            return disk_failure(error) or _BROKE_RULES
        return None

    def _recover(self) -> None:
        """Keep what the children of a worker that was killed had finished, and say of each job that it was stopped."""
        for orphan in self._table.in_state("running"):
            if task := self._tasks.get(orphan.kind):
                self._take_over(self._folder(orphan), orphan, task, None)
            self._tell(orphan.id, "killed", failure=_ORPHANED)
            log("run_left_behind", level=logging.WARNING, run=orphan.id, kind=orphan.kind)
        for folder in (home() / RUNNING).glob("*"):
            discard(folder)

    def _folder(self, job: Job) -> Path:
        return home().absolute() / RUNNING / job.id

    def _log(self, job: Job) -> Path:
        return self._table.folder / "logs" / f"{job.id}.log"


def _log_end(child: Child, state: State, failure: Failure | None) -> None:
    log(
        "run_ended",
        level=logging.INFO if state in ("done", "cancelled") else logging.WARNING,
        run=child.job.id,
        kind=child.job.kind,
        state=state,
        seconds=_tenths(time.monotonic() - child.since),
        megabytes=child.held // 10**6 or None,
        failure=None if failure is None else failure.kind,
    )


def _too_long(seconds: float) -> Failure:
    allowed = count(math.ceil(seconds), "second") if seconds < 90 else count(round(seconds / 60), "minute")
    return Failure(
        "AuditError",
        say("This took longer than the {allowed} it may take, and was stopped.", allowed=allowed),
        "",
        say("Try fewer rows, a smaller file or a shorter search."),
    )


def _tenths(seconds: float) -> float:
    return round(seconds, 1)
