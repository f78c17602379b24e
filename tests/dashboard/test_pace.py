"""Estimates of time are corrected by what past runs took."""

import pytest
import streamlit as st

from dashboard import pace


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
