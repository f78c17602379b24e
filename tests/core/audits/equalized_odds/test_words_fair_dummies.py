"""The words of the fair-dummies test: every verdict and question says what the numbers say, and no more."""

import math
import re
from dataclasses import replace
from typing import cast, get_args

import numpy as np
import pandas as pd
import pytest

from core.audits.equalized_odds.compared import among, gap_shares
from core.audits.equalized_odds.decision import EqualizedOddsDecision
from core.audits.equalized_odds.gap import MeasuredGap
from core.audits.equalized_odds.result import EqualizedOddsResult
from core.audits.equalized_odds.settings import Asks, EqualizedOdds
from core.audits.equalized_odds.verdict import EqualizedOddsFinding as Finding
from core.audits.equalized_odds.wording import gap_comparison, gap_sentence
from core.audits.equalized_odds.wording_asked import example, question
from core.base.files import FileStore
from core.claims import first_told
from core.claims_told import rows_needed
from core.data.dataset import Dataset
from core.data.roles import Roles
from core.inference.estimate import Verdict
from core.language.phrases import number, p_value, points
from core.models.predictions import PredictionColumns
from core.run import run_audit
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
            by_split=np.zeros((0, 2)),
            calibration=None if test.calibration is None else replace(test.calibration, p_value=0.4),
        )
        for test, rank in zip(result.detail.tests, ranks, strict=True)
    )
    return replace(result, detail=replace(result.detail, tests=tests))


EXACT: tuple[tuple[Case, Asks], ...] = (
    ("four classes", "equalized odds"),
    ("two classes", "equalized odds"),
    *((case, "demographic parity") for case in CASES if case != "numbers"),
)
"""Cases and questions in which shares of people who have the very same value are compared."""


@pytest.mark.parametrize(("case", "asks"), EXACT)
def test_a_violation_names_who_the_difference_the_tolerance_and_then_attribute_and_p_value(
    case: Case, asks: Asks
) -> None:
    result = with_p_values(make_fair_dummies_result(case, asks=asks), 0, 120)
    finding = Finding(result, READING)
    gap = finding.beyond[0][0]
    assert finding.verdict is Verdict.VIOLATION
    shared = {
        "equalized odds": "People with the same outcome get different answers",
        "demographic parity": "People get different answers",
    }[asks]
    assert finding.sentence.startswith(f"Violation found: at the worst threshold, {gap_comparison(finding, 0, gap)}, ")
    assert finding.of_decisions is not None
    decided = max(finding.of_decisions.claims, key=first_told)
    place = finding.of_decisions.claims.index(decided)
    assert finding.sentence.endswith(
        f", {points(gap.value)} percentage points apart (at least {points(gap.low)} and at most {points(gap.high)}, "
        "each with 95% confidence), where 10 "
        f"are tolerated. {shared} depending on sex (adjusted p-value 0.020). "
        f"Of decisions: {gap_sentence(finding.of_decisions, place)}."
    )
    assert "race" not in finding.sentence


def test_the_sentence_does_not_change_with_the_attribute_that_is_drawn() -> None:
    result = with_p_values(make_fair_dummies_result(), 0, 120)
    drawn = EqualizedOddsDecision(attribute="race")
    assert Finding(result, drawn).sentence == Finding(result, READING).sentence


def test_every_violated_attribute_is_named() -> None:
    nothing = READING.model_copy(update={"delta": 0.0})
    finding = Finding(with_p_values(make_fair_dummies_result("four classes"), 0, 1), nothing)
    assert "depending on sex (adjusted p-value 0.020) and race (adjusted p-value 0.040)." in finding.sentence
    assert ", where none are tolerated. People" in finding.sentence
    assert finding.affected == "People with the same outcome get different answers depending on sex and race."


