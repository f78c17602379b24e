"""A tolerance can be moved: it lies within its slider, not at its edge."""

import pytest

from core.language.reader import speaking
from dashboard.views.results.decision import LEAST_PART, end_of_slider
from dashboard.views.results.widgets import slider_format


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


@pytest.mark.parametrize(
    ("end", "own", "english", "german"),
    [
        (50.0, "%.3g", "%.3g", "localized"),
        (3.0, None, None, "localized"),
        (0.1, "%.4f", "%.4f", "%.4f"),
        (0.5, None, None, "localized"),
    ],
)
def test_a_slider_writes_its_numbers_in_the_readers_language_where_three_decimals_suffice(
    end: float, own: str | None, english: str | None, german: str
) -> None:
    assert slider_format(end, own) == english
    with speaking("de"):
        assert slider_format(end, own) == german
