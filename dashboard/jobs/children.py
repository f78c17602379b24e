"""The worker's children: what each of them does, and those that have answered and wait for another question.

What pages show of one draft reads the same table and the same model again and again. The child that has read them stays
for a while and answers all of it: the same visitor's questions about the very same files. It may read no others, and
what a file did to it must reach no answer about another one.
"""

import json
import os
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from core.base.memory import available_memory, memory_to_use
from core.models.endpoint.settings import endpoints_in
from core.wall.forks import Forks
from dashboard.jobs.broker import Broker
from dashboard.jobs.elsewhere import Elsewhere
from dashboard.jobs.job import FORESEEABLE, Job
from dashboard.jobs.messages import BrokenRulesError, Listener
from dashboard.jobs.outbox import holds_too_much, references
from dashboard.jobs.task import LaneName, Task, opened_behind_the_wall, sources_named
from dashboard.jobs.turns import may_take

BETWEEN_MEASURES = 1.0
"""Seconds after which the folder of a child is measured again."""
STAYS, MOST_STAYING, LONGEST_STAY = 180.0, 32, 1800.0
"""Seconds for which a child waits for another question, how many wait, and how long one may be there in all."""
WORTH_WAITING = 2.0
"""Seconds for which a question waits for a child that answers another one about the same files, instead of having them
read once more beside it."""
_LEFT_FREE = 0.25
"""The share of the machine's memory that is free where children wait; otherwise the oldest go."""
_LONGEST_QUESTION = 60_000
"""Bytes that fit into a socket at once."""
_BEYOND = 2**30
"""Bytes that a child may hold beyond what it may allocate: what it shares with the process that forked it."""