def test_the_clearest_difference_among_violated_attributes_is_told() -> None:
    nothing = READING.model_copy(update={"delta": 0.0})
    finding = Finding(with_p_values(make_fair_dummies_result("two classes", violation=3.0), 1, 0), nothing)
    bounds = [finding.claims[place].low for place in range(2)]
    assert bounds[0] > bounds[1]
    assert finding.sentence.startswith(
        f"Violation found: at the worst threshold, {gap_sentence(finding, 0)}, where none"
    )


@pytest.mark.parametrize("case", ["numbers", "two classes", pytest.param("four classes", marks=pytest.mark.long)])
@pytest.mark.parametrize("asks", QUESTIONS)
def test_a_large_p_value_is_no_evidence_of_fairness(case: Case, asks: Asks) -> None:
    result = with_p_values(make_fair_dummies_result(case, violation=0.0, asks=asks), 90, 120)
    stricter = READING.model_copy(update={"delta": 0.05})
    finding, sentence = Finding(result, stricter), Finding(result, stricter).sentence
    assert finding.opening == "Insufficient evidence"
    assert f"(p-value {p_value(finding.p_different)}), which is no evidence of fairness" in sentence
    if case == "numbers":
        least, tolerated = (finding.unit.number(size) for size in (finding.bound, 0.05))
        assert f"there could be one of up to {least}, more than the {tolerated} tolerated" in sentence
    else:
        bound = max(gap.high for gap in finding.gaps)
        assert f"one of up to {points(bound)} percentage points, more than the 5 tolerated" in sentence


@pytest.mark.parametrize("asks", QUESTIONS)
def test_no_violation_is_said_with_the_bound_it_rests_on_and_what_it_means(asks: Asks) -> None:
    result = with_p_values(make_fair_dummies_result("two classes", violation=0.0, asks=asks), 90, 120)
    decision = LENIENT if asks != "calibration" else EqualizedOddsDecision(delta=1.0)
    sentence = Finding(result, decision).sentence
    if Finding(result, decision).verdict is Verdict.INSUFFICIENT:
        assert "too few to clear" in sentence or "no difference can exceed the tolerance" in sentence
        return
    bound = max(Finding(result, decision).gaps[place].high for place in range(2))
    told = {
        "equalized odds": "whatever threshold is set, the shares of people with the same outcome who have an answer",
        "demographic parity": "whatever threshold is set, the shares of people with an answer above it",
        "calibration": "the shares of people with about the same answer (cut into 10 parts) who have the outcome yes",
    }[asks]
    assert sentence.startswith(f"No violation found between these groups: {told}")
    assert f"by at most {points(bound)} percentage points (95% confidence)" in sentence
    assert "treated differently" not in sentence
    assert "tolerated. Equal treatment here means " in sentence
    assert sentence.endswith(" passes by definition.")


def test_a_certain_but_tolerated_difference_is_a_finding_of_its_own() -> None:
    result = with_p_values(make_fair_dummies_result("two classes"), 0, 120)
    finding = Finding(result, LENIENT)
    assert (finding.verdict, finding.different, finding.violated) == (Verdict.NO_VIOLATION, (0,), ())
    assert (
        "tolerated. Groups of sex are treated differently (adjusted p-value 0.020), if by no more" in finding.sentence
    )


def test_a_difference_that_may_be_tolerated_is_told_beside_the_verdict() -> None:
    """The fair dummies know of no size: they show a violation at a tolerance of nothing only."""
    result = with_p_values(make_fair_dummies_result("two classes", violation=0.0), 1, 120)
    finding, nothing = Finding(result, READING), Finding(result, READING.model_copy(update={"delta": 0.0}))
    assert (finding.verdict, finding.p_value, finding.p_different) == (Verdict.INSUFFICIENT, 1.0, 2 * 2 * 2 / 200)
    assert finding.sentence.startswith(
        "Insufficient evidence: groups of sex are treated differently (adjusted p-value 0.040); that they differ by "
        "more than the 10 percentage points tolerated is neither shown nor excluded. Which groups make it is not "
        "shown; among groups of 30 people or more the clearest difference is: where the outcome was "
    )
    assert finding.headlined is not None
    assert finding.next_steps[0] == f"Bring more people: {rows_needed(finding, finding.headlined)}."
    assert rows_needed(finding, finding.headlined) in finding.headline, "one number, wherever it is said"
    assert (nothing.verdict, nothing.p_value) == (Verdict.VIOLATION, 0.04)
    assert "depending on sex (adjusted p-value 0.040). Which groups make it is not shown" in nothing.sentence


