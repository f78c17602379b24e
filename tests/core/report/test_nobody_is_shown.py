"""Persons, twins and real neighbours of the gradient-flow test are on the page only: no file and no entry holds one."""

import io
import zipfile
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from core.language.phrases import whole
from core.records.audits import AUDITS
from core.register.summary import summarise
from core.report.html import render as report
from core.report.multiple_tests import Together
from core.result import AuditResult
from core.run import find
from core.slides.deck import build
from core.slides.html import render as slides
from core.slides.live import live
from core.slides.powerpoint import write as powerpoint
from tests.builders import make_plan, make_result, make_study

MARK, NUMBER, RECORD = "somebody of the table", 918_273.5, 8_765_431


def marked() -> AuditResult:
    """A result whose pairs hold nothing but what no other part of it says."""
    result = make_result()
    pairs = result.detail.pairs
    frames = {}
    for name in ("before", "after", "real"):
        frame = getattr(pairs, name).copy()
        for column in frame:
            frame[column] = NUMBER if frame[column].dtype.kind == "f" else MARK
        frames[name] = frame
    rows = {name: np.full_like(getattr(pairs, name), RECORD - 1) for name in ("rows", "real_rows")}
    return replace(result, detail=replace(result.detail, pairs=replace(pairs, **frames, **rows)))


def _deck(result: AuditResult) -> str:
    study = make_study()
    together = Together.of(study, (result,))
    return slides(build(study, together), live(study, together))


def _powerpoint(result: AuditResult) -> str:
    study = make_study()
    held = zipfile.ZipFile(io.BytesIO(powerpoint(build(study, Together.of(study, (result,))))))
    return "\n".join(held.read(name).decode("utf-8", "replace") for name in held.namelist() if name.endswith(".xml"))


SHOWN: dict[str, Callable[[AuditResult], str]] = {
    "report": lambda result: report(make_study(), (result,)),
    "record": lambda result: AUDITS.to_json(make_study(), (result,)),
    "slides": _deck,
    "PowerPoint": _powerpoint,
    "register and links": lambda result: summarise(AUDITS, make_study(), (result,)).model_dump_json(),
    "finding": lambda result: repr(find(result, make_plan().decision).record_hints),
}


@pytest.mark.parametrize("where", SHOWN)
def test_nobody_is_in_what_is_passed_on(where: str) -> None:
    text = SHOWN[where](marked())
    assert len(text) > 200
    for held in (MARK, f"{NUMBER:,}", str(NUMBER), whole(RECORD), str(RECORD), str(RECORD - 1)):
        assert held not in text


def test_the_page_shows_them() -> None:
    case = find(marked(), make_plan().decision).case
    assert case is not None
    assert case.personal
    assert case.beside is not None
    assert whole(RECORD) in case.told
    assert whole(RECORD) in case.beside.header[-1]
