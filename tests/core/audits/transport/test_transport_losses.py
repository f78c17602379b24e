"""Losses of people, their sums per cell, and the answers about people in other groups."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.audits.transport.asking import LARGEST_PANEL, ask
from core.audits.transport.losses import CellLosses, canonical_order, halves, losses_of
from core.audits.transport.strata import sort_into_strata
from core.base.progress import ignore_progress
from tests.core.audits.transport.cases import COLUMNS, Formula, dataset_of, people


def test_losses_are_those_of_scikit_learn() -> None:
    from sklearn.metrics import brier_score_loss, log_loss, zero_one_loss

    rng = np.random.default_rng(0)
    y, p = rng.integers(2, size=80), rng.uniform(0.01, 0.99, 80)
    found = losses_of(np.column_stack([1 - p, p]), y).values
    assert found["0-1"].mean() == pytest.approx(zero_one_loss(y, p > 0.5), abs=1e-15)
    assert found["log"].mean() == pytest.approx(log_loss(y, p), abs=1e-12)
    assert found["squared"].mean() == pytest.approx(brier_score_loss(y, p), abs=1e-12)


def test_the_squared_error_of_three_classes_is_the_brier_sum() -> None:
    found = losses_of(np.array([[0.5, 0.3, 0.2], [0.2, 0.2, 0.6]]), np.array([0, 1]))
    np.testing.assert_allclose(found.values["squared"], [0.25 + 0.09 + 0.04, 0.04 + 0.64 + 0.36])
    np.testing.assert_array_equal(found.values["0-1"], [0, 1])


def test_decisions_have_the_0_1_loss_only() -> None:
    found = losses_of(np.eye(2)[[0, 1, 1]], np.array([0, 0, 1]))
    assert set(found.values) == {"0-1"}
    assert set(found.unavailable) == {"log", "squared"}
    assert "decisions" in found.unavailable["log"]


@pytest.mark.parametrize(("wrong", "counted"), [([0.0], "1 person"), ([0.0, 0.0], "2 people")])
def test_a_probability_of_zero_for_what_happened_leaves_out_the_logarithm(wrong: list[float], counted: str) -> None:
    p = np.array([*wrong, 0.5, 1.0])
    found = losses_of(np.column_stack([1 - p, p]), np.ones(len(p), dtype=int))
    assert set(found.values) == {"0-1", "squared"}
    assert counted in found.unavailable["log"]


@given(st.lists(st.integers(0, 5), min_size=1, max_size=60), st.integers(0, 99))
def test_halves_are_dealt_evenly_within_each_cell(cells: list[int], seed: int) -> None:
    cell = np.sort(cells)
    half = halves(cell, np.random.default_rng(seed))
    for one in np.unique(cell):
        assert abs(int((half[cell == one] == 0).sum()) - int((half[cell == one] == 1).sum())) <= 1


def test_who_is_in_which_half_is_random() -> None:
    cell = np.repeat([0, 1], [3, 4])
    often = np.mean([halves(cell, np.random.default_rng(seed)) for seed in range(4000)], axis=0)
    # A share of 4,000 fair draws has standard deviation 0.008.
    np.testing.assert_allclose(often, 0.5, atol=0.035)


def test_sums_are_those_of_the_people_in_any_order() -> None:
    rng = np.random.default_rng(1)
    cell, values = rng.integers(4, size=50), rng.exponential(size=50)
    shuffled = rng.permutation(50)

    def sums(rows: np.ndarray) -> bytes:
        order = rows[canonical_order(cell[rows], (values[rows],))]
        half = halves(cell[order], np.random.default_rng(5))
        sample = CellLosses(values[order], cell[order], 5).sample(half)
        return b"".join(array.tobytes() for array in (sample.count, sample.total, sample.squares))

    assert sums(np.arange(50)) == sums(shuffled)
    order = canonical_order(cell, (values,))
    sample = CellLosses(values[order], cell[order], 5).sample(halves(cell[order], rng))
    expected = pd.Series(values).groupby(cell)
    np.testing.assert_allclose(sample.losses[:4], expected.mean(), rtol=1e-12)
    np.testing.assert_allclose(sample.variances[:4], expected.var(ddof=0), rtol=1e-9)
    assert sample.people[4] == 0
    assert np.isnan(sample.losses[4])


@pytest.mark.parametrize("loss", [1e-9, 0.1, 0.3, 15.7, 700.0])
def test_equal_losses_have_no_variance_however_many_are_added_up(loss: float) -> None:
    half = np.arange(200_000) % 2
    cell = (np.arange(200_000) >= 1000).astype(int)
    assert not CellLosses(np.full(200_000, loss), cell, 2).sample(half).variances.any()


def test_one_wrong_decision_among_many_is_a_variance() -> None:
    for others in (0.0, 1.0):
        losses = np.full(200_000, others)
        losses[0] = 1.0 - others
        found = CellLosses(losses, np.zeros(200_000, dtype=int), 1).sample(np.arange(200_000) % 2)
        assert found.variances[0] == pytest.approx(1 / 200_000, rel=1e-3)


def asked(rows: int = 60, **roles: tuple[str, ...]):  # type: ignore[no-untyped-def]
    frame = people(rows)
    dataset = dataset_of(frame, **roles)
    model = Formula(dataset, dataset.roles.features)
    data = model.encode(dataset)
    strata = sort_into_strata(dataset, COLUMNS, data.y, model.classes)
    every = strata.in_every_group()
    order = canonical_order(strata.cell, data.x.T)
    favourable = model.classes.index("yes")
    return frame, model, every, ask(model, data, every, order, favourable=favourable, on_progress=ignore_progress)


def test_kinds_without_people_get_the_models_answer_for_their_class_in_that_group() -> None:
    frame, _, strata, answers = asked(features=("age", "job", "sex"))
    classes = strata.classes(("sex", "race"))
    empty = np.flatnonzero(strata.people == 0)
    assert len(empty) > 3
    for kind in empty:
        members = frame.iloc[np.flatnonzero(classes[strata.cell] == classes[kind])]
        sex = strata.groups[strata.group[kind]].split(", ")[0]
        chance = 0.3 + 0.004 * members["age"] + 0.1 * (members["job"] == "clerk") + 0.15 * (sex == "Male")
        truth = (members["good"] == "yes").astype(float)
        assert answers.losses["squared"][kind] == pytest.approx(((chance - truth) ** 2).mean(), abs=1e-12)
        assert answers.favourable[kind] == pytest.approx((chance > 0.5).mean())
    np.testing.assert_array_equal(np.isnan(answers.losses["0-1"]), strata.people > 0)


def test_a_model_that_does_not_read_the_protected_columns_answers_the_same_in_every_group() -> None:
    _, _, strata, answers = asked(features=("age", "job"))
    classes = strata.classes(("sex", "race"))
    for one in np.unique(classes):
        there = answers.losses["squared"][(classes == one) & (strata.people == 0)]
        assert len(np.unique(there)) <= 1


def test_large_classes_are_asked_by_a_panel() -> None:
    frame = people(800).assign(race="White")
    frame.loc[0, "race"] = "Black"
    dataset = dataset_of(frame, features=("age", "job", "sex"))
    model = Formula(dataset)
    data = model.encode(dataset)
    strata = sort_into_strata(dataset, COLUMNS, data.y, model.classes).in_every_group()
    order = canonical_order(strata.cell, data.x.T)
    answers = ask(model, data, strata, order, favourable=1, on_progress=ignore_progress)
    assert model.asked <= LARGEST_PANEL * int((strata.people == 0).sum())
    assert np.isfinite(answers.losses["log"][strata.people == 0]).all()
