"""The test of one attribute: level and power in small simulations, laws, and what becomes of odd strata and groups."""

import math
from collections.abc import Callable
from functools import partial

import numpy as np
import pytest
from scipy.special import ndtr, ndtri
from scipy.stats import gaussian_kde, kstest

from core.audits.equalized_odds.engine import rows_of, split
from core.audits.equalized_odds.question import Question, strata_of
from core.audits.equalized_odds.resampling import fresh, in_units, permuted
from core.audits.equalized_odds.result import AttributeTest, Strata
from core.audits.equalized_odds.settings import EqualizedOdds
from core.audits.equalized_odds.testing import examine, examine_splits
from core.base.errors import AuditError
from core.data.attribute import Attribute

NON_MONOTONE = np.array([0.2, 0.8, 0.8, 0.2])
"""P(A = 1 | Y) of shared statistics section 4, where class numbers mislead."""


SPREADS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "a number": np.ones_like,
    "a number, spread as the outcome says": lambda y: np.exp(y / 2).clip(0.1, 5),
    "a number, often zero": np.ones_like,
}
"""How widely an attribute that is a number is spread around the outcome."""


def groups(codes: np.ndarray, count: int = 0) -> Attribute:
    names = tuple(f"g{code}" for code in range(count or int(codes.max()) + 1))
    return Attribute("group", names, codes, np.full(len(codes), math.nan))


def numbers(values: np.ndarray) -> Attribute:
    return Attribute("age", ("low", "high"), (values > np.median(values)).astype(np.int64), values)


def classes(codes: np.ndarray) -> Strata:
    return Strata(tuple(map(str, range(int(codes.max()) + 1))), codes, exact=True)


def run(
    score: np.ndarray,
    strata: Strata,
    attribute: Attribute,
    *,
    given: np.ndarray | None = None,
    seed: int = 0,
    probability: bool = False,
    **settings: object,
) -> AttributeTest:
    rng = np.random.default_rng(seed)
    question = Question(score, probability, strata, np.zeros(len(score)) if given is None else given)
    audit = EqualizedOdds(**{"learner": "linear", "dummies": 199, **settings})
    learning, tested = rows_of(question, audit, rng)
    return examine(question, attribute, (learning, tested), audit, rng=rng)


def null_classes(rng: np.random.Generator, n: int, *, shift: float = 0.0) -> AttributeTest:
    """Answers follow the class, not linearly in its number; groups follow the class as NON_MONOTONE says."""
    y = rng.integers(4, size=n)
    a = (rng.random(n) < NON_MONOTONE[y]).astype(np.int64)
    score = NON_MONOTONE[y] + 0.2 * rng.standard_normal(n) + shift * a
    return run(score, classes(y), groups(a), seed=int(rng.integers(2**31)))


def null_number(
    rng: np.random.Generator, n: int, kind: str, *, shift: float = 0.0, **settings: object
) -> AttributeTest:
    y = rng.standard_t(3, n)
    if kind == "two groups":
        a = (rng.random(n) < 0.5 + 0.4 * np.sin(2 * y)).astype(np.int64)
    elif kind == "a tenth":
        a = (rng.random(n) < 0.1).astype(np.int64)
        y = y + a
    elif kind == "three groups":
        odds = np.exp(np.stack([0 * y, y, np.sin(2 * y) - y], axis=1).clip(-5, 5))
        a = (rng.random((n, 1)) > (odds / odds.sum(axis=1, keepdims=True)).cumsum(axis=1)).sum(axis=1)
    else:
        a = y + SPREADS[kind](y) * rng.standard_normal(n)
        if kind == "a number, often zero":
            a = np.maximum(a, 0.0)
    score = y + rng.standard_normal(n) + shift * a
    attribute = numbers(a) if kind in SPREADS else groups(a, 3 if kind == "three groups" else 2)
    return run(score, strata_of(y), attribute, given=y, seed=int(rng.integers(2**31)), **settings)


def spread_out(p_values: np.ndarray, dummies: int, rng: np.random.Generator) -> np.ndarray:
    """p-values that are multiples of 1/(K + 1), made continuous."""
    return p_values - rng.random(len(p_values)) / (dummies + 1)


