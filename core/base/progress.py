"""How a long computation says how far it is, and learns that it should stop."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise


@dataclass(frozen=True)
class Progress:
    """A report from inside a computation.

    Attributes:
        done: Share of the whole that is done, 0 to 1, never decreasing within a run.
        phase: What is being done now, in plain words ("Searching for similar people who are treated worse").
    """

    done: float
    phase: str


OnProgress = Callable[[Progress], None]
"""Called between blocks of work. It may raise :class:`~core.base.errors.CancelledError` to stop the run."""


def ignore_progress(progress: Progress) -> None:
    """For callers that do not watch."""


def part_of(on_progress: OnProgress, start: float, end: float) -> OnProgress:
    """Report a part's 0..1 as ``start``..``end`` of the whole."""
    return lambda part: on_progress(Progress(start + (end - start) * part.done, part.phase))


def consecutive_parts(on_progress: OnProgress, work: Sequence[float]) -> list[OnProgress]:
    """One callback for each of several pieces of work (or none) that follow each other, sharing 0..1 by amount."""
    total = sum(work)
    ends = [end / total for end in accumulate(work)]
    return [part_of(on_progress, start, end) for start, end in pairwise([0.0, *ends])]
