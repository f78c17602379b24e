"""Which column explains answers within kinds: its sums by hand, its chance by shuffling, its choice by trying all."""

import numpy as np
import pytest

from core.audits.transport.explaining import CutCandidate, explains_most
from core.audits.transport.worth import WithinStrata, cut, parted


def table(strata: int, size: int, rows: int, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Kinds, places and answers of rows; in the last kind answers agree."""
    rng = np.random.default_rng(seed)
    of_row = np.sort(rng.integers(0, strata, rows))
    answers = (rng.random(rows) < 0.15 + 0.1 * of_row).astype(np.float64)
    answers[of_row == strata - 1] = 1.0
    return of_row, rng.integers(0, size, rows), answers


def summed(of_row: np.ndarray, places: np.ndarray, answers: np.ndarray, size: int) -> tuple[np.ndarray, np.ndarray]:
    within = WithinStrata.of(of_row, answers)
    count = np.zeros((len(within.people), size), dtype=np.int64)
    total = np.zeros((len(within.people), size))
    np.add.at(count, (of_row, places), 1)
    np.add.at(total, (of_row, places), within.rest)
    return count, total


def squares(of_row: np.ndarray, answers: np.ndarray) -> float:
    return float(sum(((answers[of_row == one] - answers[of_row == one].mean()) ** 2).sum() for one in set(of_row)))


@pytest.mark.parametrize("seed", range(5))
def test_what_cuts_explain_is_the_fall_of_the_sums_of_squares(seed: int) -> None:
    of_row, places, answers = table(4, 5, 60, seed)
    within = WithinStrata.of(of_row, answers)
    differently, alike = cut(*summed(of_row, places, answers, 5), within)
    before = squares(of_row, answers)
    for at in range(1, 5):
        above = places >= at
        assert differently.found[at - 1] == pytest.approx(before - squares(2 * of_row + above, answers))
        # Alike: the fall that one common shift brings, by least squares with a constant for each kind.
        strata = np.eye(4)[of_row]
        some = within.squares[of_row] > 0
        design = np.column_stack([strata, above])[some]
        rest = answers[some] - design @ np.linalg.lstsq(design, answers[some], rcond=None)[0]
        assert alike.found[at - 1] == pytest.approx(before - float(rest @ rest))
    whole = parted(*summed(of_row, places, answers, 5), within)
    assert whole.found[0] == pytest.approx(before - squares(5 * of_row + places, answers))


def test_mean_and_variance_under_chance_are_those_of_shuffled_answers() -> None:
    of_row, places, answers = table(4, 3, 400, 1)
    rng = np.random.default_rng(0)
    drawn = []
    for _ in range(4000):
        shuffled = answers[np.lexsort((rng.random(400), of_row))]
        within = WithinStrata.of(of_row, shuffled)
        sums = summed(of_row, places, shuffled, 3)
        differently, alike = cut(*sums, within)
        drawn.append([differently.found[0], alike.found[0], parted(*sums, within).found[0]])
    means, variances = np.mean(drawn, axis=0), np.var(drawn, axis=0)
    sums = summed(of_row, places, answers, 3)
    told = (*cut(*sums, within), parted(*sums, within))
    np.testing.assert_allclose([one.mean[0] for one in told], means, rtol=0.06)
    np.testing.assert_allclose([one.variance[0] for one in told], variances, rtol=0.2)


def best(columns: list[np.ndarray], answers: np.ndarray, group: np.ndarray) -> int | None:
    return explains_most(tuple(CutCandidate(one, int(one.max()) + 1) for one in columns), group, answers)


@pytest.mark.parametrize("seed", range(6))
def test_the_column_whose_best_cut_explains_most_is_named(seed: int) -> None:
    rng = np.random.default_rng(seed)
    columns = [rng.integers(0, 5, 600) for _ in range(3)]
    group = rng.integers(0, 2, 600)
    answers = (rng.random(600) < 0.1 + 0.5 * (columns[0] >= 2) + 0.3 * (columns[1] >= 3)).astype(np.float64)
    left = [min(squares(2 * group + (one >= at), answers) for at in range(1, 5)) for one in columns]
    assert best(columns, answers, group) == int(np.argmin(left)) == 0


def test_rare_answers_are_no_reason_to_name_a_column() -> None:
    named = 0
    for seed in range(100):
        rng = np.random.default_rng(seed)
        columns = [rng.integers(0, 20, 2000) for _ in range(5)]
        answers = (rng.random(2000) < 0.01).astype(np.float64)
        named += best(columns, answers, rng.integers(0, 4, 2000)) is not None
    assert named <= 7, "at most 2.5% of tables without meaning; 7 or fewer of 100 with probability 0.99"
