"""Fairer models in a real browser: fitted to an upload, audited, taken away, brought back, with the same numbers."""

import json
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from core.base.files import FileStore
from core.sources.simulated.hiring import Hiring
from tests.e2e.conftest import FIRST_PAGE
from tests.e2e.steps import SLOW, by_key, download, next_step, run_audit, select, settle, start, upload

pytestmark = [pytest.mark.browser, pytest.mark.long]

ROWS = 1_500


@pytest.fixture
def fitted(page: Page, server: str, tmp_path: Path) -> Page:
    """The page of a finished comparison of SenSR and smoothing: five models with the baseline."""
    table = tmp_path / "applicants.csv"
    Hiring(rows=ROWS, part="all").load(FileStore()).to_csv(table, index=False)
    page.goto(f"{server}/fairer", timeout=FIRST_PAGE)
    expect(by_key(page, "data.file").locator("input[type=file]")).to_be_attached(timeout=SLOW)
    settle(page)
    upload(page, "data.file", table)
    box = by_key(page, "fairer.method.SenSR")
    expect(box).to_be_visible(timeout=SLOW)
    for method in ("SenSR", "smoothing", "fair dummies"):
        by_key(page, f"fairer.method.{method}".replace(" ", "-")).locator("label").click()
        settle(page)
    page.get_by_text("Every setting of the method, the parts of the rows and the test").click()
    settle(page)
    steps = page.get_by_role("spinbutton", name="Training steps")
    steps.fill("200")
    steps.press("Enter")
    settle(page)
    strengths = page.get_by_role("textbox", name="Strengths")
    strengths.fill("0.3, 0.5")
    strengths.press("Enter")
    settle(page)
    run = by_key(page, "fairer_run").get_by_role("button")
    expect(run).to_be_enabled(timeout=SLOW)
    run.click()
    expect(page.get_by_role("tab", name="Models")).to_be_visible(timeout=5 * SLOW)
    page.get_by_role("tab", name="Models").click()
    settle(page)
    return page


def taken(page: Page, key: str, folder: Path) -> Path:
    """A file behind a button."""
    with page.expect_download() as caught:
        by_key(page, key).get_by_role("button").click()
    path = folder / caught.value.suggested_filename
    caught.value.save_as(path)
    return path


def recorded(page: Page, folder: Path, name: str, *, error_rate: str = "") -> dict[str, object]:
    """The numbers of the tests of an audit, run from the step of the tests on, by their kind."""
    next_step(page, "Similar people")
    next_step(page, "Review and run")
    if error_rate:
        asked = page.get_by_role("spinbutton", name="Risk of a wrong verdict").first
        asked.fill(error_rate)
        asked.press("Enter")
        settle(page)
    run_audit(page)
    expect(page.get_by_role("tab", name="Record")).to_be_visible(timeout=3 * SLOW)
    download(page, "Record (JSON)").save_as(folder / name)
    record = json.loads((folder / name).read_text())
    return {test["plan"]["audit"]["kind"]: test["numbers"] for test in record["tests"]}


@pytest.mark.parametrize("model", ["SenSR (λ = 0.5)", "Smoothing (λ = 0.5)"])
def test_a_fitted_model_is_audited_and_again_after_it_was_taken_away(
    fitted: Page, server: str, tmp_path: Path, model: str
) -> None:
    page = fitted
    select(page, "Model", model)
    file = taken(page, "fairer_file", tmp_path)
    rows = taken(page, "fairer_rows", tmp_path)
    by_key(page, "fairer_audit").get_by_role("button").click()
    expect(page.get_by_role("heading", name="Tests")).to_be_visible(timeout=SLOW)
    settle(page)
    expect(by_key(page, "test_equalized_odds")).to_be_visible(timeout=SLOW)
    columns = by_key(page, "test_column_sensitivity")
    if columns.is_visible() and columns.get_by_role("checkbox").first.is_checked():
        columns.locator("label").first.click()
        settle(page)
    first = recorded(page, tmp_path, "first.json")
    record = json.loads((tmp_path / "first.json").read_text())
    assert {test["plan"]["decision"]["alpha"] for test in record["tests"]} == {0.05 / 5}
    with_file = file.suffix == ".safetensors"
    assert set(first) == {"transport", "equalized_odds", "group_fairness", *(["gradient_flow"] if with_file else [])}

    page.goto(server, timeout=FIRST_PAGE)
    settle(page)
    start(page)
    upload(page, "data.file", rows if with_file else file)
    next_step(page, "Model or predictions")
    if with_file:
        upload(page, "model.file", file)
        expect(by_key(page, "inspection")).to_be_visible(timeout=SLOW)
    next_step(page, "Tests")
    for kind in first:
        ticked = by_key(page, f"test_{kind}").get_by_role("checkbox").first
        if not ticked.is_checked():
            by_key(page, f"test_{kind}").locator("label").first.click()
            settle(page)
    again = recorded(page, tmp_path, "again.json", error_rate="0.01")
    assert {kind: again[kind] for kind in first} == first
