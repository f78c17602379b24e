"""Two people sign in by a provider on this machine; neither sees what is the other's."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.e2e.accessibility import Violation, expect_none, look
from tests.e2e.conftest import served

pytestmark = pytest.mark.browser
SECRETS = """
[auth]
redirect_uri = "http://127.0.0.1:{{port}}/oauth2callback"
cookie_secret = "a secret of this test and of nothing else"
client_id = "evenhand"
client_secret = "of no use elsewhere"
server_metadata_url = "http://localhost:{port}/.well-known/openid-configuration"
"""


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a dashboard where people sign in; the subject ``root`` manages projects."""
    from oidc_provider_mock import run_server_in_thread

    home = tmp_path_factory.mktemp("people")
    secrets = home / "secrets.toml"
    with run_server_in_thread() as provider, pytest.MonkeyPatch.context() as patch:
        secrets.write_text(SECRETS.format(port=provider.server_port))
        patch.setenv("STREAMLIT_SECRETS_FILES", str(secrets))
        patch.setenv("EVENHAND_ADMINS", "root")
        with served("dashboard/app.py", home) as address:
            yield address


@pytest.fixture(scope="module")
def people(browser: Browser, guarded: str) -> Iterator["People"]:
    expect.set_options(timeout=30_000)
    opened = People(browser, guarded)
    yield opened
    opened.leave()


class People:
    """Browsers, each of a person who signed in."""

    def __init__(self, browser: Browser, address: str) -> None:
        self.address, self._browser = address, browser
        self._contexts: list[BrowserContext] = []

    def stranger(self) -> Page:
        """A browser in which nobody signed in."""
        context = self._browser.new_context(viewport={"width": 1400, "height": 1000}, reduced_motion="reduce")
        self._contexts.append(context)
        return context.new_page()

    def __call__(self, subject: str) -> Page:
        page = self.stranger()
        page.goto(self.address)
        page.get_by_role("button", name="Sign in").click()
        page.get_by_placeholder("sub").fill(subject)
        page.get_by_role("button", name="Authorize").click()
        expect(page.get_by_role("button", name="Sign out")).to_be_visible()
        return page

    def leave(self) -> None:
        for context in self._contexts:
            context.close()


def test_who_signed_in_keeps_what_they_chose_when_the_line_breaks_and_nobody_else_copies_it(people: People) -> None:
    """A browser that never signed in is sent away in ``tests/hostile``; here it is one that signed out."""
    anna = people("anna")
    anna.goto(f"{people.address}/data")
    table = "outcome,sex\n" + "yes,f\nno,m\n" * 40
    anna.locator("input[type=file]").first.set_input_files(
        {"name": "people.csv", "mimeType": "text/csv", "buffer": table.encode()}
    )
    expect(anna.get_by_text("people.csv").first).to_be_visible()
    expect(anna.get_by_text("First rows")).to_be_visible()
    anna.context.set_offline(True)
    anna.wait_for_timeout(500)
    anna.context.set_offline(False)
    expect(anna.get_by_text("First rows")).to_be_visible()
    ben = people("ben")
    expect(anna).to_have_url(re.compile(r"/data\?draft=[0-9a-f]{16}"))
    draft = anna.url
    ben.goto(draft)
    expect(ben.get_by_text("Nothing was chosen under this address")).to_be_visible()
    expect(ben).not_to_have_url(draft)
    anna.get_by_role("button", name="Sign out").click()
    expect(anna).to_have_url(re.compile("end_session"))
    anna.goto(draft)
    expect(anna.get_by_role("button", name="Sign in")).to_be_visible()
    expect(anna.get_by_text("Register")).to_have_count(0)


@pytest.mark.long
def test_nobody_sees_another_person_s_audit(people: People) -> None:
    anna, ben = people("anna"), people("ben")
    anna.get_by_role("button", name="Run this example").first.click()
    expect(anna).to_have_url(re.compile(r"/audit\?audit=[0-9a-f]{16}"))
    audit = anna.url
    ben.goto(audit)
    expect(ben.get_by_text("There is no audit of this name")).to_be_visible()
    ben.goto(people.address)
    expect(ben.get_by_role("button", name="Run this example").first).to_be_visible()
    expect(ben.locator("[class*='st-key-recent_']")).to_have_count(0)
    anna.get_by_role("button", name="Review and sign").click()
    expect(anna).to_have_url(re.compile(r"register\?entry=[0-9a-f]{32}"))
    anna.wait_for_timeout(2000)
    anna.reload()
    ben.goto(anna.url)
    expect(ben.get_by_text("There is no such entry in your register")).to_be_visible()
    anna.get_by_text("Share", exact=True).click()
    anna.get_by_role("button", name="Make a link").click()
    expect(anna.get_by_text("Copy this link now")).to_be_visible()
    link = anna.locator("code").filter(has_text="shared?entry=").inner_text()
    assert link.startswith(f"{people.address}/shared?entry="), link
    seen: list[tuple[str, Violation]] = []
    look(anna, "an entry and its links", seen)
    stranger = people.stranger()
    stranger.goto(link)
    expect(stranger.get_by_text("It is not signed yet")).to_be_visible()
    expect(stranger.get_by_role("button", name="Sign in")).to_have_count(0)
    look(stranger, "a shared entry", seen)
    stranger.goto(anna.url)
    expect(stranger.get_by_role("button", name="Sign in")).to_be_visible()
    look(stranger, "the way in", seen)
    expect_none(seen)
    anna.get_by_role("button", name="Revoke link 1").click()
    expect(anna.get_by_text("Link 1 was revoked")).to_be_visible()
    stranger.goto(link)
    expect(stranger.get_by_text("This link was revoked on")).to_be_visible()
    again = people("anna")
    again.goto(audit)
    expect(again.get_by_text(re.compile("verdict|tolerate|Audit", re.IGNORECASE)).first).to_be_visible()
    expect(again.get_by_text("There is no audit")).to_have_count(0)
