"""Prediction sets: MAPIE, the law of their coverage, and who is left out if everybody is calibrated together."""

from itertools import pairwise

import numpy as np
import pytest
from mapie.classification import SplitConformalClassifier
from mapie.regression import SplitConformalRegressor
from scipy.stats import betabinom, binomtest, kstest
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin

from core.audits.group_fairness.conformal import Coverage, calibrate
from core.data.attribute import Attribute
from core.data.counted import split_at_random
from core.inference.several_means import several_means


def groups_of(codes: np.ndarray) -> Attribute:
    """An attribute with groups a, b, c, ..."""
    return Attribute("group", tuple("abcdef"[: int(codes.max()) + 1]), codes, np.full(len(codes), np.nan))


def halves(rows: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """The rows that calibrate and those that are judged, as the same seed splits them."""
    calibrating = split_at_random(np.ones(rows, dtype=np.int64), rows // 2, np.random.default_rng(seed))
    return np.flatnonzero(calibrating), np.flatnonzero(1 - calibrating)


class Given(BaseEstimator):  # type: ignore[misc]
    """Predictions that are known already: the table itself."""

    fitted_ = True

    def fit(self, X: np.ndarray, y: np.ndarray) -> "Given":
        """Nothing to learn."""
        return self


class GivenNumbers(RegressorMixin, Given):  # type: ignore[misc]
    """The first column is the prediction."""

    def predict(self, X: np.ndarray) -> np.ndarray:
        """The number."""
        return X[:, 0]


class GivenProbabilities(ClassifierMixin, Given):  # type: ignore[misc]
    """The columns are the probabilities of four classes."""

    classes_ = np.arange(4)

    def predict_proba(self, X: np.ndarray) -> np.ndarray:
        """The probabilities."""
        return X

    def predict(self, X: np.ndarray) -> np.ndarray:
        """The class with the largest one."""
        return X.argmax(axis=1)


@pytest.fixture(scope="module")
def numbers() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Predictions, outcomes and two groups, the second of which has three times the errors; 803 people."""
    rng = np.random.default_rng(1)
    codes = (rng.random(803) < 0.3).astype(np.int64)
    outcome = rng.normal(size=803)
    return (outcome + rng.normal(size=803) * (1 + 2 * codes))[:, None], outcome, codes


@pytest.fixture(scope="module")
def classes() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Probabilities of four classes, outcomes and two groups, the second of which is harder to tell; 901 people."""
    rng = np.random.default_rng(2)
    codes = (rng.random(901) < 0.4).astype(np.int64)
    outcome = rng.integers(4, size=901)
    scores = rng.normal(size=(901, 4)) + 2 * np.eye(4)[outcome] * (1 - 0.7 * codes[:, None])
    weights = np.exp(scores)
    return weights / weights.sum(axis=1, keepdims=True), outcome.astype(np.float64), codes


@pytest.mark.parametrize("level", [0.5, 0.8, 0.9, 0.95])
def test_intervals_are_those_of_mapie_in_every_group(
    numbers: tuple[np.ndarray, np.ndarray, np.ndarray], level: float
) -> None:
    answers, outcome, codes = numbers
    found = calibrate(answers, outcome, groups_of(codes), level, np.random.default_rng(5))
    calibrating, judged = halves(len(outcome), 5)
    for group in (0, 1, None):
        ours, theirs = (rows if group is None else rows[codes[rows] == group] for rows in (calibrating, judged))
        oracle = SplitConformalRegressor(GivenNumbers(), confidence_level=level, prefit=True)
        oracle.conformalize(answers[ours], outcome[ours])
        _, ends = oracle.predict_interval(answers[theirs])
        low, high = ends[:, 0, 0], ends[:, 1, 0]
        sizes, covered = parts(found, group)
        np.testing.assert_allclose(sizes, high - low, rtol=1e-9)
        np.testing.assert_array_equal(covered, (low <= outcome[theirs]) & (outcome[theirs] <= high))


@pytest.mark.parametrize("level", [0.5, 0.8, 0.9, 0.95])
def test_sets_of_classes_are_those_of_mapie_in_every_group(
    classes: tuple[np.ndarray, np.ndarray, np.ndarray], level: float
) -> None:
    answers, outcome, codes = classes
    found = calibrate(answers, outcome, groups_of(codes), level, np.random.default_rng(6))
    calibrating, judged = halves(len(outcome), 6)
    for group in (0, 1, None):
        ours, theirs = (rows if group is None else rows[codes[rows] == group] for rows in (calibrating, judged))
        oracle = SplitConformalClassifier(GivenProbabilities(), confidence_level=level, prefit=True)
        oracle.conformalize(answers[ours], outcome[ours].astype(np.int64))
        _, sets = oracle.predict_set(answers[theirs])
        sizes, covered = parts(found, group)
        np.testing.assert_array_equal(sizes, sets[:, :, 0].sum(axis=1))
        np.testing.assert_array_equal(covered, sets[np.arange(len(theirs)), outcome[theirs].astype(int), 0])


def parts(found: Coverage, group: int | None) -> tuple[np.ndarray, np.ndarray]:
    """Sizes and coverage of the sets of a group, or of the sets calibrated for everybody together."""
    if group is None:
        return found.common_sizes, found.common_covered
    return found.sizes[found.codes == group], found.covered[found.codes == group]


@pytest.mark.parametrize("common", [False, True])
def test_a_higher_level_takes_nothing_out_of_a_set(
    classes: tuple[np.ndarray, np.ndarray, np.ndarray], common: bool
) -> None:
    answers, outcome, codes = classes
    found = [
        calibrate(answers, outcome, groups_of(codes), level, np.random.default_rng(7))
        for level in (0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99)
    ]
    for lower, higher in pairwise(found):
        sizes = (lower.common_sizes, higher.common_sizes) if common else (lower.sizes, higher.sizes)
        covered = (lower.common_covered, higher.common_covered) if common else (lower.covered, higher.covered)
        assert (sizes[0] <= sizes[1]).all()
        assert (covered[0] <= covered[1]).all()


def test_units_of_the_outcome_are_units_of_the_width(numbers: tuple[np.ndarray, np.ndarray, np.ndarray]) -> None:
    answers, outcome, codes = numbers
    one, other = (
        calibrate(a, y, groups_of(codes), 0.9, np.random.default_rng(8))
        for a, y in ((answers, outcome), (8 * answers + 64, 8 * outcome + 64))
    )
    np.testing.assert_allclose(other.sizes, 8 * one.sizes)
    np.testing.assert_array_equal(other.covered, one.covered)


def test_coverage_follows_the_beta_binomial_law_in_every_group() -> None:
    """Of m judged people BetaBinomial(m, k, n + 1 - k) are covered, k = ceil((n + 1) level), n calibrated (Vovk 2012).

    A randomised probability integral transform of the counts is uniform.
    """
    rng = np.random.default_rng(9)
    places = []
    for _ in range(400):
        codes = (np.arange(200) < 60).astype(np.int64)
        outcome = rng.normal(size=200)
        answers = (outcome + rng.standard_t(3, size=200) * (1 + codes))[:, None]
        found = calibrate(answers, outcome, groups_of(codes), 0.8, rng)
        for group in (0, 1):
            n, inside = int(found.calibrated[group]), found.codes == group
            k = int(np.ceil(round((n + 1) * 0.8, 9)))
            law = betabinom(int(inside.sum()), k, n + 1 - k)
            covered = int(found.covered[inside].sum())
            places.append(law.cdf(covered - 1) + rng.random() * law.pmf(covered))
    assert kstest(places[::2], "uniform").pvalue > 0.001
    assert kstest(places[1::2], "uniform").pvalue > 0.001


def example_1_1(rng: np.random.Generator, rows: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The paper's example: one linear model for a majority of 90% and a minority with other coefficients."""
    codes = (rng.random(rows) < 0.1).astype(np.int64)
    features = rng.normal(size=(rows, 2)) * np.where(codes[:, None] == 0, (1.0, 3.0), (3.0, 1.0))
    outcome = 3 * features[np.arange(rows), 1 - codes] + rng.normal(size=rows)
    half = rows // 2
    coefficients, *_ = np.linalg.lstsq(features[:half], outcome[:half], rcond=None)
    return (features[half:] @ coefficients)[:, None], outcome[half:], codes[half:]


def test_calibrated_together_the_minority_of_example_1_1_is_left_uncovered() -> None:
    rng = np.random.default_rng(10)
    own, common = np.zeros(2), np.zeros(2)
    for _ in range(40):
        answers, outcome, codes = example_1_1(rng, 4_000)
        found = calibrate(answers, outcome, groups_of(codes), 0.9, rng)
        own += [found.covered[found.codes == g].mean() / 40 for g in (0, 1)]
        common += [found.common_covered[found.codes == g].mean() / 40 for g in (0, 1)]
    assert own == pytest.approx([0.9, 0.9], abs=0.02)
    assert own.min() > 0.89
    assert common[1] < 0.6
    assert common[0] > 0.92


def test_a_group_too_small_to_calibrate_gets_sets_that_hold_everything() -> None:
    rng = np.random.default_rng(11)
    codes = np.where(np.arange(400) < 8, 1, 0)
    outcome = rng.normal(size=400)
    found = calibrate(rng.normal(size=(400, 1)), outcome, groups_of(codes), 0.9, rng)
    small = found.codes == 1
    assert found.calibrated[1] < 9
    assert np.isinf(found.thresholds[1])
    assert np.isfinite(found.thresholds[0])
    assert found.covered[small].all()
    assert np.isinf(found.sizes[small]).all()
    told = found.by_group(0.05, seed=0)
    assert np.isinf(told.size[1])
    assert np.isnan([told.covered_low[1], told.size_low[1], told.size_high[1]]).all()


def test_a_group_too_small_to_calibrate_gets_all_classes(classes: tuple[np.ndarray, np.ndarray, np.ndarray]) -> None:
    answers, outcome, _ = classes
    codes = np.where(np.arange(len(outcome)) < 8, 1, 0)
    found = calibrate(answers, outcome, groups_of(codes), 0.9, np.random.default_rng(12))
    assert (found.sizes[found.codes == 1] == 4).all()


def test_nobody_to_calibrate_or_to_judge_is_no_error() -> None:
    codes = np.array([0, 1])
    found = calibrate(np.zeros((2, 1)), np.ones(2), groups_of(codes), 0.9, np.random.default_rng(0))
    told = found.by_group(0.05, seed=0)
    assert told.rows.sum() == 1
    assert np.isnan(told.covered[told.rows == 0]).all()
    assert np.isinf(found.common_threshold)


def test_shares_and_sizes_by_group_hold_together(classes: tuple[np.ndarray, np.ndarray, np.ndarray]) -> None:
    answers, outcome, codes = classes
    found = calibrate(answers, outcome, groups_of(codes), 0.9, np.random.default_rng(13))
    for common in (False, True):
        told = found.by_group(0.1, seed=3, common=common)
        covered, sizes = (found.common_covered, found.common_sizes) if common else (found.covered, found.sizes)
        means = several_means(sizes, found.codes, 2, 0.1, draws=1_999, seed=3)
        np.testing.assert_array_equal(told.size_low, means.low)
        np.testing.assert_array_equal(told.size_high, means.high)
        for g in (0, 1):
            inside = found.codes == g
            ends = binomtest(int(covered[inside].sum()), int(inside.sum())).proportion_ci(0.95, method="wilson")
            assert told.rows[g] == inside.sum()
            assert told.covered[g] == covered[inside].mean()
            assert told.size[g] == pytest.approx(sizes[inside].mean())
            assert (told.covered_low[g], told.covered_high[g]) == pytest.approx((ends.low, ends.high))


def test_widths_that_are_all_the_same_have_no_interval(numbers: tuple[np.ndarray, np.ndarray, np.ndarray]) -> None:
    answers, outcome, codes = numbers
    found = calibrate(answers, outcome, groups_of(codes), 0.9, np.random.default_rng(14))
    told = found.by_group(0.05, seed=0)
    np.testing.assert_allclose(told.size, 2 * found.thresholds)
    assert np.isnan(told.size_low).all()


def test_the_same_seed_gives_the_same_sets(numbers: tuple[np.ndarray, np.ndarray, np.ndarray]) -> None:
    answers, outcome, codes = numbers
    one, two, other = (
        calibrate(answers, outcome, groups_of(codes), 0.9, np.random.default_rng(seed)) for seed in (15, 15, 16)
    )
    np.testing.assert_array_equal(one.sizes, two.sizes)
    assert one.common_threshold == two.common_threshold
    assert one.common_threshold != other.common_threshold
