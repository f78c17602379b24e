"""The README's pictures, taken anew: ``python -m tests.e2e.screenshots`` writes them into ``assets/screenshots``.

A dashboard is started with an empty home of its own, and a Chromium on the PATH walks through it as the tests do.
"""

import shutil
import tempfile
from pathlib import Path

from playwright.sync_api import Page, expect, sync_playwright

from core.base.files import FileStore
from core.sources.simulated.hiring import SCREENED, Hiring
from tests.e2e.conftest import FIRST_PAGE, FLAGS, REPOSITORY, served
from tests.e2e.steps import SLOW, by_key, expect_verdict, settle, start, upload

PICTURES = REPOSITORY / "assets" / "screenshots"
WIDTH, HEIGHT, EMPTY = 1280, 1000, 56
"""Of the window, and of what stands empty above its first line."""


def result(page: Page) -> None:
    """What the first page's example of a column of predictions comes to."""
    by_key(page, "example_hiring-predictions").get_by_role("button").click()
    expect_verdict(page, "Violation found")
    page.get_by_role("button", name="Close the tour").click()


def new_audit(page: Page) -> None:
    """The first step of an audit of a table that was just brought, with the roles of its columns."""
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "applicants.csv"
        people = Hiring(rows=2000, screening="biased").load(FileStore())
        people.rename(columns={SCREENED: "prediction"}).to_csv(table, index=False)
        start(page)
        upload(page, "data.file", table)
    expect(page.get_by_role("button", name="Next:")).to_be_enabled(timeout=SLOW)


SHOWN = {"result": result, "new-audit": new_audit}


def keep(page: Page, name: str) -> None:
    """Write what the window shows, from the top of the page."""
    settle(page)
    page.mouse.move(WIDTH - 1, HEIGHT - 1)
    page.wait_for_timeout(1_500)
    clip = {"x": 0, "y": EMPTY, "width": WIDTH, "height": HEIGHT - EMPTY}
    page.screenshot(path=PICTURES / f"{name}.png", clip=clip)


def main() -> None:
    """Take every picture."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    PICTURES.mkdir(exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as home,
        sync_playwright() as playwright,
        served("dashboard/app.py", Path(home)) as address,
    ):
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        for name, walk in SHOWN.items():
            context = browser.new_context(viewport={"width": WIDTH, "height": HEIGHT}, color_scheme="light")
            context.set_default_timeout(SLOW)
            page = context.new_page()
            page.goto(address, timeout=FIRST_PAGE)
            walk(page)
            keep(page, name)
            context.close()
        browser.close()


if __name__ == "__main__":
    main()
