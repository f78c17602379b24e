"""How much memory a run may take, whatever a file makes a library compute."""

import functools
import gc
import os
import resource
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from core.base.errors import DataError
from core.language.told import localized, say

LONG_MEMORY = 12 * 2**30
"""Bytes a long run may allocate where the machine has them."""

RESERVING_NOTHING = {"ARROW_DEFAULT_MEMORY_POOL": "system"}
"""Environment of a process of limited memory: pyarrow's own pool takes a gigabyte of it at once, whatever it holds."""

_SAID = ("allocate memory", "bad_alloc", "cannot map zero-fill pages", "failed to map segment")  # verbatim
"""What libraries say that have an error of their own for it: torch and onnxruntime, C++, the system's loader."""


@contextmanager
def imports_stay() -> Iterator[None]:
    """What is imported in this block is walked by the garbage collector neither meanwhile nor later.

    Nothing of it is ever given back, and walking it again and again takes a quarter of the time of large imports.
    """
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


def memory_to_use() -> int:
    """Bytes that all work together may allocate: three quarters of the machine's."""
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") * 3 // 4


def available_memory() -> int:
    """Bytes that the machine could give out now, as the kernel estimates it; as many as anybody asks where unknown."""
    try:
        told = dict(line.split(":") for line in Path("/proc/meminfo").read_text().splitlines())
        return int(told["MemAvailable"].split()[0]) * 1024
    except (OSError, ValueError, KeyError):
        return sys.maxsize


def most_held() -> int:
    """Bytes that this process has held at most so far, with what it shares with the process that forked it."""
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024


@functools.cache
def held_at_first() -> int:
    """Bytes that this process had held at most when this was asked first: what it took since then is its own work's."""
    return most_held()


def end_first() -> None:
    """Have the kernel end this process, and those it starts, before all others once the machine's memory runs out."""
    with suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("1000")


def memory_of_a_run() -> int:
    """Bytes that one run may allocate with nothing beside it."""
    return min(LONG_MEMORY, memory_to_use())


def limit_memory(extra: int) -> None:
    """Make allocations fail once the process holds ``extra`` bytes more of writable memory than now; on Linux only.

    A limit that is lower already stays.

    A process that has imported pyarrow before must have begun with ``RESERVING_NOTHING``.
    """
    if sys.platform != "linux":
        return
    os.environ |= RESERVING_NOTHING
    held = int(Path("/proc/self/statm").read_text().split()[5]) * resource.getpagesize()
    lower_limit(resource.RLIMIT_DATA, held + extra)


def lower_limit(which: int, most: int) -> None:
    """Lower a limit of this process to ``most``, unless it is lower."""
    _, hard = resource.getrlimit(which)
    most = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(which, (most, most))


def is_out_of_memory(error: BaseException) -> bool:
    """Whether an error, or one that it was raised from, says that an allocation failed."""
    return any(isinstance(one, MemoryError) or any(words in str(one) for words in _SAID) for one in _with_causes(error))


def too_large(memory: int) -> DataError:
    """The error of a run that asked for more than its ``memory`` bytes."""
    return DataError(
        say("This needs more memory than the {size} GB it may use.", size=localized(f"{memory / 2**30:.0f}")),
        advice=say("Try with fewer rows or columns, or with a smaller model."),
    )


def _with_causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__
