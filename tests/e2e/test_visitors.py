"""Two browsers at one dashboard: each lists its own audits, and an address opens an audit for whoever has it."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.e2e.conftest import Example
from tests.e2e.steps import by_key

pytestmark = pytest.mark.browser
ADDRESS = re.compile(r"/audit\?audit=[0-9a-f]{16}")


@pytest.fixture
def two(browser: Browser) -> Iterator[tuple[BrowserContext, BrowserContext]]:
    expect.set_options(timeout=30_000)
    contexts = browser.new_context(), browser.new_context()
    yield contexts
    for context in contexts:
        context.close()


def listed(page: Page, server: str) -> int:
    """How many recent audits the first page lists."""
    page.goto(server)
    expect(page.get_by_role("button", name="Run this example").first).to_be_visible()
    page.wait_for_timeout(500)
    return page.locator("[class*='st-key-recent_']").count()


@pytest.mark.long
def test_two_browsers_do_not_see_each_other_s_audits(two: tuple[BrowserContext, BrowserContext], server: str) -> None:
    mine, theirs = (context.new_page() for context in two)
    assert listed(mine, server) == listed(theirs, server) == 0
    mine.get_by_role("button", name="Run this example").first.click()
    expect(mine).to_have_url(ADDRESS)
    address = mine.url
    mine.go_back()
    expect(mine.get_by_text("Audits of this browser.")).to_be_visible()
    mine.reload()
    expect(mine.get_by_text("Audits of this browser.")).to_be_visible()
    assert listed(two[0].new_page(), server) == 1
    assert listed(theirs, server) == 0
    theirs.goto(address)
    expect(theirs.get_by_text(re.compile("Audit|verdict|tolerate", re.IGNORECASE)).first).to_be_visible()
    expect(theirs.get_by_text("There is no audit")).to_have_count(0)


def test_a_browser_that_comes_by_a_link_of_another_site_stays_the_same_visitor(example: Example, server: str) -> None:
    page = example.page
    page.route("http://elsewhere.example/", lambda route: route.fulfill(body=f"<a href='{server}'>Evenhand</a>"))
    page.goto("http://elsewhere.example/")
    page.get_by_role("link").click()
    expect(page.get_by_text("Audits of this browser.")).to_be_visible()


@pytest.mark.long
def test_what_one_browser_chose_is_a_copy_in_another(two: tuple[BrowserContext, BrowserContext], server: str) -> None:
    mine, theirs = (context.new_page() for context in two)
    mine.goto(server)
    mine.get_by_role("button", name="Start an audit").click()
    expect(mine).to_have_url(re.compile(r"/data\?draft=[0-9a-f]{16}"))
    theirs.goto(mine.url)
    expect(theirs.get_by_text("You work on a copy of your own")).to_be_visible()
    expect(theirs).not_to_have_url(mine.url)
    mine.reload()
    expect(mine.get_by_text("Data and roles").first).to_be_visible()
    expect(mine.get_by_text("copy of your own")).to_have_count(0)


@pytest.mark.long
def test_only_who_ran_an_audit_stops_and_deletes_it(two: tuple[BrowserContext, BrowserContext], server: str) -> None:
    """The other one reads it by its address as long as it is there; looking at it puts it into no list."""
    mine, theirs = (context.new_page() for context in two)
    mine.goto(server)
    by_key(mine, "example_hiring-predictions").get_by_role("button").click()  # no other test here runs this one
    expect(mine).to_have_url(ADDRESS)
    theirs.goto(mine.url)
    expect(mine.get_by_role("button", name="Delete this audit")).to_be_visible(timeout=90_000)
    expect(theirs.get_by_role("button", name="Change the settings").first).to_be_visible(timeout=90_000)
    expect(theirs.get_by_role("button", name="Delete this audit")).to_have_count(0)
    assert listed(two[1].new_page(), server) == 0
    mine.get_by_role("button", name="Delete this audit").click()
    expect(mine.get_by_role("button", name="Delete for good")).to_be_in_viewport(ratio=1)
    mine.get_by_role("button", name="Keep it").click()
    expect(mine.get_by_role("button", name="Delete for good")).to_have_count(0)
    mine.get_by_role("button", name="Delete this audit").click()
    expect(mine.get_by_text("Another browser asked for")).to_have_count(0)
    mine.get_by_role("button", name="Delete for good").click()
    expect(mine.get_by_text(re.compile("^Deleted the audit"))).to_be_visible()
    theirs.reload()
    expect(theirs.get_by_text("There is no audit of this name on this machine.")).to_be_visible()
