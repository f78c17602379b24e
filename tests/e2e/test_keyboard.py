"""From upload to signature without a mouse: every control is reached by Tab, and Enter or Space is enough."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from core.base.files import FileStore
from core.sources.simulated.hiring import SCREENED, Hiring
from tests.e2e.conftest import served
from tests.e2e.steps import SLOW, by_key, settle
from tests.e2e.test_signing import STATED

pytestmark = [pytest.mark.browser, pytest.mark.long]

MOST_TABS = 400
_HAS_FOCUS = "element => element.contains(document.activeElement)"


def reach(wanted: Locator) -> None:
    """Press Tab until this control has the focus, whatever the page redraws on the way."""
    expect(wanted).to_be_enabled(timeout=SLOW)
    for _ in range(MOST_TABS):
        if wanted.evaluate(_HAS_FOCUS):
            return
        wanted.page.keyboard.press("Tab")
    pytest.fail(f"Tab does not reach {wanted}.")


def press(wanted: Locator, key: str = "Enter") -> None:
    reach(wanted)
    wanted.page.keyboard.press(key)
    settle(wanted.page)


def button(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=name).first


def test_from_upload_to_signature_by_keyboard_alone(browser: Browser, tmp_path: Path) -> None:
    table = tmp_path / "applicants.csv"
    people = Hiring(rows=4000, screening="biased").load(FileStore(tmp_path / "files"))
    people.rename(columns={SCREENED: "prediction"}).to_csv(table, index=False)
    (tmp_path / "home").mkdir()
    with served("dashboard/app.py", tmp_path / "home") as server:
        page = browser.new_page(viewport={"width": 1400, "height": 1000})
        page.set_default_timeout(SLOW)
        page.goto(server)
        press(button(page, "Start an audit"))
        chosen = by_key(page, "data.file").get_by_role("button", name="Upload").last
        reach(chosen)
        with page.expect_file_chooser() as chooser:
            page.keyboard.press("Enter")
        chooser.value.set_files(table)
        for step in ("Model or predictions", "Tests", "Similar people", "Review and run"):
            press(button(page, f"Next: {step}"))
            expect(page.get_by_role("heading", name=step)).to_be_visible(timeout=SLOW)
        press(button(page, "Run the audit"))
        slider = page.get_by_role("slider").first
        expect(slider).to_be_visible(timeout=SLOW)
        before = page.url
        press(slider, "ArrowRight")
        assert page.url != before, "the address keeps what the slider says"
        press(page.get_by_role("tab", selected=True).first, "ArrowRight")
        press(button(page, "Review and sign"))
        expect(page.get_by_role("heading", name="Statement and signature")).to_be_visible()
        reasons = page.get_by_role("textbox", name=re.compile("^Reason for the tolerance of .* \\*$"))
        for label, value in STATED.items():
            of_each = label == "Reason for the tolerance"
            for field in reasons.all() if of_each else [page.get_by_label(f"{label} *", exact=True)]:
                reach(field)
                page.keyboard.type(value)
        press(page.get_by_role("radiogroup", name="Decision"), "ArrowUp")
        press(page.get_by_role("button", name="Sign", exact=True))
        reach(page.get_by_label("Your name"))
        page.keyboard.type(STATED["Reviewer"])
        press(button(page, "Yes, sign it"))
        expect(page.get_by_text("Record and report are kept as they are now.")).to_be_visible()
        page.close()
