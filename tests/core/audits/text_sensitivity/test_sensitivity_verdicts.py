"""When the sensitivity audit says violation, no violation, or neither; and its estimates as laws of the scores."""

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import spearmanr

from core.audits.text_sensitivity.decision import MEASURES, TextSensitivityDecision
from core.audits.text_sensitivity.estimates import Estimates
from core.audits.text_sensitivity.result import TextSensitivityDetail
from core.audits.text_sensitivity.wording import EQUAL_TREATMENT
from core.base.grouping import Grouping
from core.inference.estimate import Verdict
from tests.builders_sensitivity import make_sensitivity_detail
from tests.builders_swaps import with_texts
from tests.findings import found

SWAPS = TextSensitivityDecision()


def reference(**changes: Any) -> TextSensitivityDecision:
    return TextSensitivityDecision(judged="reference", **changes)


def with_swaps(moved: np.ndarray, *, flipped: int = 0, groups: np.ndarray | None = None) -> TextSensitivityDetail:
    """An audit whose texts move by ``moved`` (NaN: nothing exchanged); the first ``flipped`` change their class."""
    members = () if groups is None else (Grouping("gender", ("Female", "Male"), groups),)
    return with_texts(moved, flipped=np.arange(len(moved)) < flipped, memberships=members)


def moved(n: int, mean: float, seed: int = 0) -> np.ndarray:
    values = np.random.default_rng(seed).gamma(4, 1, n)
    return values * mean / values.mean()


def estimates(detail: TextSensitivityDetail) -> Estimates:
    return Estimates(found(detail, SWAPS).result)


def said(detail: TextSensitivityDetail, decision: TextSensitivityDecision, level: str = "serious") -> str:
    return " ".join(caveat.what for caveat in found(detail, decision).reasons if caveat.level == level)


def test_answers_that_move_more_than_tolerated_are_a_violation() -> None:
    detail = with_swaps(moved(200, 0.08))
    assert found(detail, SWAPS).verdict is Verdict.VIOLATION
    assert found(detail, SWAPS).p_value <= SWAPS.alpha
    assert found(detail, SWAPS).inference.lower_bound(0.05) > 0.05


def test_answers_that_hardly_move_are_none_and_the_reader_learns_of_what_this_speaks() -> None:
    detail = with_swaps(moved(400, 0.01))
    assert found(detail, SWAPS).verdict is Verdict.NO_VIOLATION
    assert not said(detail, SWAPS)
    assert "speaks of the words in the list" in said(detail, SWAPS, "info")


def test_between_the_bounds_nothing_is_said() -> None:
    assert found(with_swaps(moved(100, 0.05)), SWAPS).verdict is Verdict.INSUFFICIENT


def test_few_texts_do_not_clear_a_model_even_if_none_of_them_moves() -> None:
    few, many = with_swaps(np.zeros(35)), with_swaps(np.zeros(300))
    assert found(few, SWAPS).inference.upper_bound(0.05) == pytest.approx(1 - 0.05 ** (1 / 35), rel=0.15)
    assert found(few, SWAPS).verdict is Verdict.INSUFFICIENT
    assert found(many, SWAPS).verdict is Verdict.NO_VIOLATION


def test_texts_that_change_class_are_not_outweighed_by_a_small_mean() -> None:
    detail = with_swaps(moved(400, 0.01), flipped=40)
    assert found(detail, SWAPS).verdict is Verdict.INSUFFICIENT
    assert "predicted class changes" in said(detail, SWAPS)
    assert found(with_swaps(moved(400, 0.01), flipped=4), SWAPS).verdict is Verdict.NO_VIOLATION


