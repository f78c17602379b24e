"""The area under the ROC curve and its limits."""

import numpy as np
import pytest
from scipy.stats import norm
from sklearn.metrics import roc_auc_score

from core.inference.auc import auc, auc_limits


def test_the_area_is_that_of_scikit_learn_with_ties() -> None:
    rng = np.random.default_rng(0)
    for _ in range(20):
        scores, inside = rng.integers(0, 6, 60).astype(float), rng.random(60) < 0.3
        assert auc(scores, inside) == pytest.approx(roc_auc_score(inside, scores), rel=1e-12)


def test_limits_solve_the_score_equation_and_hold_near_the_ends() -> None:
    low, high = auc_limits(0.8, 20, 50, 0.05)
    for end in (low, high):
        spread = end * (1 - end) * (1 + 34 * ((1 - end) / (2 - end) + end / (1 + end))) / 1_000
        assert (0.8 - end) ** 2 == pytest.approx(norm.isf(0.05) ** 2 * spread, rel=1e-6)
    assert low < 0.8 < high
    assert auc_limits(1.0, 10, 300, 0.05)[1] == 1.0
    assert 0.8 < auc_limits(1.0, 10, 300, 0.05)[0] < 0.99
    flipped = auc_limits(0.0, 10, 300, 0.05)
    assert flipped[0] == 0.0
    assert 0 < flipped[1] < 0.2


def test_an_area_as_near_to_an_end_as_limits_are_sought_has_its_limit_there() -> None:
    assert auc_limits(1 - 1e-9, 40_000, 25_000, 0.05)[1] == 1.0
    assert auc_limits(1e-9, 40_000, 25_000, 0.05)[0] == 0.0


@pytest.mark.parametrize(("inside", "outside", "area"), [(10, 300, 0.9), (50, 50, 0.95), (20, 500, 0.95)])
def test_limits_miss_as_seldom_as_they_say(inside: int, outside: int, area: float) -> None:
    rng, apart = np.random.default_rng(1), norm.ppf(area) * 2**0.5
    missed = np.zeros(2)
    for _ in range(300):
        scores = rng.standard_normal(inside + outside)
        scores[:inside] += apart
        low, high = auc_limits(auc(scores, np.arange(len(scores)) < inside), inside, outside, 0.05)
        missed += (low > area, high < area)
    assert (missed / 300 <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 300)).all()
