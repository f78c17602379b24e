"""The words of the fair-dummies test: every verdict and question says what the numbers say, and no more."""

import re
from dataclasses import replace
from typing import get_args

import numpy as np
import pytest

from core.audits.equalized_odds.compared import gap_shares, shared_text
from core.audits.equalized_odds.decision import EqualizedOddsDecision
from core.audits.equalized_odds.gap import largest_gap
from core.audits.equalized_odds.result import EqualizedOddsResult
from core.audits.equalized_odds.settings import Asks
from core.audits.equalized_odds.verdict import EqualizedOddsFinding as Finding
from core.audits.equalized_odds.wording import (
    example,
    gap_comparison,
    gap_sentence,
    question,
)
from core.inference.estimate import Verdict
from core.phrases import p_value, points
from tests.builders_fair_dummies import CASES, Case, make_fair_dummies_result

READING = EqualizedOddsDecision()
LENIENT = EqualizedOddsDecision(delta=0.95)
QUESTIONS: tuple[Asks, ...] = get_args(Asks)


def with_p_values(result: EqualizedOddsResult, *ranks: int) -> EqualizedOddsResult:
    """The result with tests whose statistic has so many of 199 drawn losses below it, and densities beyond doubt."""
    null = np.arange(199, dtype=np.float64)
    tests = tuple(
        replace(
            test,
            statistic=rank - 0.5,
            null=null,
            calibration=None if test.calibration is None else replace(test.calibration, p_value=0.4),
        )
        for test, rank in zip(result.detail.tests, ranks, strict=True)
    )
    return replace(result, detail=replace(result.detail, tests=tests))


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("asks", QUESTIONS)
def test_a_violation_names_the_attribute_its_p_value_and_the_largest_difference(case: Case, asks: Asks) -> None:
    result = with_p_values(make_fair_dummies_result(case, asks=asks), 0, 120)
    sentence, gap = Finding(result, READING).sentence, Finding(result, READING).gaps[0]
    assert Finding(result, READING).verdict is Verdict.VIOLATION
    assert sentence.startswith("Violation found: ")
    assert "depending on sex (adjusted p-value 0.010). The largest difference by sex: among " in sentence
    assert "race" not in sentence
    assert (
        f"{points(gap.value)} percentage points apart (95% bounds {points(gap.low)} to {points(gap.high)})" in sentence
    )
    shared = {
        "equalized odds": "people with the same outcome get different answers",
        "demographic parity": "Violation found: people get different answers",
        "calibration": "people with the same answer have different outcomes",
    }[asks]
    assert shared in sentence


def test_the_sentence_does_not_change_with_the_attribute_that_is_drawn() -> None:
    result = with_p_values(make_fair_dummies_result(), 0, 120)
    drawn = EqualizedOddsDecision(attribute="race")
    assert Finding(result, drawn).sentence == Finding(result, READING).sentence


def test_every_violated_attribute_is_named() -> None:
    sentence = Finding(with_p_values(make_fair_dummies_result("four classes"), 0, 1), READING).sentence
    assert "depending on sex (adjusted p-value 0.010) and race (adjusted p-value 0.010)" in sentence


def test_the_largest_difference_among_violated_attributes_is_told() -> None:
    """Race has the smaller p-value, sex the larger difference."""
    result = with_p_values(make_fair_dummies_result("two classes", violation=3.0), 1, 0)
    sizes = [Finding(result, READING).gaps[place].value for place in range(2)]
    assert sizes[0] > sizes[1]
    sentence = Finding(result, READING).sentence
    assert f"The largest difference is by sex: {gap_sentence(Finding(result, READING), 0)}" in sentence


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("asks", QUESTIONS)
def test_a_large_p_value_is_no_evidence_of_fairness(case: Case, asks: Asks) -> None:
    result = with_p_values(make_fair_dummies_result(case, violation=0.0, asks=asks), 90, 120)
    finding, sentence = Finding(result, READING), Finding(result, READING).sentence
    assert Finding(result, READING).headline == "Insufficient evidence"
    assert f"(p-value {p_value(finding.p_value)}), which is no evidence of fairness" in sentence
    bound = max(gap.high for gap in finding.gaps)
    assert f"one of up to {points(bound)} percentage points, more than the 10 tolerated" in sentence


