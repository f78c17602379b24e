"""Whose turn it is: lanes by cost, and fair turns by visitor within a lane.

Nothing quick waits for anything slow: what names large files begins in a lane of its own, and what turns out to be slow
goes there. Within a lane the visitor with the fewest runs under way comes first, then the one who was served least
recently, and one visitor never holds all places that another might need. Long runs stand side by side as far as their
memory allows, which is reserved for each of them; while the first in line waits for the memory of those that run,
nobody overtakes it.
"""

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from core.base.memory import LONG_MEMORY, memory_to_use
from dashboard.jobs.job import Needs
from dashboard.jobs.task import GIGABYTE, LaneName, Task

PROMPT = 4.0
"""Seconds after which a quick run leaves its place to others and goes on among the slow ones."""

_LEAST_LONG = 8 * GIGABYTE
"""Memory for each of two long runs side by side of which nobody knows what they take."""
_SPARE = 2 * GIGABYTE
"""What a run may take beyond twice what it was told to."""
_MOST_TOGETHER = 8
"""Runs a page waits for, quick or slow, at the same time."""

Served = Mapping[tuple[LaneName, str], float]
"""When a visitor's last run of a lane started, on any clock."""


@dataclass(frozen=True)
class Lane:
    """Runs that wait for each other.

    Attributes:
        at_once: How many of them start beside each other.
        each: How many runs of one visitor may be under way when another one starts, slow ones and quick ones together.
        spare: Bytes that a visitor who has one under way leaves to others.
    """

    at_once: int
    each: int
    spare: int = 0


@dataclass(frozen=True)
class Run:
    """A queued or running job as far as turns are concerned.

    Attributes:
        name: The job's id.
        lane: Where it waits or runs.
        visitors: Who waits for it.
        memory: Bytes that are reserved for it; 0 outside the long lane, where memory decides nothing.
        needs: Bytes that it was told to take; 0 where nobody knows.
        child: What names the child that can answer it when it has answered another one; empty for none.
    """

    name: str
    lane: LaneName
    visitors: frozenset[str]
    memory: int = 0
    needs: int = 0
    child: str = ""


@dataclass(frozen=True)
class Line:
    """What waits and what runs at one moment.

    Attributes:
        queued: Oldest first.
        running: What runs.
        lanes: The lanes.
        served: Who was served when.
        memory: Bytes that all long runs together may take.
    """

    queued: Sequence[Run]
    running: Sequence[Run]
    lanes: Mapping[LaneName, Lane]
    served: Served
    memory: int = 0

    def in_order(self) -> list[Run]:
        """The queued runs in the order in which they start, as things stand."""
        before: Counter[tuple[LaneName, str]] = Counter(
            (run.lane, visitor) for run in self.running for visitor in run.visitors
        )
        ranks: dict[str, tuple[int, float, int]] = {}
        for place, run in enumerate(self.queued):
            theirs = [(run.lane, visitor) for visitor in run.visitors]
            rounds = min((before[one] for one in theirs), default=0)
            last = min((self.served.get(one, float("-inf")) for one in theirs), default=0.0)
            ranks[run.name] = (rounds, last, place)
            before.update(theirs)
        return sorted(self.queued, key=lambda run: ranks[run.name])

    def turns(self) -> tuple[list[Run], list[Run]]:
        """Which queued runs start now, and which still wait, both in order."""
        starting: list[Run] = []
        waiting: list[Run] = []
        short_of_memory: set[LaneName] = set()
        for run in self.in_order():
            now = replace(self, running=[*self.running, *starting])
            spare = self.lanes[run.lane].spare if now._held(run) else 0
            if run.lane in short_of_memory or not now.has_place(run):
                waiting.append(run)
            elif now._has_memory(run, spare):
                starting.append(run)
            else:
                waiting.append(run)
                if not spare and any(other.lane == run.lane for other in now.running):
                    short_of_memory.add(run.lane)
        return starting, waiting

    def expected_starts(self, seconds: Mapping[str, float]) -> dict[str, float]:
        """In how many seconds each queued run will start; one is left out where that hangs on one of unknown length.

        Args:
            seconds: How long each run still takes, by name, where it is known.
        """
        now, left, last = 0.0, list(self.queued), dict(self.served)
        ends = {run: seconds.get(run.name, float("inf")) for run in self.running}
        found: dict[str, float] = {}
        order = max(last.values(), default=0.0)
        while left:
            starting, left = replace(self, queued=left, running=list(ends), served=last).turns()
            for run in starting:
                found[run.name], ends[run] = now, now + seconds.get(run.name, float("inf"))
                order += 1
                last |= dict.fromkeys(((run.lane, visitor) for visitor in run.visitors), order)
            now = min(ends.values(), default=float("inf"))
            if now == float("inf"):
                break
            ends = {run: end for run, end in ends.items() if end > now}
        return found

    def has_place(self, run: Run) -> bool:
        """Whether there is a place for this run beside those that run, as far as their number goes.

        There is none while a child is busy that will answer it sooner than another one would have read the same files.
        """
        together, taken = len(self._beside(run)), sum(other.lane == run.lane for other in self.running)
        lane, busy = self.lanes[run.lane], run.child and any(other.child == run.child for other in self.running)
        return not busy and taken < lane.at_once and self._held(run) < lane.each and together < _MOST_TOGETHER

    def _held(self, run: Run) -> int:
        """How many runs are under way of the visitor of this run who has fewest."""
        beside = self._beside(run)
        return min((sum(visitor in other.visitors for other in beside) for visitor in run.visitors), default=0)

    def _beside(self, run: Run) -> list[Run]:
        return [other for other in self.running if _group(other.lane) == _group(run.lane)]

    def _has_memory(self, run: Run, spare: int) -> bool:
        """Whether there is memory for this run and something to spare; alone it needs no more than it was told."""
        beside = [other.memory for other in self.running if other.lane == run.lane]
        return (sum(beside) + run.memory if beside else run.needs) <= self.memory - spare


def long_at_once() -> int:
    """How many long runs fit side by side of which nobody knows what they take."""
    room = memory_to_use()
    return min(max(room // LONG_MEMORY, 2 if room >= 2 * _LEAST_LONG else 1), _places())


def may_take(task: Task, needs: Needs) -> int:
    """Bytes that a run may allocate, whatever runs beside it: by what it was told to need, otherwise its part."""
    if task.lane == "long" and needs.memory:
        return min(2 * needs.memory + _SPARE, task.memory, memory_to_use())
    return min(task.memory, memory_to_use() // (long_at_once() if task.lane == "long" else 1))


def lanes() -> dict[LaneName, Lane]:
    """The lanes of this machine."""
    long = _places()
    spare = min(LONG_MEMORY, memory_to_use() // long_at_once())
    return {"quick": Lane(3, 2), "reading": Lane(3, 2), "training": Lane(1, 1), "long": Lane(long, long - 1, spare)}


def _places() -> int:
    """One long run for two processors, and two at least."""
    return max(2, (os.cpu_count() or 1) // 2)


def _group(lane: LaneName) -> LaneName:
    return "quick" if lane == "reading" else lane
