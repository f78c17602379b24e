"""The PowerPoint file opens, its charts are PowerPoint's own with the audit's numbers, and nothing is small."""

import datetime
import io
import zipfile
from typing import Any

import pytest
from pptx import Presentation
from pptx.oxml.ns import qn

from core.figures.series import Span, Spans
from core.figures.svg import plot
from core.language.reader import speaking
from core.report.statement import Statement
from core.slides.deck import Deck, Slide, build
from core.slides.powerpoint import write
from tests.core.slides.made import KINDS, audit, hostile, together

DAY = datetime.date(2026, 11, 23)


def slides_of(deck: Deck) -> list[Any]:
    return list(Presentation(io.BytesIO(write(deck))).slides)


@pytest.mark.parametrize("kind", KINDS)
def test_charts_can_be_edited_and_hold_the_numbers(kind: str) -> None:
    deck = build(audit(kind)[0], together(kind))
    pages = slides_of(deck)
    assert [page.shapes.title.text for page in pages] == [slide.caption for slide in deck.slides]
    assert [page.notes_slide.notes_text_frame.text for page in pages] == ["\n".join(one.notes) for one in deck.slides]
    (chart,) = [shape.chart for shape in pages[2].shapes if shape.has_chart]
    row = next(row for row in plot(deck.slides[2].picture).rows if not row.heads)
    drawn = [float(point.text) for point in chart.plots[0].series[0]._element.findall(".//c:xVal//c:v", _spaces())]
    assert drawn == pytest.approx([row.low, row.value, row.high])
    assert chart.part.chart_workbook.xlsx_part is not None
    assert any(shape.has_chart or shape.has_table for shape in pages[3].shapes) is (kind != "transport")


@pytest.mark.parametrize("goes_on", [(False, False), (True, False), (False, True), (True, True)])
def test_an_interval_that_goes_on_beyond_the_picture_ends_in_an_arrow(goes_on: tuple[bool, bool]) -> None:
    row = Span("women", "0.3", 0.3, 0.1, 0.5, goes_on=goes_on)
    picture = Spans((Span("men", "0.2", 0.2, 0.1, 0.3), row), "Share", (0.2,), "0.2", 0.0)
    (page,) = slides_of(Deck("System", "Source", (Slide("sure-1", "How sure?", picture=picture),)))
    arrows = [shape for shape in page.shapes if shape.name == "Goes on 2"]
    assert not [shape for shape in page.shapes if shape.name == "Goes on 1"]
    assert [shape.rotation for shape in arrows] == [turned for turned, on in ((270, 0), (90, 1)) if goes_on[on]]
    chart = next(shape for shape in page.shapes if shape.has_chart)
    shown = plot(picture)
    ends = [one for one, further in zip((row.low, row.high), goes_on, strict=True) if further]
    places = [chart.left + chart.width * (end - shown.low) / (shown.high - shown.low) for end in ends]
    for arrow, place in zip(arrows, places, strict=True):
        assert abs(arrow.left + arrow.width / 2 - place) == pytest.approx(arrow.height / 2, abs=2), "begins at the end"


def test_nothing_is_smaller_than_18_points_and_everything_stands_on_the_slide() -> None:
    deck = hostile()
    written = write(deck)
    with zipfile.ZipFile(io.BytesIO(written)) as archive:
        names = [one for one in archive.namelist() if one.startswith(("ppt/slides/slide", "ppt/charts/chart"))]
        texts = [archive.read(name).decode() for name in names if name.endswith(".xml")]
    presentation = Presentation(io.BytesIO(written))
    sizes = []
    for page in presentation.slides:
        for shape in page.shapes:
            frames = [shape.text_frame] if shape.has_text_frame else []
            if shape.has_table:
                frames = [cell.text_frame for row in shape.table.rows for cell in row.cells]
            runs = [run for frame in frames for paragraph in frame.paragraphs for run in paragraph.runs]
            sizes += [run.font.size.pt for run in runs]
            assert shape.left >= 0
            assert shape.left + shape.width <= presentation.slide_width
            assert shape.top + shape.height <= presentation.slide_height
    assert min(sizes) >= 18
    given = [int(part.partition('"')[0]) for text in texts for part in text.split(' sz="')[1:]]
    assert min(given) >= 1800


def test_names_are_text_and_what_xml_cannot_hold_is_replaced() -> None:
    first, second, third, _ = slides_of(hostile())
    said = " ".join(shape.text_frame.text for shape in first.shapes if shape.has_text_frame)
    assert "<img src=x onerror=alert(1)>" in said
    assert "evil\ufffd" in said
    for page in (second, third):
        pictured = [shape for shape in page.shapes if shape.has_chart or shape.has_table]
        assert "אבגד" in pictured[0]._element.find(f".//{qn('p:cNvPr')}").get("descr")


def test_the_file_says_who_audited_what_when_and_in_which_language() -> None:
    deck = build(audit("gradient_flow")[0], together("gradient_flow"), Statement(auditor="A. Smith", date=DAY))
    with speaking("de"):
        found = Presentation(io.BytesIO(write(deck)))
    told = found.core_properties
    assert (told.title, told.author, told.last_modified_by, told.language) == (deck.title, "A. Smith", "A. Smith", "de")
    assert told.created.date() == told.modified.date() == DAY
    assert (told.comments, told.subject) == ("", deck.source)
    for page in found.slides:
        shapes = [*page.shapes, *page.notes_slide.shapes]
        frames = [shape.text_frame for shape in shapes if shape.has_text_frame and shape.name != "Slide Number"]
        runs = [run for frame in frames for paragraph in frame.paragraphs for run in paragraph.runs]
        assert {run._r.rPr.get("lang") for run in runs} == {"de"}


def _spaces() -> dict[str, str]:
    return {"c": "http://schemas.openxmlformats.org/drawingml/2006/chart"}