@pytest.mark.parametrize("asks", QUESTIONS)
def test_no_violation_is_said_with_the_bound_it_rests_on(asks: Asks) -> None:
    result = with_p_values(make_fair_dummies_result("two classes", violation=0.0, asks=asks), 90, 120)
    decision = LENIENT if asks != "calibration" else EqualizedOddsDecision(delta=1.0)
    sentence = Finding(result, decision).sentence
    if Finding(result, decision).verdict is Verdict.INSUFFICIENT:
        assert "too few to clear" in sentence
        return
    bound = max(Finding(result, decision).gaps[place].high for place in range(2))
    told = {
        "equalized odds": "whatever threshold is set, the shares of people with the same outcome who have an answer",
        "demographic parity": "whatever threshold is set, the shares of people with an answer above it",
        "calibration": "the shares of people with about the same answer (cut into 10 parts) who have the outcome yes",
    }[asks]
    assert sentence.startswith(f"No violation found between these groups: {told}")
    assert f"by at most {points(bound)} percentage points (95% confidence)" in sentence
    assert "they do differ" not in sentence


def test_a_certain_but_tolerated_difference_is_told() -> None:
    result = with_p_values(make_fair_dummies_result("two classes"), 0, 120)
    assert Finding(result, LENIENT).verdict is Verdict.NO_VIOLATION
    assert Finding(result, LENIENT).sentence.endswith("they do differ, if no more than that (p-value 0.010).")


def test_a_difference_that_the_bounds_show_is_a_violation_whatever_the_p_value() -> None:
    """r̂ predicts a mean of one probability; groups can differ in its spread, or in those of other classes."""
    result = with_p_values(make_fair_dummies_result("four classes", violation=3.0), 150, 120)
    gap, sentence = Finding(result, READING).gaps[0], Finding(result, READING).sentence
    assert gap.low > READING.delta
    assert Finding(result, READING).verdict is Verdict.VIOLATION
    assert "on sex (as the bounds show; the test does not see it, adjusted p-value > 0.9999)" in sentence
    assert "race" not in sentence
    tolerant = EqualizedOddsDecision(delta=gap.low)
    assert Finding(result, tolerant).verdict is Verdict.INSUFFICIENT
    assert (
        f"differ: by at least {points(gap.low)} percentage points at some threshold"
        in Finding(result, tolerant).sentence
    )


