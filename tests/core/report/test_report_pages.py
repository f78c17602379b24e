"""The page that is signed, who is affected and the tests come first and are few; the rest is the appendix."""

import io
import re
from dataclasses import replace
from functools import cache
from itertools import takewhile
from typing import Any

import pytest

from core.audits.equalized_odds.decision import EqualizedOddsDecision
from core.audits.equalized_odds.settings import EqualizedOdds
from core.audits.group_fairness.settings import GroupFairness
from core.base.errors import Caveat
from core.base.files import FileStore
from core.data.dataset import Dataset
from core.language.reader import speaking
from core.plan import AuditPlan
from core.report import pdf
from core.report.html import render
from core.report.model import build
from core.report.multiple_tests import Together
from core.report.signature import SignedBy
from core.report.statement import STANDARDS, Signable, Standard, Statement, missing
from core.result import AuditResult
from core.run import run_audit
from core.study import Study
from tests.builders_transport import make_people, make_transport_plan
from tests.core.report.test_html import Page
from tests.core.report.test_statement import COMPLETE
from tests.dashboard import results_made

REASONS = {"transport": "One in 27.", "equalized_odds": "Recruiters differ by ten.", "group_fairness": "So agreed."}
STATED = COMPLETE.model_copy(
    update={"tolerance_reason": "", "tolerance_reasons": REASONS, "despite": "The board accepts it until June."}
)
SIGNED = SignedBy("ريم <b>", 1.79e9, verified=False, took_part=False, alone=False, sha256="ab12" * 16)


@cache
def three() -> tuple[Study, tuple[AuditResult, ...]]:
    """A transport test, an equalized odds test and rates of groups of the same answers."""
    plan = make_transport_plan()
    second = plan.model_copy(
        update={"audit": EqualizedOdds(learner="linear", dummies=199), "decision": EqualizedOddsDecision(delta=0.05)}
    )
    third = AuditPlan(data=plan.data, roles=plan.roles, model=plan.model, audit=GroupFairness())
    study = Study(plans=(plan, second, third))
    dataset = Dataset.build(make_people(600, bias=0.5)[0], plan.roles)
    model = plan.model.load(FileStore(), dataset)
    return study, tuple(run_audit(model, dataset, one.audit, seed=one.seed) for one in study.plans)


def body(text: str) -> str:
    """What stands before the appendix."""
    return text[: text.index('<section class="appendix"')]


def first_page(text: str) -> str:
    return Page(text[text.index('<div class="cover"') : text.index('<div class="unprinted"')]).text


@pytest.mark.parametrize("standard", STANDARDS)
def test_the_page_to_sign_says_what_was_found_tolerated_decided_and_signed(standard: Standard) -> None:
    study, results = three()
    stated = STATED.model_copy(update={"standard": standard, "version": "3.2"})
    shown = first_page(render(study, results, stated, signature=SIGNED))
    report = build(study, Together.of(study, results), stated)
    assert report.together.headline in shown
    for said in (
        stated.system,
        stated.version,
        "2026-11-23",
        stated.auditor,
        "Use the system",
        stated.rationale,
        stated.despite,
    ):
        assert said in shown
    for test in report.tests:
        assert shown.count(test.finding.tolerance) >= 1
        assert test.reason in shown
        assert test.finding.result.data.rows in shown
    assert [one.whose in shown for one in report.tests] == [True] * 3
    chooses = stated.auditor.partition(",")[0]
    assert chooses
    assert [one.whose for one in report.tests] == [
        f"chosen by {chooses}, as Evenhand proposes",
        f"chosen by {chooses}",
        f"chosen by {chooses}, as Evenhand proposes",
    ]
    for signed in (SIGNED.name, SIGNED.role, SIGNED.when, SIGNED.sha256, "identity not verified"):
        assert signed in shown
    assert not re.search(r"p-value|Holm|Not signed|fingerprint", shown)


def test_a_report_that_nobody_signed_says_so_in_one_line_and_has_no_lines_to_fill_in() -> None:
    study, results = three()
    text = render(study, results, STATED)
    page = Page(text)
    assert page.text.count("Not signed.") == 1
    assert not [one for one in page.named("table") if one.get("class") == "signatures"]


def test_who_is_affected_comes_second_and_the_tests_before_the_appendix() -> None:
    study, results = three()
    text = render(study, results, STATED)
    places = [
        text.index(f'id="{name}"') for name in ("verdict", "decision", "who", "test-1", "test-2", "test-3", "appendix")
    ]
    assert places == sorted(places)
    assert text.index('id="who"') < text.index("<svg") < text.index('id="test-1"')
    assert "<details>" not in body(text)
    assert text.count("<details>") > 8
    assert "SHA-256" not in body(text)


def test_what_forbids_a_claim_never_folds() -> None:
    study, results = three()
    about = "The answers of this model go against the outcomes."
    forbidding = Caveat("serious", about, "Turn them round.", forbids="any claim")
    copies = [replace(one, caveats=(*one.caveats, forbidding)) for one in results]
    assert about in Page(body(render(study, tuple(copies), STATED))).text
    one = (results[0], replace(results[1], caveats=(replace(forbidding, what="Only here."),)), results[2])
    assert "Only here." in Page(body(render(study, one, STATED))).text


def test_what_qualifies_the_headline_stands_on_the_first_page() -> None:
    study, results = three()
    place = Together.of(study, results).place
    doubt = Caveat("serious", "The moves that were found may be chance.", "Bring more rows.")
    for other, one in enumerate(results):
        doubted = [*results]
        doubted[other] = replace(one, caveats=(*one.caveats, doubt))
        page = render(study, tuple(doubted), STATED)
        assert (doubt.what in first_page(page)) is (other == place)
        told = Page(body(page)).text
        if other != place:
            name = Together.of(study, results).names[other]
            said = told.index(f": {doubt.what}")
            assert name in told[:said].rpartition(":")[2]
            assert said < told.index("What to do next"), "on the second page"
            assert told.count(doubt.what) == 1


