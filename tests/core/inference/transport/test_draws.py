"""Resamples: the right law, and the same ones every time."""

import numpy as np
import pytest

from core.inference.transport import draws as module
from core.inference.transport.draws import Draws
from tests.core.inference.transport.designs import of_people

PEOPLE = of_people(np.array([[30, 0, 12, 5], [28, 0, 13, 6]]), np.array([0.0, 1.0, 0.3, 0.7]))


def whole(draws: Draws, size: int) -> np.ndarray:
    return np.concatenate(list(draws.masses(size)))


def test_resamples_follow_the_multinomial_law() -> None:
    found = whole(Draws(PEOPLE, 20_000, 1), 50)
    masses = PEOPLE.masses
    assert found.shape == (20_000, 4)
    assert np.allclose(found.sum(axis=1), 1)
    assert not found[:, 1].any()
    error = np.sqrt(masses * (1 - masses) / 50 / 20_000)
    assert (np.abs(found.mean(axis=0) - masses) <= 4 * error).all()
    covariance = (np.diag(masses) - np.outer(masses, masses)) / 50
    assert np.allclose(np.cov(found.T), covariance, atol=0.03 * covariance.max())


def test_the_same_seed_draws_the_same_however_often_and_in_whatever_order() -> None:
    one, two = Draws(PEOPLE, 300, 7), Draws(PEOPLE, 300, 7)
    first = whole(one, 94)
    whole(two, 20)
    assert (whole(two, 94) == first).all()
    assert (whole(one, 94) == first).all()
    assert (one.normal() == two.normal()).all()
    assert not (whole(Draws(PEOPLE, 300, 8), 94) == first).all()


def test_blocks_and_memory_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = [whole(Draws(PEOPLE, 300, 7), size) for size in (94, 20)]
    monkeypatch.setattr(module, "_KEPT_NUMBERS", 0)
    monkeypatch.setattr(module, "BLOCK_NUMBERS", 28)
    draws = Draws(PEOPLE, 300, 7)
    assert [len(block) for block in draws.masses(94)] == [*[7] * 42, 6]
    assert all((whole(draws, size) == found).all() for size, found in zip((94, 20), expected, strict=True))


def test_resamples_are_kept_up_to_so_many_numbers_and_no_further(monkeypatch: pytest.MonkeyPatch) -> None:
    """300 resamples of four cells are 1,200 numbers; those that are not kept are drawn again, the same."""
    for most, kept in ((1199, []), (1200, [94]), (2399, [94]), (2400, [94, 20])):
        monkeypatch.setattr(module, "_KEPT_NUMBERS", most)
        draws = Draws(PEOPLE, 300, 7)
        first = [whole(draws, size) for size in (94, 20, 50)]
        assert list(draws._kept) == kept
        assert all((whole(draws, size) == found).all() for size, found in zip((94, 20, 50), first, strict=True))