def test_a_difference_that_is_nowhere_measured_is_not_told_as_one_between_measured_groups() -> None:
    """Everybody of two large groups is answered alike, and nobody of a small one is: a p-value beside a gap of 0."""
    rng = np.random.default_rng(4)
    race = np.repeat(["a", "b", "c"], [200, 200, 25])
    outcome = rng.choice(["no", "yes"], len(race))
    frame = pd.DataFrame({"race": race, "outcome": outcome, "answer": np.where(race == "c", "no", "yes")})
    roles = Roles(outcome="outcome", favourable="yes", protected=("race",), predictions=("answer",))
    dataset = Dataset.build(frame, roles)
    model = PredictionColumns(columns=("answer",)).load(FileStore(), dataset)
    finding = Finding(run_audit(model, dataset, EqualizedOdds(), seed=0), READING)
    assert finding.gaps[0].value == 0
    assert finding.different == (0,)
    assert "treated differently" not in finding.sentence
    assert (
        "a difference by race (p-value 0.0002) is shown, but none between groups of 30 people or more: the largest "
        "there is 0" in finding.sentence
    )


def test_a_difference_that_the_bounds_show_is_a_violation_whatever_the_fair_dummies_say() -> None:
    """r̂ predicts a mean of one probability; groups can differ in its spread, or in those of other classes."""
    result = with_p_values(make_fair_dummies_result("four classes", violation=3.0), 150, 120)
    gap, finding = Finding(result, READING).gaps[0], Finding(result, READING)
    assert gap.low > READING.delta
    assert (finding.verdict, finding.violated) == (Verdict.VIOLATION, (0,))
    tolerant = Finding(result, EqualizedOddsDecision(delta=gap.low))
    assert (tolerant.verdict, tolerant.different) == (Verdict.INSUFFICIENT, (0,))


def test_a_threshold_that_was_searched_for_is_told_as_one_and_decisions_first() -> None:
    """Probabilities differ by much below a half, and nobody's side of a half changes: decisions are those of chance."""
    rng = np.random.default_rng(8)
    n = 2_000
    men, outcome = rng.integers(2, size=n) == 1, rng.integers(2, size=n)
    sure = np.where(outcome == 1, rng.uniform(0.6, 1.0, n), rng.uniform(0.0, 0.1, n) + 0.2 * men)
    finding = Finding(audited(men, outcome, sure), READING)
    decided = finding.of_decisions
    assert finding.verdict is Verdict.VIOLATION
    assert decided is not None
    assert decided.by_claims is Verdict.NO_VIOLATION
    assert finding.headlined in finding.claims
    assert finding.headline.startswith("At the worst threshold, the share with ")
    assert finding.headline.endswith("; decisions of these two groups lie 0.00 points apart, 10 are tolerated")
    assert finding.next_steps == ("If only decisions are used, audit these: bring a column of decisions.",)
    assert set(finding.parts) == {"fair dummies gap", "fair dummies decisions"}