@dataclass
class Child:
    """A running job.

    Attributes:
        job: The job.
        task: Its row in the table of tasks.
        lane: Where it runs; a quick one that takes its time goes on among the slow ones.
        pid: The child process.
        listener: Hears its messages.
        folder: Of the first job that it was asked; it writes there only.
        broker: What asks models behind addresses for it; None where it names none.
        elsewhere: What has other machines do pieces of it; None where there are none.
        wall: The process that opens model files for it, each in a child of its own; None where it names none.
        started: When it was forked, on the monotonic clock.
        again: Whether it answered another question before.
        begun: Whether it said that it works.
        ended: Whether it said how it ended.
        done: Share that is done, 0 to 1, as it said.
        reported: When its progress was last written to the table.
        measured: When its folder was last measured.
        since: When it was asked what it now answers.
        waits: Since when it waits for another question.
        held: Bytes of memory that it held at the most when it was looked at.
    """

    job: Job
    task: Task
    lane: LaneName
    pid: int
    listener: Listener
    folder: Path
    broker: Broker | None = None
    elsewhere: Elsewhere | None = None
    wall: int | None = None
    started: float = field(default_factory=time.monotonic)
    again: bool = False
    begun: bool = False
    ended: bool = False
    done: float = 0.0
    reported: float = 0.0
    measured: float = field(default_factory=time.monotonic)
    since: float = field(default_factory=time.monotonic)
    waits: float = 0.0
    held: int = 0

    @property
    def key(self) -> str:
        """Whose questions it can answer, and about what; empty where it answers one only."""
        return key_of_child(self.job, self.task)

    @property
    def memory(self) -> int:
        """Bytes that it may allocate."""
        return may_take(self.task, self.job.needs)

    @property
    def seconds_left(self) -> float | None:
        """How long it will still take: as it went so far, or as it was told to; None where nobody knows."""
        taken = time.monotonic() - self.since
        if self.done >= FORESEEABLE:
            return taken * (1 - self.done) / self.done
        return max(self.job.needs.seconds - taken, 0.0) if self.job.needs.seconds else None

    @property
    def holds(self) -> int:
        """Bytes of memory that it holds now, with what it shares; 0 where the system does not say."""
        try:
            return int(Path(f"/proc/{self.pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
        except (OSError, ValueError, IndexError):
            return 0

    def overfills(self) -> bool:
        """Whether its folder now holds more than one may."""
        self.measured = time.monotonic()
        return holds_too_much(self.folder)

    def overgrows(self) -> bool:
        """Whether it holds more memory than it may."""
        holds = self.holds
        self.held = max(self.held, holds)
        return holds > self.memory + _BEYOND


class Staying:
    """Children that have answered and stand still until they are asked again.

    They go when nobody asks for a while, when one says something or has ended, when what they read is deleted, and the
    oldest first when memory or places are short.

    Args:
        forks: What forked them.
        end: Ends one, with all that works for it.
        deleted: Ids of those of some jobs that somebody has deleted.
    """

    def __init__(self, forks: Forks, end: Callable[[Child], None], deleted: Callable[[list[Job]], set[str]]) -> None:
        self._forks, self._end_child, self._deleted = forks, end, deleted
        self._waiting: dict[str, Child] = {}
        self._measured = float("-inf")

    def halt(self, child: Child) -> None:
        """Stop a child where it is, until it is asked again."""
        with suppress(OSError):
            self._forks.rest(child.pid)

    def keep(self, child: Child) -> None:
        """Let a child that was halted wait, in place of one that waits for the same questions."""
        self._dismiss(child.key)
        child.waits = time.monotonic()
        self._waiting[child.key] = child
        self._make_room()

    def ask(self, job: Job, task: Task, log: Path) -> Child | None:
        """Put a job's question to the child that waits for it; None if there is none.

        Args:
            job: The job.
            task: The job's task.
            log: Where its log will lie if it breaks.
        """
        child = self._waiting.pop(key_of_child(job, task), None)
        if child is None:
            return None
        with suppress(OSError):
            asked = {"kind": job.kind, "arguments": job.arguments, "log": str(log)}
            question = json.dumps(asked).encode() + b"\n"
            if len(question) <= _LONGEST_QUESTION and self._listens(child):
                self._forks.resume(child.pid, 0)
                child.listener.pipe.sendall(question)
                asks = replace(child, job=job, task=task, lane=task.lane_for(job.arguments), again=True)
                return replace(asks, begun=False, ended=False, done=0.0, reported=0.0, since=time.monotonic())
        self._end_child(child)
        return None

    def see(self) -> None:
        """Let go who need not wait any more."""
        now, deleted = time.monotonic(), set[str]()
        if measures := bool(self._waiting) and now - self._measured > BETWEEN_MEASURES:
            self._measured = now
            deleted = self._deleted([child.job for child in self._waiting.values()])
        for key, child in list(self._waiting.items()):
            goes = now - child.waits > STAYS or now - child.started > LONGEST_STAY or not self._listens(child)
            if goes or (measures and (child.job.id in deleted or child.overfills() or child.overgrows())):
                self._dismiss(key)
        if measures:
            self._make_room()

    def dismiss_all(self) -> None:
        """Let all of them go."""
        for key in list(self._waiting):
            self._dismiss(key)

    def _make_room(self) -> None:
        while self._waiting and (
            len(self._waiting) > MOST_STAYING or available_memory() < _LEFT_FREE * memory_to_use()
        ):
            self._dismiss(next(iter(self._waiting)))

    def _dismiss(self, key: str) -> None:
        """End the child that waits under this key, if one does."""
        if (child := self._waiting.pop(key, None)) is not None:
            self._end_child(child)

    @staticmethod
    def _listens(child: Child) -> bool:
        """Whether it neither speaks, which it was not asked to, nor has ended."""
        try:
            return next(child.listener.messages(), None) is None
        except (BrokenRulesError, EOFError):
            return False


def key_of_child(job: Job, task: Task) -> str:
    """Which questions a child that answered this job can be asked; empty for none.

    That is whose they are, what they read, what was fetched for them and opened behind the wall, and their limits. A
    model behind an address has what asks it beside each child, which answers one question.
    """
    if task.stays == "never" or next(iter(endpoints_in(job.arguments)), None) is not None:
        return ""
    files = sorted({file.sha256 for file in references(job.arguments)})
    reads = [files, job.arguments.get("folder"), sources_named(job.arguments), opened_behind_the_wall(job.arguments)]
    return json.dumps([task.stays, reads, may_take(task, job.needs), sorted(job.visitors)], sort_keys=True)