def test_p_values_are_uniform_where_permutation_is_exact() -> None:
    rng = np.random.default_rng(1)
    p = np.array([null_classes(rng, 120).p_value for _ in range(100)])
    assert kstest(spread_out(p, 199, rng), "uniform").pvalue > 0.01
    assert (p <= 0.05).mean() < 0.05 + 3 * math.sqrt(0.05 * 0.95 / 100)


@pytest.mark.parametrize(
    ("kind", "tables"), [("two groups", 20), pytest.param("three groups", 20, marks=pytest.mark.long), ("a number", 10)]
)
def test_p_values_keep_their_level_where_groups_follow_a_number(kind, tables) -> None:
    rng = np.random.default_rng(2)
    p = np.array([null_number(rng, 300, kind, dummies=99).p_value for _ in range(tables)])
    assert (p <= 0.05).mean() < 0.05 + 3 * math.sqrt(0.05 * 0.95 / tables)
    assert kstest(p, "uniform").pvalue > 0.001


def test_power_rises_with_the_violation() -> None:
    found = []
    for shift in (0.0, 0.05, 0.3):
        rng = np.random.default_rng(3)
        found.append(np.mean([null_classes(rng, 200, shift=shift).p_value <= 0.05 for _ in range(20)]))
    assert found[0] < found[1] < found[2]
    assert found[2] > 0.9


@pytest.mark.parametrize("kind", ["two groups", "three groups", "a number"])
@pytest.mark.parametrize("resampling", ["conditional permutation", "density"])
def test_a_plain_violation_given_a_number_is_found_by_both_ways_to_draw(kind, resampling) -> None:
    test = null_number(np.random.default_rng(4), 600, kind, shift=0.8, resampling=resampling)
    assert test.p_value == test.other_p_value == 1 / 200
    assert test.resampling == resampling
    assert test.calibration is not None
    assert test.calibration.p_value > 0.01


def test_both_ways_change_places_with_the_setting() -> None:
    one, other = (
        null_number(np.random.default_rng(5), 300, "two groups", resampling=way)
        for way in ("conditional permutation", "density")
    )
    assert one.null.tobytes() == other.other_null.tobytes()
    assert one.other_null.tobytes() == other.null.tobytes()
    assert one.statistic == other.statistic


@pytest.mark.parametrize("learner", ["forest", "linear", "network"])
def test_the_same_seed_gives_the_same_bytes(learner) -> None:
    first, second = (
        run(np.arange(80) % 7 / 7.0, classes(np.arange(80) % 2), groups(np.arange(80) % 3), learner=learner, seed=6)
        for _ in range(2)
    )
    assert first.null.tobytes() == second.null.tobytes()
    assert first.statistic == second.statistic


@pytest.mark.parametrize("probability", [False, True])
def test_the_same_answer_for_everybody_depends_on_nothing(probability) -> None:
    codes = np.arange(100)
    test = run(np.full(100, 0.3), classes(codes % 2), groups(codes % 3), probability=probability)
    assert test.p_value == 1.0
    assert test.learner_r2 == 0.0