def test_decisions_that_differ_by_too_much_are_told_instead_of_a_threshold() -> None:
    """As an audit of a column of decisions tells them: the same shares and bounds, to the last digit."""
    rng = np.random.default_rng(8)
    n = 1_000
    men, outcome = rng.integers(2, size=n) == 1, rng.integers(2, size=n)
    sure = np.clip(0.3 * outcome + 0.3 * men + rng.uniform(0.0, 0.4, n), 0, 1)
    finding = Finding(audited(men, outcome, sure), READING)
    alone = Finding(audited(men, outcome, (sure > 0.5).astype(float)), READING)
    alone = Finding(with_p_values(alone.result, 120), READING)
    assert finding.headlined is not None
    assert finding.headlined not in finding.claims
    told, by_itself = (replace(one, p_value=0.0) for one in (finding.headlined, alone.claims[0]))
    assert str(told) == str(by_itself)
    assert finding.headline == alone.headline
    assert (finding.case, finding.next_steps) == (alone.case, ())
    assert alone.of_decisions is None
    assert finding.of_decisions is not None
    tolerant = finding.under(delta=finding.of_decisions.gaps[0].low + 0.001)
    assert tolerant.verdict is Verdict.VIOLATION
    assert tolerant.headline.startswith("At the worst threshold, ")
    assert tolerant.headline.endswith("; whether decisions of these two groups differ by more than 46.0 points is open")
    assert not tolerant.next_steps


def test_decisions_are_told_of_the_groups_that_the_threshold_is_of() -> None:
    """Decisions of a few of one race differ by more than those of men and women, and are not settled."""
    rng = np.random.default_rng(8)
    n = 6_000
    men, outcome = rng.integers(2, size=n) == 1, rng.integers(2, size=n)
    few = np.arange(n) < 120
    sure = np.where(outcome == 1, rng.uniform(0.55, 1.0, n), rng.uniform(0.0, 0.1, n) + 0.2 * men)
    sure[few & (outcome == 1) & (rng.random(n) < 0.06)] = 0.4
    finding = Finding(audited(men, outcome, sure, race=np.where(few, "few", "many")), READING)
    assert finding.verdict is Verdict.VIOLATION
    assert finding.of_decisions is not None
    of_sex, of_race = finding.of_decisions.gaps
    assert of_sex.high <= READING.delta < of_race.high
    assert of_race.value > of_sex.value
    assert "for sex = Male and" in finding.headline
    assert finding.headline.endswith(
        f"decisions of these two groups lie {100 * of_sex.value:.3f} points apart, 10 are tolerated"
    )


def test_decisions_of_two_groups_are_open_where_a_stratum_has_too_few_of_either() -> None:
    answers, strata = np.tile([[0.0], [1.0]], (450, 1)), np.repeat([0, 0, 0, 1, 1, 1], 150)
    codes = np.repeat([0, 1, 2, 0, 1, 2], 150)
    answers[150:300] = 1.0
    everybody = MeasuredGap.of(answers, strata, codes)
    assert everybody.decided_between((1, 0), 0.05)[0] == 0.5
    assert everybody.decided_between((0, 1), 0.05)[1] == pytest.approx(everybody.upper_bound(0.05))
    value, most = everybody.decided_between((0, 2), 0.05)
    assert value == 0
    assert 0 < most < 0.2
    kept = ~((strata == 1) & (codes == 2)) | (np.arange(900) % 10 == 0)
    fewer = MeasuredGap.of(answers[kept], strata[kept], codes[kept])
    assert fewer.decided_between((0, 2), 0.05) == (0, math.inf)
    assert fewer.decided_between((0, 1), 0.05)[1] < 1
    alone = MeasuredGap.of(answers[codes != 2], strata[codes != 2], codes[codes != 2])
    assert math.isnan(alone.decided_between((0, 2), 0.05)[0])


