"""What people state stands in the report as they wrote it; what nobody stated is marked and never invented."""

import math
import re
from dataclasses import replace
from typing import get_args

import pytest

from core.report.html import render
from core.report.multiple_tests import Together
from core.report.names import file_stem
from core.report.signature import SignedBy
from core.report.skeleton import Block, skeleton
from core.report.stated import differing, for_reading
from core.report.statement import LONGEST_TEXT, STANDARDS, Standard, Statement, missing
from core.report.summary import what_p_says
from core.study import Study
from tests.builders import make_plan, make_result, make_study
from tests.builders_transport import make_transport_plan
from tests.core.report.test_html import Page
from tests.core.report.test_statement import COMPLETE

ON_THE_FIRST_PAGE = {
    "system",
    "version",
    "date",
    "auditor",
    "reviewer",
    "decision",
    "despite",
    "conditions",
    "rationale",
}
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
    assert "what is marked has to be filled in" in text
    for asked in ("why this much is tolerated", "name the auditor", "say what the system is for"):
        assert f"To be filled in: {asked}" in text
    assert "Not stated" in text


def test_a_complete_statement_leaves_no_mark() -> None:
    text = page_of(COMPLETE.model_copy(update={"despite": "It is mended by June."})).text
    assert "To be filled in" not in text
    assert text.index("Why it is used although") < text.index("It is mended by June.")
    rejected = COMPLETE.model_copy(update={"despite": "It is mended by June.", "decision": "reject"})
    assert "mended by June" not in page_of(rejected).text
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
    assert "1.25 times as far off. How many times" in text
    assert "an audit like this would still find a violation in at most 5% of cases" in text


@pytest.mark.parametrize(
    ("p", "tests", "told"),
    [
        (0.99995, 1, "The numbers are no evidence that the tolerance is exceeded (p > 0.9999)."),
        (0.0312, 3, "The numbers are evidence that the tolerance is exceeded (p = 0.031, adjusted for 3 tests)."),
        (0.05001, 1, "The numbers are no evidence that the tolerance is exceeded (p = 0.05001)."),
        (0.00001, 1, "The numbers are evidence that the tolerance is exceeded (p < 0.0001)."),
        (math.nan, 1, ""),
    ],
)
def test_a_large_p_value_is_no_evidence_and_never_reads_as_proof_that_the_tolerance_is_kept(
    p: float, tests: int, told: str
) -> None:
    assert what_p_says(p, 0.05, tests) == told


def test_a_reason_is_printed_beside_no_other_tolerance_than_the_one_it_was_given_for() -> None:
    one = make_study()
    sure, other = (
        one.read((one.plans[0].decision.model_copy(update=changed),)) for changed in ({"alpha": 0.01}, {"delta": 2.0})
    )
    assert for_reading(COMPLETE, sure) is COMPLETE
    assert "tolerance_reason" in missing(for_reading(COMPLETE, other))
    signed = SignedBy("Ada", 1.7e9, verified=True, took_part=False, alone=False, sha256="ab" * 32)
    text = Page(render(one, (make_result(),), COMPLETE, signature=signed)).text
    assert COMPLETE.tolerance_reason in text
    assert "ab" * 32 in text
    moved = Page(render(other, (make_result(),), COMPLETE, signature=replace(signed, differs=differing(other)))).text
    assert COMPLETE.tolerance_reason not in moved
    assert "ab" * 32 not in moved
    assert "Not signed. This is not what Ada signed on 14 November 2023" in " ".join(moved.split())
    assert "another choice of “Tolerance" in moved


def test_a_report_of_another_tolerance_says_on_its_first_page_that_it_is_a_trial_and_what_was_found_as_it_ran() -> None:
    ran = make_study()
    tried = ran.read((ran.plans[0].decision.model_copy(update={"delta": 60.0}),))
    results = (make_result(),)
    own, moved = Together.of(ran, results), Together.of(tried, results)
    assert own.verdict is not moved.verdict
    assert own.verdict.words in moved.trial.lower()
    assert own.headline in moved.trial
    page = " ".join(Page(render(tried, results)).text.split())
    assert page.index(moved.trial) < page.index("Decision and signature")
    stated = " ".join(Page(render(tried, results, COMPLETE)).text.split())
    assert COMPLETE.rationale in " ".join(Page(render(ran, results, COMPLETE)).text.split())
    assert COMPLETE.rationale not in stated
    assert "A trial is not decided on." in stated
    assert "Draft." not in stated
    assert own.trial == ""
    back = tried.read(tuple(plan.decision for plan in ran.plans))
    assert back == tried.ran == ran
    assert back.fingerprint == ran.fingerprint


def test_what_was_signed_elsewhere_is_said_as_it_is_and_asks_for_nothing() -> None:
    study = make_study()
    signed = SignedBy("Ada", 1.7e9, verified=False, took_part=False, alone=False, sha256="ab" * 32, elsewhere=True)
    away = " ".join(Page(render(study, (make_result(),), None, signature=signed)).text.split())
    assert "Signed for Ada: identity not verified. It was signed on 14 November 2023, 22:13 UTC, with these" in away
    assert f"The signed record has the SHA-256 {'ab' * 32}." in away
    assert not any(words in away for words in ("Not signed", "Draft.", "To be filled in"))
    moved = " ".join(Page(render(study, (make_result(),), None, signature=replace(signed, differs="“T”"))).text.split())
    assert "Not signed. This is not what Ada signed" in moved
    assert "with these numbers" not in moved


def test_who_gives_the_reason_chooses_the_tolerance() -> None:
    reasoned = COMPLETE.model_copy(update={"tolerance_reason": "", "tolerance_reasons": {"transport": "One in 27."}})
    assert reasoned.model_copy(update={"auditor": "Ada Ruiz, Example Bank"}).chooses("transport") == "Ada Ruiz"
    assert reasoned.model_copy(update={"auditor": " "}).chooses("transport") == "the auditor"
    assert reasoned.chooses("group_fairness") == ""
    assert COMPLETE.chooses("group_fairness") == COMPLETE.chooses("transport") != ""


def test_of_several_tests_those_that_are_read_as_they_ran_keep_the_reason() -> None:
    plan = make_transport_plan()
    both = Study(plans=(make_plan(data=plan.data, roles=plan.roles, model=plan.model), plan))
    moved = both.read((both.plans[0].decision.model_copy(update={"delta": 2.0}), both.plans[1].decision))
    read = for_reading(COMPLETE, moved)
    assert read.tolerance_reasons == {"gradient_flow": "", "transport": COMPLETE.tolerance_reason}
    assert not read.tolerance_reason


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