def test_decisions_among_three_classes_can_differ_where_no_probability_does() -> None:
    """Every probability has the same three values equally often in both groups; the largest of them does not."""
    result = make_fair_dummies_result("four classes", attributes=1)
    made = result.detail
    sex, far = np.arange(1_500) % 2, np.array([(0.15, -0.15, 0), (-0.15, 0, 0.15), (0, 0.15, -0.15)])
    middle, turn = np.array([0.43, 0.33, 0.24]), np.where(sex == 1, 1, -1)
    answers = np.round(middle + turn[:, None] * far[np.arange(1_500) // 2 % 3], 2)
    detail = replace(
        made,
        asks="demographic parity",
        classes=("deny", "wait", "admit"),
        answers=answers,
        attributes=(replace(made.attributes[0], codes=sex),),
        strata=replace(made.strata, names=("everybody",), codes=np.zeros(1_500, dtype=np.int64)),
    )
    finding = Finding(replace(result, detail=detail), READING)
    gap = finding.gaps[0]
    assert largest_gap(answers, detail.strata.codes, sex, 0.05, groups=2).value < 0.01
    assert gap.value == pytest.approx(1 / 3, abs=0.01)
    assert finding.verdict is Verdict.VIOLATION
    assert re.search(r"the share with the answer (deny|admit) is", gap_comparison(finding, 0))


def test_bounds_within_tenths_of_a_number_show_no_violation_and_say_why() -> None:
    """Groups that lie differently within a tenth have different answers even from a fair model."""
    result = with_p_values(make_fair_dummies_result(violation=4.0, rows=3_000), 150, 120)
    sentence = Finding(result, READING).sentence
    assert Finding(result, READING).gaps[0].low > READING.delta
    assert Finding(result, READING).verdict is Verdict.INSUFFICIENT
    assert "no difference" not in sentence
    assert "which may come from how their outcomes lie there" in sentence


@pytest.mark.parametrize("shape", [{"rows": 3_000}, {"case": "two classes", "attributes": 1, "continuous": True}])
def test_differences_that_could_cancel_within_parts_are_not_cleared(shape: dict[str, object]) -> None:
    """The p-value knows neither tenths of a number nor bins of age, and finds more than their gaps can show."""
    result = make_fair_dummies_result(violation=0.0, **shape)
    attributes = len(result.detail.tests)
    assert Finding(with_p_values(result, *[120] * attributes), LENIENT).verdict is Verdict.NO_VIOLATION
    found = with_p_values(result, *[120] * (attributes - 1), 0)
    assert Finding(found, LENIENT).verdict is Verdict.INSUFFICIENT
    assert "within them people could differ by more" in Finding(found, LENIENT).sentence


def test_an_attribute_whose_p_value_is_doubted_is_not_named_beside_another() -> None:
    """Nor is its p-value adjusted for other tests, and it is no step of Holm's: the other one, 4/200, counts twice."""
    result = with_p_values(make_fair_dummies_result(), 0, 3)
    assert Finding(result, READING).p_value == pytest.approx(min(2 * 1 / 200, 4 / 200))
    assert result.detail.tests[0].calibration is not None
    doubted = replace(result.detail.tests[0], calibration=replace(result.detail.tests[0].calibration, p_value=0.0001))
    result = replace(result, detail=replace(result.detail, tests=(doubted, result.detail.tests[1])))
    assert Finding(result, READING).verdict is Verdict.VIOLATION
    assert "depending on race (adjusted p-value" in Finding(result, READING).sentence
    assert Finding(result, READING).p_value == result.detail.adjusted[1] == pytest.approx(2 * 4 / 200)
    stricter = READING.model_copy(update={"alpha": 0.03})
    assert Finding(result, stricter).verdict is Verdict.INSUFFICIENT
    assert Finding(result, stricter).p_value == pytest.approx(2 * 4 / 200)


def test_small_groups_are_not_cleared() -> None:
    result = with_p_values(make_fair_dummies_result("two classes", violation=0.0, small=True), 90, 120)
    sentence = Finding(result, LENIENT).sentence
    assert sentence.startswith("Insufficient evidence: no difference between the groups was found")
    assert "2 combinations of 'race' and outcome have fewer than 30 people" in sentence
    assert "Merge small groups, or bring more rows." in Finding(result, LENIENT).next_steps
    levels = [notice.level for notice in Finding(result, LENIENT).reasons if "too few to clear" in notice.what]
    assert levels == ["serious"]
    violated = with_p_values(result, 0, 120)
    assert Finding(violated, READING).verdict is Verdict.VIOLATION
    levels = [notice.level for notice in Finding(violated, READING).reasons if "too few to clear" in notice.what]
    assert levels == ["warning"]


def test_a_p_value_from_contradicted_densities_proves_nothing() -> None:
    result = with_p_values(make_fair_dummies_result(), 0, 120)
    first = result.detail.tests[0]
    assert first.calibration is not None
    doubted = replace(first, calibration=replace(first.calibration, p_value=0.0001))
    result = replace(result, detail=replace(result.detail, tests=(doubted, result.detail.tests[1])))
    sentence = Finding(result, READING).sentence
    assert sentence.startswith("Insufficient evidence: the answers seem to depend on the group (p-value 0.010), but ")
    assert "cannot be trusted" in sentence


def test_nothing_large_enough_to_compare_is_said_so() -> None:
    result = make_fair_dummies_result(rows=120, violation=0.0)
    result = with_p_values(result, 90, 120)
    assert "at some threshold there could be one of any size" in Finding(result, READING).sentence
    assert gap_sentence(Finding(result, READING), 0) == (
        "no two groups of sex have 30 people each with about the same outcome"
    )
    violated = Finding(with_p_values(result, 0, 120), READING).sentence
    assert ". How large the difference is cannot be said: no two groups of sex have 30 people each" in violated
    assert Finding(result, READING).next_steps[0].startswith("Bring many more rows, or merge small groups")


def test_shares_are_those_of_the_two_groups() -> None:
    """Counted by hand from the arrays."""
    finding = Finding(make_fair_dummies_result("two classes"), READING)
    detail, gap = finding.result.detail, finding.gaps[0]
    sex = detail.attributes[0]
    above = detail.answers[:, gap.answer] > gap.threshold
    expected = [above[(detail.outcome == gap.stratum) & (sex.codes == group)].mean() for group in gap.groups]
    assert gap_shares(detail, 0, gap) == pytest.approx(tuple(expected))
    assert abs(expected[0] - expected[1]) == pytest.approx(gap.value)
    told = re.search(r"is ([\d.]+)% for (\w+) and ([\d.]+)% for (\w+), ", gap_sentence(finding, 0))
    assert told is not None
    assert float(told[1]) == pytest.approx(100 * expected[0], abs=0.051)
    assert float(told[3]) == pytest.approx(100 * expected[1], abs=0.051)


def test_rows_needed_follow_the_root_of_the_bound() -> None:
    """Twice the tolerance needs a quarter of the rows."""
    result = with_p_values(make_fair_dummies_result("two classes", violation=0.0), 90, 120)
    needed = {}
    for delta in (0.1, 0.2):
        step = Finding(result, EqualizedOddsDecision(delta=delta)).next_steps[0]
        told = re.search(r"about ([\d,]+) rows instead of 1,500", step)
        assert told is not None
        needed[delta] = int(told[1].replace(",", ""))
    assert needed[0.1] == pytest.approx(4 * needed[0.2], rel=0.06)


@pytest.mark.parametrize("case", CASES)
def test_clear_verdicts_have_no_next_steps(case: Case) -> None:
    assert Finding(with_p_values(make_fair_dummies_result(case), 0, 120), READING).next_steps == ()


@pytest.mark.parametrize("asks", QUESTIONS)
def test_questions_and_examples_are_whole_sentences(asks: Asks) -> None:
    assert question(asks).endswith("?")
    texts = [example(asks, numbers=numbers) for numbers in (False, True)]
    assert texts[0] != texts[1]
    assert all(text.startswith("For example: ") and text[-1] in ".?" for text in texts)


def test_what_people_share_is_told_as_they_were_answered() -> None:
    """Decisions are named, probabilities say of what."""
    made = make_fair_dummies_result("two classes", asks="calibration", attributes=1).detail
    assert re.fullmatch(r"a probability of yes from [\d.]+ to [\d.]+", shared_text(made, 0))
    decided = (np.arange(len(made.outcome)) % 2).astype(np.int64)
    strata = replace(made.strata, names=("0.00", "1.00"), codes=decided, exact=True)
    decisions = replace(made, answers=np.eye(2)[decided], strata=strata)
    yes = made.classes[made.asked]
    told = {shared_text(decisions, stratum) for stratum in range(2)}
    assert told == {f"the answer {yes}", f"another answer than {yes}"}
    outcomes = make_fair_dummies_result("two classes", attributes=1).detail
    assert shared_text(outcomes, 0) == f"the outcome {outcomes.strata.names[0]}"
    assert shared_text(replace(outcomes, asks="demographic parity"), 0) == ""
