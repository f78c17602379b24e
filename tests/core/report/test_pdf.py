"""PDF by a Chromium that is bounded, alone and offline; a sentence where there is none or it fails."""

import io
import os
import time
from pathlib import Path

import plotly.graph_objects as go
import pytest

from core.base.errors import SettingsError
from core.base.tables import Table
from core.figures.chart import Chart, Drawing
from core.report import pdf
from core.report.html import ReportFigure, environment

PAGE = "<!doctype html><html lang='en'><head><title>T</title></head><body><h1>One</h1><h2>Two</h2></body></html>"


def browser(monkeypatch: pytest.MonkeyPatch, folder: Path, does: str) -> None:
    """A program in the browser's place; ``$target`` is where it is to write."""
    program = folder / "chromium"
    program.write_text(
        f'#!/bin/sh\nfor one in "$@"; do case $one in --print-to-pdf=*) target=${{one#*=}};; esac; done\n{does}\n'
    )
    program.chmod(0o700)
    monkeypatch.setattr(pdf, "chromium", lambda: str(program))


def test_without_a_browser_it_is_said_how_to_print(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pdf, "chromium", lambda: None)
    with pytest.raises(SettingsError, match="no Chromium") as caught:
        pdf.to_pdf(PAGE)
    assert "print it" in caught.value.advice


def test_a_browser_that_writes_nothing_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    browser(monkeypatch, tmp_path, "exit 3")
    with pytest.raises(SettingsError, match="could not write"):
        pdf.to_pdf(PAGE)


def test_a_browser_that_hangs_is_ended_with_its_children(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    browser(monkeypatch, tmp_path, f"sleep 50 & echo $! > {tmp_path}/child; wait")
    monkeypatch.setattr(pdf, "SECONDS", 0.5)
    with pytest.raises(SettingsError, match="not done with the PDF") as caught:
        pdf.to_pdf(PAGE)
    assert caught.value.advice.startswith("Try again when the machine has less to do. Save the report (HTML)")
    child = Path(f"/proc/{(tmp_path / 'child').read_text().strip()}/stat")
    for _ in range(100):
        if not child.exists() or child.read_text().split()[2] == "Z":
            break
        time.sleep(0.05)
    assert not child.exists() or child.read_text().split()[2] == "Z"


def test_the_browser_sees_nothing_of_ours_and_leaves_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("EVENHAND_SECRET", "hidden")
    browser(monkeypatch, tmp_path, f'env > {tmp_path}/env; pwd > {tmp_path}/home; echo "$@" > $target')
    told = pdf.to_pdf(PAGE, "Letter").decode()
    assert "EVENHAND" not in (tmp_path / "env").read_text()
    assert "--host-resolver-rules=MAP * ~NOTFOUND" in told
    home = (tmp_path / "home").read_text().strip()
    assert f"--user-data-dir={home}/profile" in told
    assert not os.path.exists(home)


@pytest.mark.browser
@pytest.mark.parametrize(("paper", "width"), [("A4", 595), ("Letter", 612)])
def test_a_page_is_printed_with_tags_and_an_outline(paper: str, width: int) -> None:
    import pypdf

    if pdf.chromium() is None:
        pytest.skip("No Chromium on the PATH.")
    printed = pdf.to_pdf(PAGE, paper)  # type: ignore[arg-type]
    time.sleep(1.1)
    assert pdf.to_pdf(PAGE, paper) == printed, "whenever it is printed"  # type: ignore[arg-type]
    read = pypdf.PdfReader(io.BytesIO(printed))
    assert round(read.pages[0].mediabox.width) == width
    assert read.trailer["/Root"]["/MarkInfo"]["/Marked"]
    assert read.outline[0].title == "One"


@pytest.mark.long
@pytest.mark.browser
def test_a_chart_taller_than_a_page_is_printed_on_one() -> None:
    import pypdf

    if pdf.chromium() is None:
        pytest.skip("No Chromium on the PATH.")
    drawing = Drawing(go.Figure(layout={"height": 2400}), "Tall.")
    figure = ReportFigure("test", "tall", Chart("Tall", "All of it.", lambda: drawing), drawing)
    page = environment().from_string(
        '{% extends "base.html" %}{% import "parts.html" as parts %}'
        "{% block main %}<p>Before.</p>{{ parts.figure(figure) }}{% endblock %}"
    )
    read = pypdf.PdfReader(io.BytesIO(pdf.to_pdf(page.render(figure=figure), "Letter")))
    assert len(read.pages) <= 2


@pytest.mark.long
@pytest.mark.browser
def test_a_table_of_200_groups_is_printed_whole_under_headings_that_repeat() -> None:
    import pypdf

    if pdf.chromium() is None:
        pytest.skip("No Chromium on the PATH.")
    header = ("Group", *(f"Decided: {'x' * 40} {j}" for j in range(8)), "Remark")
    rows = tuple((f"race = {'y' * (i % 60)} نص {i}", *["10.5 (1.2 to 30.4)"] * 8, f"END{i};") for i in range(200))
    page = environment().from_string(
        '{% extends "base.html" %}{% import "parts.html" as parts %}'
        "{% block main %}{{ parts.table(table) }}{% endblock %}"
    )
    read = pypdf.PdfReader(io.BytesIO(pdf.to_pdf(page.render(table=Table("Rates", header, rows)))))
    texts = ["".join(one.extract_text().split()) for one in read.pages]
    assert all(f"END{i};" in "".join(texts) for i in range(200))
    assert all("Remark" in text for text in texts)
