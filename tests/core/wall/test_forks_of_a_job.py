"""Model files of a job: opened by a process that is confined to the job's files, each in a child confined further."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import pytest

from core.base.errors import ModelError
from core.wall import behind
from core.wall.behind import PROGRAM, fork_through, open_behind, own_environment
from core.wall.forks import Forks
from core.wall.forks_of_a_job import PROGRAM as FORKS_OF_A_JOB
from core.wall.sandbox import missing_walls

REPOSITORY = Path(__file__).parents[3]
STRANGE = "tests.core.wall.strange_inside"
pytestmark = pytest.mark.skipif(bool(missing_walls()), reason="This system has not every wall.")


@pytest.fixture(scope="module")
def walls() -> Iterator[Forks]:
    """What the worker starts."""
    forks = Forks.start(own_environment(), (FORKS_OF_A_JOB, PROGRAM, STRANGE))
    yield forks
    forks.close()


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    """A file of the job, and one of another."""
    paths = tmp_path / "mine", tmp_path / "theirs"
    for path in paths:
        path.write_text(path.name)
    return paths


@pytest.fixture
def job(walls: Forks, files: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """The process that opens model files for a job, used by this process as a job uses it."""
    monkeypatch.setattr(behind, "_forks", {})
    pid, control = walls.fork(FORKS_OF_A_JOB, {"readable": [str(files[0])], "memory": 2**32}, (STRANGE,))
    fork_through(control)
    yield pid
    walls.end(pid)
    control.close()


def is_there(pid: int) -> bool:
    return Path(f"/proc/{pid}").exists()


def descendants(pid: int) -> list[int]:
    children = [int(one) for one in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    return [*children, *(other for child in children for other in descendants(child))]


def test_a_file_of_the_job_is_opened_and_one_of_another_job_is_not(job: int, files: tuple[Path, Path]) -> None:
    mine, theirs = files
    model = open_behind(STRANGE, mine, {}, name="mine")
    assert model.said["read"] == "mine"
    assert model.answer(pd.DataFrame({"a": [3.0]})).tolist() == [[3.0, 6.0]]
    with pytest.raises(ModelError) as refused:
        open_behind(STRANGE, theirs, {}, name="theirs")
    assert "PermissionError" in str(refused.value.__cause__)


def test_the_child_reaches_neither_the_job_nor_what_forked_it(job: int, files: tuple[Path, Path]) -> None:
    mine, theirs = files
    asked = {
        "does": "reach_out",
        "read": [str(theirs), f"/proc/{job}/environ", f"/proc/{job}/status"],
        "list": [f"/proc/{job}/fd", "/proc"],
        "write": [str(mine)],
        "owner": job,
    }
    attempts = dict(open_behind(STRANGE, mine, asked, name="mine").said["attempts"])
    assert {how for name, how in attempts.items() if name not in ("thread", "more memory")} == {"PermissionError"}


def test_everything_goes_with_the_job(walls: Forks, job: int, files: tuple[Path, Path]) -> None:
    kept = [open_behind(STRANGE, files[0], {}, name="mine") for _ in range(3)]
    before = descendants(job)
    assert len(before) == len(kept)
    walls.end(job)
    assert not [pid for pid in (job, *before) if is_there(pid)]
    with pytest.raises(ModelError):
        kept[0].answer(pd.DataFrame({"a": [1.0]}))
    with pytest.raises(ModelError, match="cannot be started"):
        open_behind(STRANGE, files[0], {}, name="mine")


HOLDS = """
import os, sys, time
from pathlib import Path
from core.wall import behind
from core.wall.behind import open_behind

model = open_behind("tests.core.wall.strange_inside", Path(sys.argv[1]), {"does": sys.argv[2]}, name="x")
"""


@pytest.mark.parametrize("does", ["", "hang", "spin"])
def test_everything_goes_with_a_process_that_is_killed(files: tuple[Path, Path], does: str) -> None:
    program = f"{HOLDS}\ntime.sleep(1000)"
    holder = subprocess.Popen([sys.executable, "-c", program, str(files[0]), does], cwd=REPOSITORY)
    until = time.monotonic() + 60
    while len(found := descendants(holder.pid)) < 2:
        assert time.monotonic() < until
        time.sleep(0.05)
    holder.send_signal(signal.SIGKILL)
    holder.wait()
    until = time.monotonic() + 20
    while any(is_alive(pid) for pid in found):
        assert time.monotonic() < until, [Path(f"/proc/{pid}/status").read_text() for pid in found if is_alive(pid)]
        time.sleep(0.05)


def is_alive(pid: int) -> bool:
    """Whether a process is there and is not dead already, waiting for the system to clear it away."""
    try:
        return "State:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False


def test_a_process_that_was_forked_does_not_end_its_parents_children(files: tuple[Path, Path]) -> None:
    model = open_behind(STRANGE, files[0], {}, name="mine")
    if (pid := os.fork()) == 0:
        model.close()
        os._exit(0)
    os.waitpid(pid, 0)
    assert model.answer(pd.DataFrame({"a": [1.0]})).tolist() == [[1.0, 2.0]]
