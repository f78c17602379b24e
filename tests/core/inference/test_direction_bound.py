"""Whether answers go against outcomes beyond chance: permutations, rank sums and tables of two by two; clusters."""

from collections.abc import Callable
from itertools import permutations

import numpy as np
import pytest
from scipy.stats import hypergeom, mannwhitneyu, norm, rankdata

from core.inference.direction import bounded_association
from core.inference.sampling import Sampling

ALPHA = 0.05


def upper(answers: np.ndarray, outcomes: np.ndarray, clusters: np.ndarray | None = None) -> float:
    a, b = (np.asarray(one, dtype=float).reshape(len(one), -1) for one in (answers, outcomes))
    found = bounded_association(a, b, ALPHA, Sampling(clusters))
    return np.inf if found is None else found.upper


def test_of_a_table_of_two_by_two_the_error_is_the_hypergeometric_one() -> None:
    answers, outcomes = np.repeat([1, 1, 0, 0], [3, 17, 12, 28]), np.repeat([1, 0, 1, 0], [3, 17, 12, 28])
    found = bounded_association(answers[:, None].astype(float), outcomes[:, None].astype(float), ALPHA)
    chance = hypergeom(60, 15, 20)
    assert found is not None
    assert found.value == pytest.approx(3 - chance.mean())
    assert found.upper == pytest.approx(found.value + 0.5 + norm.isf(ALPHA) * chance.std())


@pytest.mark.parametrize("values", [7, 10**9])
def test_of_scores_it_is_the_rank_sum_test_with_its_correction_for_ties(values: int) -> None:
    """It says so a little less often: where the rows' own products vary more than a permutation's."""
    rng = np.random.default_rng(0)
    against = []
    for _ in range(200):
        outcomes = rng.random(40) < 0.4
        scores = rng.integers(0, values, 40) - values * outcomes // 7
        p = mannwhitneyu(scores[outcomes], scores[~outcomes], alternative="less", method="asymptotic").pvalue
        against.append((upper(rankdata(scores), outcomes) < 0, p < ALPHA))
    ours, theirs = np.array(against).T
    assert theirs[ours].all()
    assert (ours == theirs).mean() > 0.95


def test_of_several_classes_the_error_is_that_of_all_permutations() -> None:
    answers, outcomes = np.array([0, 1, 2, 2, 1, 0, 0]), np.array([1, 0, 0, 2, 2, 1, 2])
    right = [np.sum(answers[list(order)] == outcomes) for order in permutations(range(7))]
    found = bounded_association(np.eye(3)[answers], np.eye(3)[outcomes], 0.5)
    wide = bounded_association(np.eye(3)[answers], np.eye(3)[outcomes], float(norm.sf(1)))
    assert found is not None
    assert wide is not None
    assert found.value == pytest.approx(np.sum(answers == outcomes) - np.mean(right))
    assert wide.upper - found.upper == pytest.approx(np.std(right))


def test_turned_answers_have_the_opposite_value_and_the_order_of_rows_says_nothing() -> None:
    rng = np.random.default_rng(1)
    scores, outcomes, clusters = rng.normal(size=(90, 1)), rng.random((90, 1)) < 0.3, rng.integers(0, 30, 90)
    found = bounded_association(scores, outcomes, ALPHA, Sampling(clusters))
    turned = bounded_association(-scores, outcomes, ALPHA, Sampling(clusters))
    order = rng.permutation(90)
    again = bounded_association(scores[order], outcomes[order], ALPHA, Sampling(100 - clusters[order]))
    assert found is not None
    assert turned is not None
    assert again is not None
    assert turned.value == pytest.approx(-found.value)
    assert (again.value, again.upper) == pytest.approx((found.value, found.upper))


def test_rows_that_are_each_there_twice_say_no_more_than_once() -> None:
    rng = np.random.default_rng(2)
    answers, outcomes = rng.random(400) < 0.5, rng.random(400) < 0.5
    twice = np.repeat(np.arange(400), 2)
    together = upper(answers[twice], outcomes[twice], twice)
    assert together == pytest.approx(2 * upper(answers, outcomes), rel=0.02)


@pytest.mark.parametrize("constant", ["answers", "outcomes"])
def test_where_nothing_varies_nothing_goes_against(constant: str) -> None:
    varied, same = np.arange(40.0), np.ones(40)
    assert upper(*((same, varied) if constant == "answers" else (varied, same))) == np.inf


