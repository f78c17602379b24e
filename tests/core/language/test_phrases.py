"""Verdicts in words: complete, true to the numbers, and never more than was shown."""

import math
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.audits.gradient_flow import wording as told
from core.audits.gradient_flow.decision import GradientFlowDecision
from core.inference.estimate import Verdict
from core.language import phrases as words
from core.language.fitted import sentences
from core.language.told import say
from core.result import AuditResult
from core.run import find
from tests.builders import make_result

CASES = {
    Verdict.VIOLATION: (make_result(excess=0.6), GradientFlowDecision()),
    Verdict.NO_VIOLATION: (make_result(rows=2000, excess=0.05), GradientFlowDecision()),
    Verdict.INSUFFICIENT: (make_result(excess=0.6), GradientFlowDecision(delta=1.57)),
}


def numbers(text: str) -> list[float]:
    return [float(found.replace(",", "")) for found in re.findall(r"\d[\d,]*\.?\d*", text)]


@pytest.mark.parametrize("verdict", CASES, ids=lambda verdict: verdict.name)
def test_a_sentence_names_verdict_rows_estimate_tolerance_and_the_bounds_that_decide(verdict: Verdict) -> None:
    result, decision = CASES[verdict]
    finding = find(result, decision)
    assert finding.verdict is verdict
    sentence = finding.sentence
    assert sentence.startswith(finding.opening + ": ")
    assert max(len(one.split()) for one in sentence.split(". ")) <= 45
    assert sentence.endswith(".")
    found = numbers(sentence)
    assert result.data.rows_audited in found
    assert decision.delta in found
    bounds = {Verdict.VIOLATION: (finding.lower_bound,), Verdict.NO_VIOLATION: (finding.upper_bound,)}
    for value in (finding.estimate, *bounds.get(verdict, (finding.lower_bound, finding.upper_bound))):
        assert min(abs(value - other) for other in found) <= 0.005


@pytest.mark.parametrize("verdict", CASES, ids=lambda verdict: verdict.name)
def test_no_sentence_promises_more_than_a_test_can(verdict: Verdict) -> None:
    finding = find(*CASES[verdict])
    for text in (finding.sentence, finding.opening):
        assert not re.search(r"\bfair\b(?! metric)|compliant|unbiased|\bproves?\b", text, re.IGNORECASE)
        if verdict is Verdict.NO_VIOLATION:
            assert "by this search with this definition of similar" in text


def test_the_bound_that_decides_is_in_the_sentence() -> None:
    finding = find(*CASES[Verdict.VIOLATION])
    assert f"at least {finding.lower_bound:.2f}, above the tolerance of 1.25" in finding.sentence


def test_an_undefined_ratio_says_why_and_gives_no_number() -> None:
    finding = find(make_result(undefined_error_ratio=True), GradientFlowDecision(statistic="error-rate ratio"))
    sentence = finding.sentence
    assert sentence.startswith("Insufficient evidence: ")
    assert finding.undefined.rstrip(".")[1:] in sentence
    assert "nan" not in sentence.casefold()


def test_too_few_rows_give_the_reason_and_no_verdict() -> None:
    sentence = find(make_result(rows=20, excess=3.0), GradientFlowDecision()).sentence
    assert sentence.startswith("Insufficient evidence: ")
    assert "needs at least 30" in sentence


def test_a_doubtful_no_violation_says_what_is_doubtful() -> None:
    finding = find(*blocked_no_violation())
    assert finding.verdict is Verdict.INSUFFICIENT
    assert "lost ground" in finding.sentence


def blocked_no_violation() -> tuple[AuditResult, GradientFlowDecision]:
    """The bound lies below delta, but the search went astray in every row."""
    from dataclasses import replace

    result = make_result(rows=2000, excess=0.05)
    astray = result.detail.cells.count.sum() + 0 * result.detail.lost_ground
    return replace(result, detail=replace(result.detail, lost_ground=astray)), GradientFlowDecision()


def test_the_error_rate_ratio_speaks_of_mistakes() -> None:
    assert "errs" in find(make_result(), GradientFlowDecision(statistic="error-rate ratio")).sentence


@pytest.mark.parametrize(
    ("value", "loss", "error"),
    [
        (1.83, "83% further off", "83% more often"),
        (1.0, "no further off", "no more often"),
        (0.96, "4% less far off", "4% less often"),
        (1.062, "6.2% further off", "6.2% more often"),
        (1.0001, "less than 0.1% further off", "less than 0.1% more often"),
        (1.994, "99% further off", "99% more often"),
        (5.71, "5.71 times as far off", "5.71 times as often"),
        (math.nan, "off by an unknown amount", "off by an unknown amount"),
    ],
)
def test_ratios_read_as_comparisons(value: float, loss: str, error: str) -> None:
    assert told.worse(value) == loss
    assert told.worse(value, "error-rate ratio") == error


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1.8349, "1.83"),
        (24.06, "24.1"),
        (1204.4, "1,204"),
        (0.0, "0.00"),
        (0.0041, "0.0041"),
        (0.0246, "0.025"),
        (0.000065, "0.000065"),
        (1e-9, "1.0e-09"),
        (-1.5, "-1.50"),
        (math.inf, "infinite"),
        (math.nan, "not defined"),
    ],
)
def test_numbers_are_short(value: float, text: str) -> None:
    assert words.number(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.95, "95%"), (0.83, "83%"), (0.062, "6.2%"), (0.999, "99.9%"), (0.9999, "99.99%"), (0.0, "0%"), (2.0, "200%")],
)
def test_shares_read_as_percentages(value: float, text: str) -> None:
    assert words.percent(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.5, "0.50"),
        (0.031, "0.031"),
        (0.00123, "0.0012"),
        (1e-9, "< 0.0001"),
        (0.99999, "> 0.9999"),
        (math.nan, "not defined"),
    ],
)
def test_p_values_are_short(value: float, text: str) -> None:
    assert words.p_value(value) == text


