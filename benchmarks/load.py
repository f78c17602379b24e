"""Many visitors at once, each with a table and an audit of its own: ``python -m benchmarks.load``.

A visitor opens the first page, brings a table with a column of predictions, goes through the steps with what they
propose, runs the audit and waits for its verdict. Every visitor speaks Streamlit's protocol from this process
(``benchmarks.sessions``); nothing is drawn, so a browser's own time is not measured, and this process takes its part
of the same processors.
"""

import argparse
import asyncio
import json
import os
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd

from benchmarks.sessions import PageError, Session

REPOSITORY = Path(__file__).parents[1]
COLUMNS = (
    "sessions",
    "beside",
    "first page, s",
    "verdict, s",
    "times alone",
    "all of it, s",
    "processor, s",
    "server, MB",
    "worker, MB",
    "load",
    "clicked again",
    "errors",
)
STEPS = ("model", "tests", "similar", "review")
PATIENCE = 240.0
"""Seconds after which what does not come is an error."""
WHO = ("server", "worker", "browser")
_TICK = os.sysconf("SC_CLK_TCK")
LOOK = 1.0
"""Seconds for which a visitor looks at a page before going on."""
NOTICES = 20.0
"""Seconds after which a visitor on whose click nothing followed clicks again."""


@dataclass
class Measured:
    """What came of one round.

    Attributes:
        first: Seconds to each visitor's first page.
        verdict: Seconds from each *Run the audit* to its verdict.
        whole: Seconds from each first request to the verdict.
        again: Clicks that were lost and made again.
        errors: What went wrong, one line each.
        server: Largest memory of the server, MB.
        worker: Largest memory of the worker and its children, MB.
        taken: Processor seconds of the server and of the worker with its children, each visitor's.
        uploaded: How often the large table was brought and read meanwhile.
    """

    first: list[float] = field(default_factory=list)
    verdict: list[float] = field(default_factory=list)
    whole: list[float] = field(default_factory=list)
    again: int = 0
    errors: list[str] = field(default_factory=list)
    server: float = 0.0
    worker: float = 0.0
    taken: tuple[float, float] = (0.0, 0.0)
    uploaded: int = 0


def applicants(rows: int, seed: int) -> pd.DataFrame:
    """Applicants of whom women are turned away more often, with a model's predictions."""
    rng = np.random.default_rng(seed)
    woman, good = rng.random(rows) < 0.5, rng.random(rows) < 0.6
    return pd.DataFrame(
        {
            "age": rng.integers(18, 66, rows),
            "job": rng.choice(["clerk", "driver", "cook"], rows),
            "sex": np.where(woman, "woman", "man"),
            "prediction": np.where(good & ~(woman & (rng.random(rows) < 0.5)), "yes", "no"),
            "hired": np.where(good, "yes", "no"),
        }
    )


