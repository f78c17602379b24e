"""The slides in a browser: keys, sizes, nothing cut, nothing asked of a network, and tolerances from the floor."""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from core.slides.deck import build
from core.slides.html import render
from core.slides.live import live
from tests.core.slides.made import KINDS, audit, fairer, hostile, together

pytestmark = pytest.mark.browser

LOOKED_AT = """() => {
  const page = document.querySelector(".slide.current .page"), foot = page.querySelector("footer");
  const seen = [...page.querySelectorAll("*")].filter(one => one.getBoundingClientRect().height);
  const written = seen.filter(one => [...one.childNodes].some(node => node.nodeType === 3 && node.data.trim()));
  return {
    sizes: written.map(one => parseFloat(getComputedStyle(one).fontSize) * (one.ownerSVGElement ? one.getScreenCTM().a : 1)),
    cut: seen.filter(one => !foot.contains(one)).filter(one => {
      const box = one.getBoundingClientRect();
      return box.bottom > foot.getBoundingClientRect().top + 1 || box.right > 1281 || box.left < -1;
    }).map(one => one.outerHTML.slice(0, 200)),
  };
}"""  # noqa: E501
SMALLER = 0.97
"""How much smaller a chart may be drawn that would reach into the foot."""


def test_slides_are_turned_read_from_afar_and_asked_about(browser: Browser, tmp_path: Path) -> None:
    page = browser.new_page(viewport={"width": 1280, "height": 720})
    asked: list[str] = []
    errors: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: errors.append(str(error)))
    decks: dict[str, Any] = {kind: build(audit(kind)[0], together(kind)) for kind in KINDS}
    decks["hostile"] = hostile()
    decks["fairer"] = fairer()
    for name, deck in decks.items():
        file = tmp_path / f"{name}.html"
        tests = live(audit(name)[0], together(name)) if name == "transport" else ()
        file.write_text(render(deck, tests), encoding="utf-8")
        page.goto(file.as_uri())
        for slide in deck.slides:
            seen = page.evaluate(LOOKED_AT)
            assert page.locator(".slide.current").get_attribute("id") == slide.key
            smallest = SMALLER * 24 if slide.picture else 24
            assert min(seen["sizes"]) >= smallest - 0.01, (name, slide.key)
            assert seen["cut"] == [], (name, slide.key)
            page.keyboard.press("ArrowRight")
        if tests:
            _ask_from_the_floor(page, tests[0])
    assert asked == [(tmp_path / f"{name}.html").as_uri() for name in decks]
    assert errors == []
    page.close()


def test_on_a_telephone_slides_are_read_without_glasses_and_notes_wait_to_be_asked_for(
    browser: Browser, tmp_path: Path
) -> None:
    file = tmp_path / "slides.html"
    study, found = audit("transport")[0], together("transport")
    file.write_text(render(build(study, found), live(study, found)), encoding="utf-8")
    page = browser.new_page(viewport={"width": 390, "height": 844})
    page.goto(file.as_uri())
    for slide in build(study, found).slides:
        assert min(page.evaluate(LOOKED_AT)["sizes"]) >= 14, slide.key
        assert page.evaluate("document.documentElement.scrollWidth") == 390, slide.key
        assert page.locator(".notes.current").is_hidden(), slide.key
        foot, bar = (page.locator(one).bounding_box() for one in (".slide.current footer", "nav"))
        assert foot is not None
        assert bar is not None
        assert foot["y"] + foot["height"] <= bar["y"], slide.key
        page.keyboard.press("ArrowRight")
    page.close()


def test_the_bar_of_buttons_lies_over_no_words(browser: Browser, tmp_path: Path) -> None:
    file = tmp_path / "slides.html"
    file.write_text(render(build(audit("transport")[0], together("transport")), ()), encoding="utf-8")
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    page.goto(file.as_uri())
    foot = page.locator(".slide.current footer")
    assert foot.is_visible()
    page.mouse.move(9, 9)
    assert foot.is_hidden(), "the bar says the place"
    page.close()


def _ask_from_the_floor(page: Any, test: Any) -> None:
    page.keyboard.press("Home")
    page.keyboard.press("t")
    for place in (0, len(test.asked) - 1):
        page.locator(".floor input").evaluate(
            "(one, place) => { one.value = place; one.dispatchEvent(new Event('input')); }", place
        )
        deck = test.asked[place].deck
        assert page.locator(".floor output").text_content() == test.asked[place].told
        assert page.locator(".slide.current .message").text_content() == deck.slides[0].message
        assert "in the audit 3.65 percentage points" in page.locator(".slide.current .asked").text_content()
    page.get_by_role("button", name="Next").click()
    page.keyboard.press("ArrowLeft")
    page.get_by_role("button", name="The audit's own").click()
    assert page.locator(".slide.current .asked").count() == 0
    page.keyboard.press("Escape")
    page.keyboard.press("n")
    assert page.locator(".notes.current").is_visible()
    page.keyboard.press("Escape")
    assert page.locator(".floor, .notes.current").first.is_hidden()
