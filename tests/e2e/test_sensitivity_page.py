"""What only a browser can show of a text audit's page: numbers where one points, a refresh, a telephone's width."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from dashboard.views.results.widgets import widget_key
from tests.dashboard.results_made import sensitivity
from tests.e2e.steps import settle

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def telephone(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 390, "height": 1600})
    context.set_default_timeout(90_000)
    yield context.new_page()
    context.close()


def open_text(page: Page, finished: str, shape: str) -> None:
    plan = sensitivity(attributes=2, hostile=shape == "hostile")[0]
    page.goto(f"{finished}&shape={shape}&{widget_key('view', plan)}=Read")
    expect(page.locator(".ev-w").first).to_be_visible(timeout=90_000)
    settle(page)


def test_pointing_at_a_word_tells_its_numbers_nothing_is_wider_than_a_telephone_and_hostile_texts_run_nothing(
    telephone: Page, finished: str
) -> None:
    asked: list[str] = []
    telephone.on("dialog", lambda dialog: (asked.append(dialog.message), dialog.dismiss()))
    open_text(telephone, finished, "hostile")
    word = telephone.locator(".ev-w.ev-listed").first
    told = "none"
    for _ in range(20):  # the page may still move below the pointer
        word.hover()
        told = word.evaluate("word => getComputedStyle(word, '::after').content")
        if told != "none":
            break
        telephone.wait_for_timeout(250)
    assert word.inner_text() in told
    assert "of the audited model's sensitivity" in told
    assert "names a group" in told
    assert telephone.evaluate("document.documentElement.scrollWidth") <= 390
    for _ in range(4):
        telephone.get_by_role("button", name="Next").click()
        settle(telephone)
    assert not asked
    assert telephone.locator(".ev-text script, .ev-text img, .ev-text b, .ev-other script, .ev-other b").count() == 0


@pytest.mark.long
def test_the_text_read_survives_a_refresh(telephone: Page, finished: str) -> None:
    open_text(telephone, finished, "usual")
    telephone.get_by_role("button", name="Next").click()
    settle(telephone)
    text = telephone.locator(".ev-words").inner_text()
    telephone.reload()
    expect(telephone.locator(".ev-words")).to_have_text(text, timeout=90_000)
