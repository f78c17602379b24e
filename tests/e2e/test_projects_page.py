"""A project with four eyes: members taken in, audits put in and signed by another, and all of it gone from the disk."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.accessibility import Violation, expect_none, look
from tests.e2e.conftest import served
from tests.e2e.steps import SLOW, by_key, settle
from tests.e2e.test_people import SECRETS, People
from tests.e2e.test_signing import fill_in

pytestmark = [pytest.mark.browser, pytest.mark.long]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path


@pytest.fixture
def people(browser: Browser, home: Path) -> Iterator[People]:
    from oidc_provider_mock import run_server_in_thread

    expect.set_options(timeout=SLOW)
    with run_server_in_thread() as provider, pytest.MonkeyPatch.context() as patch:
        (home / "secrets.toml").write_text(SECRETS.format(port=provider.server_port))
        patch.setenv("STREAMLIT_SECRETS_FILES", str(home / "secrets.toml"))
        patch.setenv("EVENHAND_FOUR_EYES", "1")
        with served("dashboard/app.py", home) as address:
            opened = People(browser, address)
            yield opened
            opened.leave()


def entry_of(page: Page, address: str, example: str) -> str:
    """Run an example, and put its entry into the project; its address."""
    page.goto(address)
    by_key(page, f"example_{example}").get_by_role("button").click()
    page.get_by_role("button", name="Review and sign").click()
    expect(page).to_have_url(re.compile(r"register\?entry=[0-9a-f]{32}"))
    page.wait_for_timeout(2000)
    page.reload()
    page.get_by_role("button", name="Put it into this project").click()
    expect(page.get_by_text("in which you are admin")).to_be_visible()
    return page.url


def test_a_project_from_its_beginning_to_its_end(people: People, home: Path) -> None:
    anna, ben, cara = people("anna"), people("ben"), people("cara")
    ben.get_by_role("link", name="Projects").click()
    ben_is = ben.locator("code").first.inner_text()
    assert re.fullmatch("[0-9a-f]{32}", ben_is), ben_is
    anna.get_by_role("link", name="Projects").click()
    anna.get_by_label("Name of a new project").fill("Loans")
    anna.get_by_role("button", name="Make the project").click()
    expect(anna.get_by_role("heading", name="Loans")).to_be_visible()
    anna.get_by_text("Manage this project").click()
    anna.get_by_label("Id", exact=True).fill(ben_is)
    anna.get_by_label("Name", exact=True).fill("Ben")
    settle(anna)
    anna.get_by_role("combobox", name="Role").fill("reviewer")
    anna.get_by_role("option", name=re.compile("reviewer")).click()
    anna.get_by_role("button", name="Take in").click()
    expect(anna.get_by_text("The members were changed.")).to_be_visible()
    seen: list[tuple[str, Violation]] = []
    look(anna, "a project and its members", seen)

    unsigned = entry_of(anna, people.address, "hiring-decisions")
    signed = entry_of(anna, people.address, "hiring-predictions")
    fill_in(anna)
    anna.get_by_role("button", name="Send to review").click()
    settle(anna)
    expect(anna.get_by_role("button", name="Sign", exact=True)).to_be_disabled()
    expect(anna.get_by_text("somebody else signs it")).to_be_visible()
    look(anna, "an entry in review", seen)
    for address in (signed, unsigned):
        cara.goto(address)
        expect(cara.get_by_text("There is no such entry in your register.")).to_be_visible()
    expect(anna.get_by_text("It waits in the register of Ben, with a badge.")).to_be_visible()
    ben.goto(people.address)
    expect(ben.get_by_role("link", name=re.compile("Register.*1 to review"))).to_be_visible()
    look(ben, "the badge", seen)
    ben.get_by_role("link", name=re.compile("Register")).click()
    by_key(ben, "to_review").get_by_role("button").click()
    expect(ben).to_have_url(signed)
    ben.get_by_role("button", name="Sign", exact=True).click()
    expect(ben.get_by_text("as you signed in")).to_be_visible()
    ben.get_by_role("button", name="Yes, sign it").click()
    expect(ben.get_by_text("They had no part in the audit (four eyes).")).to_be_visible()
    expect(ben.get_by_text("Record and report are kept as they are now.")).to_be_visible()
    look(ben, "a signed entry", seen)
    expect_none(seen)

    before = {path.name for path in (home / "results").iterdir()}
    anna.goto(f"{people.address}/projects")
    anna.get_by_text("Manage this project").click()
    anna.get_by_role("button", name="Delete this project").click()
    anna.get_by_role("button", name="Delete for good").click()
    expect(anna.get_by_text("The project was deleted.")).to_be_visible()
    left = {path.name for path in (home / "results").iterdir()}
    assert left < before, "the unsigned audit's result is still on the disk"
    ben.goto(unsigned)
    expect(ben.get_by_text("There is no such entry in your register.")).to_be_visible()
    anna.goto(signed)
    expect(anna.get_by_role("button", name="Signed report (HTML)")).to_be_visible()
