"""A job as pages and the worker see it: what was asked, where it stands, what came out or why nothing did."""

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from core.base.errors import EvenhandError, RecordError
from core.language.told import packed, say, told, unpacked

if TYPE_CHECKING:
    from core.study import Study

State = Literal["queued", "running", "done", "failed", "cancelled", "killed"]
OWN_WORK = {"audit": "audit", "select": "selection", "fairer": "fairer", "compare": "comparison"}
"""Kinds of jobs that somebody asked for, and the workflow each runs; the others are previews, which are run again where
they are missing."""
FORESEEABLE = 0.05
"""The share of a run after which it can be told how long the rest takes."""
UNFINISHED: tuple[State, ...] = ("queued", "running")


@dataclass(frozen=True)
class Failure:
    """An error as it travels from the child to the page.

    Attributes:
        kind: Name of the error's class in ``core.base.errors``; ``Unexpected`` for a fault of Evenhand itself.
        what: What is wrong, one sentence; like the other two packed, in no language.
        where: The row, column, setting or file at fault.
        advice: What to do about it.
    """

    kind: str
    what: str
    where: str = ""
    advice: str = ""

    def __post_init__(self) -> None:
        for name in ("what", "where", "advice"):
            object.__setattr__(self, name, packed(getattr(self, name)))

    @classmethod
    def of(cls, error: EvenhandError) -> "Failure":
        """What an error says."""
        return cls(type(error).__name__, error.what, error.where, error.advice)

    @property
    def error(self) -> EvenhandError:
        """The error again, of its class where it is one that users cause."""
        kinds = {kind.__name__: kind for kind in EvenhandError.__subclasses__()}
        what, where, advice = map(unpacked, (self.what, self.where, self.advice))
        return kinds.get(self.kind, EvenhandError)(what, where=where, advice=advice)


@dataclass(frozen=True)
class Needs:
    """What a run will take, as it was told before it was asked for.

    Attributes:
        seconds: How long; 0 where nobody knows.
        memory: Bytes at its peak, beside what every run finds in memory; 0 where nobody knows.
    """

    seconds: float = 0.0
    memory: int = 0


@dataclass(frozen=True)
class Job:
    """One row of the table.

    Attributes:
        id: Random name, safe in an address.
        kind: Which task of ``dashboard.jobs.tasks.TASKS``.
        arguments: The task's arguments, JSON.
        state: Where it stands.
        done: Share that is done, 0 to 1.
        phase: What is being done now, in plain words.
        submitted: When it was asked for, seconds since 1970.
        started: When its child process began to work; None while it waits.
        finished: When it ended, however it ended; None before.
        answer: What it answered, JSON; None unless done.
        failure: Why there is no answer; None unless failed, cancelled or killed.
        ahead: How many runs will start before this one, while it is queued.
        starts: When it will start as things stand, seconds since 1970; None where that cannot be said.
        needs: What it will take.
        visitors: Who asked for it and did not stop it.
        gone: Who asked for it and stopped it.
        used: When its page was last opened; None if it was not since it ended.
    """

    id: str
    kind: str
    arguments: dict[str, Any]
    state: State
    done: float
    phase: str
    submitted: float
    started: float | None
    finished: float | None
    answer: Any
    failure: Failure | None
    ahead: int = 0
    starts: float | None = None
    needs: Needs = Needs()
    visitors: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    used: float | None = None

    @property
    def unfinished(self) -> bool:
        """Whether it still waits or runs."""
        return self.state in UNFINISHED

    @property
    def seconds_left(self) -> float | None:
        """How long it will still take if it goes on as so far; None before that can be said."""
        if self.state != "running" or self.started is None or self.done < FORESEEABLE:
            return None
        return (time.time() - self.started) * (1 - self.done) / self.done


@dataclass(frozen=True)
class Claim:
    """A job that a visitor asked for.

    Attributes:
        job: The job.
        visitor: Who asked.
        after: The entry of the register that it repeats with new data; empty for none.
    """

    job: Job
    visitor: str
    after: str = ""


@told
def name_of_test(kind: str) -> str:
    """What people call a test of this kind, within a sentence."""
    from core.audits import KINDS

    return say("{name} test", name=KINDS[kind].name_in_text)


@told
def in_a_row(mark: str, *parts: str) -> str:
    """The parts that are not empty, with this mark between them."""
    return mark.join(filter(None, parts))


def study_of(job: Job) -> "Study":
    """The tests of an audit.

    Raises:
        RecordError: Another version of Evenhand wrote it.
    """
    from pydantic import ValidationError

    from core.records.upgrade import upgraded_plans
    from core.study import Study

    try:
        tree = job.arguments["study"]
        return Study.model_validate({**tree, "plans": upgraded_plans(tree["plans"])})
    except (KeyError, TypeError, ValidationError) as error:
        raise RecordError(
            say("Another version of Evenhand ran this audit; its settings cannot be read here."),
            where=job.id,
            advice=say("Set the audit up again, or repeat it from its record with the version that wrote it."),
        ) from error
