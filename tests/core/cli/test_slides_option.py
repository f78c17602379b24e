"""``--slides`` writes the result as slides beside its record."""

from pathlib import Path

from core.records.audits import AUDITS
from core.records.repeat import Repeat, write
from core.records.workflow import Record
from tests.core.slides.made import audit


def test_slides_are_written_when_asked_for(tmp_path: Path) -> None:
    study, results = audit("gradient_flow")
    repeated = Repeat(Record(AUDITS, study), study, results, {}, None, ())
    assert "slides.html" not in write(repeated, tmp_path)
    assert {"slides.html", "slides.pptx"} < {*write(repeated, tmp_path, slides=True)}
    assert (tmp_path / "slides.html").read_text(encoding="utf-8").startswith("<!doctype html>")
    assert (tmp_path / "slides.pptx").read_bytes().startswith(b"PK")