def audited(
    men: np.ndarray, outcome: np.ndarray, sure: np.ndarray, race: np.ndarray | None = None
) -> EqualizedOddsResult:
    """An audit of men and women, and maybe races, with two outcomes and a probability of the second."""
    frame = pd.DataFrame(
        {"sex": np.where(men, "Male", "Female"), "outcome": np.where(outcome == 1, "yes", "no"), "sure": sure}
    )
    protected: tuple[str, ...] = ("sex",)
    if race is not None:
        frame, protected = frame.assign(race=race), ("sex", "race")
    roles = Roles(outcome="outcome", favourable="yes", protected=protected, predictions=("sure",))
    dataset = Dataset.build(frame, roles)
    model = PredictionColumns(columns=("sure",), holds="probability").load(FileStore(), dataset)
    return cast(EqualizedOddsResult, run_audit(model, dataset, EqualizedOdds(dummies=199), seed=0))


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
    assert MeasuredGap.of(answers, detail.strata.codes, sex).value < 0.01
    assert gap.value == pytest.approx(1 / 3, abs=0.01)
    assert finding.verdict is Verdict.VIOLATION
    assert re.search(r"the share with the prediction outcome = (deny|admit) is", gap_comparison(finding, 0, gap))


def test_gaps_within_tenths_of_a_number_show_no_violation() -> None:
    """Groups that lie differently within a tenth have different answers even from a fair model; their means tell."""
    result = with_p_values(make_fair_dummies_result(violation=4.0, rows=3_000), 150, 120)
    finding = Finding(result, READING)
    assert finding.gaps[0].value > 0.5
    assert (finding.gaps[0].low, finding.verdict) == (0.0, Verdict.VIOLATION)


@pytest.mark.parametrize("asks", QUESTIONS)
def test_of_numbers_the_size_is_told_in_the_outcomes_units(asks: Asks) -> None:
    made = make_fair_dummies_result(violation=2.0, asks=asks)
    finding = Finding(with_p_values(made, 0, 120), READING)
    shown, spread = finding.shown(0), float(made.detail.outcome.std())
    assert shown is not None
    assert finding.verdict is Verdict.VIOLATION
    assert finding.result.detail.spread == spread
    more = "people with sex = Male are predicted {} more than people with sex = Female on average"
    told = {
        "equalized odds": f"mong people with the same outcome.*, {more}",
        "demographic parity": more.removeprefix("p"),
        "calibration": "mong people who are predicted the same.*, the outcome of people with sex = Female is {} "
        "higher than that of people with sex = Male",
    }[asks]
    assert re.search(told.format(number(spread * shown.value)), finding.sentence)
    (claim, *_), unit = finding.of_attributes[0], finding.unit
    assert f"(at least {unit.number(claim.low, beside=claim.tolerance)} with 95% confidence)" in finding.sentence
    assert f"by more than the {number(0.1 * spread)} units of outcome tolerated" in finding.sentence
    assert "percentage points tolerated" not in finding.sentence
    first = finding.parts["fair dummies means"][0]
    assert first.who == ("sex = Female" if asks == "calibration" else "sex = Male")
    assert first.estimate * first.unit.factor == pytest.approx(spread * finding.told(0)[0].value)
    assert first.what == ("mean outcome" if asks == "calibration" else "mean answer")
    shared = {"equalized odds": "mean answer with the same outcome", "calibration": "mean outcome with the same answer"}
    parts = [one.what for one in finding.parts["fair dummies means"][1:] if " from " in one.what]
    assert all(what.replace("about ", "").startswith(f"{shared[asks]}, from ") for what in parts)
    assert bool(parts) is (asks in shared)


