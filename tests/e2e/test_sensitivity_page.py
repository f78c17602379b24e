"""What only a browser can show of a text audit's page: numbers where one points, a refresh, a telephone's width."""

import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.steps import settle

FOLDER = Path(__file__).parent

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def shown() -> Iterator[str]:
    """The address of a page with a sensitivity audit."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    app = str(FOLDER / "results_sensitivity_app.py")
    process = subprocess.Popen(
        [sys.executable, "-m", "streamlit", "run", app, "--server.port", str(port), "--server.fileWatcherType", "none"],
        cwd=FOLDER.parents[1],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    address = f"http://127.0.0.1:{port}"
    for _ in range(300):
        try:
            urllib.request.urlopen(f"{address}/_stcore/health", timeout=1)  # noqa: S310
            break
        except OSError:
            time.sleep(0.1)
    yield address
    process.terminate()
    process.wait(timeout=10)


@pytest.fixture
def telephone(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 390, "height": 1600})
    context.set_default_timeout(90_000)
    yield context.new_page()
    context.close()


def open_text(page: Page, shown: str, shape: str) -> None:
    page.goto(f"{shown}/?shape={shape}&view=Read")
    expect(page.locator(".ev-w").first).to_be_visible(timeout=90_000)
    settle(page)


def test_pointing_at_a_word_tells_its_numbers_and_nothing_is_wider_than_a_telephone(
    telephone: Page, shown: str
) -> None:
    open_text(telephone, shown, "usual")
    word = telephone.locator(".ev-w.ev-listed").first
    word.hover()
    told = word.evaluate("word => getComputedStyle(word, '::after').content")
    assert word.inner_text() in told
    assert "of the audited model's sensitivity" in told
    assert "names a group" in told
    assert telephone.evaluate("document.documentElement.scrollWidth") <= 390


def test_the_text_read_survives_a_refresh(telephone: Page, shown: str) -> None:
    open_text(telephone, shown, "usual")
    telephone.get_by_role("button", name="Next").click()
    settle(telephone)
    text = telephone.locator(".ev-words").inner_text()
    telephone.reload()
    expect(telephone.locator(".ev-words")).to_have_text(text, timeout=90_000)


def test_hostile_texts_run_nothing(telephone: Page, shown: str) -> None:
    asked: list[str] = []
    telephone.on("dialog", lambda dialog: (asked.append(dialog.message), dialog.dismiss()))
    open_text(telephone, shown, "hostile")
    for _ in range(4):
        telephone.get_by_role("button", name="Next").click()
        settle(telephone)
    assert not asked
    assert telephone.locator(".ev-text script, .ev-text img, .ev-text b, .ev-other script, .ev-other b").count() == 0
