"""Fixtures every test may use, and how the tests are shared out among the processors."""

import gc
import importlib
import os
import re
import sys
import tempfile
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from hypothesis.internal.conjecture import providers

os.environ["EVENHAND_HOME"] = tempfile.mkdtemp(prefix="evenhand-tests-")
os.environ.setdefault("OMP_NUM_THREADS", "1")  # before anything imports torch: the processors are busy with tests

os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # servers, workers and programs that tests start need not compile anew

gc.disable()  # until the tests are collected: all that is imported stays, and was walked 26 times in vain

hypothesis.settings.register_profile("quick", deadline=None, max_examples=20)
hypothesis.settings.register_profile("thorough", deadline=None, max_examples=1_000)
hypothesis.settings.load_profile("quick")
providers._get_local_constants = lambda: providers._local_constants
"""Hypothesis looks through the source of all that is imported for numbers and words to try, in each worker anew: seven
seconds in a fresh clone, for draws that depend on what other tests a worker runs.
"""

REPOSITORY = Path(__file__).parents[1]
BROWSER = "tests/e2e/"
LONGEST = (
    BROWSER,
    "tests/core/workflows/test_examples.py",
    "tests/test_sample_models.py",
    "tests/test_sample_text_models.py",
)
"""Folders and files that one worker must begin with, so that none is left alone with them at the end."""
ROOM = re.compile(
    r"tests/e2e/|tests/house/|tests/hostile/served/|tests/(core|dashboard)/audits/\w+/|tests/core/workflows/\w+/"
)
"""Folders whose tests stay with one worker: they share a browser with servers, a copy of the house, a loaded room."""


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """One worker more than processors: the one with the browser mostly waits for its server."""
    return len(os.sched_getaffinity(0)) + 1


def pytest_sessionstart(session: pytest.Session) -> None:
    """Let each worker of a whole run rewrite other test files first, and read from the cache what others rewrote.

    Each imports all of them to collect their tests; in a fresh clone that took three times nine seconds.
    """
    worker = getattr(session.config, "workerinput", None)
    if worker is None or [Path(given).resolve() for given in session.config.args] != [REPOSITORY / "tests"]:
        return
    sys.dont_write_bytecode = False
    files = sorted((REPOSITORY / "tests").rglob("test_*.py"))
    modules = [".".join(path.relative_to(REPOSITORY).with_suffix("").parts) for path in files]
    first = len(modules) * int(worker["workerid"].removeprefix("gw")) // worker["workercount"]
    for module in modules[first:] + modules[:first]:
        importlib.import_module(module)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if hasattr(config, "workerinput"):
        items.sort(key=lambda item: not item.nodeid.startswith(LONGEST))


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.set_threshold(100_000, 10, 10)
    gc.enable()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """A file is the work of one worker, and so are all tests in a browser and all of one room."""
    if config.getoption("dist") != "loadfile":
        return None
    from xdist.scheduler import LoadFileScheduling

    class Scheduling(LoadFileScheduling):
        def _split_scope(self, nodeid: str) -> str:
            room = ROOM.match(nodeid)
            return room[0] if room else super()._split_scope(nodeid)

    return Scheduling(config, log)


@pytest.fixture(scope="session")
def real_data() -> Path:
    """The folder of real data sets; tests that need it skip where it is missing."""
    folder = Path(os.environ.get("EVENHAND_DATA", REPOSITORY.parent / "shared" / "data"))
    if not (folder / "adult" / "adult.data").exists():
        pytest.skip(f"No real data in {folder}; set EVENHAND_DATA to a folder that holds adult/ and compas/.")
    os.environ["EVENHAND_DATA"] = str(folder)
    return folder
