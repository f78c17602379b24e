"""A tolerance can be moved: it lies within its slider, not at its edge."""

import pytest

from dashboard.views.results.decision import LEAST_PART, end_of_slider


@pytest.mark.parametrize(
    ("wanted", "tolerance", "without", "end"),
    [
        (61.52, 1.25, 1.0, 3.0),
        (2.0, 1.25, 1.0, 2.0),
        (61.52, 1.0, 1.0, 61.52),
        (0.5, 0.02, 0.0, 0.16),
        (0.1, 0.0, 0.0, 0.1),
    ],
)
def test_a_tolerance_is_never_left_at_the_edge_of_its_slider(
    wanted: float, tolerance: float, without: float, end: float
) -> None:
    found = end_of_slider(wanted, tolerance, without)
    assert found == pytest.approx(end)
    assert tolerance == without or (tolerance - without) / (found - without) >= 1 / LEAST_PART - 1e-12
