"""The transport test in report and record: every number comes back, nothing hostile runs, every verdict can be read."""

import json
import math
import re
from dataclasses import replace
from typing import Any

import pytest

from core.audits.transport import report as reported
from core.audits.transport.decision import Method, TransportDecision
from core.audits.transport.result import TransportResult
from core.audits.transport.verdict import TransportFinding
from core.inference.estimate import Verdict
from core.records.audits import AUDITS
from core.records.codec import decode
from core.records.codec_frames import Arrays
from core.report.html import render
from core.report.model import build
from core.report.multiple_tests import Together
from core.study import Study
from tests.builders import make_plan, make_result
from tests.builders_transport import make_transport_plan, make_transport_result
from tests.core.report.test_html import Page


@pytest.fixture(scope="module")
def result() -> TransportResult:
    return make_transport_result()


@pytest.fixture(scope="module")
def by_metric() -> TransportResult:
    return make_transport_result(similarity="metric")


def study_of(result: TransportResult, decision: TransportDecision) -> Study:
    return Study(plans=(make_transport_plan(audit=result.audit, decision=decision),))


def test_every_number_comes_back_exactly(by_metric: TransportResult) -> None:
    for decision in (TransportDecision(), TransportDecision(loss="log", budget=0.2, method="closed form")):
        numbers = json.loads(AUDITS.to_json(study_of(by_metric, decision), (by_metric,)))["tests"][0]["numbers"]
        for name, (value, kind) in TransportFinding(by_metric, decision).record_hints.items():
            assert repr(decode(numbers[name], kind, Arrays())) == repr(value)


def test_the_numbers_are_those_of_the_detail(result: TransportResult) -> None:
    decision = TransportDecision(delta=0.02, alpha=0.1)
    numbers = TransportFinding(result, decision)
    found = numbers.inference
    assert numbers.estimate == found.value == numbers.solution.value
    assert numbers.lower_bound == found.lower_bound(0.1)
    assert numbers.p_value == found.p_value(0.02)
    assert numbers.certificate < 1e-9
    assert numbers.cells.people == numbers.n == 1500
    flows = sum(one.people for one in numbers.flows)
    losses = numbers.part.sample.losses
    plan = numbers.solution.plan
    gain = ((losses[plan.target] - losses[plan.source]) * plan.mass).sum()
    assert gain == pytest.approx(numbers.estimate, abs=1e-12)
    assert flows == pytest.approx(plan.mass.sum() * 1500, abs=1e-6)


def test_costs_of_zero_or_infinity_make_the_budget_irrelevant(
    result: TransportResult, by_metric: TransportResult
) -> None:
    assert not TransportFinding(result, TransportDecision()).budget_matters
    assert TransportFinding(by_metric, TransportDecision()).budget_matters
    values = TransportFinding(by_metric, TransportDecision()).values
    assert list(values) == sorted(values)


READINGS = {
    "violation": TransportDecision(),
    "none": TransportDecision(delta=0.9),
    "log": TransportDecision(loss="log", delta=0.01),
    "squared": TransportDecision(loss="squared", method="Efron"),
    "strict": TransportDecision(alpha=0.0001),
}


@pytest.mark.parametrize("name", READINGS)
def test_every_reading_can_be_read(result: TransportResult, name: str) -> None:
    decision = READINGS[name]
    study = study_of(result, decision)
    page, report = Page(render(study, (result,))), build(study, Together.of(study, (result,)))
    (test,) = report.tests
    assert report.together.headline in page.text
    assert report.together.sentence in page.text
    assert report.together.verdict is TransportFinding(result, decision).verdict
    assert not re.search(r"\bnan\b|\bNone\b|\binf\b|object at 0x", page.text)
    assert all(sentence in page.text for sentence in test.finding.assumptions)
    plots = [one for one in page.named("div") if one.get("class") == "plot"]
    assert len(plots) == len(TransportFinding(result, decision).charts) > 2
    said = " ".join((report.together.headline, report.together.sentence, *test.finding.assumptions))
    assert not re.search(r"\bis fair\b|compliant|unbiased|discriminat", said)


def test_both_verdicts_occur(result: TransportResult) -> None:
    assert TransportFinding(result, READINGS["violation"]).verdict is Verdict.VIOLATION
    assert TransportFinding(result, READINGS["none"]).verdict is Verdict.NO_VIOLATION


def test_a_loss_that_decisions_do_not_have_says_why() -> None:
    result, decision = make_transport_result(decisions=True), TransportDecision(loss="log")
    numbers = TransportFinding(result, decision)
    assert numbers.undefined
    assert math.isnan(numbers.estimate)
    assert numbers.verdict is Verdict.INSUFFICIENT
    page = Page(render(study_of(result, decision), (result,)))
    assert "This test gives no number, because" in page.text
    assert not re.search(r"\bnan\b|\bNone\b", page.text)


def test_hostile_names_are_shown_and_never_run() -> None:
    result = make_transport_result(hostile=True)
    text = render(study_of(result, TransportDecision()), (result,))
    page = Page(text)
    assert {tag for tag, _ in page.tags}.isdisjoint({"img", "b", "iframe", "object", "form", "link"})
    assert "<script>Black" not in text
    assert "<script>Black</script>" in page.text


def test_two_tests_stand_in_one_report_with_unique_places(result: TransportResult) -> None:
    first = make_plan()
    second = make_transport_plan(data=first.data, roles=first.roles, model=first.model, audit=result.audit)
    study, results = Study(plans=(first, second)), (make_result(), replace(result))
    page, report = Page(render(study, results)), build(study, Together.of(study, results))
    assert report.comparison is not None
    assert [row[0] for row in report.comparison.rows] == [test.finding.kind.title for test in report.tests]
    identifiers = [attributes["id"] for _, attributes in page.tags if "id" in attributes]
    assert len(set(identifiers)) == len(identifiers)
    assert {(one.get("href") or "")[1:] for one in page.named("a")} <= set(identifiers)
    for test in report.tests:
        assert test.finding.headline in page.text
    record: dict[str, Any] = json.loads(AUDITS.to_json(study, results))
    assert [test["plan"]["audit"]["kind"] for test in record["tests"]] == ["gradient_flow", "transport"]
    raw = [test["numbers"]["p_value"] for test in record["tests"]]
    assert all(test["adjusted_p_value"] >= p for test, p in zip(record["tests"], raw, strict=True))
    sections = [section.title for test in report.tests for section in test.settings]
    assert sections.count("Data") == 1


def test_a_way_that_takes_minutes_is_left_out_and_said_so_unless_it_is_read(
    result: TransportResult, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = reported.METHODS[1]
    monkeypatch.setitem(reported.LARGEST_AT_ONCE, slow, len(result.detail.cells) * result.detail.draws - 1)

    def told(method: Method) -> dict[str, str]:
        table = TransportFinding(result, TransportDecision(method=method)).tables["transport interval"]
        return {row[0]: row[1] for row in table.rows}

    name = "m-out-of-n bootstrap, m chosen from the data"
    assert (
        told("closed form")[name]
        == f"not computed: it takes minutes with {len(result.detail.cells)} groups of similar people"
    )
    assert " to " in told(slow)[name]
    assert len(told("closed form")) == len(told(slow)) == len(reported.METHODS)
