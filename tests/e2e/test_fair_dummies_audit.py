"""Audits of numbers and of four classes in a real browser: from an upload to report, record and command line.

Their steps are walked by default without a browser in ``tests/dashboard/audits/equalized_odds``.
"""

import json
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.builders_fair_dummies import Case, make_people
from tests.e2e.steps import (
    SLOW,
    download,
    expect_verdict,
    next_step,
    open_tabs,
    run_audit,
    select,
    settle,
    start,
    upload,
    verdict_of,
)
from tests.e2e.test_audit import repeat

pytestmark = [pytest.mark.browser, pytest.mark.long]


def uploaded(page: Page, folder: Path, case: Case, rows: int) -> Path:
    """The first step, with a table of simulated people and a model's answers."""
    table = folder / "people.csv"
    make_people(case, rows=rows).frame.to_csv(table, index=False)
    start(page)
    upload(page, "data.file", table)
    return table


def expect_report(page: Page, folder: Path, *told: str) -> None:
    """The downloaded report, opened without a server, says and draws what the page says."""
    sentence = verdict_of(page)
    file = folder / "audit.html"
    download(page, "Report (HTML)").save_as(file)
    report = page.context.new_page()
    report.goto(file.as_uri())
    expect(report.get_by_text(sentence).first).to_be_visible()
    report.evaluate("document.querySelectorAll('details').forEach(part => { part.open = true; })")
    expect(report.get_by_role("table").filter(has_text="Impact ratio of").first).to_be_visible()
    null = report.locator("[data-figure$='fair-dummies-null']")
    null.scroll_into_view_if_needed()
    expect(null.locator(".bars .point").first).to_be_visible()
    for words in told:
        expect(report.get_by_text(words).first).to_be_attached()
    report.close()


def expect_record(page: Page, folder: Path) -> Path:
    """The downloaded record of an equalized odds test that found a violation, and of groups beside it."""
    file = folder / "audit.json"
    download(page, "Record (JSON)").save_as(file)
    test, groups = json.loads(file.read_text())["tests"]
    assert [one["plan"]["audit"]["kind"] for one in (test, groups)] == ["equalized_odds", "group_fairness"]
    assert test["numbers"]["verdict"] == "VIOLATION"
    raw, adjusted = test["numbers"]["p_value"], test["adjusted_p_value"]
    assert raw <= adjusted <= min(2 * raw, 0.05)
    return file


def open_test_tabs(page: Page) -> None:
    """Every tab of both tests."""
    ways = ("Several attributes", "Alike in a column", "All measures", "Coverage", "Groups")
    open_tabs(page, "Group fairness test", *ways)
    open_tabs(page, "Equalized odds test", "Answers", "Robustness", "Overview")


def test_a_table_of_numbers_with_predictions_goes_from_upload_to_report(page: Page, tmp_path: Path) -> None:
    """A reviewer presses Next throughout; the command line repeats the record to the last digit.

    By default the same way is gone without a browser (tests/dashboard/audits/equalized_odds).
    """
    table = uploaded(page, tmp_path, "numbers", rows=600)
    expect(page.get_by_text("The model estimates a number")).to_be_visible(timeout=SLOW)
    select(page, "Which end of outcome is good for the person?", "high numbers")
    next_step(page, "Model or predictions")
    next_step(page, "Tests")
    next_step(page, "Question and groups")
    expect(page.get_by_text("people whose care really cost the same")).to_be_visible()
    next_step(page, "Review and run")
    run_audit(page)
    expect_verdict(page, "Violation found")
    open_test_tabs(page)
    expect_report(page, tmp_path, "people with the same outcome", "Mean absolute error")
    record = expect_record(page, tmp_path)
    repeated = repeat(record, table, tmp_path / "again", "--fail-on", "violation")
    assert repeated.status == 3, repeated.err
    assert "the same as in the record, to the last digit" in repeated.out
    first, second = (json.loads(path.read_text()) for path in (record, tmp_path / "again" / "record.json"))
    assert [test["numbers"] for test in first["tests"]] == [test["numbers"] for test in second["tests"]]


def test_a_table_of_four_classes_goes_from_upload_to_report(page: Page, tmp_path: Path) -> None:
    """The four columns of probabilities are taken together by their names; the transport test is left out."""
    uploaded(page, tmp_path, "four classes", rows=600)
    select(page, "Favourable value", "admit")
    next_step(page, "Model or predictions")
    expect(page.get_by_text("predicted waiting list").first).to_be_visible()
    next_step(page, "Tests")
    page.locator("label", has=page.get_by_role("checkbox")).filter(has_text="Transport test").click()
    settle(page)
    next_step(page, "Question and groups")
    next_step(page, "Review and run")
    run_audit(page)
    expect_verdict(page, "Violation found")
    open_test_tabs(page)
    expect_report(page, tmp_path, "Decided: waiting list", "screening ratio")
    expect_record(page, tmp_path)
