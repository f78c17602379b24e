"""The Monte-Carlo p-value: scipy's own, exact under the null, and never zero."""

import numpy as np
import pytest
from scipy.stats import permutation_test

from core.inference.monte_carlo import monte_carlo_p
from core.inference.resampled import ResampledEstimate


def test_it_is_that_of_scipys_permutation_test() -> None:
    rng = np.random.default_rng(0)
    first, second = rng.normal(0.8, 1.0, 12), rng.normal(0.0, 1.0, 15)
    ours = permutation_test(
        (first, second), lambda a, b: a.mean() - b.mean(), n_resamples=199, alternative="greater", rng=1
    )
    extreme = np.count_nonzero(ours.null_distribution >= ours.statistic * (1 - 1e-14))
    assert monte_carlo_p(extreme, 199) == ours.pvalue


def test_under_the_null_every_rank_is_equally_likely_so_that_the_level_is_exact() -> None:
    draws = np.random.default_rng(2).random((4_000, 20))
    p = np.array([monte_carlo_p(np.count_nonzero(row[1:] >= row[0]), 19) for row in draws])
    assert p.min() == 1 / 20
    assert p.max() == 1.0
    for alpha in (0.05, 0.25, 0.5):
        assert abs((p <= alpha + 1e-12).mean() - alpha) < 4 * np.sqrt(alpha * (1 - alpha) / 4_000)


def test_the_error_of_a_bound_is_that_of_its_rank() -> None:
    """Draws one apart: the rank of an alpha quantile of B draws has a binomial standard deviation."""
    found = ResampledEstimate(0.0, 4, np.arange(999.0))
    for alpha in (0.05, 0.3):
        expected = np.sqrt(999 * alpha * (1 - alpha)) / np.sqrt(4)
        assert found.lower_error(alpha) == pytest.approx(expected)
        assert found.upper_error(alpha) == pytest.approx(expected)