def test_a_group_above_the_tolerance_is_not_outweighed_by_the_others() -> None:
    codes = (np.arange(600) < 60).astype(np.int64)
    values = np.where(codes, moved(600, 0.1), moved(600, 0.01))
    detail = with_swaps(values, groups=codes)
    assert found(detail, SWAPS).inference.upper_bound(0.05) < 0.05
    assert found(detail, SWAPS).verdict is Verdict.INSUFFICIENT
    assert "The 60 texts with gender = Male are treated beyond the tolerance" in said(detail, SWAPS)
    assert found(detail, SWAPS).opening == "Insufficient evidence; beyond the tolerance for gender = Male"
    assert found(with_swaps(values), SWAPS).verdict is Verdict.NO_VIOLATION


def test_a_list_that_hardly_fits_the_texts_clears_nobody() -> None:
    values = np.full(8000, np.nan)
    values[:300] = 0.001
    detail = with_swaps(values)
    assert found(detail, SWAPS).verdict is Verdict.INSUFFICIENT
    assert "300 of 8,000 texts only" in said(detail, SWAPS)
    values[:300] = moved(300, 0.2)
    assert found(with_swaps(values), SWAPS).verdict is Verdict.VIOLATION


@pytest.mark.parametrize(
    ("changes", "decision", "why"),
    [
        ({"exchanged": False}, SWAPS, "No text holds a word that could be exchanged for its counterpart."),
        ({"texts": 25}, SWAPS, "Only 21 texts hold words that can be exchanged; a mean needs at least 30."),
        ({"reference": False}, reference(), "There is no second model to compare with."),
        ({"status": "none"}, reference(measure="P2"), "P2 needs a protected status model, and there is none."),
        ({"exchanged": False}, reference(measure="P4"), "No text holds a word of the list that the model reads"),
        ({"texts": 29}, reference(measure="P1"), "Only 29 texts have a value of P1; a mean needs at least 30."),
    ],
)
def test_what_is_not_applicable_says_why(changes: dict[str, Any], decision: TextSensitivityDecision, why: str) -> None:
    detail = make_sensitivity_detail(**changes)
    assert found(detail, decision).inference.undefined.startswith(why)
    assert found(detail, decision).verdict is Verdict.INSUFFICIENT
    assert math.isnan(found(detail, decision).p_value)
    (caveat,) = found(detail, decision).reasons
    assert caveat.level == "serious"
    assert caveat.advice


@given(
    bias=st.sampled_from([0.0, 0.2, 1.0]),
    measure=st.sampled_from(MEASURES),
    signed=st.booleans(),
    delta=st.sampled_from([0.0, 0.01, 1.0]),
    status=st.sampled_from(["good", "weak", "none"]),
    turned=st.booleans(),
)
@settings(max_examples=25, deadline=None)
def test_the_comparison_with_a_second_model_never_clears(
    *, bias: float, measure: Any, signed: bool, delta: float, status: Any, turned: bool
) -> None:
    detail = make_sensitivity_detail(texts=60, bias=bias, status=status, shown=0, draws=199)
    if turned:
        assert detail.reference is not None
        detail = replace(detail, audited=detail.reference, reference=detail.audited)
    decision = reference(measure=measure, signed=signed, delta=delta)
    assert found(detail, decision).verdict is not Verdict.NO_VIOLATION


def test_a_more_sensitive_model_is_found_and_the_turned_comparison_is_not_called_fair() -> None:
    detail = make_sensitivity_detail(texts=200)
    assert found(detail, reference()).verdict is Verdict.VIOLATION
    turned = replace(detail, audited=detail.reference, reference=detail.audited)
    assert found(turned, reference()).inference.value == pytest.approx(-found(detail, reference()).inference.value)
    assert found(turned, reference()).verdict is Verdict.INSUFFICIENT
    assert "no evidence of fairness" in said(turned, reference())


def test_a_weak_status_model_carries_no_claim_and_word_lists_are_proposed() -> None:
    weak = make_sensitivity_detail(texts=300, status="weak")
    assert found(weak, reference()).inference.lower_bound(0.05) > 0
    assert found(weak, reference()).verdict is Verdict.INSUFFICIENT
    assert any("P4 or P5" in caveat.advice for caveat in found(weak, reference()).reasons)
    assert found(weak, reference(measure="P4")).verdict is Verdict.VIOLATION


