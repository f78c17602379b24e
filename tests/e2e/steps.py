"""What a reviewer does on the pages, in the words of the pages."""

from pathlib import Path

from playwright.sync_api import Download, Locator, Page, expect

SAMPLES = Path(__file__).parents[2] / "sample_models"
RUN_SECONDS = 120


def by_key(page: Page, key: str) -> Locator:
    """The widget or container with this Streamlit key."""
    return page.locator(f".st-key-{key.replace('.', '-')}")


def choose(page: Page, label: str, option: str) -> None:
    """Pick an option of a radio group."""
    page.get_by_role("radiogroup", name=label).get_by_text(option, exact=True).click()


def select(page: Page, label: str, option: str) -> None:
    """Pick an option of a select box."""
    page.get_by_role("combobox", name=label).click()
    page.get_by_role("option", name=option).click()


def upload(page: Page, key: str, *paths: Path) -> None:
    by_key(page, key).locator("input[type=file]").set_input_files([str(path) for path in paths])


def next_step(page: Page) -> None:
    button = page.get_by_role("button", name="Next:")
    expect(button).to_be_enabled(timeout=60_000)
    button.click()


def start(page: Page) -> None:
    by_key(page, "start").get_by_role("button").click()
    expect(page.get_by_role("heading", name="Data and roles")).to_be_visible()


def run_audit(page: Page) -> None:
    button = page.get_by_role("button", name="Run the audit")
    expect(button).to_be_enabled(timeout=60_000)
    button.click()
    expect_result(page)


def expect_result(page: Page) -> None:
    expect(page.get_by_role("tab", name="Why")).to_be_visible(timeout=RUN_SECONDS * 1000)


def download(page: Page, name: str) -> Download:
    """Open the record tab and download one of its files."""
    page.get_by_role("tab", name="Record").click()
    with page.expect_download() as caught:
        page.get_by_role("button", name=name).click()
    return caught.value
