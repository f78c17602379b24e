"""A model behind an address in a browser, wide and narrow: from the empty field to the answers."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from core.models.endpoint.address import ALLOWED
from tests.e2e.conftest import served
from tests.e2e.steps import SLOW, choose, next_step, select, settle, start, upload
from tests.model_server import ModelServer, serving

pytestmark = [pytest.mark.browser, pytest.mark.long]


def fill(page: Page, label: str, value: str) -> None:
    """Write into a field and go on."""
    page.get_by_role("textbox", name=label, exact=True).fill(value)
    page.keyboard.press("Enter")
    settle(page)


@pytest.mark.parametrize("width", [390, 1400])
def test_the_fields_a_try_and_all_rows(
    width: int, browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [f"{10 + 7 * n % 80},{'f' if n % 3 else 'm'},{'yes' if n % 2 else 'no'}" for n in range(300)]
    table = tmp_path / "people.csv"
    table.write_text("\n".join(["income,sex,hired", *rows]))
    home = tmp_path / "home"
    home.mkdir()
    with serving(ModelServer()) as server:
        monkeypatch.setenv(ALLOWED, f"127.0.0.1:{server.port}")
        with served("dashboard/app.py", home) as address:
            context = browser.new_context(viewport={"width": width, "height": 1200})
            expect.set_options(timeout=SLOW)
            page = context.new_page()
            page.goto(address)
            start(page)
            upload(page, "data.file", table)
            next_step(page, "Model or predictions")
            choose(page, "What do you have?", "A model behind an address")
            fill(page, "Address", "https://models.example.org/score")
            expect(page.get_by_test_id("stCode")).to_contain_text(
                f"{ALLOWED}=127.0.0.1:{server.port},models.example.org:443"
            )
            fill(page, "Address", f"http://127.0.0.1:{server.port}/score")
            select(page, "Protocol", "Plain JSON")
            fill(page, "Answer field or output", "results.*.p")
            page.get_by_role("button", name="Try it").click()
            expect(page.get_by_text("Four rows took")).to_be_visible()
            assert server.rows == 5
            page.get_by_role("button", name="Send all rows").click()
            expect(page.get_by_role("heading", name="How the model answers")).to_be_visible()
            expect(page.get_by_text("repeating the audit does not contact the server")).to_be_visible()
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            next_step(page, "Tests")
            page.get_by_role("button", name="2. Model or predictions").click()
            expect(page.get_by_text("UTC are saved")).to_be_visible()
            expect(page.get_by_role("textbox", name="Address", exact=True)).to_have_value(
                f"http://127.0.0.1:{server.port}/score"
            )
            context.close()
