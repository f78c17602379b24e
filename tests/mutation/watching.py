"""Tests that are gathered once: which of them run a function, and whether they pass."""

import json
import signal
import sys
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import CodeType, FrameType

import hypothesis
import pytest

from tests.mutation.forks import succeeding
from tests.mutation.replacing import Place, place_of

PATIENCE = 5.0
"""A test that takes so many times as long as without the fault, and ten seconds, has noticed it."""


@dataclass(frozen=True)
class Watched:
    """What a test did when nothing was wrong.

    Attributes:
        seconds: How long it took while it was watched.
        ran: Functions of the repository.
    """

    seconds: float
    ran: frozenset[Place]


class _Instead:
    """Does something else with the tests than to run them all; examples are not shrunk, and the same every time."""

    def __init__(self, instead: Callable[[pytest.Session], bool]) -> None:
        self.instead = instead

    def pytest_configure(self) -> None:
        phases = (hypothesis.Phase.explicit, hypothesis.Phase.generate)
        hypothesis.settings.register_profile("trial", phases=phases, derandomize=True, database=None)
        hypothesis.settings.load_profile("trial")

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        if session.testsfailed or not self.instead(session):
            raise session.Failed("Some test does not pass.")
        return True


def gathered(tests: Sequence[str], instead: Callable[[pytest.Session], bool]) -> bool:
    """Gather tests, do this instead of running them, and tell whether both went well."""
    given = ["-n", "0", "-q", "-p", "no:cacheprovider", *tests]
    return pytest.main(given, plugins=[_Instead(instead)]) == pytest.ExitCode.OK


def all_pass(session: pytest.Session, items: Sequence[pytest.Item], watched: dict[str, Watched]) -> bool:
    """Whether these tests pass, the quickest first and each in time."""
    for item in sorted(items, key=lambda item: watched[item.nodeid].seconds):
        signal.setitimer(signal.ITIMER_REAL, PATIENCE * watched[item.nodeid].seconds + 10)
        session.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
        if session.testsfailed:
            return False
    return True


def watch_each(session: pytest.Session, repository: Path, folder: Path, at_once: int) -> dict[str, Watched]:
    """What every test does, each in a fork of its own, so that none finds what another has made.

    Raises:
        RuntimeError: One fails without any fault.
    """
    files = {item: folder / f"{place}.json" for place, item in enumerate(session.items)}
    works = ((item, partial(_watch, session, item, repository, file)) for item, file in files.items())
    failing = [item.nodeid for item, passed in succeeding(works, at_once) if not passed]
    if failing:
        raise RuntimeError(f"{', '.join(failing)} fails without any fault.")
    return read_watched(folder)


def _watch(session: pytest.Session, item: pytest.Item, repository: Path, file: Path) -> bool:
    codes: set[CodeType] = set()

    def called(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            codes.add(frame.f_code)

    started = time.monotonic()
    threading.setprofile(called)
    sys.setprofile(called)
    session.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
    sys.setprofile(None)
    places = [place_of(code) for code in codes if code.co_filename.startswith(f"{repository}/core/")]
    file.write_text(json.dumps((item.nodeid, time.monotonic() - started, places)))
    return not session.testsfailed


def read_watched(folder: Path) -> dict[str, Watched]:
    """What ``watch_each`` wrote, by the test's name."""
    written = [json.loads(file.read_text()) for file in folder.iterdir()]
    return {name: Watched(seconds, frozenset(map(tuple, places))) for name, seconds, places in written}
