"""Agreement of several people: statsmodels and a published table as oracles, laws, and how often intervals miss."""

import math

import numpy as np
import pytest

from core.inference.agreement import Agreement, agreement, majority

NAN = math.nan


def simulated(rng: np.random.Generator, n: int, share: float, right: float, tell: float = 0.0) -> np.ndarray:
    """Three people who see with probability ``right`` whether each of n items is biased, and at times cannot tell."""
    true = rng.random(n) < share
    judged = np.where(rng.random((3, n)) < right, true, ~true).astype(float)
    judged[rng.random((3, n)) < tell] = 2
    return judged


def test_kappa_is_that_of_statsmodels() -> None:
    """``fleiss_kappa(aggregate_raters(judged.T)[0])`` of statsmodels 0.15.0."""
    rng = np.random.default_rng(5)
    true = rng.random(200) < 0.45
    judged = np.where(rng.random((3, 200)) < 0.8, true, ~true).astype(float)
    judged[rng.random((3, 200)) < 0.07] = 2
    found = agreement(judged, 0.05)
    assert found.kappa == pytest.approx(0.30642433219572246, abs=1e-12)
    assert (found.n, found.undefined) == (200, "")
    assert found.low < found.kappa < found.high


def test_kappa_is_that_of_a_published_table() -> None:
    """Fourteen people, ten items, five answers: .210, as the article on Fleiss' kappa in Wikipedia works out.

    Ten items are too few to report, so each stands here five times, which changes no share.
    """
    counts = np.array([
        [0, 0, 0, 0, 14], [0, 2, 6, 4, 2], [0, 0, 3, 5, 6], [0, 3, 9, 2, 0], [2, 2, 8, 1, 1],
        [7, 7, 0, 0, 0], [3, 2, 6, 3, 0], [2, 5, 3, 2, 2], [6, 5, 2, 1, 0], [0, 2, 2, 3, 7],
    ])  # fmt: skip
    judged = np.array([np.repeat(np.arange(5.0), row) for row in counts]).T
    assert agreement(np.tile(judged, 5), 0.05).kappa == pytest.approx(0.20993070442195522, abs=1e-12)


def test_neither_the_order_of_people_and_items_nor_names_of_answers_matter() -> None:
    rng = np.random.default_rng(1)
    judged = simulated(rng, 120, 0.4, 0.8, 0.1)
    found = agreement(judged, 0.05)
    mixed = judged[:, rng.permutation(120)][[2, 0, 1]]
    for other in (mixed, np.choose(judged.astype(int), [7.0, 5.0, 6.0])):
        again = agreement(other, 0.05)
        assert (again.kappa, again.low, again.high) == pytest.approx((found.kappa, found.low, found.high), abs=1e-12)


def test_items_judged_once_say_nothing_and_people_need_not_judge_all() -> None:
    judged = simulated(np.random.default_rng(2), 150, 0.5, 0.85)
    once = np.column_stack([judged, [[1.0] * 9, [NAN] * 9, [NAN] * 9]])
    assert agreement(once, 0.05) == agreement(judged, 0.05)
    judged[2, ::2] = NAN
    assert agreement(judged, 0.05).n == 150


def test_items_of_one_family_count_as_one() -> None:
    judged = simulated(np.random.default_rng(3), 150, 0.5, 0.85)
    alone = agreement(judged, 0.05)
    copied = agreement(np.repeat(judged, 3, axis=1), 0.05, np.repeat(np.arange(150), 3))
    assert (copied.low, copied.high) == pytest.approx((alone.low, alone.high))
    assert copied.n == 450


def test_full_agreement_is_not_certain() -> None:
    judged = np.tile(np.repeat([0.0, 1.0], 30), (3, 1))
    found = agreement(judged, 0.05)
    assert (found.kappa, found.high) == (1.0, 1.0)
    assert 0.8 < found.low < 1


@pytest.mark.parametrize(
    ("judged", "why"),
    [
        (np.full((2, 40), 1.0), "About 0 of 40 items"),
        (np.array([[1.0] * 40, [NAN] * 40]), "Fewer than two items"),
        (np.zeros((3, 0)), "Fewer than two items"),
        (np.tile(np.r_[np.ones(19), np.zeros(400)], (2, 1)), "About 19 of 419 items"),
    ],
)
def test_where_nothing_can_be_said_it_says_why(judged: np.ndarray, why: str) -> None:
    found: Agreement = agreement(judged, 0.05)
    assert math.isnan(found.kappa)
    assert why in found.undefined


def test_a_majority_is_more_than_half_of_those_who_judged() -> None:
    judged = np.array([[1, 0, 2, 1, 1, NAN, 2], [1, 0, 2, 0, NAN, NAN, 1], [0, 2, 2, 2, NAN, NAN, 1]])
    assert majority(judged).tolist() == pytest.approx([1, 0, 2, NAN, 1, NAN, 1], nan_ok=True)


DESIGNS = ((100, 0.5, 0.85, 0.0), (100, 0.5, 0.5, 0.0), (300, 0.1, 0.9, 0.05), (300, 0.5, 0.98, 0.0))


def missed(design: tuple[int, float, float, float], repeats: int) -> float:
    n, *shape = design
    true = agreement(simulated(np.random.default_rng(1), 200_000, *shape), 0.05).kappa
    rng = np.random.default_rng(2)
    found = [agreement(simulated(rng, n, *shape), 0.05) for _ in range(repeats)]
    return sum(not one.low <= true <= one.high for one in found) / repeats


def test_the_interval_of_kappa_covers() -> None:
    assert missed(DESIGNS[0], 300) <= 0.09


@pytest.mark.long
@pytest.mark.parametrize("design", DESIGNS)
def test_the_interval_of_kappa_covers_in_the_long_run(design: tuple[int, float, float, float]) -> None:
    """Of 100 items up to 7%: with few of one answer the interval lies a little low."""
    assert missed(design, 3_000) <= 0.07
