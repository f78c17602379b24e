"""What people state stands in the report as they wrote it; what nobody stated is marked and never invented."""

import re
from typing import get_args

import pytest

from core.report.html import render
from core.report.names import file_stem
from core.report.skeleton import Block, skeleton
from core.report.statement import LONGEST_TEXT, STANDARDS, Standard, Statement, missing
from tests.builders import make_result, make_study
from tests.core.report.test_html import Page
from tests.core.report.test_statement import COMPLETE

ON_THE_FIRST_PAGE = {"system", "version", "date", "auditor", "reviewer", "decision", "conditions", "rationale"}
BESIDE_THE_TOLERANCE = {"tolerance_reason"}
WITHOUT_IMPACT = set(get_args(Block)) - {"impact", "trust", "accuracy"}


def page_of(statement: Statement | None) -> Page:
    return Page(render(make_study(), (make_result(),), statement))


@pytest.mark.parametrize("standard", STANDARDS)
def test_every_standard_has_a_place_for_findings_limits_decision_and_what_it_asks_for(standard: Standard) -> None:
    parts = skeleton(standard).parts
    assert {block for part in parts for block in part.blocks} >= WITHOUT_IMPACT
    fields = {field for part in parts for field in part.fields} | ON_THE_FIRST_PAGE | BESIDE_THE_TOLERANCE
    assert fields <= Statement.model_fields.keys()
    assert missing(Statement(standard=standard)).keys() <= fields
    assert all(part.fields or part.blocks or part.ask for part in parts)


@pytest.mark.parametrize("standard", STANDARDS)
def test_a_report_has_the_headings_of_its_standard_in_order(standard: Standard) -> None:
    text = page_of(COMPLETE.model_copy(update={"standard": standard})).text
    places = [text.rindex(part.heading) for part in skeleton(standard).parts]
    assert places == sorted(places)
    for part in skeleton(standard).parts:
        assert all(f"To be filled in: {asked}." in text for asked in part.ask)
        assert part.reference in text
    assert ("Can the numbers be trusted?" in text) != skeleton(standard).has("trust")
    assert text.count("Normal approximation of the loss ratio") == 1


def test_what_nobody_stated_is_marked_on_a_draft() -> None:
    text = page_of(None).text
    assert f"{len(missing(Statement()))} fields have to be filled in" in text
    for asked in ("why this much is tolerated", "name the auditor", "say what the system is for"):
        assert f"To be filled in: {asked}" in text
    assert "Not stated" in text


def test_a_complete_statement_leaves_no_mark() -> None:
    text = page_of(COMPLETE).text
    assert "To be filled in" not in text
    assert "Draft" not in text
    assert "Agreed with the regulator." in text


def test_hostile_statements_are_shown_letter_by_letter() -> None:
    evil = "</style></title><script>alert(1)</script>\"'{{ 7 * 7 }}\\\n\u202eevil 🙂"
    stated = COMPLETE.model_copy(update={"system": evil, "purpose": evil, "rationale": "ش" * LONGEST_TEXT})
    text = render(make_study(), (make_result(),), stated)
    page = Page(text)
    assert page.text.count(evil) == 4
    assert "ش" * LONGEST_TEXT in page.text
    assert "<script>alert" not in text
    assert text.count("</style>") == 1
    (running,) = re.findall(r'@top-left \{ content: "((?:\\[0-9a-f]{6})+)"; \}', text)
    assert "".join(chr(int(code, 16)) for code in running.split("\\")[1:]) == evil


def test_the_summary_says_how_sure_who_and_what_to_do() -> None:
    text = page_of(None).text
    assert text.index("Decision and signature") < text.index("Who is affected?") < text.index("What to do next")
    assert "1.25 times the error. How much worse" in text
    assert "an audit like this would still find a violation in at most 5% of cases" in text


@pytest.mark.parametrize(
    ("subject", "work", "stem"),
    [
        ("Credit model", "Equalized odds", "credit-model_equalized-odds_2026-11-23"),
        ("../../etc/passwd\0", "", "etc-passwd_audit_2026-11-23"),
        ("نموذج \u202e🙂", "x" * 99, f"نموذج_{'x' * 48}_2026-11-23"),
        ("Screening/Ranking 3.2", "Transport", "screening-ranking-3-2_transport_2026-11-23"),
        ("model.v2.safetensors", "Transport", "model-v2_transport_2026-11-23"),
        (" .. ", "a__b", "model_a-b_2026-11-23"),
    ],
)
def test_files_are_named_after_system_test_and_date(subject: str, work: str, stem: str) -> None:
    assert COMPLETE.date is not None
    assert file_stem(subject, work, COMPLETE.date) == stem
