"""Signed differences against fairlearn, and counted by hand, with the sign of AIF360."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import balanced_accuracy_score

from core.workflows.papers.differences import against_privileged


def arrays(*columns: str) -> tuple[np.ndarray, ...]:
    return tuple(np.array([mark == "+" for mark in column]) for column in columns)


def test_differences_are_those_counted_by_hand() -> None:
    """Unprivileged: 1 of 2 good and 1 of 3 bad outcomes are decided favourably; privileged: 3 of 3 and 1 of 2."""
    found = against_privileged(*arrays("++---+++--", "+-+--++++-", "-----+++++"))
    assert found.equal_opportunity_difference == pytest.approx(1 / 2 - 1)
    assert found.average_odds_difference == pytest.approx(((1 / 2 - 1) + (1 / 3 - 1 / 2)) / 2)
    assert found.statistical_parity_difference == pytest.approx(2 / 5 - 4 / 5)
    assert found.accuracy == pytest.approx(7 / 10)
    assert found.balanced_accuracy == pytest.approx((4 / 5 + 3 / 5) / 2)


def rate(decision: np.ndarray, among: np.ndarray) -> float:
    return float(decision[among].mean()) if among.any() else float("nan")


@given(st.lists(st.tuples(st.booleans(), st.booleans(), st.booleans()), min_size=2, max_size=40))
@settings(deadline=None, max_examples=60)
def test_differences_are_the_definitions(people: list[tuple[bool, bool, bool]]) -> None:
    outcome, decision, privileged = np.array(people).T
    if privileged.all() or not privileged.any():
        return
    found = against_privileged(outcome, decision, privileged)
    good = rate(decision, outcome & ~privileged) - rate(decision, outcome & privileged)
    bad = rate(decision, ~outcome & ~privileged) - rate(decision, ~outcome & privileged)
    share = rate(decision, ~privileged) - rate(decision, privileged)
    assert found.equal_opportunity_difference == pytest.approx(good, nan_ok=True)
    assert found.average_odds_difference == pytest.approx((good + bad) / 2, nan_ok=True)
    assert found.statistical_parity_difference == pytest.approx(share)
    assert found.accuracy == pytest.approx((outcome == decision).mean())
    if outcome.any() and not outcome.all():
        assert found.balanced_accuracy == pytest.approx(balanced_accuracy_score(outcome, decision))


def test_exchanging_the_groups_turns_the_sign() -> None:
    outcome, decision, privileged = np.random.default_rng(0).random((3, 300)) < 0.4
    one, other = against_privileged(outcome, decision, privileged), against_privileged(outcome, decision, ~privileged)
    for name in ("average_odds_difference", "equal_opportunity_difference", "statistical_parity_difference"):
        assert getattr(one, name) == pytest.approx(-getattr(other, name))


def test_a_rate_nobody_can_have_is_not_a_number() -> None:
    """fairlearn says 0 for the true-positive rate of a group without favourable outcomes."""
    found = against_privileged(*arrays("--+-", "+-+-", "++--"))
    assert np.isnan(found.equal_opportunity_difference)
    assert np.isnan(found.average_odds_difference)
    assert found.statistical_parity_difference == 0
