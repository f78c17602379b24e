"""One verdict for several tests: a violation has to survive Holm, and no violation takes every test."""

import math
from typing import Any

import pytest

from core.audits import KINDS
from core.errors import Notice
from core.finding import AbstractFinding
from core.inference.estimate import Verdict
from core.report.multiple_tests import Together
from core.study import adjusted

V, N, I = Verdict.VIOLATION, Verdict.NO_VIOLATION, Verdict.INSUFFICIENT  # noqa: E741


class Found(AbstractFinding[Any, Any]):
    """A finding of which only the verdict matters."""

    kind = KINDS["transport"]
    own_reasons = ()
    own_verdict = V
    p_value = math.nan

    def __init__(self, verdict: Verdict, p_value: float, *reasons: Notice) -> None:
        said = verdict.value.capitalize()
        vars(self).update(headline=said, sentence=f"{said}: so.")
        self.own_verdict, self.p_value, self.own_reasons = verdict, p_value, reasons


def together(*tests: tuple[Verdict, float], alpha: float = 0.05) -> Together:
    return Together(
        names=tuple(f"test {index + 1}" for index in range(len(tests))),
        findings=tuple(Found(one, p) for one, p in tests),
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
    assert Together(("a",), (Found(V, 0.01, Notice("serious", "x")),), (0.01,), (0.05,)).verdict is V


class Bounded(Found):
    """A finding whose verdict rests on bounds, not on a p-value."""

    has_p_value = False


def beside(bounded: Verdict, *tests: tuple[Verdict, float]) -> Together:
    findings = (Bounded(bounded, math.nan), *(Found(one, p) for one, p in tests))
    return Together(
        names=tuple(f"test {index + 1}" for index in range(len(findings))),
        findings=findings,
        adjusted=adjusted(tuple(one.p_value for one in findings)),
        alphas=(0.05,) * len(findings),
    )


def test_a_verdict_by_bounds_stands_beside_p_values_and_eases_and_dilutes_none() -> None:
    found = beside(V, (N, 0.9))
    assert found.verdicts == (V, N)
    assert found.headline == "Violation found by 1 of 2 tests"
    assert beside(I, (V, 0.04)).verdicts == (I, V)
    assert beside(N, (N, 0.9)).verdict is N
    assert beside(I, (N, 0.9)).verdict is N, "what has no p-value takes nothing back"
    assert beside(N, (I, 0.9)).verdict is I
    assert beside(I, (V, 0.04), (N, 0.9)).verdicts == (I, I, N)


def test_only_tests_with_p_values_are_counted_and_a_single_one_is_not_called_adjusted() -> None:
    assert beside(V, (V, 0.001)).sentence == (
        "test 1: violation found, by bounds that need no adjustment; test 2: violation found, p-value 0.0010."
    )
    several = beside(V, (V, 0.001), (N, 0.9)).sentence
    assert "test 2: violation found, adjusted p-value 0.0020" in several
    assert "adjusted for 2 tests (Holm)" in several