@pytest.mark.parametrize("asks", QUESTIONS)
def test_of_numbers_the_headline_says_who_is_predicted_more_and_with_a_good_end_who_fares_worse(asks: Asks) -> None:
    """Men are predicted more than women of the same outcome, so that women have the higher outcome at one answer."""
    made = with_p_values(make_fair_dummies_result(violation=2.0, asks=asks), 0, 120)
    unsaid, high, low = (Finding(made, EqualizedOddsDecision(), end) for end in ("not said", "high", "low"))
    value = unsaid.unit.text(unsaid.claims[0].estimate, beside=unsaid.claims[0].tolerance)
    men, women = "people with sex = Male", "people with sex = Female"
    if asks == "calibration":
        told = {
            unsaid: f"the mean outcome of {women} is {value} higher than that of {men}",
            high: f"{women} fare worse: their mean outcome is {value} higher than that of {men}",
            low: f"{men} fare worse: their mean outcome is {value} lower than that of {women}",
        }
        worse = (high, women), (low, men)
    else:
        told = {
            unsaid: f"{men} are predicted {value} more on average than {women}",
            low: f"{men} fare worse: they are predicted {value} more on average than {women}",
            high: f"{women} fare worse: they are predicted {value} less on average than {men}",
        }
        worse = (low, men), (high, women)
    shared = {"equalized odds": "With about the same outcome, ", "calibration": "With about the same answer, "}
    for found, words in told.items():
        assert found.headline.startswith(shared.get(asks, "P")), found.headline
        assert words[1:] in found.headline
    assert unsaid.named == ""
    assert [found.next_steps for found in (high, low)] == [(), ()]
    assert ["Say which end of" in one for one in unsaid.next_steps] == [True]
    why = "is good for the person is not said"
    assert [any(why in one for one in found.assumptions) for found in (unsaid, high, low)] == [True, False, False]
    assert [f"people with {found.named}" for found, _ in worse] == [who for _, who in worse]
    for found in (high, low):
        assert (found.claims[0].low, found.claims[0].high) == (unsaid.claims[0].low, unsaid.claims[0].high)
        assert {found.claims[0].people, found.claims[0].others} == {unsaid.claims[0].people, unsaid.claims[0].others}


def test_of_numbers_each_part_counts_its_own_people_and_an_open_headline_names_what_is_open() -> None:
    made = with_p_values(make_fair_dummies_result(violation=2.0), 0, 120)
    finding = Finding(made, READING)
    whole, *parts = finding.parts["fair dummies means"][: len(finding.told(0))]
    own = [one for one in parts if one.who in (whole.who, whole.against)]
    assert len(own) >= 3
    assert max(one.people for one in own) < whole.people
    assert sum(one.people + one.others for one in own) <= whole.people + whole.others
    many = with_p_values(make_fair_dummies_result(rows=3_000, violation=1.0), 0, 120)
    open_one = Finding(many, EqualizedOddsDecision(delta=Finding(many, READING).claims[0].estimate))
    assert [all(one.settled for one in claims) for claims in open_one.of_attributes] == [False, True]
    assert open_one.headline.endswith("surely at least 5.63 units of outcome, but whether more than 6.35 is open")


def test_of_numbers_the_chart_has_the_bounds_that_decide_and_shares_have_none_from_below() -> None:
    finding = Finding(with_p_values(make_fair_dummies_result(violation=2.0), 0, 120), READING)
    claim = finding.claims[0]
    told = finding.drawing("fair dummies means").alt
    assert f"(at least {finding.unit.number(claim.low, beside=claim.tolerance)})" in told
    shares = finding.tables["fair dummies shares"]
    bounds = [row[shares.header.index("One-sided 95% bounds")] for row in shares.rows]
    assert all(one.startswith("up to ") for one in bounds)


def test_of_numbers_no_violation_names_the_bound_in_the_outcomes_units() -> None:
    finding = Finding(with_p_values(make_fair_dummies_result(rows=3_000, violation=0.0), 90, 120), LENIENT)
    spread = finding.result.detail.spread
    assert finding.verdict is Verdict.NO_VIOLATION
    assert (
        "the mean prediction of people with the same outcome differs between groups of sex and race by at most "
        f"{number(spread * finding.bound)}, in low, middle and high parts alike (95% confidence), within the "
        f"{number(spread * 0.95)} tolerated"
    ) in finding.sentence
    assert finding.bound == max(effects.upper_bound(0.05) for effects in finding.effects)