@pytest.mark.parametrize("reasons", [{}, {"transport": "  "}, {"transport": "One in 27.", "equalized_odds": ""}])
def test_a_reason_is_asked_of_every_test_and_one_of_all_is_said_once(reasons: dict[str, str]) -> None:
    study, results = three()
    stated = STATED.model_copy(update={"tolerance_reasons": reasons})
    assert "tolerance_reason" in missing(stated)
    page = render(study, results, stated)
    shown = first_page(page)
    lacking = 3 - sum(bool(one.strip()) for one in reasons.values())
    assert (
        shown.count("why this much is tolerated")
        == lacking
        == len(missing(stated, Signable(dict.fromkeys(study.keys, "X"))))
    )
    asked = " ".join(build(study, Together.of(study, results), stated).open)
    assert asked.count("reason for the tolerance of the") == lacking
    assert "Give the reason for the tolerance of the group fairness test." in asked
    assert "Give the reason for the tolerance of the equalized odds test." in asked
    assert ("what is marked has to be filled in" in Page(page).text) is (lacking > 0)
    of_all = stated.model_copy(update={"tolerance_reason": "The old reason."})
    assert "tolerance_reason" not in missing(of_all)
    shown = first_page(render(study, results, of_all))
    assert shown.count("The old reason.") == 1
    assert "stated for all tests" in shown


def test_tests_are_named_by_their_kind_and_other_names_are_refused() -> None:
    study, _ = three()
    assert study.keys == ("transport", "equalized_odds", "group_fairness")
    assert Study(plans=(study.plans[0], study.plans[0].model_copy(update={"seed": 5}))).keys == (
        "transport",
        "transport 2",
    )
    with pytest.raises(ValueError, match="no test is called"):
        Statement(tolerance_reasons={"transprt": "One in 27."})


def test_a_reason_of_a_test_that_is_not_there_is_shown_as_such() -> None:
    study, results = three()
    reasons = {**REASONS, "gradient_flow": "Of another audit."}
    text = render(study, results, STATED.model_copy(update={"tolerance_reasons": reasons}))
    assert "Stated for tests that this audit has not:" in text
    assert text.count("Of another audit.") == 1


@pytest.mark.browser
@pytest.mark.parametrize(
    ("standard", "code"),
    [
        ("eu_ai_act", "en"),  # the longest in English
        *(pytest.param(one, "en", marks=pytest.mark.long) for one in STANDARDS if one != "eu_ai_act"),
        pytest.param("plain", "de", marks=pytest.mark.long),
    ],
)
def test_three_tests_take_at_most_four_pages_before_the_appendix(standard: Standard, code: str) -> None:
    import pypdf

    if pdf.chromium() is None:
        pytest.skip("No Chromium on the PATH.")
    study, results = three()
    with speaking(code):
        stated = STATED.model_copy(update={"standard": standard})
        page, tests = render(study, results, stated, signature=SIGNED), build(study, Together.of(study, results)).tests
        titles = {test.name: test.picture.title for test in tests if test.picture}

    read = pypdf.PdfReader(io.BytesIO(pdf.to_pdf(page))).pages
    whole = [one.extract_text() for one in read]
    heading = "Anhang" if code == "de" else "Appendix"
    short = [*takewhile(lambda text: heading not in text.splitlines(), whole)]
    assert len(short) <= 4
    assert SIGNED.sha256[:32] in "".join(short[0].split())
    assert all(len(text) > 700 for text in short[:-1])
    assert len(short[-1]) > 450, "a chart and what stands below it"
    assert len(titles) > 1
    for name, title in titles.items():
        (on,) = [text.splitlines() for text in whole if name in text.splitlines() and title in text.splitlines()]
        assert title in on[on.index(name) :], "a chart stands below its card"
    assert min(smallest(one) for one in read[: len(short)]) >= 7


def smallest(page: Any) -> float:
    """The smallest letters of a page, in points."""
    sizes = []

    def see(text: str, around: list[float], own: list[float], font: Any, size: float) -> None:
        if text.strip():
            sizes.append(round(size * max(map(abs, own[:4])) * max(map(abs, around[:4])), 1))

    page.extract_text(visitor_text=see)
    return min(sizes)


def test_the_picture_of_who_is_affected_stands_before_the_appendix() -> None:
    study, results = results_made.several()
    shown = build(study, Together.of(study, results)).picture
    assert shown is not None
    text = body(render(study, results))
    on_page_two = text[text.index('<section class="who"') : text.index('<section class="test"')]
    assert (shown.title in on_page_two, on_page_two.count("<svg")) == (True, 1)


@pytest.mark.browser
def test_what_stands_at_the_foot_is_printed_on_every_page_and_the_appendix_only_where_it_is_asked_for() -> None:
    import pypdf

    if pdf.chromium() is None:
        pytest.skip("No Chromium on the PATH.")
    plan, result = results_made.transport()
    page = render(Study(plans=(plan,)), (result,), COMPLETE)
    foot = 'R. "Viewer" </style> · SHA-256 ab12'
    read = pypdf.PdfReader(io.BytesIO(pdf.to_pdf(page, appendix=False, foot=foot)))
    pages = [one.extract_text() for one in read.pages]
    assert all(foot in text for text in pages)
    assert len(pages) <= 3
    assert not [text for text in pages if "Appendix" in text.splitlines()]