def test_a_number_is_told_from_what_it_is_compared_with() -> None:
    assert words.ratio(1.2504, beside=1.25) == "1.2504"
    assert words.ratio(1.25, beside=1.25) == "1.25"
    assert words.ratio(1.83, beside=1.25) == "1.83"
    assert words.p_value(0.04996, alpha=0.05) == "0.04996"


@pytest.mark.parametrize(
    ("low", "high", "text"),
    [
        (1.749, 1.912, "1.75 to 1.91"),
        (1.0061, 1.0083, "1.006 to 1.008"),
        (1.0, 1.0, "1.00 to 1.00"),
        (1.2, math.inf, "1.20 to infinite"),
    ],
)
def test_the_ends_of_an_interval_can_be_told_apart(low: float, high: float, text: str) -> None:
    assert words.interval(low, high) == text


def test_an_estimate_has_the_decimals_of_its_interval() -> None:
    assert words.precision(1.0058, 1.0061) == 4
    assert words.number(1.00594, 4) == "1.0059"
    assert words.precision(1.2, 1.9) is None
    assert words.precision(1.2, math.inf) is None
    assert words.ratio(1.00612, beside=1.0061, decimals=4) == "1.00612"


@given(value=st.floats(0.0, 100.0), beside=st.floats(1.0, 100.0))
def test_short_numbers_stay_near_the_truth(value: float, beside: float) -> None:
    for text in (words.number(value), words.ratio(value, beside=beside)):
        assert abs(float(text) - value) <= 0.5
    assert abs(float(words.percent(value / 100).rstrip("%")) - value) <= 0.5


@pytest.mark.parametrize(
    ("given", "text"), [((1, "row"), "1 row"), ((9045, "row"), "9,045 rows"), ((2, "person", "people"), "2 people")]
)
def test_counts_agree_with_their_noun(given: Any, text: str) -> None:
    assert words.count(*given) == text


@pytest.mark.parametrize(
    ("low", "high", "text"),
    [
        (4.9, 7.4, "4.90 to 7.40"),
        (-math.inf, 7.4, "up to 7.40"),
        (4.9, math.inf, "from 4.90 on"),
        (-math.inf, math.inf, "without ends"),
    ],
)
def test_an_interval_may_have_one_end(low: float, high: float, text: str) -> None:
    assert words.interval_text(low, high) == text


def test_names_are_listed_as_people_list_them() -> None:
    found = [words.listed(names) for names in ([], ["a"], ["a", "b"], ["a", "b", "c"])]
    assert found == ["", "a", "a and b", "a, b and c"]


@pytest.mark.parametrize(
    ("value", "under", "over", "told"),
    [
        (0.0785, 0.0785, 0.0788, "0.0785"),
        (0.0785, 0.0785, 0.0805, "0.079"),
        (0.07851, 0.07851, 0.07856, "0.07851"),
        (0.078513, 0.078513, 0.078529, "0.07852"),
        (0.92, -math.inf, math.inf, "0.92"),
        (1204.5, 1204.5, 1204.7, "1,204.5"),
        (1204.5, 1203.0, 1206.0, "1,204"),
        (-7.791, -7.791, -7.786, "-7.79"),
        (1e-9, 1e-9, 2e-9, "1.0e-09"),
        (1 / 3, 1 / 3, math.nextafter(1 / 3, 1), "0.3333333333333333"),
    ],
)
def test_a_threshold_has_the_digits_that_count_the_same_again(
    value: float, under: float, over: float, told: str
) -> None:
    assert words.cut(value, under, over) == told


def test_a_full_stop_within_a_name_ends_no_sentence() -> None:
    said = say("Too few people to be cleared: {first}. Merge groups.", first="race = 4. Other")
    assert sentences(said) == ["Too few people to be cleared: race = 4. Other.", "Merge groups."]
    several = say("Of {names}: {told}", names=words.several(["1. White", "4. Other"]), told=said)
    assert [one.replace("'", "") for one in sentences(several)] == [
        "Of 1. White, 4. Other: Too few people to be cleared: race = 4. Other.",
        "Merge groups.",
    ]
    assert sentences("They are 28. Nobody knows why!  So be it") == ["They are 28.", "Nobody knows why!", "So be it"]
