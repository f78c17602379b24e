"""Whose turn it is: lanes by cost, and fair turns by visitor within a lane.

Nothing quick waits for anything slow: what names large files begins in a lane of its own, and what turns out to be slow
goes there. Within a lane the visitor with the fewest runs under way comes first, then the one who was served least
recently, and one visitor never holds all places that another might need.
"""

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.base.memory import LONG_MEMORY, memory_to_use
from dashboard.jobs.task import GIGABYTE, LaneName

PROMPT = 4.0
"""Seconds after which a quick run leaves its place to others and goes on among the slow ones."""

_LEAST_LONG = 8 * GIGABYTE
"""Memory for each of two long runs side by side; where there is less, they come one after the other."""
_MOST_TOGETHER = 8
"""Runs a page waits for, quick or slow, at the same time."""


@dataclass(frozen=True)
class Lane:
    """Runs that wait for each other.

    Attributes:
        at_once: How many of them start beside each other.
        each: How many runs of one visitor may be under way when another one starts, slow ones and quick ones together.
    """

    at_once: int
    each: int


@dataclass(frozen=True)
class Run:
    """A queued or running job as far as turns are concerned.

    Attributes:
        name: The job's id.
        lane: Where it waits or runs.
        visitors: Who waits for it.
    """

    name: str
    lane: LaneName
    visitors: frozenset[str]


def long_at_once() -> int:
    """How many long runs this machine bears side by side: by their memory, and one for two processors from two on."""
    room = memory_to_use()
    fit = max(room // LONG_MEMORY, 2 if room >= 2 * _LEAST_LONG else 1)
    return min(fit, max(2, (os.cpu_count() or 1) // 2))


def lanes() -> dict[LaneName, Lane]:
    """The lanes of this machine."""
    long = long_at_once()
    return {"quick": Lane(3, 2), "reading": Lane(3, 2), "training": Lane(1, 1), "long": Lane(long, max(1, long - 1))}


def in_order(queued: Sequence[Run], running: Sequence[Run], served: Mapping[tuple[LaneName, str], float]) -> list[Run]:
    """The queued runs in the order in which they start, as things stand.

    Args:
        queued: Oldest first.
        running: What runs.
        served: When a visitor's last run of a lane started, on any clock.
    """
    before: Counter[tuple[LaneName, str]] = Counter((run.lane, visitor) for run in running for visitor in run.visitors)
    ranks: dict[str, tuple[int, float, int]] = {}
    for place, run in enumerate(queued):
        theirs = [(run.lane, visitor) for visitor in run.visitors]
        rounds = min((before[one] for one in theirs), default=0)
        ranks[run.name] = (rounds, min((served.get(one, float("-inf")) for one in theirs), default=0.0), place)
        before.update(theirs)
    return sorted(queued, key=lambda run: ranks[run.name])


def may_start(run: Run, running: Sequence[Run], known: Mapping[LaneName, Lane]) -> bool:
    """Whether there is a place for this run beside those that run."""
    together = [other for other in running if _group(other.lane) == _group(run.lane)]
    held = min((sum(visitor in other.visitors for other in together) for visitor in run.visitors), default=0)
    taken = sum(other.lane == run.lane for other in running)
    return taken < known[run.lane].at_once and held < known[run.lane].each and len(together) < _MOST_TOGETHER


def _group(lane: LaneName) -> LaneName:
    return "quick" if lane == "reading" else lane
