"""What a click on the way to an audit costs the server, in units of its first page, and how long it waits for answers.

Run with ``pytest benchmarks/test_steps_speed.py -s``; numbers in README.md. No browser draws.
"""

import functools
import os
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from streamlit.components.v2 import manifest_scanner
from streamlit.testing.v1 import AppTest

from dashboard.jobs import queue
from dashboard.jobs.job import Job

SCRIPT = Path(__file__).parents[1] / "dashboard" / "script.py"
STEPS = ("model", "tests", "similar", "review")
MOST = 12.0
"""Processor time of a click, in units of the first page."""
PATIENCE = 0.5
"""Seconds that a click waits for answers, and a little for looking at them."""


def table(rows: int, columns: int) -> bytes:
    rng = np.random.default_rng(0)
    numbers = {f"x{i}": rng.standard_normal(rows).round(3) for i in range(columns - 4)}
    sex, chance = rng.choice(["Female", "Male"], rows), 1 / (1 + np.exp(-numbers["x0"]))
    hired = np.where(rng.random(rows) < chance, "yes", "no")
    given = np.where(chance + 0.1 * (sex == "Male") > 0.5, "yes", "no")
    frame = pd.DataFrame({"sex": sex, **numbers, "hired": hired, "hired_pred": given, "p_hired": chance.round(6)})
    return frame.to_csv(index=False).encode()


class Clicks:
    """A visitor's clicks, with the processor time of this process and the seconds it waited for answers."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.app = AppTest.from_file(str(SCRIPT), default_timeout=60)
        self._waited = 0.0
        wait = queue.wait

        def timed(job: Job, seconds: float) -> Job:
            began = time.perf_counter()
            job = wait(job, seconds)
            self._waited += time.perf_counter() - began
            return job

        monkeypatch.setattr(queue, "wait", timed)

    def cost(self, act: Callable[[], object] = lambda: None) -> tuple[float, float]:
        """Processor time and waiting of one run of the page after ``act``."""
        act()
        self._waited, began = 0.0, time.process_time()
        self.app.run()
        assert not self.app.exception
        return time.process_time() - began, self._waited

    def press(self, key: str) -> tuple[float, float]:
        """The cost of the answer to a click on this button."""
        return self.cost(lambda: self.app.button(key=key).click())

    def settle(self) -> None:
        """Run until the page waits for nothing any more."""
        while any(str(button.key).startswith("stop_") for button in self.app.button):
            time.sleep(0.1)
            self.app.run()


@pytest.fixture(autouse=True)
def _at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A folder of its own, whose worker goes with it; and no search for components at every run of a page."""
    scan = functools.cache(manifest_scanner.scan_component_manifests)
    monkeypatch.setattr(manifest_scanner, "scan_component_manifests", scan)
    monkeypatch.setenv("EVENHAND_HOME", str(tmp_path / "home"))
    yield
    if (worker := queue.running_worker(tmp_path / "home" / "jobs")) is not None:
        os.kill(worker["pid"], signal.SIGTERM)


def walk(clicks: Clicks, content: bytes) -> dict[str, tuple[float, float]]:
    """The cost of each step's click."""
    clicks.app.run()
    clicks.settle()
    found = {"start": clicks.press("start")}
    uploader = next(one for one in clicks.app.file_uploader if str(one.key).startswith("data.file"))
    found["upload"] = clicks.cost(lambda: uploader.upload("people.csv", content, "text/csv"))
    clicks.settle()
    for step in STEPS:
        found[step] = clicks.press("step_next")
        clicks.settle()
    return found


def test_a_click_costs_no_more_than_some_first_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    clicks = Clicks(monkeypatch)
    walk(clicks, table(600, 10))  # what is imported when a step is first opened
    clicks.app = AppTest.from_file(str(SCRIPT), default_timeout=60)
    clicks.cost()
    unit = float(np.median([clicks.cost()[0] for _ in range(9)]))
    for rows, columns in ((600, 12), (600, 200), (50_000, 12)):
        clicks.app = AppTest.from_file(str(SCRIPT), default_timeout=60)
        found = walk(clicks, table(rows, columns))
        told = ", ".join(f"{step} {cost / unit:.1f} ({waited:.2f} s)" for step, (cost, waited) in found.items())
        print(f"\n{rows:,} rows, {columns} columns, in units of {unit:.3f} s: {told}")
        assert max(cost for cost, _ in found.values()) < MOST * unit
        assert max(waited for _, waited in found.values()) < PATIENCE
