"""The check on halves against a transport followed step by step, and its honesty where everybody is treated alike."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.inference.transport.costs import ClassCost, DenseCost, QuadraticCost
from core.inference.transport.envelope import Envelope
from core.inference.transport.sample import CellSample
from core.inference.transport.split_check import MANY_SPLITS, Split, _Half, how_many_splits, split_check
from tests.core.inference.transport.designs import Population, dealt_again, noisy, of_people, quadratic


def noisy_quadratic(budget: float) -> Population:
    plain = quadratic(20, decisions=False, share=0.0)
    return Population(plain.cost, plain.masses, plain.losses, budget, noisy=True)


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10_000), budget=st.sampled_from([0.0, 0.05, 0.4, 3.0, 1e6, np.inf]))
def test_the_gain_is_that_of_the_plan_of_the_other_half(seed: int, budget: float) -> None:
    population = noisy_quadratic(budget)
    sample = population.sample(800, np.random.default_rng(seed))
    split = Split.build(sample, population.cost)
    gains = []
    for half in (0, 1):
        count, total = sample.count[1 - half], sample.total[1 - half]
        losses = total / np.maximum(count, 1)
        plan = (split.first, split.second)[half].solution(count / count.sum(), budget).plan
        known = (sample.count > 0).all(axis=0)[plan.target]
        gains.append(plan.mass[known] @ (losses[plan.target] - losses[plan.source])[known])
    if (sample.count > 0).all():
        assert split_check((split,), budget).value == pytest.approx(np.mean(gains), abs=1e-12)


def test_exact_losses_are_confirmed_in_full() -> None:
    """Both halves choose the same transport, and what it gains is the audit value of each half."""
    population = quadratic(12, decisions=False, share=0.3)
    count = np.random.default_rng(1).integers(20, 60, 12)
    sample = of_people(np.stack([count, count]), population.losses)
    found = split_check((Split.build(sample, population.cost),), population.budget)
    envelope = Envelope.build(sample.losses, population.cost)
    assert found.value == pytest.approx(float(envelope.value(sample.masses, population.budget)), abs=1e-12)


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10_000), budget=st.sampled_from([0.0, 0.05, 0.4, 3.0, np.inf]))
def test_what_other_people_confirm_is_at_most_what_the_same_people_show(seed: int, budget: float) -> None:
    """Exactly so where both halves have the same people in every cell and choose by their own means, as they do where
    nobody differs within a cell: the audit value is convex in the losses.
    """
    rng, cost = np.random.default_rng(seed), noisy_quadratic(budget).cost
    people = rng.integers(1, 8, 20)
    total = rng.binomial(people, rng.uniform(0, 1, (2, 20))).astype(np.float64)
    sample = CellSample(np.stack([people, people]), total, total**2 / people, np.full(20, np.nan))
    plain = float(Envelope.build(sample.losses, cost).value(sample.masses, budget))
    assert split_check((Split.build(sample, cost),), budget).value <= plain + 1e-12


def expected(people: np.ndarray, total: np.ndarray, kinds: np.ndarray) -> np.ndarray:
    """What a half of 0-1 losses expects."""
    sample = CellSample(people[None], total[None], total[None], np.full(len(people), np.nan))
    return _Half.of(sample, 0).expected(kinds)


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10_000), size=st.integers(1, 60))
def test_what_a_half_expects_is_empirical_bayes_written_out(seed: int, size: int) -> None:
    """Person by person: the variance within cells, that between the cells of a kind by DerSimonian and Laird."""
    rng, kinds = np.random.default_rng(seed), np.repeat(np.arange(4), 5)
    people = rng.integers(1, size + 1, 20)
    total = rng.binomial(people, rng.uniform(0, 1, 20)).astype(np.float64)
    mean = total / people
    within = sum(n * m * (1 - m) for n, m in zip(people, mean, strict=True)) / max(1, (people - 1).sum())
    above, below = 0.0, 0.0
    centre = np.zeros(20)
    for kind in range(4):
        here = kinds == kind
        n = people[here]
        centre[here] = total[here].sum() / n.sum()
        above += float(n @ (mean[here] - centre[here]) ** 2) - 4 * within
        below += n.sum() - (n**2).sum() / n.sum()
    between = max(0.0, above / below)
    by_hand = [
        m if within == 0 else c + n * between / (n * between + within) * (m - c)
        for n, m, c in zip(people, mean, centre, strict=True)
    ]
    found = expected(people, total, kinds)
    assert found == pytest.approx(np.array(by_hand))
    assert (np.sign(found - centre) * np.sign(mean - centre) >= 0).all()


def test_a_group_that_is_apart_in_all_kinds_is_expected_to_be_so_where_few_of_it_are() -> None:
    """Of twenty kinds one has a single person of the second group, who was judged rightly."""
    people = np.tile([100, 25], 20)
    total = np.tile([20.0, 15.0], 20)
    people[1], total[1] = 1, 0.0
    sample = CellSample(people[None], total[None], total[None], np.full(40, np.nan))
    kinds, groups = np.repeat(np.arange(20), 2), np.tile([0, 1], 20)
    alone, told = (_Half.of(sample, 0).expected(kinds, one) for one in (None, groups))
    assert alone[1] < 0.25
    assert told[1] > 0.45


def test_a_half_expects_its_own_means_of_many_people_and_the_kind_s_of_few() -> None:
    many = expected(np.full(4, 10**6), np.array([2e5, 3e5, 4e5, 5e5]), np.array([0, 0, 1, 1]))
    assert many == pytest.approx(np.array([0.2, 0.3, 0.4, 0.5]), abs=1e-4)
    few = expected(np.array([1000, 3, 1000, 3]), np.array([500.0, 2.0, 510.0, 1.0]), np.array([0, 0, 1, 1]))
    assert np.abs(few - [0.5, 0.5, 0.51, 0.51]).max() < 0.02


def confirmed(tables: int, lift: float) -> tuple[int, int]:
    """Tables of twelve kinds and eight groups, two of which are rare, whose bound exceeds .0365, or the truth.

    Everybody of one group in ten errs more often by ``lift``, so that the value is nine tenths of it.
    """
    share = np.tile([0.3, 0.3, 0.1, 0.1, 0.08, 0.06, 0.04, 0.02], 12) / 12
    cost, rng, found = ClassCost(np.repeat(np.arange(12), 8)), np.random.default_rng(5), np.zeros(2, dtype=int)
    error = np.repeat(np.linspace(0.1, 0.35, 12), 8) + lift * np.tile(np.arange(8) == 2, 12)
    for _ in range(tables):
        people = rng.multinomial(6_000, share)
        wrong = rng.binomial(people, error)
        whole = CellSample(people[None], wrong[None] * 1.0, wrong[None] * 1.0, np.full(96, np.nan))
        groups = np.tile(np.arange(8), 12)
        splits = tuple(Split.build(dealt_again(whole, rng), cost, groups=groups) for _ in range(6))
        low = split_check(splits, 0.0).lower_bound(0.05)
        found += low > 0.0365, low > 0.9 * lift
    return int(found[0]), int(found[1])


def test_many_groups_are_shown_to_be_treated_worse_where_one_is_and_not_where_none_is() -> None:
    """Of three times the tolerance 55 of 60 tables are shown; by the means of each half alone 2 were."""
    tables = 60
    for lift in (0.0, 0.0365 / 0.9):
        assert max(confirmed(tables, lift)) <= tables * 0.05 + 2 * (tables * 0.05 * 0.95) ** 0.5
    assert confirmed(tables, 0.11 / 0.9)[0] >= 40


def verdicts_by_split(splits: int, seeds: int) -> tuple[np.ndarray, np.ndarray]:
    """Lower bounds of one table at many seeds, and the Monte-Carlo errors told beside them."""
    population = noisy(24, 4, 0.25)
    sample = population.sample(1000, np.random.default_rng(6))
    found = []
    for seed in range(seeds):
        rng = np.random.default_rng((1, seed))
        several = tuple(Split.build(dealt_again(sample, rng), population.cost) for _ in range(splits))
        check = split_check(several, 0.0)
        found.append((check.lower_bound(0.05), check.lower_error(0.05)))
    bounds, errors = np.array(found).T
    return bounds, errors


def test_other_splits_hardly_move_the_bound_and_by_as_much_as_told() -> None:
    """Bounds of one split scatter as widely as a standard error; of twenty by less than a third of that."""
    one, _ = verdicts_by_split(1, 60)
    twenty, told = verdicts_by_split(MANY_SPLITS, 60)
    assert np.ptp(twenty) < np.ptp(one) / 3
    assert twenty.std(ddof=1) == pytest.approx(told.mean(), rel=0.25)
    assert twenty.mean() == pytest.approx(one.mean(), abs=4 * one.std() / 60**0.5)
    delta = float(np.quantile(one, 0.27))
    assert 40 <= (one > delta).sum() < 50
    assert (twenty > delta).sum() >= 56


def test_splits_are_fewer_where_their_envelopes_would_take_long() -> None:
    several = [how_many_splits(ClassCost(np.zeros(cells, dtype=np.int64)), 1) for cells in (2, 25_000, 50_000, 200_000)]
    assert several == [60, 20, 10, 4]
    dear = [
        how_many_splits(QuadraticCost(np.zeros((cells, 1)), np.zeros(cells, int)), 1) for cells in (2500, 5000, 9999)
    ]
    assert dear == [20, 5, 4]
    whole = (ClassCost(np.zeros(30_000, dtype=np.int64)), QuadraticCost(np.zeros((3_000, 1)), np.zeros(3_000, int)))
    assert [repr(how_many_splits(cost, 1)) for cost in whole] == ["16", "13"]
    free = ClassCost(np.zeros(2, dtype=np.int64))
    assert [how_many_splits(free, people) for people in (20_000, 27_907, 30_000, 60_000, 10**6)] == [60, 42, 40, 20, 20]


def test_the_standard_error_is_that_of_simulated_gains() -> None:
    """With a clear best cell both halves choose alike: the error of the people and, doubled, that of the losses."""
    population = Population(ClassCost(np.zeros(2, dtype=np.int64)), np.array([0.7, 0.3]), np.array([0.2, 0.8]), 0, True)
    rng = np.random.default_rng(1)
    found = []
    for _ in range(1500):
        sample = population.sample(600, rng)
        found.append(split_check((Split.build(sample, population.cost),), 0.0))
    values = np.array([one.value for one in found])
    people = 0.6**2 * 0.7 * 0.3 / 600
    assert values.mean() == pytest.approx(0.42, abs=0.003)
    losses = values.var() - people
    expected = people + 2 * losses
    assert np.mean([one.standard_error**2 for one in found]) == pytest.approx(expected, rel=0.1)


def test_where_everybody_is_treated_alike_chance_is_not_counted_twice() -> None:
    population = noisy(12, 4, 0.0)
    rng, values, plain = np.random.default_rng(2), [], []
    for _ in range(300):
        sample = population.sample(600, rng)
        values.append(split_check((Split.build(sample, population.cost),), 0.0).value)
        plain.append(float(Envelope.build(sample.losses, population.cost).value(sample.masses, 0.0)))
    assert abs(np.mean(values)) <= 3 * np.std(values) / 300**0.5
    assert np.mean(plain) > 0.05


def test_nobody_is_moved_where_a_half_has_nobody() -> None:
    """Cell 1 looks worst, but only the first half has met it."""
    count, total = np.array([[50, 5], [50, 0]]), np.array([[10.0, 5.0], [10.0, 0.0]])
    sample = CellSample(count, total, total, np.full(2, np.nan))
    cost = ClassCost(np.zeros(2, dtype=np.int64))
    found = split_check((Split.build(sample, cost),), 0.0)
    assert found.value <= 0.0
    for budget in (0.1, np.inf):
        dear = QuadraticCost(np.array([[0.0], [0.5]]), np.zeros(2, dtype=np.int64))
        assert split_check((Split.build(sample, dear),), budget).value <= 0.0


def test_what_the_model_answers_for_people_nobody_is_counts() -> None:
    """Nobody is in cell 1, but the model was asked about it and is always wrong there."""
    count, total = np.array([[50, 0], [50, 0]]), np.array([[10.0, 0.0], [10.0, 0.0]])
    sample = CellSample(count, total, total, np.array([np.nan, 1.0]))
    cost = ClassCost(np.zeros(2, dtype=np.int64))
    assert split_check((Split.build(sample, cost),), 0.0).value == pytest.approx(0.8)


def test_an_empty_half_says_nothing() -> None:
    sample = CellSample(np.array([[5, 5], [0, 0]]), np.ones((2, 2)), np.ones((2, 2)), np.full(2, 0.5))
    found = split_check((Split.build(sample, ClassCost(np.zeros(2, dtype=np.int64))),), 0.0)
    assert found.undefined
    assert np.isnan(found.value)


def test_a_half_knows_nothing_of_the_only_person_of_a_kind_in_the_other() -> None:
    """Whom it would move there stays, with what the model answered as well."""
    count, total = np.array([[50, 1], [50, 0]]), np.array([[10.0, 1.0], [10.0, 0.0]])
    for asked in (np.nan, 1.0):
        sample = CellSample(count, total, total, np.array([np.nan, asked]))
        assert split_check((Split.build(sample, ClassCost(np.zeros(2, dtype=np.int64))),), 0.0).value == 0.0


def test_two_people_are_two_halves() -> None:
    sample = CellSample(np.array([[1, 0], [1, 0]]), np.zeros((2, 2)), np.zeros((2, 2)), np.array([np.nan, 1.0]))
    found = split_check((Split.build(sample, ClassCost(np.zeros(2, dtype=np.int64))),), 0.0)
    assert (found.value, found.standard_error) == (1.0, 0.0)


def test_errors_of_losses_count_as_perfectly_correlated_each_over_its_own_people() -> None:
    """Halves of 15 and 40 people; everybody of the first kind moves to the second, who stand for so many more."""
    count, total = np.array([[10, 5], [20, 20]]), np.array([[2.0, 4.0], [6.0, 14.0]])
    sample = CellSample(count, total, total, np.full(2, np.nan))
    found = split_check((Split.build(sample, ClassCost(np.zeros(2, dtype=np.int64))),), 0.0)
    gains, between, errors = [], [], []
    for people, losses in zip(count, total / count, strict=True):
        shares, within = people / people.sum(), people * losses * (1 - losses)
        variances = (within + within.sum() / (people.sum() - 2)) / people
        gain = losses[1] - losses[0]
        gains.append(shares[0] * gain)
        between.append(shares[0] * shares[1] * gain**2)
        errors.append(np.sqrt(shares[0] ** 2 * (variances / people).sum()))
    assert found.value == pytest.approx(np.mean(gains))
    assert found.standard_error == pytest.approx(np.sqrt(np.mean(between) / 54 + np.mean(errors) ** 2))


def test_a_budget_that_does_not_last_for_the_first_step_moves_a_part() -> None:
    """A tenth of all, that is a fifth of the first kind, for 2 each; the rate of 0.4 / 2 buys it whoever comes."""
    count, total = np.full((2, 2), 10), np.tile([3.0, 7.0], (2, 1))
    cost = DenseCost(np.array([[0.0, 2.0], [np.inf, 0.0]]))
    found = split_check((Split.build(CellSample(count, total, total, np.full(2, np.nan)), cost),), 0.2)
    assert found.value == pytest.approx(0.1 * 0.4)
    variance = (2.1 + 2 * 2.1 / 18) / 10
    assert found.standard_error == pytest.approx(np.sqrt(0.2**2 * variance / 20))
