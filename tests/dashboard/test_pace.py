"""Estimates of time are corrected by what past runs took."""

from itertools import pairwise

import pytest
import streamlit as st

from dashboard import pace
from dashboard.waiting import foretold


@pytest.fixture(autouse=True)
def own_home(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    monkeypatch.setenv("EVENHAND_HOME", str(tmp_path))


def run(expected: float, taken: float, kind: str = "transport") -> None:
    pace.expect("f", expected)
    pace.learn("f", kind, taken)


def test_the_median_of_past_runs_corrects_the_next_estimate() -> None:
    assert pace.correction("transport") == 1
    for taken in (60, 30, 1000):
        run(20, taken)
    assert pace.correction("transport") == 3
    assert pace.correction("gradient_flow") == 1


def test_a_run_counts_once_and_only_where_an_estimate_was_seen() -> None:
    run(20, 60)
    pace.learn("f", "transport", 900)
    pace.learn("other", "transport", 900)
    run(0.01, 0.5)
    assert pace.correction("transport") == 3
    assert "f" not in st.session_state.get("expected_seconds", {})


def test_a_damaged_file_is_no_reason_to_stop() -> None:
    run(20, 60)
    pace._path().write_text("{")
    assert pace.correction("transport") == 1
    run(20, 80)
    assert pace.correction("transport") == 4


def test_a_forecast_moves_slowly_to_where_the_run_goes_and_says_when_it_grows() -> None:
    """A tenth is done in the first second, and nothing for twenty: unsmoothed, the forecast would go from 9 to 189."""
    told = [pace.forecast(None, 1.0, 0.0, 9.0)]
    for step in range(1, 41):
        now = 1.0 + step / 2
        told.append(pace.forecast(told[-1], now, 0.0, now * 0.9 / 0.1))
    left = [one.left for one in told]
    assert left[0] == 9.0
    assert all(after <= 1.25 * max(before, 1.0) + 1.0 for before, after in pairwise(left)), "no jumps"
    assert told[-1].takes_longer
    assert not told[1].takes_longer


def test_the_forecast_of_a_steady_run_is_its_end() -> None:
    told = None
    for step in range(1, 20):
        told = pace.forecast(told, step / 2, 0.0, 10.0 - step / 2)
        assert told.end == pytest.approx(10.0)
        assert not told.takes_longer


@pytest.mark.parametrize(
    ("seconds", "told"),
    [(0.2, "less than a minute"), (29, "less than a minute"), (31, "about a minute"), (200, "about 3 minutes")],
)
def test_before_a_run_its_time_is_told_no_finer_than_it_is_known(seconds: float, told: str) -> None:
    assert foretold(seconds) == told
