"""Rows in blocks: searched on as many threads as torch may use, one thread a block, and added up in row order.

Blocks do not depend on the number of threads and each is computed on one of them, so neither do the results.
"""

import math
import threading
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from itertools import pairwise

import torch

from core.audits.gradient_flow.attack import Flow, search
from core.audits.gradient_flow.fields import AbstractField
from core.audits.gradient_flow.tally import BlockTally, SearchedRows, Totals, tally
from core.base.errors import CancelledError
from core.base.progress import OnProgress, Progress
from core.language.told import say

BLOCK_ROWS = 4608
"""Rows searched together: as few threads' waits for Python as memory allows."""
ACCELERATED_ROWS = 65536
"""The same on an accelerator, which fewer would leave idle."""
TALLY_ROWS = 1152
"""Rows added up together, in float64 and so in more memory a row than the search takes."""
_POLL_SECONDS = 0.1

Found = list[tuple[tuple[int, int], BlockTally]]
"""The tallies of one searched block with their rows' start and end."""


def search_rows(
    field: AbstractField, flow: Flow, rows: SearchedRows, *, floor: float, on_progress: OnProgress, phase: str
) -> Totals:
    """Search for every row's worse-treated twin and add up what is found.

    Args:
        field: The model's gradient.
        flow: The search.
        rows: The rows.
        floor: Smallest loss c (assumption A3).
        on_progress: Told at least ten times a second; may raise to stop.
        phase: What to call the work.

    Raises:
        AuditError: The search diverged, or a loss of zero leaves a ratio without a value.
        CancelledError: ``on_progress`` asked to stop.
    """
    totals = Totals.empty(rows, len(flow.recorded))
    blocks = split(len(rows.y), BLOCK_ROWS if field.device.type == "cpu" else ACCELERATED_ROWS)
    steps = [0] * len(blocks)
    stop = threading.Event()

    def work(number: int) -> Found:
        first, part = blocks[number][0], rows.part(blocks[number])

        def on_step(step: int) -> None:
            steps[number] = step
            if stop.is_set():
                raise CancelledError(say("The run was stopped."))

        trace = search(field, part.x, part.y, flow, on_step)
        return [
            ((first + start, first + end), tally(field, part.part((start, end)), trace.part(start, end), floor))
            for start, end in even(len(part.y), math.ceil(len(part.y) / TALLY_ROWS))
        ]

    def report() -> None:
        done = sum(step * (end - start) for step, (start, end) in zip(steps, blocks, strict=True))
        on_progress(Progress(done / (len(flow.step_sizes) * len(rows.y)), phase))

    with _threads() as pool:
        try:
            for found in _in_order(pool, work, len(blocks), report):
                for place, added in found:
                    totals.add(place, added)
        except BaseException:
            stop.set()
            raise
    totals.check(rows, floor)
    return totals


def split(rows: int, most: int = BLOCK_ROWS) -> list[tuple[int, int]]:
    """Start and end of each block: even blocks of at most so many rows, an even number of them so that pairs finish
    together.
    """
    number = math.ceil(rows / most)
    number += number % 2 if number > 1 else 0
    return even(rows, number)


def even(rows: int, number: int) -> list[tuple[int, int]]:
    """Start and end of each of so many parts, as even as whole rows allow."""
    ends = [round(rows * part / number) for part in range(number + 1)]
    return list(pairwise(ends))


@contextmanager
def one_thread() -> Iterator[int]:
    """Torch on one thread, so that numbers do not depend on how many there are; says how many may be used."""
    allowed = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield allowed
    finally:
        torch.set_num_threads(allowed)


@contextmanager
def _threads() -> Iterator[ThreadPoolExecutor]:
    """As many threads as torch may use, each running torch's kernels alone; torch's own setting is put back."""
    with one_thread() as allowed:
        pool = ThreadPoolExecutor(allowed, "evenhand-search", initializer=lambda: torch.set_num_threads(1))
        try:
            yield pool
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def _in_order(
    pool: ThreadPoolExecutor, work: Callable[[int], Found], number: int, report: Callable[[], None]
) -> Iterator[Found]:
    """Results of ``work`` in order, with few unfinished ones at a time so that memory does not grow with rows."""
    waiting: deque[Future[Found]] = deque()
    submitted = 0
    for _ in range(number):
        while submitted < number and len(waiting) < 2 * pool._max_workers:
            waiting.append(pool.submit(work, submitted))
            submitted += 1
        first = waiting.popleft()
        while not wait([first], timeout=_POLL_SECONDS).done:
            report()
        report()
        yield first.result()