Design = Callable[[np.random.Generator], tuple[np.ndarray, np.ndarray, np.ndarray | None]]


def independent(n: int, answered: float, outcome: float) -> Design:
    return lambda rng: (rng.random(n) < answered, rng.random(n) < outcome, None)


def scores(n: int, outcome: float, spread: float = 1.0) -> Design:
    """Scores whose spread depends on the outcome, and their place does not."""

    def draw(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, None]:
        inside = rng.random(n) < outcome
        return rankdata(rng.normal(size=n) * np.where(inside, spread, 1)), inside, None

    return draw


def classes(n: int, shares: tuple[float, ...]) -> Design:
    k = len(shares)
    return lambda rng: (np.eye(k)[rng.choice(k, n, p=shares)], np.eye(k)[rng.choice(k, n, p=shares)], None)


def together(groups: int, rows: int, answered: float, outcome: float, *, uneven: bool = False) -> Design:
    """All rows of a cluster get the same answer and have the same outcome; one cluster may hold a fifth of all rows."""

    def draw(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        sizes = 1 + rng.geometric(1 / rows, groups) if uneven else np.full(groups, rows)
        sizes[0] = sizes.sum() // 4 if uneven else rows
        clusters = np.repeat(np.arange(groups), sizes)
        return (rng.random(groups) < answered)[clusters], (rng.random(groups) < outcome)[clusters], clusters

    return draw


DESIGNS = {
    "decisions": independent(200, 0.4, 0.5),
    "rare decisions": independent(300, 0.03, 0.3),
    "rare outcomes and decisions": independent(300, 0.05, 0.05),
    "scores": scores(200, 0.3),
    "scores of another spread": scores(200, 0.3, 2.0),
    "four classes": classes(200, (0.4, 0.3, 0.2, 0.1)),
    "clusters": together(60, 4, 0.4, 0.5),
    "rare ones in clusters": together(200, 5, 0.1, 0.1),
    "uneven clusters": together(50, 4, 0.4, 0.5, uneven=True),
}


def stopped(design: Design, repeats: int, seed: int) -> float:
    return float(np.mean([upper(*design(np.random.default_rng((seed, i)))) < 0 for i in range(repeats)]))


@pytest.mark.parametrize("name", DESIGNS)
def test_independent_answers_go_against_the_outcomes_at_most_as_often_as_alpha(name: str) -> None:
    assert stopped(DESIGNS[name], 300, 3) <= ALPHA + 2 * np.sqrt(ALPHA * (1 - ALPHA) / 300)


LONG = {
    f"{kind} of {n}": design
    for n in (30, 100, 1_000)
    for kind, design in {
        **{f"decisions {a}/{b}": independent(n, a, b) for a in (0.5, 0.1, 0.03) for b in (0.5, 0.9, 0.05)},
        "scores": scores(n, 0.5),
        "rare outcomes": scores(n, 0.05),
        "classes": classes(n, (0.5, 0.3, 0.2)),
        "rare classes": classes(n, (0.94, 0.02, 0.02, 0.02)),
    }.items()
} | {
    f"clusters {g} x {m} {a}/{b} {'uneven' if uneven else ''}": together(g, m, a, b, uneven=uneven)
    for g, m in ((10, 5), (20, 10), (50, 4), (200, 5))
    for a, b in ((0.5, 0.5), (0.1, 0.1), (0.05, 0.5), (0.9, 0.1))
    for uneven in (False, True)
}


@pytest.mark.long
@pytest.mark.parametrize("name", LONG)
def test_independent_answers_go_against_at_most_as_often_as_alpha_in_many_tables(name: str) -> None:
    assert stopped(LONG[name], 4_000, 4) <= ALPHA + 2 * np.sqrt(ALPHA * (1 - ALPHA) / 4_000)


@pytest.mark.parametrize(("clusters", "least"), [(False, 0.95), (True, 0.95)])
def test_answers_that_are_turned_round_are_found(clusters: bool, least: float) -> None:
    """J is -0.4: of 200 rows, and of 200 clusters of 3 alike."""

    def draw(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
        outcome = rng.random(200) < 0.5
        answer = rng.random(200) < np.where(outcome, 0.3, 0.7)
        place = np.repeat(np.arange(200), 3)
        return (answer[place], outcome[place], place) if clusters else (answer, outcome, None)

    assert stopped(draw, 100, 5) >= least