@pytest.mark.parametrize("shape", [{"rows": 3_000}, {"case": "two classes", "attributes": 1, "continuous": True}])
def test_differences_that_could_cancel_within_parts_are_not_cleared(shape: dict[str, object]) -> None:
    """The p-value knows neither tenths of a number nor bins of age, and finds more than their gaps can show."""
    result = make_fair_dummies_result(violation=0.0, **shape)
    attributes = len(result.detail.tests)
    assert Finding(with_p_values(result, *[120] * attributes), LENIENT).verdict is Verdict.NO_VIOLATION
    found = with_p_values(result, *[120] * (attributes - 1), 0)
    assert Finding(found, LENIENT).verdict is Verdict.INSUFFICIENT
    assert "do not show what differs inside" in Finding(found, LENIENT).sentence


def test_a_difference_of_means_within_the_tolerance_does_not_explain_the_dummies_away() -> None:
    """It may be small because people within a part differ in opposite directions, whatever else the parts show."""
    result = make_fair_dummies_result(violation=0.3, rows=3_000)
    calm, found = (Finding(with_p_values(result, place, 120), LENIENT) for place in (120, 0))
    assert min(effects.p_value(0.0) for effects in found.effects) < 0.01
    assert found.bound <= LENIENT.delta
    assert (calm.verdict, found.verdict) == (Verdict.NO_VIOLATION, Verdict.INSUFFICIENT)


def test_an_attribute_whose_p_value_is_doubted_shows_nothing() -> None:
    """Of the other, two draws of 199 are as low: 3/200, twice for two kinds of evidence, twice for two attributes."""
    result, nothing = (
        with_p_values(make_fair_dummies_result(violation=0.0), 0, 2),
        READING.model_copy(update={"delta": 0.0}),
    )
    assert Finding(result, nothing).p_value == 4 * 1 / 200
    assert result.detail.tests[0].calibration is not None
    doubted = replace(result.detail.tests[0], calibration=replace(result.detail.tests[0].calibration, p_value=0.0001))
    result = replace(result, detail=replace(result.detail, tests=(doubted, result.detail.tests[1])))
    assert (Finding(result, nothing).p_value, Finding(result, nothing).verdict) == (4 * 3 / 200, Verdict.INSUFFICIENT)
    lenient = nothing.model_copy(update={"alpha": 0.06})
    assert (Finding(result, lenient).violated, Finding(result, lenient).verdict) == ((1,), Verdict.VIOLATION)
    assert any("Do not use its p-value" in caveat.what for caveat in Finding(result, lenient).reasons)


def test_an_error_rate_that_no_draw_can_reach_is_told() -> None:
    """Of 1,999 draws, two attributes and two kinds of evidence, none is below 4 / 2,000; of one kind, half."""
    result = with_p_values(make_fair_dummies_result("two classes", violation=1.0), 0, 0)
    unsound = tuple(replace(test, tested=29) for test in result.detail.tests)
    alone = replace(result, detail=replace(result.detail, tests=unsound))
    for one, alpha, told in ((result, 0.0019, True), (result, 0.002, False), (alone, 0.0019, False)):
        found = Finding(one, READING.model_copy(update={"alpha": alpha}))
        assert any("No violation can be shown" in caveat.what for caveat in found.reasons) == told


def test_small_groups_are_not_cleared() -> None:
    result = with_p_values(make_fair_dummies_result("two classes", violation=0.0, small=True), 90, 120)
    sentence = Finding(result, LENIENT).sentence
    assert sentence.startswith("Insufficient evidence: no difference between the groups was shown")
    assert "2 combinations of 'race' and outcome have fewer than 30 people" in sentence
    assert "Merge small groups, or bring more rows." in Finding(result, LENIENT).next_steps
    levels = [caveat.level for caveat in Finding(result, LENIENT).reasons if "too few to clear" in caveat.what]
    assert levels == ["serious"]
    violated, nothing = with_p_values(result, 0, 120), READING.model_copy(update={"delta": 0.0})
    assert Finding(violated, nothing).verdict is Verdict.VIOLATION
    levels = [caveat.level for caveat in Finding(violated, nothing).reasons if "too few to clear" in caveat.what]
    assert levels == ["warning"]


