"""A person and a possible twin on the page, and the model asked about the person as somebody changes them."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.steps import by_key, expect_verdict, settle

pytestmark = pytest.mark.browser


def test_a_pair_is_believable_and_a_change_of_it_is_answered_at_once(page: Page) -> None:
    by_key(page, "example_hiring-baseline").get_by_role("button").click()
    expect_verdict(page, "Violation found")
    settle(page)
    page.get_by_role("tab", name="Who", exact=True).click()
    settle(page)
    pair = page.get_by_role("table").filter(has_text="Possible twin").last
    told = pair.inner_text()
    assert "Nearest real person (record " in told
    assert "of the way" not in told
    for name in ("languages", "career gap (months)", "commute (km)"):
        if found := re.search(rf"^{re.escape(name)}\t(.*)$", told, re.MULTILINE):
            assert "." not in found[1]
    page.get_by_text("Change this person and ask the model").click()
    changed = page.get_by_role("table").filter(has_text="As changed")
    expect(changed).to_be_visible()
    settle(page)
    before, answer = page.url, changed.inner_text()
    values = page.locator("[class*='-values']").get_by_role("spinbutton").first
    values.fill("1")
    values.press("Enter")
    expect(changed).not_to_have_text(answer, use_inner_text=True)
    expect(page.get_by_text(re.compile(r"The model's error is .+ times as large"))).to_be_visible()
    expect(page.get_by_text(re.compile("Fair distance between the two"))).to_be_visible()
    assert page.url == before
