"""Speed of the fair dummies against predicting anew. Run with ``pytest benchmarks``; numbers in README.md."""

from time import process_time

import numpy as np
import pytest

from core.audits.equalized_odds.learners import learn
from core.audits.equalized_odds.resampling import in_units, permuted, swapped

ROWS = 10_000
DUMMIES = 10_000
ANEW = 5
"""Dummies for which r̂ is asked anew."""


@pytest.mark.parametrize("way", ["permutation within four classes", "conditional permutation given a number"])
def test_dummies_cost_a_hundredth_of_predicting_anew(benchmark, way) -> None:
    """Two groups, r̂ a random forest, processor time: its predictions for both groups are counted in on our side."""
    rng = np.random.default_rng(0)
    codes, strata = rng.integers(2, size=ROWS), rng.integers(4, size=ROWS)
    number = way.endswith("number")
    given = rng.standard_normal((ROWS, 1)) if number else np.eye(4)[strata]
    score = rng.standard_normal(ROWS) + given[:, 0]
    chance = 0.2 + 0.6 / (1 + np.exp(-given[:, 0]))
    predict = learn("forest", np.eye(2)[codes], given, score, 0)

    def ours() -> np.ndarray:
        guess = np.stack([predict(np.tile(one, (ROWS, 1)), given) for one in np.eye(2)], axis=1)
        losses, unit = in_units((score[:, None] - guess) ** 2)
        if number:
            chances = np.stack([1 - chance, chance], axis=1)
            return swapped(losses, codes, chances, DUMMIES, rng=np.random.default_rng(1)) * unit
        return permuted(losses, codes, strata, DUMMIES, rng=np.random.default_rng(1)) * unit

    def authors() -> list[float]:
        found = []
        for _ in range(ANEW):
            drawn = codes.copy()
            if number:
                drawn = (rng.random(ROWS) < chance).astype(np.int64)
            else:
                for stratum in range(4):
                    drawn[strata == stratum] = rng.permutation(codes[strata == stratum])
            found.append(((score - predict(np.eye(2)[drawn], given)) ** 2).sum())
        return found

    ours()
    start = process_time()
    sums = ours()
    each = (process_time() - start) / DUMMIES
    start = process_time()
    anew = authors()
    theirs = (process_time() - start) / ANEW
    assert np.abs(np.array(anew) - sums.mean()).max() < 8 * max(sums.std(), np.std(anew))
    benchmark.extra_info.update(ratio=theirs / each, seconds=each * DUMMIES, anew_seconds=theirs * DUMMIES)
    print(f"\n{way}: {each * DUMMIES:.2f} s against {theirs * DUMMIES:,.0f} s: {theirs / each:,.0f}x")
    benchmark.pedantic(ours, rounds=1)
    assert theirs / each >= 100
