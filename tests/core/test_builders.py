"""The synthetic result that other tests stand on has to hang together."""

import numpy as np

from tests.builders import make_plan, make_result


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
    assert np.array_equal(made.detail.moved, again.detail.moved)
    assert make_plan() == make_plan()
