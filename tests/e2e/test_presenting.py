"""A presenter goes from a result, and from the register, to slides, arranges them, and shows the saved file offline."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect
from pptx import Presentation

from tests.e2e.conftest import served
from tests.e2e.steps import SLOW, by_key, settle

pytestmark = [pytest.mark.browser, pytest.mark.long]


def test_from_a_result_to_slides_shown_offline(browser: Browser, tmp_path: Path) -> None:
    expect.set_options(timeout=SLOW)
    with served("dashboard/app.py", tmp_path) as server:
        page = browser.new_context(accept_downloads=True, viewport={"width": 1280, "height": 1000}).new_page()
        page.set_default_timeout(SLOW)
        page.goto(server)
        by_key(page, "example_hiring-predictions").get_by_role("button").click()
        page.get_by_role("slider", name="Tolerance").first.press("End")
        expect(page.get_by_text("A trial")).to_be_visible()
        settle(page)
        page.get_by_role("button", name="Read it as it was run").click()
        expect(page.get_by_text("A trial")).to_have_count(0)
        assert "delta" not in page.url
        page.get_by_role("tab").nth(1).click()
        settle(page)
        expect(page.get_by_text("A trial")).to_have_count(0)
        page.get_by_role("button", name="Present").click()
        slides = page.frame_locator("iframe")
        expect(slides.locator("#verdict.current .message")).to_contain_text("Violation found")
        expect(page).to_have_url(re.compile(r"slides\?audit=[0-9a-f]+$"))
        page.reload()
        slides.locator(".slide.current .page").click()
        page.keyboard.press("ArrowRight")
        expect(slides.locator("#question.current .message")).to_contain_text("?")
        page.keyboard.press("f")
        expect(slides.locator("html:fullscreen")).to_be_visible()
        page.keyboard.press("Escape")
        page.get_by_text("Order and captions").click()
        settle(page)
        page.get_by_label("Caption of slide 1").fill("What we found")
        by_key(page, "slide_up_proposal").get_by_role("button").click()
        settle(page)
        expect(slides.locator("#verdict.current h2")).to_have_text("What we found")
        files = {}
        for name in ("HTML", "PowerPoint"):
            with page.expect_download() as caught:
                page.get_by_role("button", name=f"Slides ({name})").click()
            files[name] = tmp_path / caught.value.suggested_filename
            caught.value.save_as(files[name])
        page.get_by_role("button", name="To the result").click()
        expect(page.get_by_role("heading", name="Result of the audit")).to_be_visible()
        page.goto(f"{server}/register")
        page.locator("[class*='st-key-open_']").get_by_role("button").first.click()
        by_key(page, "present").get_by_role("button").click()
        expect(slides.locator("#verdict.current .message")).to_contain_text("Violation found")
    shown = browser.new_context(offline=True).new_page()
    shown.goto(files["HTML"].as_uri())
    expect(shown.locator("#verdict.current h2")).to_have_text("What we found")
    deck = Presentation(str(files["PowerPoint"]))
    assert deck.slides[0].shapes.title.text == "What we found"
    assert files["HTML"].name.endswith("_slides.html")
