"""What a reviewer does on the pages, in the words of the pages."""

import re
from pathlib import Path

from playwright.sync_api import Download, Locator, Page, expect

SAMPLES = Path(__file__).parents[2] / "sample_models"
SLOW = 120_000
"""Milliseconds the slowest honest answer may take on a busy machine."""


def by_key(page: Page, key: str) -> Locator:
    """The widget or container with this Streamlit key."""
    return page.locator(f".st-key-{key.replace('.', '-')}")


def settle(page: Page) -> None:
    """Wait until the page has answered what was done last."""
    page.wait_for_timeout(500)
    expect(page.locator("[data-test-script-state='running']")).to_have_count(0, timeout=SLOW)


def choose(page: Page, label: str, option: str) -> None:
    """Pick an option of a radio group."""
    page.get_by_role("radiogroup", name=label).get_by_text(option, exact=True).click()
    settle(page)


def select(page: Page, label: str, option: str) -> None:
    """Pick an option of a select box; its list would close if the page scrolled to it after the click."""
    box = page.get_by_role("combobox", name=label)
    box.scroll_into_view_if_needed()
    page.wait_for_timeout(300)
    box.click()
    page.get_by_role("option", name=option).click()
    settle(page)


def unfold(page: Page, title: str) -> None:
    """Open an expander."""
    page.get_by_text(title, exact=True).click()
    settle(page)


def upload(page: Page, key: str, path: Path) -> None:
    """Give a file to an uploader and wait until it is read, for which a cold server must start its worker."""
    by_key(page, key).locator("input[type=file]").set_input_files(str(path))
    settle(page)
    expect(page.locator("[class*='st-key-wait_']")).to_have_count(0, timeout=SLOW)
    settle(page)


def next_step(page: Page, to: str) -> None:
    """Go on once this step is finished."""
    settle(page)
    button = page.get_by_role("button", name=f"Next: {to}")
    expect(button).to_be_enabled(timeout=SLOW)
    button.click()
    expect(page.get_by_role("heading", name=to)).to_be_visible(timeout=SLOW)
    settle(page)


def start(page: Page) -> None:
    """Begin an audit of one's own."""
    by_key(page, "start").get_by_role("button").click()
    expect(page.get_by_role("heading", name="Data and roles")).to_be_visible()
    settle(page)


def run_audit(page: Page) -> None:
    """Run what the last step shows."""
    settle(page)
    button = page.get_by_role("button", name="Run the audit")
    expect(button).to_be_enabled(timeout=SLOW)
    button.click()


def expect_chart(page: Page, key: str) -> None:
    """The chart of this key is drawn."""
    expect(by_key(page, key).locator(".main-svg").first).to_be_visible(timeout=SLOW)


def expect_verdict(page: Page, verdict: str) -> None:
    """The card begins with this verdict; "Violation found" is no part of "No violation found" here."""
    expect(page.get_by_role("tab", name="Record")).to_be_visible(timeout=SLOW)
    card = page.get_by_test_id("stAlert").first
    expect(card).to_have_text(re.compile(rf"^([a-z_]+)?\s*{verdict}"))


def download(page: Page, name: str) -> Download:
    """Open the record tab and download one of its files."""
    page.get_by_role("tab", name="Record").click()
    settle(page)
    with page.expect_download() as caught:
        page.get_by_role("button", name=name).click()
    return caught.value


def open_tabs(page: Page, *names: str) -> None:
    """Open one tab after another; each draws a chart or a table, and none says that anything failed."""
    for name in names:
        page.get_by_role("tab", name=name, exact=True).click()
        settle(page)
        drawn = page.locator(".js-plotly-plot:visible .main-svg, [data-testid='stTable']:visible")
        expect(drawn.first).to_be_visible()
        expect(page.get_by_test_id("stException")).to_have_count(0)
        expect(page.get_by_text("Something went wrong inside Evenhand")).to_have_count(0)


def verdict_of(page: Page) -> str:
    """The card's headline, as it stands there."""
    return page.get_by_test_id("stAlert").first.get_by_role("heading").first.inner_text().replace("\u2060", "")
