"""Audits of numbers and of four classes in a real browser: from an upload to report, record and command line."""

import json
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.builders_fair_dummies import Case, make_people
from tests.e2e.steps import download, expect_verdict, next_step, run_audit, select, settle, start, upload
from tests.e2e.test_audit import repeat

pytestmark = pytest.mark.browser


def uploaded(page: Page, folder: Path, case: Case) -> Path:
    """The first step, with a table of simulated people and a model's answers."""
    table = folder / "people.csv"
    make_people(case, rows=1_200).frame.to_csv(table, index=False)
    start(page)
    upload(page, "data.file", table)
    return table


def expect_report_and_record_that_repeats(page: Page, table: Path, folder: Path, *told: str) -> None:
    """Report and record are downloaded; the command line finds the same numbers, to the last digit."""
    download(page, "Report (HTML)").save_as(folder / "audit.html")
    report = (folder / "audit.html").read_text()
    for part in ("Violation found", "fair-dummies", *told):
        assert part in report
    download(page, "Record (JSON)").save_as(folder / "audit.json")
    repeated = repeat(folder / "audit.json", table, folder / "again", "--fail-on", "violation")
    assert repeated.returncode == 3, repeated.stderr
    assert "the same as in the record, to the last digit" in repeated.stdout
    first, second = (json.loads(path.read_text()) for path in (folder / "audit.json", folder / "again/record.json"))
    assert [test["numbers"] for test in first["tests"]] == [test["numbers"] for test in second["tests"]]


def test_a_table_of_numbers_with_predictions_goes_from_upload_to_report(page: Page, tmp_path: Path) -> None:
    """A reviewer presses Next throughout: the outcome is seen to be a number, and one test is for it."""
    table = uploaded(page, tmp_path, "numbers")
    expect(page.get_by_text("The model estimates a number")).to_be_visible()
    next_step(page, "Model or predictions")
    next_step(page, "Tests")
    next_step(page, "Question and groups")
    expect(page.get_by_text("people whose care really cost the same")).to_be_visible()
    next_step(page, "Review and run")
    run_audit(page)
    expect_verdict(page, "Violation found")
    for tab in ("Answers", "Groups", "Coverage"):
        page.get_by_role("tab", name=tab, exact=True).click()
        settle(page)
        expect(page.locator(".js-plotly-plot:visible .main-svg").first).to_be_visible()
    expect_report_and_record_that_repeats(page, table, tmp_path, "people with the same outcome", "sex")


def test_a_table_of_four_classes_goes_from_upload_to_report(page: Page, tmp_path: Path) -> None:
    """The four columns of probabilities are taken together by their names; the transport test is left out."""
    table = uploaded(page, tmp_path, "four classes")
    select(page, "Favourable value", "admit")
    next_step(page, "Model or predictions")
    expect(page.get_by_text("predicted waiting list").first).to_be_visible()
    next_step(page, "Tests")
    for title in ("Transport test", "Equalized odds"):
        page.locator("label", has=page.get_by_role("checkbox")).filter(has_text=title).click()
        settle(page)
    next_step(page, "Question and groups")
    next_step(page, "Review and run")
    run_audit(page)
    expect_verdict(page, "Violation found")
    page.get_by_role("tab", name="Subgroups", exact=True).click()
    settle(page)
    expect(page.get_by_text("any certificate is wrong with a probability of at most")).to_be_visible()
    expect_report_and_record_that_repeats(page, table, tmp_path, "waiting list", "screening ratio")
