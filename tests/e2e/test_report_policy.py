"""The report in a browser: its charts are drawn, and a script that somebody slipped in does not run."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from core.report.html import render
from tests.builders import make_result, make_study

pytestmark = pytest.mark.browser

SLIPPED_IN = (
    "<script>window.ran = 'inline'</script><img src=x onerror=\"window.ran = 'handler'\">"
    "<svg onload=\"window.ran = 'svg'\"></svg><a id=link href=\"javascript:window.ran = 'link'\">link</a>"
)


def test_charts_are_drawn_and_scripts_that_were_slipped_in_do_not_run(browser: Browser, tmp_path: Path) -> None:
    report = tmp_path / "report.html"
    text = render(make_study(hostile=True), (make_result(hostile=True),))
    report.write_text(text.replace("<main>", f"<main>{SLIPPED_IN}"), encoding="utf-8")
    page = browser.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(report.as_uri())
    plots = page.locator(".plot")
    for place in range(plots.count()):
        plots.nth(place).locator(".main-svg").first.wait_for(timeout=30_000)
    page.locator("#link").click()
    assert plots.count() > 3
    assert page.evaluate("window.ran") is None
    assert not errors
    page.close()