def test_the_signed_product_is_measured_and_carries_no_claim() -> None:
    detail = make_sensitivity_detail(texts=200)
    decision = reference(measure="P5", signed=True)
    assert detail.reference is not None
    difference = detail.audited.signed[:, 1] - detail.reference.signed[:, 1]
    assert found(detail, decision).inference.value == pytest.approx(np.nanmean(difference))
    assert estimates(detail).mean("P3", signed=True).value == pytest.approx(detail.audited.signed[:, 0].mean())
    assert found(detail, decision.model_copy(update={"delta": 0.0})).verdict is Verdict.INSUFFICIENT
    assert "signed product" in said(detail, decision)


def test_models_that_are_not_equally_sure_are_hard_to_compare() -> None:
    detail = make_sensitivity_detail(texts=200)
    unsure = replace(detail, audited=replace(detail.audited, confidence=0.6 * detail.audited.confidence))
    assert "differ in confidence" in said(unsure, reference(), "warning")
    assert "differ in confidence" not in said(detail, reference(), "warning")


def test_a_model_that_reacts_to_every_word_more_is_told_apart_from_one_that_leans_on_the_group() -> None:
    detail = make_sensitivity_detail(texts=200)
    assert detail.reference is not None
    noise = np.random.default_rng(0).lognormal(0, 0.05, (200, 6))
    louder = replace(detail.reference, measures=2 * noise * detail.reference.measures)
    detail = replace(detail, audited=louder)
    assert found(detail, reference()).verdict is Verdict.VIOLATION
    assert "2 times as sensitive to words of any kind" in said(detail, reference(), "warning")
    assert estimates(detail).ratio("P2").value == pytest.approx(2.0, rel=0.02)


def test_means_are_those_of_the_texts_a_measure_applies_to_whatever_their_order() -> None:
    detail = make_sensitivity_detail(texts=150)
    rows = np.random.default_rng(1).permutation(150)
    fields = ("measures", "signed", "flipped", "predicted", "confidence")
    audited = replace(detail.audited, **{name: getattr(detail.audited, name)[rows] for name in fields})
    members = tuple(replace(one, codes=one.codes[rows]) for one in detail.memberships)
    shuffled = replace(detail, audited=audited, memberships=members, annotation=detail.annotation[rows])
    for place, measure in enumerate(MEASURES):
        values = detail.audited.measures[:, place]
        found = estimates(detail).mean(measure)
        assert found.value == pytest.approx(np.nanmean(values))
        assert found.n == np.isfinite(values).sum()
        assert estimates(shuffled).mean(measure).two_sided(0.05) == found.two_sided(0.05)
    assert estimates(shuffled).judgements() == estimates(detail).judgements()
    (one,), (other,) = estimates(detail).by_group("P2"), estimates(shuffled).by_group("P2")
    assert np.array_equal(one.found.low, other.found.low)
    for group in range(2):
        own = detail.audited.measures[detail.memberships[0].codes == group, 1]
        assert one.found.means[group] == pytest.approx(own.mean())


def test_flips_count_exchanged_texts_only_and_confidence_goes_by_ranks() -> None:
    detail = with_swaps(np.r_[moved(60, 0.1), np.full(40, np.nan)], flipped=80)
    assert (estimates(detail).flips().count, estimates(detail).flips().n) == (60, 60)
    detail = make_sensitivity_detail(texts=90)
    expected = spearmanr(detail.audited.measures[:, 1], detail.audited.confidence).statistic
    found = estimates(detail).with_confidence("P2")
    assert found.value == pytest.approx(expected)
    assert found.low < found.value < found.high


