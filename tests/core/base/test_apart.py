"""Pieces of work in processes of their own: the same answers in the same order, errors in words, and an end."""

import os
import time

import pytest

from core.base.apart import work_apart
from core.base.errors import CancelledError, DataError
from core.base.progress import Progress, ignore_progress
from core.language.reader import speaking

WORK = "tests.core.base.work_for_apart"


@pytest.mark.parametrize("processes", [1, 2])
def test_answers_come_in_order_and_errors_in_words(processes: int) -> None:
    seen: list[Progress] = []
    found = work_apart(WORK, [3, -1, 5], seen.append, processes)
    assert [found[0]["square"], found[2]["square"]] == [9, 25]
    assert (found[0]["process"] == os.getpid()) is (processes == 1)
    error = found[1]
    assert isinstance(error, DataError)
    assert (error.what, error.where, error.advice) == ("Choose a table first.", "row 3", "Bring more rows.")
    done = [told.done for told in seen]
    assert done == sorted(done)
    with speaking("de"):
        assert work_apart(WORK, [-1], ignore_progress, 1)[0].what != error.what


def test_whoever_stops_the_work_ends_its_processes() -> None:
    started = time.monotonic()

    def stop(told: Progress) -> None:
        if told.done >= 0.5:
            raise CancelledError("Stopped.")

    with pytest.raises(CancelledError):
        work_apart(WORK, ["stay", "stay"], stop, 2)
    assert time.monotonic() - started < 45


def test_a_process_that_ends_without_an_answer_is_no_answer() -> None:
    with pytest.raises(RuntimeError, match="without an answer"):
        work_apart(WORK, ["end", "end"], ignore_progress, 2)