def test_nothing_large_enough_to_compare_is_said_so() -> None:
    result = make_fair_dummies_result(rows=50, violation=0.0)
    result = with_p_values(result, 90, 120)
    assert "there could be one of any size" in Finding(result, READING).sentence
    assert gap_sentence(Finding(result, READING), 0) == (
        "no two groups of sex have 30 people each with about the same outcome"
    )
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
    told = re.search(r"is ([\d.]+)% for sex = (\w+) and ([\d.]+)% for sex = (\w+), ", gap_sentence(finding, 0))
    assert told is not None
    assert float(told[1]) == pytest.approx(100 * expected[0], abs=0.051)
    assert float(told[3]) == pytest.approx(100 * expected[1], abs=0.051)


def test_rows_needed_follow_the_root_of_the_bound() -> None:
    """Twice the tolerance needs a quarter of the rows."""
    result = with_p_values(make_fair_dummies_result("two classes", violation=0.0), 90, 120)
    needed = {}
    for delta in (0.04, 0.08):
        step = Finding(result, EqualizedOddsDecision(delta=delta)).next_steps[0]
        told = re.search(r"about ([\d,]+) rows instead of 1,500", step)
        assert told is not None
        needed[delta] = int(told[1].replace(",", ""))
    assert needed[0.04] == pytest.approx(4 * needed[0.08], rel=0.06)


@pytest.mark.parametrize("case", ["four classes", "two classes"])
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
    asked = make_fair_dummies_result("two classes", asks="calibration", attributes=1)
    made, data = asked.detail, asked.data
    assert re.fullmatch(
        rf"among people with a probability of {data.outcome} = yes from [\d.]+ to [\d.]+", among(made, 0, data)
    )
    decided = (np.arange(len(made.outcome)) % 2).astype(np.int64)
    strata = replace(made.strata, names=("0.00", "1.00"), codes=decided, exact=True)
    decisions = replace(made, answers=np.eye(2)[decided], strata=strata)
    yes = f"{data.outcome} = {made.classes[made.asked]}"
    told = {among(decisions, stratum, data) for stratum in range(2)}
    assert told == {f"among people with the prediction {yes}", f"among people with another prediction than {yes}"}
    outcomes = make_fair_dummies_result("two classes", attributes=1).detail
    assert among(outcomes, 0, data) == f"where the outcome was {outcomes.strata.names[0]}"
    assert among(replace(outcomes, asks="demographic parity"), 0, data) == ""


def test_where_only_a_tiny_group_is_treated_otherwise_no_other_groups_are_accused() -> None:
    """At a tolerance of nothing the fair dummies find a dozen people of one race, of whom no bound is known."""
    result = with_p_values(make_fair_dummies_result("two classes", violation=0.0, small=True), 120, 0)
    finding = Finding(result, EqualizedOddsDecision(delta=0.0))
    assert finding.verdict is Verdict.VIOLATION
    assert "Which groups make it is not shown; among groups of 30 people or more the clearest" in finding.sentence


def test_one_absurd_outcome_does_not_buy_a_wide_tolerance() -> None:
    result = make_fair_dummies_result("numbers", violation=0.0, attributes=1)
    outcome, answers = result.detail.outcome.copy(), result.detail.answers.copy()
    outcome[0] = answers[0] = 1e6
    stretched = replace(result, detail=replace(result.detail, outcome=outcome, answers=answers))
    decision = EqualizedOddsDecision(delta=0.9)
    said = [one.what for one in Finding(stretched, decision).own_caveats if one.level == "serious"]
    assert any("lie so far from the others" in one for one in said)
    assert Finding(stretched, decision).own_verdict is not Verdict.NO_VIOLATION
    assert not any("lie so far" in one.what for one in Finding(result, decision).own_caveats)
