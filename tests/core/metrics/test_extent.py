"""A learned metric that frees nearly everything stops the run; what is declared free is not counted."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from core.base.errors import MetricError
from core.metrics import ComparablePairs, Expert, SensitiveSubspace
from core.metrics.extent import MOST_FREED, extent, fitted_for_a_test


def rng() -> np.random.Generator:
    return np.random.default_rng(0)


@pytest.fixture(scope="module")
def many_groups(encode):
    """Six numbers and a job, and twelve towns that the numbers tell: their probe frees all that it can."""
    draw = np.random.default_rng(2)
    town = np.repeat(np.arange(12), 50)
    x = draw.standard_normal((12, 6))[town] + 0.5 * draw.standard_normal((600, 6))
    frame = pd.DataFrame(x, columns=list("abcdef")).assign(
        town=[f"town {t}" for t in town],
        sex=np.where(x[:, 0] + draw.standard_normal(600) > 0, "f", "m"),
        job=draw.choice(["clerk", "cook", "nurse"], 600),
    )
    return lambda *protected: encode(frame, (*"abcdef", "job", "sex"), protected)


def test_directions_are_counted_beside_the_protected_columns(many_groups) -> None:
    data = many_groups("sex")
    found = extent(SensitiveSubspace().fit(data, rng()), data.encoder, ("sex",))
    assert (found.freed, found.directions) == (pytest.approx(1.0), 8)
    assert not found.too_much


def test_a_metric_that_forgives_everything_stops_the_run_and_says_what_to_choose(many_groups) -> None:
    data = many_groups("sex", "town")
    found = extent(SensitiveSubspace().fit(data, rng()), data.encoder, ("sex", "town"))
    assert found.freed == pytest.approx(8)
    with pytest.raises(MetricError) as stopped:
        fitted_for_a_test(SensitiveSubspace(), data, rng())
    assert "frees 8 of the 8 directions" in stopped.value.what
    assert stopped.value.where == "8 directions of 'town' and 1 direction of 'sex'"
    assert "fewer protected attributes" in stopped.value.advice
    fitted = fitted_for_a_test(SensitiveSubspace(protected=("sex",)), data, rng())
    assert fitted.found == 1


@pytest.mark.parametrize(("free", "stops"), [(5, False), (6, True), (8, True)])
def test_the_limit_is_three_quarters(many_groups, free: int, stops: bool) -> None:
    """By a mixture of directions as by whole columns."""
    assert MOST_FREED == 0.75
    data = many_groups("sex")
    metric = SensitiveSubspace().fit(data, rng())
    job = np.array([[1, -1, 0], [1, 1, -2]]) / np.sqrt([[2], [6]])
    inside = np.zeros((8, data.encoder.width))
    inside[:6, :6], inside[6:, 6:9] = np.eye(6), job
    turned = np.linalg.qr(np.random.default_rng(1).standard_normal((8, 8)))[0]
    for rows in (inside, turned @ inside):
        found = extent(replace(metric, free=rows[:free]), data.encoder, ("sex",))
        assert found.freed == pytest.approx(free)
        assert found.too_much is stops


def test_what_is_declared_is_not_counted(many_groups) -> None:
    data = many_groups("sex")
    everything = fitted_for_a_test(Expert(free=(*"abcdef", "job", "sex")), data, rng())
    assert not extent(everything, data.encoder, ("sex",)).too_much
    pairs = ComparablePairs(pairs=tuple((2 * k, 2 * k + 1) for k in range(100)), directions=7, learn_on="audited rows")
    with pytest.raises(MetricError, match=r"nearly everybody.*Ask for fewer free directions"):
        fitted_for_a_test(pairs, data, rng())
