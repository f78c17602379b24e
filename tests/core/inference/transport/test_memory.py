"""Memory is asked for before it is taken."""

import numpy as np
import pytest

from core.base.errors import AuditError
from core.inference.transport import memory
from core.inference.transport.costs import QuadraticCost
from core.inference.transport.envelope import Envelope
from core.inference.transport.memory import MOVE, STEP, free_memory, memory_needed, require_memory
from core.inference.transport.program import Program


def test_more_cells_costs_and_draws_need_more() -> None:
    needs = [memory_needed(10_000, cost=cost) for cost in ("classes", "points", "matrix")]
    assert needs == sorted(needs)
    assert needs[-1] > 800_000_000
    assert memory_needed(20_000, cost="matrix") > 3 * needs[-1]
    assert memory_needed(100, cost="points", draws=1000) > memory_needed(100, cost="points")
    assert memory_needed(100, cost="points", program=True) > memory_needed(100, cost="points")


def test_a_hundred_kinds_need_a_block_of_their_pairs_and_a_little_each() -> None:
    pairs, each = 120 * 100**2, 200 * 100
    assert memory_needed(100, cost="classes") == pairs + each
    assert memory_needed(100, cost="classes", program=True) == pairs + each + 100 * MOVE
    assert memory_needed(100, cost="points") == pairs + each + 16 * 100 * STEP
    assert memory_needed(100, cost="matrix") == pairs + each + 16 * 100 * STEP + 8 * 100**2


def test_ten_thousand_cells_with_a_thousand_draws_are_expected_to_fit_in_two_gigabytes() -> None:
    assert memory_needed(10_000, cost="points", draws=1000) < 2e9


def test_what_does_not_fit_is_refused_with_both_numbers(monkeypatch) -> None:
    monkeypatch.setattr(memory, "free_memory", lambda: 1.5e9)
    require_memory(1.4e9, 12_000)
    with pytest.raises(
        AuditError, match=r"12,000 kinds of people needs about 40\.0 GB of memory, and 1\.5 GB are free"
    ):
        require_memory(4e10, 12_000)


@pytest.mark.parametrize("kind", [Envelope, Program])
def test_a_build_that_would_not_fit_stops(kind, monkeypatch) -> None:
    monkeypatch.setattr(memory, "free_memory", lambda: 1e5)
    x = np.random.default_rng(0).normal(size=(300, 1))
    with pytest.raises(AuditError, match="memory"):
        kind.build(np.logaddexp(0, x[:, 0]), QuadraticCost(x, np.zeros(300, dtype=int)))


def test_some_memory_is_free_here() -> None:
    assert free_memory() > 1e6
