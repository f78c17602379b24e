"""The report in a browser: its charts are drawn, and a script that somebody slipped in does not run."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from core.report.html import render
from core.report.signature import SignedBy
from core.report.statement import Statement
from tests.builders import make_result, make_study
from tests.dashboard.results_made import several

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
    page.evaluate("document.querySelectorAll('details').forEach(function (one) { one.open = true; })")
    plots = page.locator(".plot")
    for place in range(plots.count()):
        plots.nth(place).locator(".main-svg").first.wait_for(timeout=30_000)
    page.locator("#link").click()
    assert plots.count() > 3
    assert page.evaluate("window.ran") is None
    assert not errors
    page.close()


def test_charts_and_tables_are_saved_alone_and_no_spreadsheet_obeys_them(browser: Browser, tmp_path: Path) -> None:
    report = tmp_path / "report.html"
    signed = SignedBy('=HYPERLINK("http://x")', 1.79e9, verified=False, took_part=False, alone=False)
    text = render(make_study(), (make_result(),), Statement(), signature=signed)
    report.write_text(text, encoding="utf-8")
    page = browser.new_page(accept_downloads=True)
    page.goto(report.as_uri())
    page.evaluate("document.querySelectorAll('details').forEach(function (one) { one.open = true; })")
    saved = {}
    for kind in ("PNG", "SVG", "CSV"):
        with page.expect_download() as caught:
            page.get_by_role("button", name=f"Save as {kind}").last.click()
        saved[kind] = (caught.value.suggested_filename, caught.value.path().read_bytes())
    assert saved["PNG"][1].startswith(b"\x89PNG")
    assert saved["SVG"][1].startswith(b"<svg")
    with page.expect_download() as caught:
        page.locator(".save:below(table.signatures)").get_by_text("Save as CSV").first.click()
    table = caught.value.path().read_text(encoding="utf-8-sig")
    assert '"\'=HYPERLINK(""http://x"")"' in table
    assert table.startswith('"Name","Role","Signed","Record that was signed (SHA-256)"')
    assert all(name.startswith("individual-fairness-of-baseline") for name, _ in saved.values())
    page.close()


def test_on_a_telephone_the_first_table_fits_and_pictures_can_be_read(browser: Browser, tmp_path: Path) -> None:
    report = tmp_path / "report.html"
    report.write_text(render(*several()), encoding="utf-8")
    page = browser.new_page(viewport={"width": 390, "height": 844})
    page.goto(report.as_uri())
    wide = "one => one.scrollWidth - one.clientWidth"
    assert page.locator(".scroll:has(table.box)").first.evaluate(wide) <= 1
    words = page.locator("svg.spans text").first.evaluate("one => one.getBoundingClientRect().height")
    assert words >= 9
    assert page.locator("html").evaluate(wide) == 0
    page.close()
