"""Which functions a test runs: a fault is tried first on the quickest tests that run it."""

import json
import signal
import sys
import time
from collections.abc import Generator
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FrameType

import pytest

PATIENCE = 5.0
"""A test that takes so many times as long as without the fault, and ten seconds, has noticed it."""


@dataclass(frozen=True)
class Watched:
    """What a test did when nothing was wrong.

    Attributes:
        seconds: How long it took.
        functions: What it ran of the repository, such as ``core/inference/resampled.py ResampledEstimate.p_value``.
    """

    seconds: float
    functions: frozenset[str]


@dataclass
class Watch:
    """A plugin that writes down what every test runs."""

    repository: Path
    file: Path
    written: dict[str, tuple[float, list[str]]] = field(default_factory=dict)
    codes: set[CodeType] = field(default_factory=set)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        started = time.monotonic()
        sys.setprofile(self._called)
        try:
            return (yield)
        finally:
            sys.setprofile(None)
            self._write(item.nodeid, time.monotonic() - started)

    def pytest_sessionfinish(self) -> None:
        self.file.write_text(json.dumps(self.written))

    def _called(self, frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            self.codes.add(frame.f_code)

    def _write(self, test: str, seconds: float) -> None:
        above = f"{self.repository}/"
        ours = [code for code in self.codes if code.co_filename.startswith(above)]
        named = {f"{one.co_filename.removeprefix(above)} {one.co_qualname.replace('.<locals>', '')}" for one in ours}
        self.written[test] = (seconds, sorted(named))
        self.codes.clear()


def read(file: Path) -> dict[str, Watched]:
    """What ``Watch`` wrote."""
    return {test: Watched(one, frozenset(named)) for test, (one, named) in json.loads(file.read_text()).items()}


class Order:
    """A plugin that begins with the quickest tests that run a function."""

    def __init__(self, module: str, function: str, watched: dict[str, Watched]) -> None:
        self.seconds = {test: one.seconds for test, one in watched.items()}
        self.first = {test for test, one in watched.items() if f"{module} {function}" in one.functions}

    def pytest_sessionstart(self) -> None:
        signal.setitimer(signal.ITIMER_REAL, 60)

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items.sort(key=self._rank)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        signal.setitimer(signal.ITIMER_REAL, PATIENCE * self.seconds.get(item.nodeid, 10) + 10)
        try:
            return (yield)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)

    def _rank(self, item: pytest.Item) -> tuple[bool, float]:
        return item.nodeid not in self.first, self.seconds.get(item.nodeid, 10)
