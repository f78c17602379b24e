"""The synthetic result that other tests stand on has to hang together."""

import numpy as np
import pytest

from core.audits.equalized_odds import gap
from tests.builders import make_plan, make_result
from tests.builders_fair_dummies import make_fair_dummies_result


def test_the_synthetic_sums_agree_with_the_synthetic_rows() -> None:
    detail = make_result().detail
    assert np.isclose(detail.excess[-1].sum(), (detail.ratios - 1).sum())
    assert np.isclose(detail.excess_squares[-1].sum(), ((detail.ratios - 1) ** 2).sum())
    assert (detail.histogram.sum(axis=1) == len(detail.ratios)).all()
    assert (np.bincount(detail.cell) == detail.cells.count).all()
    assert (detail.wrong_both <= np.minimum(detail.wrong_start, detail.wrong_end)).all()


def test_the_same_seed_builds_the_same_result() -> None:
    made, again = make_result(), make_result.__wrapped__()  # type: ignore[attr-defined]
    assert made is not again
    assert np.array_equal(made.detail.excess, again.detail.excess)
    assert make_plan() == make_plan()


def test_nothing_can_be_written_into_what_tests_share() -> None:
    detail = make_result().detail
    for shared in (detail.excess, detail.cells.count):
        with pytest.raises(ValueError, match="read-only"):
            shared[0] = 1


def test_results_that_remember_draws_are_not_shared_by_tests_that_draw_less(monkeypatch: pytest.MonkeyPatch) -> None:
    shape = {"rows": 60, "attributes": 1}
    made = make_fair_dummies_result(**shape)
    assert make_fair_dummies_result("numbers", **shape) is made
    monkeypatch.setattr(gap, "DRAWS", 9)
    assert make_fair_dummies_result(**shape) is not made
