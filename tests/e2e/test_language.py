"""A page speaks the first of the browser's languages that it has, until its reader chooses another."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.steps import SLOW, select

pytestmark = [pytest.mark.browser, pytest.mark.long]
GERMAN, ENGLISH = "Behandelt Ihr Modell ähnliche Personen ähnlich?", "Does your model treat similar people similarly?"


@pytest.fixture
def german(browser: Browser) -> Iterator[Page]:
    expect.set_options(timeout=SLOW)
    context = browser.new_context(locale="de-AT")
    yield context.new_page()
    context.close()


def test_a_german_browser_is_spoken_to_in_german_until_english_is_chosen(german: Page, server: str) -> None:
    german.goto(server)
    expect(german.get_by_role("heading", name=GERMAN)).to_be_visible()
    select(german, "Language / Sprache", "English")
    expect(german.get_by_role("heading", name=ENGLISH)).to_be_visible()
    german.get_by_role("link", name="Glossary").click()
    expect(german.get_by_role("heading", name="Glossary")).to_be_visible()
    german.reload()
    expect(german.get_by_role("heading", name="Glossary")).to_be_visible()


def test_on_a_telephone_the_german_first_page_is_hardly_longer_than_the_english_one(
    browser: Browser, server: str
) -> None:
    heights = {}
    for locale, heading in (("de-AT", GERMAN), ("en-GB", ENGLISH)):
        context = browser.new_context(locale=locale, viewport={"width": 390, "height": 844})
        page = context.new_page()
        page.goto(server)
        expect(page.get_by_role("heading", name=heading)).to_be_visible(timeout=SLOW)
        last = page.locator("[class*=st-key-example_]").last
        expect(last).to_be_attached(timeout=SLOW)
        heights[locale] = page.locator(".stMainBlockContainer").evaluate("one => one.scrollHeight")
        context.close()
    assert heights["de-AT"] <= 1.05 * heights["en-GB"]
