"""Whatever a child says, the worker goes on: nothing is executed, nobody waits, and the job ends in a sentence."""

import json
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from dashboard.jobs import queue as jobs
from dashboard.jobs.job import Failure, Job
from dashboard.jobs.messages import LONGEST_ANSWER, BrokenRulesError, Done, Failed, Went, read

WENT = {"said": "went", "done": 0.5, "phase": "Counting"}
FAILED = {"said": "failed", "kind": "DataError", "what": "It is empty.", "where": "a.csv", "advice": "Bring another."}


def test_a_pickle_in_the_pipe_is_not_opened(ended: Callable[..., Job], tmp_path: Path) -> None:
    marker = tmp_path / "executed"
    job = ended("bomb", marker=str(marker))
    assert not marker.exists()
    assert job.state == "killed"
    assert job.failure is not None
    assert "broke the rules" in job.failure.error.what


def test_half_a_message_keeps_nobody_waiting(ended: Callable[..., Job]) -> None:
    job = jobs.submit("say", {"text": '{"said": "done", "ans', "asked": time.time()})
    assert ended("greet").answer == "hello", "another job goes on meanwhile"
    job = jobs.wait(job, 30)
    assert job.state == "failed"
    assert job.failure is not None
    assert "took longer" in job.failure.error.what


@pytest.mark.parametrize("text", [json.dumps(WENT) + "\n", "x" * 1000], ids=["messages", "one endless line"])
def test_a_flood_ends_the_child_and_nothing_else(text: str, ended: Callable[..., Job]) -> None:
    job = jobs.submit("flood", {"text": text, "asked": time.time()})
    assert ended("greet").answer == "hello"
    job = jobs.wait(job, 30)
    assert job.state == "killed"
    assert job.failure is not None
    assert "broke the rules" in job.failure.error.what


def test_a_job_begins_once(ended: Callable[..., Job]) -> None:
    """Each beginning would set the clock of the longest time anew."""
    assert ended("say", text='{"said": "begun"}\n').state == "killed"


def test_what_tasks_say_is_understood() -> None:
    assert read(json.dumps(WENT | {"done": 1}).encode()) == Went(done=1.0, phase="Counting")
    assert read(json.dumps(FAILED).encode()) == Failed.of(
        Failure("DataError", "It is empty.", "a.csv", "Bring another.")
    )
    assert read(b'{"said": "done", "answer": {"rows": [1, 2.5, null, "a", true]}}') == Done(
        answer={"rows": [1, 2.5, None, "a", True]}
    )


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"nonsense",
        b"\xff\xfe",
        b"[]",
        b"null",
        b'{"said": "done"}',
        b'{"said": "unknown"}',
        b'{"said": "done", "answer": ' + b"[" * 100_000,
        b'{"said": "done", "answer": [' + b"[]," * 5_000_000 + b"0]}",
        b'{"said": "done", "answer": ' + b"9" * 5_000 + b"}",
        *(
            json.dumps(tree).encode()
            for tree in (
                WENT | {"done": -0.1},
                WENT | {"done": 1.1},
                WENT | {"done": float("nan")},
                WENT | {"done": float("inf")},
                WENT | {"done": "0.5"},
                WENT | {"done": None},
                WENT | {"phase": "x" * 1_001},
                WENT | {"phase": 7},
                WENT | {"more": 1},
                FAILED | {"kind": "SystemExit"},
                FAILED | {"what": "x" * 4_001},
                FAILED | {"where": ["a.csv"]},
            )
        ),
    ],
)
def test_anything_else_is_no_message(line: bytes) -> None:
    assert len(line) < LONGEST_ANSWER
    with pytest.raises(BrokenRulesError):
        read(line)


def test_a_text_of_a_task_is_cut_where_a_message_ends() -> None:
    failed = Failed.of(Failure("DataError", "x" * 10_000, "\udcff", ""))
    assert len(failed.what) == 4_000
    assert read(failed.model_dump_json().encode()) == failed