def test_no_model_is_cleared_that_moves_answers_more_than_tolerated() -> None:
    """A corpus in which 6% of the texts move altogether and the others not at all: the mean lies above delta = 0.05."""
    repetitions, cleared = 80, 0
    for seed in range(repetitions):
        values = (np.random.default_rng(seed).random(60) < 0.06).astype(float)
        detail = with_swaps(values)
        cleared += found(detail, SWAPS).verdict is Verdict.NO_VIOLATION
    assert cleared / repetitions <= SWAPS.alpha + 2 * math.sqrt(0.05 * 0.95 / repetitions)


def test_embeddings_of_another_size_are_another_unit() -> None:
    """Embeddings three times as small make P1, P2 and P4 three times as large, and leave P3, P5 and CF alone."""
    detail = make_sensitivity_detail(texts=200)
    measures = detail.audited.measures * np.array([3, 3, 1, 3, 1, 1])
    smaller = replace(detail, audited=replace(detail.audited, measures=measures))
    for measure in ("P1", "P2", "P4"):
        assert found(smaller, reference(measure=measure)).inference.lower_bound(0.05) > 0
        assert found(smaller, reference(measure=measure)).verdict is Verdict.INSUFFICIENT
        assert "times as large as the second model's" in said(smaller, reference(measure=measure))
    for measure in ("P3", "P5", "CF"):
        assert found(smaller, reference(measure=measure)).verdict is Verdict.VIOLATION
    assert found(detail, reference()).verdict is Verdict.VIOLATION


def repeated(detail: TextSensitivityDetail, times: int) -> TextSensitivityDetail:
    """The same texts several times each, known to be the same."""
    rows = np.tile(np.arange(len(detail.label)), times)

    def of(scores):
        return None if scores is None else replace(
            scores,
            measures=scores.measures[rows],
            signed=scores.signed[rows],
            flipped=scores.flipped[rows],
            predicted=scores.predicted[rows],
            confidence=scores.confidence[rows],
        )  # fmt: skip

    return replace(
        detail,
        audited=of(detail.audited),
        reference=of(detail.reference),
        memberships=tuple(replace(one, codes=one.codes[rows]) for one in detail.memberships),
        label=detail.label[rows],
        annotation=detail.annotation[rows],
        same=rows,
    )


def test_a_table_ten_times_over_says_what_it_says_once() -> None:
    once = make_sensitivity_detail(texts=60, shown=0, attributes=2)
    tenfold = repeated(once, 10)
    for decision in (SWAPS, reference(), reference(measure="P5", signed=True), reference(measure="CF")):
        assert found(tenfold, decision).verdict is found(once, decision).verdict
        own, other = found(once, decision).inference, found(tenfold, decision).inference
        assert other.n == own.n
        assert other.p_value(decision.delta) == own.p_value(decision.delta)
        assert other.two_sided(0.05).low == pytest.approx(own.two_sided(0.05).low)
        assert other.two_sided(0.05).high == pytest.approx(own.two_sided(0.05).high)
    assert estimates(tenfold).flips() == estimates(once).flips()
    assert estimates(tenfold).with_confidence("P3") == estimates(once).with_confidence("P3")
    assert estimates(tenfold).ratio("P4").value == pytest.approx(estimates(once).ratio("P4").value)
    for own, other in zip(estimates(once).by_group("CF"), estimates(tenfold).by_group("CF"), strict=True):
        np.testing.assert_array_equal(other.found.rows, own.found.rows)
        np.testing.assert_allclose(other.found.low, own.found.low)
    judged = [[one.found.n for one in estimates(each).judgements()] for each in (once, tenfold)]
    assert judged[0] == judged[1]


def test_copies_of_few_still_texts_clear_nobody() -> None:
    few = with_swaps(np.zeros(35))
    assert found(replace(repeated(few, 10), same=None), SWAPS).verdict is Verdict.NO_VIOLATION
    assert found(repeated(few, 10), SWAPS).verdict is Verdict.INSUFFICIENT


