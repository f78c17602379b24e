"""The fair-dummies test in numbers, tables, report and record: every kind of result, nothing unescaped."""

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import norm

from core.audits.equalized_odds.decision import EqualizedOddsDecision
from core.audits.equalized_odds.result import EqualizedOddsResult
from core.audits.equalized_odds.verdict import EqualizedOddsFinding as Finding
from core.base.tables import NOT_GIVEN
from core.inference.estimate import Verdict
from core.language.units import POINTS
from core.records.audits import AUDITS, numbers_json
from core.records.codec import load_result, save_result
from core.records.document import differences
from core.report.html import render
from core.report.model import Section, build
from core.report.multiple_tests import Together
from core.study import Study
from tests.builders_fair_dummies import make_fair_dummies_plan, make_fair_dummies_result

KINDS: dict[str, dict[str, Any]] = {
    "numbers": {},
    "four classes": {"case": "four classes", "continuous": True},
    "two classes": {"case": "two classes", "small": True},
    "parity": {"case": "four classes", "asks": "demographic parity", "attributes": 1},
    "calibration": {"asks": "calibration", "violation": 0.0},
    "hostile": {"case": "four classes", "hostile": True},
    "few": {"rows": 120, "attributes": 1},
    "untested": {"case": "four classes", "untested": True, "violation": 0.0},
}
READING = EqualizedOddsDecision()


def made(kind: str, decision: EqualizedOddsDecision = READING) -> tuple[Study, EqualizedOddsResult]:
    result = make_fair_dummies_result(**KINDS[kind])
    return Study(plans=(make_fair_dummies_plan(result, decision=decision),)), result


def sections(study: Study, result: EqualizedOddsResult) -> tuple[Section, ...]:
    return build(study, Together.of(study, (result,))).tests


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_result_has_a_report_and_a_record(kind: str) -> None:
    study, result = made(kind)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        page, record = render(study, (result,)), AUDITS.to_json(study, (result,))
    read = AUDITS.read(record)
    assert read.plan == study
    assert read.numbers is not None
    assert differences(read.numbers[0], numbers_json(result, study.plans[0])) == ()
    for markup in ("<b onclick", "<i>deny", "<i>Female</i>", "<img src=x"):
        assert markup not in page
    assert "nan" not in page[: page.index("<script")].lower().split()


@pytest.mark.parametrize("kind", ["numbers", "four classes", "untested"])
def test_a_result_survives_the_disk(kind: str, tmp_path: Path) -> None:
    study, result = made(kind)
    save_result(result, tmp_path / "kept")
    kept = load_result(tmp_path / "kept")
    assert numbers_json(kept, study.plans[0]) == numbers_json(result, study.plans[0])


@pytest.mark.parametrize("kind", KINDS)
def test_numbers_agree_with_the_detail(kind: str) -> None:
    _, result = made(kind)
    numbers, detail = Finding(result, READING), result.detail
    attributes = len(detail.tests)
    for place, (one, test) in enumerate(zip(numbers.attributes, detail.tests, strict=True)):
        drawn = len(test.null)
        ranked = (1 + (test.null <= test.statistic).sum()) / (drawn + 1) if drawn else np.nan
        if len(test.by_split):
            assert test.by_split[0, 0] == pytest.approx(ranked)
            scores = norm.ppf(test.by_split[:, 0].clip(max=1 - 0.5 / (drawn + 1)))
            raw = norm.cdf(scores.mean())
            least = np.sqrt(raw * (1 - raw) / (drawn + 1) / 5)
            expected = max(norm.pdf(scores.mean()) * scores.std(ddof=1) / np.sqrt(5), least)
        else:
            raw = ranked
            expected = np.sqrt(ranked * (1 - ranked) / (drawn + 1))
        assert one.p_value == pytest.approx(raw, nan_ok=True)
        assert one.p_error == pytest.approx(expected, nan_ok=True)
        assert one.different_p <= numbers.claims[place].p_value == numbers.evidence[place].p_value(READING.delta)
        assert one.different_p <= (min(1.0, 2 * attributes * raw) if test.sound else 1.0)
        gap = numbers.gaps[place] if numbers.effects else numbers.beyond[place][0]
        told = numbers.parts["fair dummies shares"][place] if numbers.effects else numbers.of_attributes[place][0]
        assert one.too_small == len(gap.small)
        if gap.stratum >= 0:
            assert (told.estimate, told.low, told.high) == (gap.value, gap.low, gap.high)
            assert told.here - told.there == pytest.approx(gap.value)
        assert sum(one.people) == numbers.n == len(detail.outcome)
        assert one.null_mean == pytest.approx(test.null.mean() if drawn else np.nan, nan_ok=True)
        assert (one.learned, one.tested, one.left_out) == (test.learned, test.tested, test.left_out)
    assert numbers.p_value == min(one.p_value for one in numbers.claims)
    assert numbers.p_different == min(one.different_p for one in numbers.attributes)


