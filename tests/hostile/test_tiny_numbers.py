"""Columns of numbers so small, or so close together, that no round number lies between them."""

import numpy as np
import pytest

from core.audits.transport.binning import round_limits
from core.audits.transport.candidates import _limits


@pytest.mark.parametrize("smallest", [5e-324, 1e-310])
def test_numbers_without_a_round_one_between_them_are_cut_at_one_of_them(smallest: float) -> None:
    numbers = np.arange(200) * smallest
    assert set(round_limits(numbers, 4)) <= set(numbers)
    assert set(_limits(numbers)) <= set(numbers[1:])
