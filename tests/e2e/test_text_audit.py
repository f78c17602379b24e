"""A reviewer's way with a text classifier, in a real browser: table and models uploaded, report and record kept."""

import json
from pathlib import Path

import pandas as pd
import pytest
from playwright.sync_api import Page, expect

from core.base.files import FileStore
from core.sources.public.bios import Bios
from core.sources.simulated.biographies import Biographies
from core.text.swaps import exchange
from core.text.word_lists import WordList
from tests.command_line import command
from tests.e2e.steps import (
    SAMPLES,
    SLOW,
    by_key,
    choose,
    download,
    expect_verdict,
    next_step,
    run_audit,
    settle,
    start,
    upload,
)

pytestmark = [pytest.mark.browser, pytest.mark.long]  # by default the same steps are made without a browser

LONGEST = 900_000
"""Milliseconds that 1,278 texts may take with two models on a busy machine."""
AUDITED, SECOND, STATUS = (SAMPLES / f"bios_bert_{name}.zip" for name in ("biased", "balanced", "status"))


def bring(page: Page, question: str, key: str, file: Path) -> None:
    """Answer a question with a model of one's own and upload it."""
    choose(page, question, "Bring a model")
    page.locator(f"[class*=st-key-{key.replace('.', '-')}] input[type=file]").set_input_files(str(file), timeout=SLOW)
    settle(page)


def audit(page: Page, table: Path, tmp_path: Path) -> dict[str, float]:
    """From the first page to report and record; the numbers of the record."""
    start(page)
    upload(page, "data.file", table)
    next_step(page, "Model or predictions")
    upload(page, "model.file", AUDITED)
    expect(by_key(page, "inspection")).to_be_visible(timeout=SLOW)
    next_step(page, "Tests")
    next_step(page, "Similar people or words")
    bring(page, "Where does the model of the group come from?", "status.model.file", STATUS)
    bring(page, "Second model", "reference.model.file", SECOND)
    next_step(page, "Review and run")
    run_audit(page)
    expect(page.get_by_role("tab", name="Why")).to_be_visible(timeout=LONGEST)
    expect_verdict(page, "Violation found")
    page.get_by_role("tab", name="Read").click()
    settle(page)
    expect(page.get_by_text("Something went wrong")).to_have_count(0)

    download(page, "Report (HTML)").save_as(tmp_path / "audit.html")
    told = (tmp_path / "audit.html").read_text()
    assert "Violation found" in told
    some = pd.read_csv(table).iloc[:, 0].head(50)
    assert not any(text[:60] in told for text in some)
    download(page, "Record (JSON)").save_as(tmp_path / "audit.json")
    record = json.loads((tmp_path / "audit.json").read_text())
    numbers: dict[str, float] = record["tests"][0]["numbers"]
    return numbers


def test_a_text_classifier_goes_from_upload_to_report_and_the_command_line_repeats_it(
    page: Page, tmp_path: Path
) -> None:
    """The biased sample model leans more on a person's gender than the balanced one: the interval excludes zero."""
    table = tmp_path / "biographies.csv"
    Biographies(rows=120, bias=0.0, seed=3).load(FileStore()).head(60).to_csv(table, index=False)
    numbers = audit(page, table, tmp_path)
    assert numbers["claims"][0]["interval"]["value"]["low"] > 0
    files = [option for file in (AUDITED, SECOND, STATUS, table) for option in ("--file", file)]
    repeated = command("run", tmp_path / "audit.json", *files, "--out", tmp_path / "again", "--fail-on", "violation")
    assert repeated.status == 3, repeated.err
    assert "the same as in the record, to the last digit" in repeated.out


@pytest.mark.parametrize("exchanged", [False, True])
@pytest.mark.usefixtures("real_data")
def test_real_biographies_and_their_counterparts_go_from_upload_to_report(
    page: Page, tmp_path: Path, exchanged: bool
) -> None:
    """All 1,278 texts of Bias in Bios, as they are and with their gendered words exchanged."""
    table = tmp_path / "bios.csv"
    frame = Bios().load(FileStore())
    if exchanged:
        frame["hard_text"] = [exchange(text, WordList()).text for text in frame["hard_text"]]
        frame["gender"] = frame["gender"].map({"Male": "Female", "Female": "Male"})
    frame.to_csv(table, index=False)
    numbers = audit(page, table, tmp_path)
    assert numbers["claims"][0]["interval"]["value"]["low"] > 0
