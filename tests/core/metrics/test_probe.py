"""Diagnostics of a probe against scikit-learn, SciPy and definitions written out."""

import numpy as np
import pytest
from scipy.stats import binomtest, mannwhitneyu
from sklearn.metrics import roc_auc_score

from core.metrics.learned import stratified_folds
from core.metrics.probe import area_under_curve, evaluate, tells, wilson
from core.metrics.sensitive_subspace import FOLDS, SensitiveSubspace


@pytest.fixture(scope="module")
def scores() -> tuple[np.ndarray, np.ndarray]:
    draw = np.random.default_rng(0)
    codes = draw.choice(3, size=250, p=[0.6, 0.3, 0.1])
    score = (np.eye(3)[codes] + draw.standard_normal((250, 3))).round(1)
    return codes, np.exp(score) / np.exp(score).sum(axis=1, keepdims=True)


def test_areas_equal_scikit_learns(scores) -> None:
    codes, probability = scores
    assert area_under_curve(codes, probability)[0] == pytest.approx(
        roc_auc_score(codes, probability, multi_class="ovr")
    )
    binary = np.stack([1 - probability[:, 1], probability[:, 1]], axis=1)
    assert area_under_curve((codes == 1) * 1, binary)[0] == pytest.approx(roc_auc_score(codes == 1, probability[:, 1]))


def test_the_error_of_an_area_is_delongs_written_out(scores) -> None:
    codes, probability = scores
    codes, score = (codes == 1) * 1, probability[:, 1]
    compared = (score[codes == 1][:, None] > score[codes == 0]) + 0.5 * (
        score[codes == 1][:, None] == score[codes == 0]
    )
    variance = (
        compared.mean(axis=1).var(ddof=1) / (codes == 1).sum() + compared.mean(axis=0).var(ddof=1) / (codes == 0).sum()
    )
    assert area_under_curve(codes, np.stack([1 - score, score], axis=1))[1] == pytest.approx(
        np.sqrt(variance), rel=1e-9
    )


def test_the_error_of_a_mean_of_areas_matches_its_spread_over_samples() -> None:
    draw = np.random.default_rng(1)
    found = []
    for _ in range(400):
        codes = np.repeat([0, 1, 2], [60, 40, 20])
        found.append(area_under_curve(codes, np.eye(3)[codes] + draw.standard_normal((120, 3))))
    areas, errors = np.array(found).T
    assert errors.mean() == pytest.approx(areas.std(), rel=0.1)


def test_wilson_intervals_equal_scipys() -> None:
    right, total = np.array([0, 3, 10, 57]), np.array([4, 10, 10, 200])
    low, high = wilson(right, total)
    for k in range(4):
        expected = binomtest(int(right[k]), int(total[k])).proportion_ci(0.95, "wilson")
        assert (low[k], high[k]) == pytest.approx((expected.low, expected.high), abs=1e-12)
    assert [float(end[0]) for end in wilson(np.array([0]), np.array([0]))] == [0.0, 1.0]


def test_a_rare_group_is_predicted_where_its_probability_exceeds_its_share() -> None:
    codes = np.array([0] * 18 + [1, 1])
    probability = np.tile([0.95, 0.05], (20, 1))
    probability[18:] = [0.7, 0.3]
    probe = evaluate(
        "sex",
        groups=("f", "m"),
        codes=codes,
        probability=probability,
        prior=np.array([0.9, 0.1]),
        directions=np.eye(2)[:1],
    )
    np.testing.assert_array_equal(probe.accuracy, [1.0, 1.0])
    np.testing.assert_array_equal(probe.held_out, [18, 2])
    assert (probe.auc, probe.auc_low, probe.auc_high) == (1.0, 1.0, 1.0)
    assert probe.accuracy_low[1] < 0.35


def test_of_two_groups_the_test_against_chance_is_that_of_mann_and_whitney() -> None:
    draw = np.random.default_rng(3)
    for _ in range(20):
        codes = draw.integers(2, size=80)
        score = (draw.standard_normal(80) + 0.4 * codes).round(1)
        expected = mannwhitneyu(
            score[codes == 1], score[codes == 0], alternative="greater", use_continuity=False, method="asymptotic"
        ).pvalue
        both = np.stack([-score, score], axis=1)
        assert tells(codes, both, expected * 1.001)
        assert not tells(codes, both, expected * 0.999)


def test_groups_dealt_out_at_random_beat_chance_as_often_as_the_level_says() -> None:
    """Of five groups two have 3 and 5 rows: an area under each group's curve has an error that nobody can estimate."""
    draw = np.random.default_rng(4)
    score = np.exp(draw.standard_normal((400, 5)))
    codes = np.repeat(np.arange(5), [3, 5, 92, 100, 200])
    beaten = [tells(draw.permutation(codes), score, 0.05) for _ in range(800)]
    assert abs(np.mean(beaten) - 0.05) <= 3 * (0.05 * 0.95 / 800) ** 0.5


def test_clusters_dealt_out_at_random_beat_chance_as_often_as_the_level_says() -> None:
    """Row by row the same scores beat it in 20 of 100."""
    draw = np.random.default_rng(5)
    clusters = np.repeat(np.arange(80), 6)
    score = np.repeat(draw.standard_normal((80, 2)), 6, axis=0) + 0.3 * draw.standard_normal((480, 2))
    dealt = [np.repeat(draw.permutation(np.arange(80) % 2), 6) for _ in range(800)]
    by_cluster = np.mean([tells(codes, score, 0.05, clusters) for codes in dealt])
    assert 0.03 <= by_cluster <= 0.05 + 3 * (0.05 * 0.95 / 800) ** 0.5
    assert np.mean([tells(codes, score, 0.05) for codes in dealt]) > 0.15


@pytest.mark.parametrize("repeats", [40, pytest.param(600, marks=pytest.mark.long)])
@pytest.mark.parametrize("sizes", [(200, 100, 50, 30, 20), (60, 90)], ids=["five", "two"])
def test_probes_of_shuffled_groups_beat_chance_at_most_as_often_as_the_level_says(
    sizes: tuple[int, ...], repeats: int
) -> None:
    """Scored out of fold, whose errors hang together: taken for independent they beat it in 13 of 100 at .05."""
    settings, beaten = SensitiveSubspace(), 0
    for seed in range(repeats):
        draw = np.random.default_rng(seed)
        codes = draw.permutation(np.repeat(np.arange(len(sizes)), sizes))
        z, fold = draw.standard_normal((len(codes), 6)), stratified_folds(codes, FOLDS, draw)
        score = settings._out_of_fold(z, codes, len(sizes), "group", fold)
        beaten += tells(codes, score, 0.05, folds=FOLDS)
    assert beaten / repeats <= 0.05 + 2 * (0.05 * 0.95 / repeats) ** 0.5


def test_scores_without_a_difference_or_of_one_cluster_tell_nothing() -> None:
    codes = np.arange(40) % 2
    assert not tells(codes, np.ones((40, 2)), 0.5)
    assert not tells(codes, np.eye(2)[codes], 0.5, np.zeros(40))
    assert tells(codes, np.eye(2)[codes], 1e-6)