def test_probabilities_of_zero_and_one_have_finite_losses() -> None:
    codes = np.arange(200)
    score = (codes % 4 < 2).astype(np.float64)
    test = run(score, classes(codes % 2), groups(codes // 2 % 2), probability=True)
    assert np.isfinite(test.null).all()
    assert test.p_value == 1 / 200


def test_strata_with_one_group_are_left_out_and_counted() -> None:
    rng = np.random.default_rng(7)
    y = np.repeat([0, 1, 2], [100, 40, 6])
    a = np.concatenate([rng.integers(2, size=100), np.zeros(40, dtype=int), [0, 1, 0, 1, 0, 1]])
    test = run(rng.random(146), classes(y), groups(a))
    assert (test.single_strata, test.left_out) == (1, 40)
    assert test.tiny_strata == 0
    assert test.tested == test.learned == 106


def test_strata_with_few_arrangements_are_counted() -> None:
    y = np.repeat([0, 1], [100, 4])
    test = run(np.random.default_rng(7).random(104), classes(y), groups(np.arange(104) % 2))
    assert test.tiny_strata == 1  # four people of two groups: six arrangements
    assert (test.single_strata, test.tested) == (0, 104)


def test_no_row_left_to_test_is_said_with_advice() -> None:
    y = np.arange(60) % 2
    with pytest.raises(AuditError, match="No row can be tested for 'group'") as caught:
        run(np.random.default_rng(0).random(60), classes(y), groups(y))
    assert caught.value.advice


def test_a_group_of_one_person_is_tested_whoever_it_is() -> None:
    score = np.random.default_rng(0).permutation(60) / 60
    for person in range(60):
        test = run(score, classes(np.zeros(60, dtype=int)), groups(np.eye(60, dtype=int)[person]), dummies=999)
        lonelier = np.count_nonzero(np.abs(score - score.mean()) >= abs(score[person] - score.mean()) - 1e-9)
        assert test.p_value == pytest.approx(lonelier / 60, abs=0.07)


def test_the_statistic_does_not_depend_on_the_order_of_rows_or_the_names_of_groups() -> None:
    rng = np.random.default_rng(8)
    n = 200
    y, a = rng.integers(3, size=n), rng.integers(3, size=n)
    score = rng.standard_normal(n) + 0.5 * a
    audit = EqualizedOdds(learner="linear", dummies=999)
    ask = partial(examine, split=(np.arange(n // 2), np.arange(n // 2, n)), audit=audit)
    plain = ask(Question(score, False, classes(y), score), groups(a), rng=np.random.default_rng(0))
    order = np.concatenate([rng.permutation(n // 2), n // 2 + rng.permutation(n // 2)])
    moved = ask(Question(score[order], False, classes(y[order]), score), groups(a[order]), rng=np.random.default_rng(0))
    renamed = ask(Question(score, False, classes(y), score), groups((a + 1) % 3), rng=np.random.default_rng(0))
    assert moved.statistic == pytest.approx(plain.statistic, rel=1e-9)
    assert renamed.statistic == pytest.approx(plain.statistic, rel=1e-9)
    assert renamed.null.mean() == pytest.approx(plain.null.mean(), abs=5 * plain.null.std() / math.sqrt(999))


def authors_way(rng: np.random.Generator, n: int, *, smooth: bool) -> float:
    """p-value of a linear r̂ of class numbers; dummies from kernel densities over class numbers, or permuted."""
    y = rng.integers(4, size=n)
    a = (rng.random(n) < NON_MONOTONE[y]).astype(np.int64)
    score = NON_MONOTONE[y] + 0.2 * rng.standard_normal(n)
    learning, tested = np.arange(n // 2), np.arange(n // 2, n)
    columns = np.column_stack([np.ones(n), a, y])
    slopes = np.linalg.lstsq(columns[learning], score[learning], rcond=None)[0]
    guess = np.stack([slopes[0] + slopes[1] * value + slopes[2] * y[tested] for value in (0, 1)], axis=1)
    losses, _ = in_units((score[tested, None] - guess) ** 2)
    own = losses[np.arange(len(tested)), a[tested]].sum()
    if smooth:
        shares = [
            (a[learning] == value).mean() * gaussian_kde(y[learning][a[learning] == value])(y[tested])
            for value in (0, 1)
        ]
        chances = np.stack(shares, axis=1)
        sums = fresh(losses, chances / chances.sum(axis=1, keepdims=True), 199, rng=rng)
    else:
        sums = np.full(199, losses[:, 0].sum())
        for there in (y[tested] == stratum for stratum in range(4)):
            gains = losses[there, 1] - losses[there, 0]
            sums += permuted(gains, np.bincount(a[tested][there], minlength=2), 199, rng=rng)[:, 1]
    return (1 + int((sums <= own).sum())) / 200


def test_smoothing_class_numbers_rejects_far_too_often_and_permuting_within_classes_does_not() -> None:
    """Linear r̂ of class numbers, Scott's bandwidth: 0.45 at n = 200 and 0.40 at n = 4,000 (60 repetitions each)."""
    rng = np.random.default_rng(9)
    smoothed = np.mean([authors_way(rng, 200, smooth=True) <= 0.05 for _ in range(40)])
    permuting = np.mean([authors_way(rng, 200, smooth=False) <= 0.05 for _ in range(100)])
    assert smoothed > 0.2
    assert permuting < 0.05 + 3 * math.sqrt(0.05 * 0.95 / 100)


@pytest.mark.long
@pytest.mark.parametrize("kind", ["classes", "two groups", "a tenth", "three groups", *SPREADS])
def test_p_values_are_uniform(kind) -> None:
    """400 audits of 400 people."""
    rng = np.random.default_rng(10)
    tests = [null_classes(rng, 400) if kind == "classes" else null_number(rng, 400, kind) for _ in range(400)]
    ways = [[test.p_value for test in tests]]
    if kind != "classes":
        ways.append([test.other_p_value for test in tests])
    for way in map(np.array, ways):
        print(f"\n{kind}: {(way <= 0.05).mean():.3f} at 0.05, KS p = {kstest(way, 'uniform').pvalue:.3f}", end=" ")
        assert (way <= 0.05).mean() < 0.05 + 2 * math.sqrt(0.05 * 0.95 / 400)
        assert kstest(spread_out(way, 199, rng), "uniform").pvalue > 0.005


def null_wave(rng: np.random.Generator, n: int) -> float:
    """p-value where answers and groups both go up and down with the outcome, four times."""
    y = rng.standard_normal(n)
    a = (rng.random(n) < 0.5 + 0.45 * np.sin(6 * y)).astype(np.int64)
    score = np.sin(6 * y) + y + 0.3 * rng.standard_normal(n)
    return run(score, strata_of(y), groups(a), given=y, seed=int(rng.integers(2**31)), dummies=99).p_value


def test_what_answers_and_groups_both_owe_to_the_outcome_is_no_violation() -> None:
    """With nine splines and half of the rows, 57% of fair models were rejected at n = 400 and 99% at n = 1,500."""
    rng = np.random.default_rng(12)
    assert np.mean([null_wave(rng, 400) <= 0.05 for _ in range(20)]) <= 0.2


@pytest.mark.long
@pytest.mark.parametrize("n", [400, 1_500])
def test_the_level_holds_where_answers_and_groups_go_up_and_down(n: int) -> None:
    rng = np.random.default_rng(13)
    rejected = np.mean([null_wave(rng, n) <= 0.05 for _ in range(200)])
    assert rejected < 0.05 + 3 * math.sqrt(0.05 * 0.95 / 200)


def test_five_splits_are_less_of_a_lottery_than_one() -> None:
    """p-values of one table over eight seeds."""
    rng = np.random.default_rng(14)
    y = rng.standard_t(3, 300)
    a = (rng.random(300) < 0.5 + 0.4 * np.sin(2 * y)).astype(np.int64)
    score = y + rng.standard_normal(300) + 0.2 * a
    question, audit = Question(score, False, strata_of(y), y), EqualizedOdds(learner="linear", dummies=299)
    scores = {}
    for count in (1, 5):
        tests = []
        for seed in range(8):
            own = np.random.default_rng(seed)
            splits = [split(question.strata.codes, 0.5, own) for _ in range(count)]
            tests.append(examine_splits(question, groups(a), splits, audit, rng=own))
        scores[count] = ndtri([test.p_value for test in tests])
        told = np.array([test.p_error for test in tests])
    assert scores[5].std() < 0.7 * scores[1].std()
    assert told.mean() == pytest.approx(ndtr(scores[5]).std(), rel=0.7)
    assert [len(test.by_split) for test in tests] == [5] * 8
    assert len(tests[0].null) == 99
    assert tests[0].p_value == pytest.approx(float(ndtr(ndtri(tests[0].by_split[:, 0]).mean())))
    assert tests[0].other_p_value == pytest.approx(float(ndtr(ndtri(tests[0].by_split[:, 1]).mean())))
