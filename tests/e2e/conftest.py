"""A running dashboard and a real browser."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect, sync_playwright

from tests.e2e.accessibility import Violation, look
from tests.e2e.steps import by_key, expect_verdict

REPOSITORY = Path(__file__).parents[2]
WIDE: ViewportSize = {"width": 1400, "height": 1000}
NARROW: ViewportSize = {"width": 390, "height": 1000}
FIRST_PAGE = 120_000
"""Milliseconds that a server's first page may take, which imports everything, on a machine that does other work."""
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if chromium is None:
        reason = "No Chromium on the PATH: the dashboard was not tested in a browser."
        if os.environ.get("REQUIRE_BROWSER") == "1":
            pytest.fail(reason)
        pytest.skip(reason)
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        yield running
        running.close()


@contextmanager
def served(script: str, home: Path) -> Iterator[str]:
    """The address of this Streamlit script, run with a home folder of its own until the block ends."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    environment = os.environ | {"EVENHAND_HOME": str(home)}
    environment.setdefault("EVENHAND_DATA", str(REPOSITORY.parent / "shared" / "data"))
    command = [sys.executable, "-m", "streamlit", "run", str(REPOSITORY / script), "--server.port", str(port)]
    command += ["--server.fileWatcherType", "none"]
    with (home / "server.log").open("w") as log:
        process = subprocess.Popen(
            command,
            cwd=REPOSITORY / "dashboard",
            env=environment,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    address = f"http://127.0.0.1:{port}"
    for _ in range(1_200):
        try:
            urllib.request.urlopen(f"{address}/_stcore/health", timeout=1)  # noqa: S310
            break
        except OSError:
            time.sleep(0.1)
    else:
        pytest.fail(f"The dashboard did not start: {(home / 'server.log').read_text()}")
    yield address
    os.killpg(process.pid, signal.SIGTERM)
    process.wait(timeout=10)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a dashboard with an empty home of its own, and of finished tests beside it."""
    with served("tests/e2e/app.py", tmp_path_factory.mktemp("home")) as address:
        yield address


@pytest.fixture(scope="session")
def finished(server: str) -> str:
    """The address of a page that shows finished tests at once; what is asked of it follows after ``&``."""
    return f"{server}/?finished=1"


@contextmanager
def opened(browser: Browser, address: str, asked: list[str], *, dark: bool = False) -> Iterator[Page]:
    """A new browser window with a page in it; every address that is asked for is added to ``asked``.

    Its reader prefers that nothing moves: to draw what turns while a page is busy takes the processor from the server.
    """
    scheme: Literal["dark", "light"] = "dark" if dark else "light"
    context = browser.new_context(viewport=WIDE, accept_downloads=True, reduced_motion="reduce", color_scheme=scheme)
    context.set_default_timeout(30_000)
    context.on("request", lambda request: asked.append(request.url))
    expect.set_options(timeout=30_000)
    page = context.new_page()
    page.goto(address, timeout=FIRST_PAGE)
    yield page
    context.close()


@pytest.fixture
def page(browser: Browser, server: str) -> Iterator[Page]:
    """A new browser window on the first page."""
    with opened(browser, server, []) as page:
        yield page


@dataclass(frozen=True)
class Example:
    """A window in which an example came to its verdict; tests go on in it one after the other.

    Attributes:
        page: The window.
        asked: Every address that it asked for, from its first page on.
        shut_out: What axe-core found on the first page, dark and narrow.
    """

    page: Page
    asked: list[str]
    shut_out: list[tuple[str, Violation]]


@pytest.fixture(scope="session")
def example(browser: Browser, server: str) -> Iterator[Example]:
    """To load the first page and run an example takes longer than what most tests then do with its result."""
    asked: list[str] = []
    shut_out: list[tuple[str, Violation]] = []
    with opened(browser, server, asked, dark=True) as page:
        expect(by_key(page, "start")).to_be_visible()
        page.set_viewport_size(NARROW)
        look(page, "home", shut_out)
        page.set_viewport_size(WIDE)
        by_key(page, "example_hiring-baseline").get_by_role("button").click()
        expect_verdict(page, "Violation found")
        yield Example(page, asked, shut_out)
