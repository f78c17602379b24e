"""A first visitor of a cold server, in a browser: ``python -m benchmarks.first_visit``.

Three numbers, in seconds of a clock on the wall: from the start of the server to the first page; from the click on the
example of hiring, made at once, to its verdict; and from the verdict to its first chart. Beside each the processor time
that was spent meanwhile, by the server, by its worker with all that it forks, and by the browser: on a machine that
does other work it says more than the clock.
"""

import argparse
import os
import shutil
import socket
import statistics
import tempfile
import time
import urllib.request
from itertools import pairwise
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks.load import REPOSITORY, WHO, spent, started
from tests.e2e.conftest import FLAGS

EXAMPLE = "hiring-baseline"
PHASES = ("first page", "verdict", "first chart")
PATIENCE = 240_000


def seen(page: Page, selector: str) -> None:
    """Wait until something is seen, to the frame: Playwright's own waits look up to half a second apart."""
    page.wait_for_function("one => document.querySelector(one)?.checkVisibility()", arg=selector, polling="raf")


def visit(browser: Browser, repository: Path) -> tuple[list[float], list[dict[str, float]]]:
    """Seconds of each phase, and the processor seconds of everybody in it."""
    with tempfile.TemporaryDirectory() as folder, socket.socket() as probe:
        home = Path(folder)
        page = browser.new_page(reduced_motion="reduce")
        page.set_default_timeout(PATIENCE)
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
        probe.close()
        clock, seconds = time.monotonic(), []
        with started(repository, home, port) as server:
            while True:
                try:
                    urllib.request.urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=1).close()
                    break
                except OSError:
                    time.sleep(0.01)
            parts = [spent(home, server)]

            def passed() -> None:
                nonlocal clock
                seconds.append(time.monotonic() - clock)
                parts.append(spent(home, server))
                clock = time.monotonic()

            parts[0] = dict.fromkeys(WHO, 0.0) | {"browser": parts[0]["browser"]}
            page.goto(f"http://127.0.0.1:{port}")
            button = f".st-key-example_{EXAMPLE} button"
            seen(page, button)
            passed()
            page.click(button)
            seen(page, "[data-testid=stAlert] h2")
            passed()
            seen(page, ".js-plotly-plot .main-svg")
            passed()
            page.close()
    return seconds, [{who: after[who] - before[who] for who in WHO} for before, after in pairwise(parts)]


def main() -> None:
    """Visit a few times, a fresh server and a fresh home each, and print the medians."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=3)
    parser.add_argument("--repository", type=Path, default=REPOSITORY, help="the checkout to serve")
    chosen = parser.parse_args()
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    visits = []
    with sync_playwright() as playwright:
        for _ in range(chosen.times):
            browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
            visits.append(visit(browser, chosen.repository.absolute()))
            browser.close()
    print(f"| what | seconds (least to most) | {' | '.join(f'{who}, processor s' for who in WHO)} |\n|{'---|' * 5}")
    for i, phase in enumerate(PHASES):
        taken = [seconds[i] for seconds, _ in visits]
        cells = [f"{statistics.median(parts[i][who] for _, parts in visits):.2f}" for who in WHO]
        clock = f"{statistics.median(taken):.2f} ({min(taken):.2f} to {max(taken):.2f})"
        print(f"| {phase} | {clock} | {' | '.join(cells)} |")
    print(f"Load {os.getloadavg()[0]:.1f}, {chosen.times} visits.")


if __name__ == "__main__":
    main()
