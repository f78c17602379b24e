"""Steps sorted where they lie, in pieces, against all of them sorted at once, digit by digit."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.inference.transport import costs as costs_module
from core.inference.transport import envelope as envelope_module
from core.inference.transport import ordered
from core.inference.transport.costs import AbstractCost, DenseCost, QuadraticCost
from core.inference.transport.envelope import Envelope
from core.inference.transport.steps import checked_losses, find_corners


def drawn(seed: int, *, tied: bool) -> tuple[np.ndarray, AbstractCost]:
    """Cells of three classes, mixed; tied ones lie on a grid and have one of five losses."""
    rng = np.random.default_rng(seed)
    cells = int(rng.integers(2, 50))
    classes = rng.integers(0, 3, cells)
    if tied:
        return rng.integers(0, 5, cells) / 4, QuadraticCost(rng.integers(0, 4, (cells, 3)).astype(float), classes)
    points = rng.normal(size=(cells, 1))
    return points[:, 0] + 0.1 * rng.random(cells), QuadraticCost(points, classes)


def sorted_at_once(losses: np.ndarray, cost: AbstractCost) -> dict[str, np.ndarray]:
    """Every field of the steps, all held together and sorted by one call."""
    losses = checked_losses(losses, cost.size)
    blocks = list(find_corners(losses, cost, staying=True))
    source, target, costs = (
        np.concatenate([getattr(one, name) for one in blocks]) for name in ("source", "target", "cost")
    )
    by_cell = np.argsort(source, kind="stable")
    source, target, costs = source[by_cell], target[by_cell], costs[by_cell]
    later = source[1:] == source[:-1]
    cost_of_step, gain = np.diff(costs)[later], np.diff(losses[target])[later]
    order = np.argsort(-gain / cost_of_step, kind="stable")
    fields = {"source": source[1:][later], "target": target[1:][later], "cost": cost_of_step, "gain": gain}
    return {name: values[order] for name, values in fields.items()}


def in_pieces(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (ordered, envelope_module):
        monkeypatch.setattr(module, "PIECE", size)
    monkeypatch.setattr(envelope_module, "_LOOKED_AT", 2)
    monkeypatch.setattr(costs_module, "BLOCK", 200)


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10_000), tied=st.booleans(), size=st.sampled_from([1, 3, 16, 1 << 18]))
def test_steps_are_those_sorted_at_once(seed: int, tied: bool, size: int) -> None:
    losses, cost = drawn(seed, tied=tied)
    with pytest.MonkeyPatch.context() as patch:
        in_pieces(size, patch)
        expected, envelope = sorted_at_once(losses, cost), Envelope.build(losses, cost)
        for name, values in expected.items():
            np.testing.assert_array_equal(getattr(envelope, name), values)
        np.testing.assert_array_equal(envelope.slope, expected["gain"] / expected["cost"])


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10_000), tied=st.booleans(), share=st.floats(0.0, 1.2), size=st.sampled_from([1, 3, 16]))
def test_answers_are_the_same_to_the_last_digit_whatever_the_pieces(
    seed: int, tied: bool, share: float, size: int
) -> None:
    losses, cost = drawn(seed, tied=tied)
    rng = np.random.default_rng(seed)
    masses = rng.multinomial(40, np.full(len(losses), 1 / len(losses)), 5) / 40
    budget, answers = share * Envelope.build(losses, cost).total_cost(masses[0]), []
    for piece in (1 << 18, size):
        with pytest.MonkeyPatch.context() as patch:
            in_pieces(piece, patch)
            envelope = Envelope.build(losses, cost)
            found, curve = envelope.solution(masses[0], budget), envelope.curve(masses[0])
            plan = found.plan
            answers.append([
                envelope.value(masses, budget), envelope.price(masses[0], budget), envelope.gains(found.price),
                found.value, found.price, found.potentials, plan.source, plan.target, plan.mass,
                curve.budgets, curve.values,
            ])  # fmt: skip
    for one, other in zip(*answers, strict=True):
        np.testing.assert_array_equal(one, other)


def test_the_cost_of_all_steps_is_numpys_own_sum(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pieces as large as the blocks that NumPy adds up one by one, or larger."""
    rng = np.random.default_rng(0)
    costs = rng.random((120, 120))
    np.fill_diagonal(costs, 0.0)
    envelope, masses = Envelope.build(rng.random(120), DenseCost(costs)), rng.dirichlet(np.ones(120))
    assert len(envelope.source) > 300
    expected = float((masses[envelope.source] * envelope.cost).sum())
    for size in (128, 200, 256):
        monkeypatch.setattr(envelope_module, "PIECE", size)
        assert envelope.total_cost(masses) == expected


def test_cells_are_held_as_small_numbers() -> None:
    losses, cost = drawn(1, tied=False)
    envelope = Envelope.build(losses, cost)
    assert envelope.source.dtype == envelope.target.dtype == np.uint8
