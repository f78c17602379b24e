"""A reviewer goes from a result to a signed report, another browser sees none of it, and the log vouches for it."""

import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.conftest import REPOSITORY, served
from tests.e2e.steps import SLOW, by_key, choose, settle

pytestmark = [pytest.mark.browser, pytest.mark.long]

STATED = {
    "System": "Hiring screen",
    "Purpose": "Decides who is invited.",
    "Scope": "All applicants of 2026.",
    "Source of the data": "The applicant system.",
    "Reason for the tolerance": "The board accepts at most this.",
    "Auditor": "Ada Öztürk",
    "Independence": "No relation to the vendor.",
    "Reviewer": "שרה לוי",
    "Reasons for the decision": "<b>Too many</b> are wrongly turned away.",
}


def fill_in(page: Page) -> None:
    for label, value in STATED.items():
        page.get_by_label(f"{label} *", exact=True).fill(value)
    choose(page, "Decision *", "Do not use the system")
    page.get_by_role("button", name="Save the statement").click()
    expect(page.get_by_text("The statement was saved.")).to_be_visible()


def test_from_a_result_to_a_signed_report(browser: Browser, tmp_path: Path) -> None:
    expect.set_options(timeout=SLOW)
    with served("dashboard/app.py", tmp_path) as server:
        mine, theirs = (browser.new_context(accept_downloads=True).new_page() for _ in range(2))
        mine.set_default_timeout(SLOW)
        mine.goto(server)
        by_key(mine, "example_hiring-predictions").get_by_role("button").click()
        mine.get_by_role("button", name="Review and sign").click()
        expect(mine).to_have_url(re.compile(r"register\?entry=[0-9a-f]{32}"))
        mine.wait_for_timeout(2000)
        mine.reload()
        mine.get_by_role("button", name="Sign", exact=True).click()
        expect(mine.get_by_text("It was saved, not signed: 10 fields to fill in, marked in the form")).to_be_visible()
        expect(mine.get_by_text("Name the auditor.")).to_be_visible()
        fill_in(mine)
        mine.get_by_role("button", name="Send to review").click()
        settle(mine)
        address = mine.url
        theirs.goto(address)
        expect(theirs.get_by_text("There is no such entry in your register.")).to_be_visible()
        theirs.goto(f"{server}/register")
        expect(theirs.get_by_text("There is nothing in your register yet.")).to_be_visible()
        with mine.expect_download() as sent:
            mine.get_by_role("button", name="Packet for the reviewer (zip)").click()
        with zipfile.ZipFile(sent.value.path()) as packet:
            assert packet.namelist() == ["README.txt", "SHA256SUMS.txt", "record.json", "report.html", "report.pdf"]
        mine.get_by_role("button", name="Sign", exact=True).click()
        mine.get_by_label("Your name").fill(STATED["Reviewer"])
        mine.get_by_role("button", name="Yes, sign it").click()
        expect(mine.get_by_text("Record and report are kept as they are now.")).to_be_visible()
        with mine.expect_download() as download:
            mine.get_by_role("button", name="Signed report (HTML)").click()
        with mine.expect_download() as printed:
            mine.get_by_role("button", name="Signed report (PDF)").click()
        assert printed.value.path().read_bytes().startswith(b"%PDF"), "saved with one click"
        report = download.value.path().read_text(encoding="utf-8")
        assert download.value.suggested_filename.startswith("hiring-screen_transport-test_")
        assert "שרה לוי" in report
        assert "&lt;b&gt;Too many&lt;/b&gt;" in report
        mine.goto(server)
        expect(mine.get_by_role("heading", name="Your audits")).to_be_visible()
        expect(mine.get_by_text(re.compile("violation found.*signed on"))).to_be_visible()
    verify = [sys.executable, "-m", "core", "register", "verify"]
    ran = subprocess.run(
        verify,
        check=True,
        capture_output=True,
        text=True,
        cwd=REPOSITORY,
        env=os.environ | {"EVENHAND_HOME": str(tmp_path)},
    )
    assert "Nothing was tampered with: 1 entry" in ran.stdout