def test_the_shown_attribute_follows_the_decision() -> None:
    study, result = made("numbers", EqualizedOddsDecision(attribute="race"))
    assert Finding(result, EqualizedOddsDecision(attribute="race")).attribute == study.plans[0].decision.attribute
    assert Finding(result, READING).attribute == "sex"


def test_an_attribute_that_could_not_be_tested_is_shown_without_numbers_and_clears_nothing() -> None:
    decision = EqualizedOddsDecision(attribute="race", delta=1.0)
    study, result = made("untested", decision)
    numbers = Finding(result, decision)
    shown = numbers.attributes[numbers.place]
    assert np.isnan([shown.p_value, shown.statistic]).all()
    assert (numbers.claims[numbers.place].p_value, shown.different_p) == (1.0, 1.0)
    assert numbers.verdict is Verdict.INSUFFICIENT
    assert "'race' could not be tested" in numbers.sentence
    first = numbers.reasons[0]
    assert (first.level, first.what[:6]) == ("serious", "'race'")
    (section,) = sections(study, result)
    rows = {row[0]: row[1:] for row in section.finding.statistics.rows}
    assert rows["p-value of the fair dummies alone"][1] == "not defined"
    assert rows["Rows tested"][1] == "0"
    assert "fair dummies null" not in numbers.charts


def test_statistics_have_a_column_for_each_attribute() -> None:
    study, result = made("four classes")
    (section,) = sections(study, result)
    assert section.finding.statistics.header == ("", "sex", "race", "age")
    rows = {row[0]: row[1:] for row in section.finding.statistics.rows}
    assert rows["Rows tested"] == tuple(f"{test.tested:,}" for test in result.detail.tests)
    claim = Finding(result, READING).claims[0]
    assert (rows["Group"][0], rows["Compared with"][0]) == (claim.who, claim.against)
    assert rows["Compared in"][0] == claim.what
    assert rows["Their value"][0] == POINTS.number(claim.here)
    assert {len(row) for row in section.finding.statistics.rows} == {4}


@pytest.mark.parametrize("kind", ["two classes", "four classes", "few", "untested"])
def test_what_is_open_of_an_attribute_says_why_where_its_numbers_stand(kind: str) -> None:
    _, result = made(kind)
    finding = Finding(result, READING.model_copy(update={"delta": 0.2}))
    rows = {row[0]: row[1:] for row in finding.statistics.rows}
    for place, claims in enumerate(finding.of_attributes):
        why = rows.get("Why the evidence is insufficient", (NOT_GIVEN,) * 3)[place]
        assert (why != NOT_GIVEN) is (rows["Verdict"][place] == Verdict.INSUFFICIENT.words)
        if "may lie up to" in why:
            widest = max(one.high for one in claims if not one.within)
            assert finding.unit.number(widest, beside=0.2) in why


@pytest.mark.parametrize("kind", KINDS)
def test_every_table_is_whole_and_no_two_columns_share_a_heading(kind: str) -> None:
    study, result = made(kind)
    (section,) = sections(study, result)
    for table in (section.finding.statistics, *section.finding.tables.values()):
        assert {len(row) for row in table.rows} <= {len(table.header)}
        assert len(set(table.header)) == len(table.header)
        assert not any("nan" in cell.split() for row in table.rows for cell in row)


@pytest.mark.parametrize("kind", KINDS)
def test_limits_fit_the_audit(kind: str) -> None:
    study, result = made(kind)
    said = " ".join(sections(study, result)[0].finding.assumptions)
    assert ("permuted among people who have exactly the same value" in said) == result.detail.strata.exact
    assert ("cannot both hold" in said) == (result.detail.asks != "demographic parity")
    assert "about groups: it says nothing about whether similar individuals are treated alike" in said


def test_robustness_is_told_where_densities_were_learned() -> None:
    for kind, learned in (("numbers", True), ("four classes", False)):
        study, result = made(kind)
        labels = [fact.label for fact in sections(study, result)[0].finding.diagnostics]
        assert ("sex: p-value if drawn the other way" in labels) == learned
        assert ("sex: who belongs to which group, as learned" in labels) == learned