def test_few_texts_that_move_and_occur_often_are_not_hidden_by_many_that_do_not() -> None:
    detail = with_swaps(np.r_[np.zeros(400), np.full(400, 0.5)])
    detail = replace(detail, same=np.r_[np.arange(400), 400 + np.arange(400) % 8])
    assert found(detail, SWAPS).inference.upper_bound(0.05) < 0.05
    assert found(detail, SWAPS).verdict is Verdict.INSUFFICIENT
    assert said(detail, SWAPS).startswith("Counted as often as they occur, the texts move by 25.0%")


def test_copies_of_many_texts_keep_the_error_rate() -> None:
    rng, wrong, repeats = np.random.default_rng(3), {True: 0, False: 0}, 120
    for _ in range(repeats):
        values = rng.beta(1, 9, 60)
        rows = np.repeat(np.arange(60), 6)
        detail = replace(with_swaps(values[rows]), draws=199)
        for known in (True, False):
            counted = replace(detail, same=rows if known else None)
            wrong[known] += found(counted, SWAPS).inference.lower_bound(0.05) > 0.1
    assert wrong[True] / repeats < 0.05 + 3 * (0.05 * 0.95 / repeats) ** 0.5
    assert wrong[False] / repeats > 0.15


def turning(share: float, *, weak: str = "") -> TextSensitivityDetail:
    detail = with_swaps(moved(400, 0.01))
    assert detail.status is not None
    return replace(detail, status=replace(detail.status, weak=weak), turned=np.full(400, share))


def test_words_whose_exchange_leaves_people_their_group_clear_nobody() -> None:
    assert found(turning(0.98), SWAPS).verdict is Verdict.NO_VIOLATION
    assert found(turning(0.03), SWAPS).verdict is Verdict.INSUFFICIENT
    assert "moves the protected status model by 3%" in said(turning(0.03), SWAPS)


def test_a_weak_status_model_says_nothing_about_the_words_exchanged() -> None:
    assert found(turning(0.03, weak="It guesses."), SWAPS).verdict is Verdict.NO_VIOLATION


def test_a_second_model_takes_nothing_out_of_the_headline() -> None:
    alone = with_swaps(moved(400, 0.2), flipped=264)
    headline = found(alone, SWAPS).opening
    assert (
        headline == "Violation found; 66% of texts change class when words are exchanged (95% interval 61.2% to 70.5%)"
    )
    beside = found(replace(alone, reference=alone.audited), SWAPS)
    assert (beside.opening, beside.p_value) == (headline, found(alone, SWAPS).p_value)
    assert (
        "Beside it, the second model's answer changes by 20.0 percentage points, and 66% of its texts"
        in beside.sentence
    )
    compared = found(replace(alone, reference=alone.audited), reference())
    assert compared.opening.endswith(headline.removeprefix("Violation found"))


def test_no_violation_says_what_it_means_and_the_limits_say_it_too() -> None:
    fair = found(with_swaps(moved(400, 0.01)), SWAPS)
    assert f". {EQUAL_TREATMENT}" in fair.sentence
    assert EQUAL_TREATMENT in fair.assumptions
    assert EQUAL_TREATMENT not in found(with_swaps(moved(400, 0.2)), SWAPS).sentence


def test_a_small_group_beyond_the_tolerance_is_named_in_headline_and_table_alike() -> None:
    codes = (np.arange(600) < 20).astype(np.int64)
    one = found(with_swaps(np.where(codes, moved(600, 0.6), moved(600, 0.01)), groups=codes), SWAPS)
    assert one.inference.upper_bound(0.05) <= 0.05
    assert one.verdict is Verdict.INSUFFICIENT
    assert one.opening == "Insufficient evidence; beyond the tolerance for gender = Male"
    assert one.excesses[1].p_value == 20 / 10_000
    told = {row[0]: row[-2:] for row in one.tables["sensitivity groups"].rows}
    assert told["gender = Male"][0] == "insufficient evidence (p-value 0.0020)"
    assert told["gender = Female"][0].endswith("; p-value > 0.9999)")
    assert "on average" not in next(caveat.what for caveat in one.reasons if "with gender = Male" in caveat.what)
