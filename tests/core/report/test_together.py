"""One verdict for several tests: a violation has to survive Holm, and no violation takes every test."""

import math

import pytest

from core.errors import Notice
from core.inference.estimate import Verdict
from core.report.numbers import Numbers
from core.report.together import Together
from core.study import adjusted

V, N, I = Verdict.VIOLATION, Verdict.NO_VIOLATION, Verdict.INSUFFICIENT  # noqa: E741


def together(*tests: tuple[Verdict, float], alpha: float = 0.05) -> Together:
    numbers = tuple(Numbers(one.value.capitalize(), f"{one.value.capitalize()}: so.", one, (), p) for one, p in tests)
    return Together(
        names=tuple(f"test {index + 1}" for index in range(len(tests))),
        numbers=numbers,
        adjusted=adjusted(tuple(p for _, p in tests)),
        alphas=(alpha,) * len(tests),
    )


@pytest.mark.parametrize(
    ("tests", "verdict"),
    [
        ([(V, 0.001)], V),
        ([(V, 0.049)], V),
        ([(N, 0.9)], N),
        ([(V, 0.001), (N, 0.9)], V),
        ([(N, 0.8), (N, 0.9)], N),
        ([(N, 0.8), (I, 0.3)], I),
        ([(V, 0.04), (N, 0.9)], I),
        ([(V, 0.04), (V, 0.04)], I),
        ([(V, 0.04), (V, 0.001)], V),
        ([(V, 0.04), (I, math.nan)], V),
    ],
)
def test_the_verdict_of_an_audit(tests: list[tuple[Verdict, float]], verdict: Verdict) -> None:
    assert together(*tests).verdict is verdict


def test_a_violation_that_does_not_survive_the_adjustment_is_insufficient_and_says_its_adjusted_p_value() -> None:
    found = together((V, 0.04), (N, 0.9))
    assert found.verdicts == (I, N)
    assert found.headline == "Insufficient evidence"
    assert "test 1: insufficient evidence, adjusted p-value 0.08" in found.sentence


def test_several_tests_name_themselves_and_the_adjustment() -> None:
    found = together((V, 0.001), (V, 0.002))
    assert found.headline == "Violation found by 2 of 2 tests"
    assert "test 1: violation found" in found.sentence
    assert "Holm" in found.sentence
    assert "5%" in found.sentence


def test_a_single_test_speaks_for_itself() -> None:
    found = together((I, 0.3))
    assert (found.headline, found.sentence) == ("Insufficient evidence", "So.")


def test_notices_are_no_part_of_the_verdict() -> None:
    numbers = Numbers("Violation found", "Violation found: so.", V, (Notice("serious", "x"),), 0.01)
    assert Together(("a",), (numbers,), (0.01,), (0.05,)).verdict is V