def table_of(megabytes: int) -> bytes:
    """A table of so many megabytes: 800,000 applicants with a note each."""
    rows = 800_000
    note = "x" * (megabytes * 10**6 // rows - 22)
    return bytes(applicants(rows, 0).assign(note=note).to_csv(index=False).encode())


async def visit(host: str, number: int, rows: int, measured: Measured) -> None:
    """One visitor, from the first page to the verdict."""
    began = time.monotonic()
    try:
        async with Session(host) as page:
            await page.until(lambda: page.button("start") is not None, PATIENCE, "the first page")
            measured.first.append(time.monotonic() - began)
            await bring(page, f"visitor {number}.csv", applicants(rows, number).to_csv(index=False).encode())
            for step in STEPS:
                measured.again += await go_on(page, step)
            await asyncio.sleep(LOOK)
            asked = time.monotonic()
            await page.press("run_audit")
            await page.until(lambda: page.button("change_settings") is not None, PATIENCE, "the verdict")
            if page.button("run_again") is not None:
                raise PageError(f"the audit gave no result: {page}")
            measured.verdict.append(time.monotonic() - asked)
            measured.whole.append(time.monotonic() - began)
    except (PageError, OSError) as error:
        measured.errors.append(f"visitor {number}: {error}")


async def bring(page: Session, name: str, content: bytes) -> None:
    """Go to the first step and bring a table."""
    await page.press("start")
    await page.until(lambda: is_at(page, "data"), PATIENCE, "the first step")
    await page.upload("data.file", name, content)
    await page.until(lambda: ready(page, "step_next"), PATIENCE, "the table")


async def go_on(page: Session, step: str) -> int:
    """Look at the page, press *Next* and wait for the step; returns how often the click was lost and made again."""
    again = 0
    following = "run_audit" if step == "review" else "step_next"
    until = time.monotonic() + PATIENCE
    while True:
        await asyncio.sleep(LOOK)
        await page.press("step_next")
        with suppress(PageError):
            await page.until(lambda: is_at(page, step), NOTICES, step)
        if is_at(page, step) or page.waits() or time.monotonic() > until:
            break
        again += 1
    await page.until(lambda: is_at(page, step) and ready(page, following), PATIENCE, step)
    return again


def is_at(page: Session, step: str) -> bool:
    """Whether the page shows this step."""
    button = page.button(f"step_{step}")
    return button is not None and button.help == "You are here"


def ready(page: Session, button: str) -> bool:
    """Whether the page waits for nothing and the button may be pressed."""
    return not page.waits() and page.button(button) is not None


async def bring_a_large_table(host: str, content: bytes, measured: Measured) -> None:
    """A visitor who brings a large table again and again."""
    with suppress(asyncio.CancelledError):
        while True:
            try:
                async with Session(host) as page:
                    await page.until(lambda: page.button("start") is not None, PATIENCE, "the first page")
                    await bring(page, f"large {measured.uploaded}.csv", content + b"\n" * (1 + measured.uploaded))
                measured.uploaded += 1
            except (PageError, OSError) as error:
                measured.errors.append(f"large table: {error}")
                return


@contextmanager
def served(repository: Path, home: Path) -> Iterator[tuple[str, int]]:
    """Host and process of a dashboard of this checkout, run until the block ends."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with started(repository, home, port) as process:
        until = time.monotonic() + 60
        while True:
            try:
                socket.create_connection(("127.0.0.1", port), timeout=1).close()
                break
            except OSError:
                if time.monotonic() > until:
                    raise
                time.sleep(0.1)
        time.sleep(1)
        yield f"127.0.0.1:{port}", process


@contextmanager
def started(repository: Path, home: Path, port: int) -> Iterator[int]:
    """The process of a dashboard of this checkout that has just begun, ended with its worker when the block ends."""
    command = [sys.executable, "-m", "streamlit", "run", "dashboard/app.py", "--server.port", str(port)]
    with (home / "server.log").open("w") as log:
        process = subprocess.Popen(  # noqa: S603
            [*command, "--server.fileWatcherType", "none"],
            cwd=repository,
            env=os.environ | {"EVENHAND_HOME": str(home), "PYTHONPATH": str(repository)},
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        yield process.pid
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(timeout=20)
        if worker := worker_of(home):
            with suppress(ProcessLookupError):
                os.kill(worker, signal.SIGTERM)
            time.sleep(1)


def worker_of(home: Path) -> int:
    """The worker's process; 0 while there is none."""
    try:
        return int(json.loads((home / "jobs" / "worker.lock").read_text())["pid"])
    except (OSError, ValueError, KeyError):
        return 0


def spent(home: Path, server: int) -> dict[str, float]:
    """Processor seconds that each has taken so far, with the children that it has waited for."""
    taken = dict.fromkeys(WHO, 0.0)
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            command = (entry / "cmdline").read_bytes()
            surroundings = (entry / "environ").read_bytes()
            fields = (entry / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        seconds = sum(map(int, fields[11:15])) / _TICK
        if int(entry.name) == server:
            taken["server"] += sum(map(int, fields[11:13])) / _TICK
        elif str(home).encode() in surroundings:
            taken["worker"] += seconds
        elif b"chromium" in command or b"chrome" in command:
            taken["browser"] += seconds
    return taken


def memory_of(pid: int) -> float:
    """MB that a process and its descendants hold, shared pages counted once among those who share them."""
    if not pid:
        return 0.0
    held = 0.0
    with suppress(OSError):
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
        held = sum(float(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1000
        for task in Path(f"/proc/{pid}/task").iterdir():
            held += sum(memory_of(int(child)) for child in (task / "children").read_text().split())
    return held


async def watch_memory(server: int, home: Path, measured: Measured) -> None:
    """Keep the largest memory seen, looking twice a second."""
    while True:
        measured.server = max(measured.server, await asyncio.to_thread(memory_of, server))
        measured.worker = max(measured.worker, await asyncio.to_thread(memory_of, worker_of(home)))
        await asyncio.sleep(0.5)


async def round_of(repository: Path, arrivals: np.ndarray, rows: int, large: bytes) -> Measured:
    """Visitors who arrive after so many seconds on a fresh dashboard, beside one with a large table if there is one."""
    measured = Measured()
    with tempfile.TemporaryDirectory() as folder, served(repository, Path(folder)) as (host, pid):
        await visit(host, 10_000, rows, Measured())
        beside = [asyncio.create_task(watch_memory(pid, Path(folder), measured))]
        if large:
            beside.append(asyncio.create_task(bring_a_large_table(host, large, measured)))
            await asyncio.sleep(2)

        async def later(number: int) -> None:
            await asyncio.sleep(arrivals[number])
            await visit(host, number, rows, measured)

        before = spent(Path(folder), pid)
        await asyncio.gather(*(later(number) for number in range(len(arrivals))))
        after = spent(Path(folder), pid)
        server, worker = ((after[who] - before[who]) / len(arrivals) for who in ("server", "worker"))
        measured.taken = server, worker
        for task in beside:
            task.cancel()
        await asyncio.gather(*beside, return_exceptions=True)
        log = (Path(folder) / "server.log").read_text()
        measured.errors += [f"server: {fault[:3000]}" for fault in log.split("Traceback")[1:]]
    return measured


def middle_and_most(seconds: list[float]) -> str:
    """Median and 95th percentile."""
    if not seconds:
        return "none"
    return f"{statistics.median(seconds):.1f}, {np.percentile(seconds, 95):.1f}"


def main() -> None:
    """Run the rounds and print a row of the README's table for each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sessions", type=int, nargs="+", default=[1, 5, 20])
    parser.add_argument("--rows", type=int, default=1200, help="of each visitor's table")
    parser.add_argument("--upload", type=int, nargs="+", default=[0, 190], help="MB of the table brought beside")
    parser.add_argument("--stagger", type=float, default=0.2, help="seconds between one visitor and the next")
    parser.add_argument("--over", type=float, nargs="*", default=[], help="likewise, at random within so many seconds")
    parser.add_argument("--seed", type=int, default=0, help="of the random times")
    parser.add_argument("--repository", type=Path, default=REPOSITORY, help="the checkout to serve")
    chosen = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    print(f"| {' | '.join(COLUMNS)} |\n{'|---' * len(COLUMNS)}|")
    for megabytes in chosen.upload:
        large, alone = table_of(megabytes) if megabytes else b"", 0.0
        for sessions, over in product(chosen.sessions, (0.0, *chosen.over)):
            rng = np.random.default_rng(chosen.seed)
            arrivals = rng.uniform(0, over, sessions) if over else chosen.stagger * np.arange(sessions)
            found = asyncio.run(round_of(chosen.repository.absolute(), arrivals, chosen.rows, large))
            most = float(np.percentile(found.verdict, 95)) if found.verdict else float("inf")
            alone = alone or most
            cells = [
                f"{sessions} within {over:g} s" if over else sessions,
                f"{megabytes} MB, {found.uploaded} times" if megabytes else "nothing",
                *map(middle_and_most, (found.first, found.verdict)),
                f"{most / alone:.1f}",
                middle_and_most(found.whole),
                ", ".join(f"{seconds:.2f}" for seconds in found.taken),
                round(found.server),
                round(found.worker),
                round(os.getloadavg()[0], 1),
                found.again,
                len(found.errors),
            ]
            print(f"| {' | '.join(map(str, cells))} |", flush=True)
            for error in found.errors:
                print(f"  {error}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
