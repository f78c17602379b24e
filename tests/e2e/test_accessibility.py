"""Nobody is shut out: axe-core finds nothing grave on any page, light or dark, wide or narrow."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser, Page, expect

from core.base.files import FileStore
from core.sources.simulated.hiring import SCREENED, Hiring
from tests.e2e.accessibility import Violation, expect_none, look
from tests.e2e.conftest import Example
from tests.e2e.steps import next_step, settle, start, upload

pytestmark = pytest.mark.browser

Scheme = Literal["light", "dark"]
PAGES = (
    "",
    "register",
    "glossary",
    "papers",
    "data",
    "model",
    "tests",
    "similar",
    "review",
    "selection",
    "fairer",
    "audit",
    "slides",
)
FAULTS = ("audit?audit=unknown", "register?entry=unknown", "data?draft=unknown", "shared?entry=unknown")
SHAPES = ("", "usual", "hostile", "columns", "odds", "groups")


@contextmanager
def window(browser: Browser, scheme: Scheme, width: int) -> Iterator[Page]:
    """A new window of its own cookies. Its reader prefers that nothing moves: no click waits for what turns."""
    context = browser.new_context(
        viewport={"width": width, "height": 1000}, color_scheme=scheme, reduced_motion="reduce"
    )
    context.set_default_timeout(120_000)
    expect.set_options(timeout=60_000)
    yield context.new_page()
    context.close()


@pytest.mark.long
@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_page_shuts_anybody_out(browser: Browser, server: str, tmp_path: Path, scheme: Scheme, width: int) -> None:
    """Pages, faults and the five steps with a table."""
    found: list[tuple[str, Violation]] = []
    with window(browser, scheme, width) as page:
        for path in (*PAGES, *FAULTS):
            page.goto(f"{server}/{path}")
            expect(page.get_by_role("heading").first).to_be_visible(timeout=60_000)
            look(page, path or "home", found)
        page.goto(server)
        start(page)
        people = Hiring(rows=4000, screening="biased").load(FileStore())
        people.rename(columns={SCREENED: "prediction"}).to_csv(tmp_path / "people.csv", index=False)
        upload(page, "data.file", tmp_path / "people.csv")
        look(page, "data with a table", found)
        for name in ("Model or predictions", "Tests", "Similar people", "Review and run"):
            next_step(page, name)
            look(page, name, found)
    expect_none(found)


@pytest.mark.long
@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_result_shuts_anybody_out(browser: Browser, finished: str, scheme: Scheme, width: int) -> None:
    """Every tab of every kind of result."""
    found: list[tuple[str, Violation]] = []
    with window(browser, scheme, width) as page:
        for shape in SHAPES:
            page.goto(f"{finished}&shape={shape}" if shape else finished)
            expect(page.get_by_role("tab", name="Record").first).to_be_visible(timeout=120_000)
            open_tabs(page, f"results {shape}", found)
    expect_none(found)


def open_tabs(page: Page, where: str, found: list[tuple[str, Violation]], level: int = 0) -> None:
    """Look at every tab of the list at this level, and at the tabs within."""
    settle(page)
    tabs = page.get_by_role("tablist").nth(level).get_by_role("tab")
    for tab in tabs.all():
        name = f"{where} {tab.inner_text()}"
        tab.click()
        look(page, name, found)
        if page.get_by_role("tablist").count() > level + 1:
            open_tabs(page, name, found, level + 1)


def test_the_first_page_shuts_nobody_out(example: Example) -> None:
    """Dark and narrow; a result is looked at in ``test_results_page.py``."""
    expect_none(example.shut_out)
