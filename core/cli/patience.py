"""How long the command line reads a table: as long as a page would."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import NoReturn

from core.base.errors import DataError

_SECONDS, _SECONDS_PER_MEGABYTE = 120.0, 2.0


def seconds_to_read(size: int) -> float:
    """Seconds for a table of so many bytes."""
    return _SECONDS + _SECONDS_PER_MEGABYTE * size / 2**20


@contextmanager
def within(seconds: float, where: str) -> Iterator[None]:
    """Stop what is done here when it takes longer, by the clock; in the main thread, where a process has an alarm.

    Args:
        seconds: The longest it may take.
        where: What is read.

    Raises:
        DataError: It took longer.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(_: int, __: FrameType | None) -> NoReturn:
        raise DataError(
            f"This took longer than the {seconds:,.0f} seconds it may take, and was stopped.",
            where=where,
            advice="Try fewer rows or a smaller file.",
        )

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
