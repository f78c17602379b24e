"""Claims, and the verdict that a judge makes of them."""

from dataclasses import replace

import pytest

from core.base.errors import Caveat, Forbids, forbidding
from core.claims import Claim, leading
from core.inference.estimate import Verdict
from core.judge import about_rows_left_out, judge, together

CLAIM = Claim(
    who="sex = f", against="sex = m", what="selection rate", of="yes", scale="difference", here=0.3, there=0.5,
    people=100, others=100, estimate=0.2, low=0.05, high=0.35, p_value=0.2, tolerance=0.1,
)  # fmt: skip
BEYOND, WITHIN = replace(CLAIM, low=0.12), replace(CLAIM, estimate=0.0, low=-0.1, high=0.1)
RATIO = replace(CLAIM, scale="ratio", estimate=0.6, low=0.4, high=0.79, tolerance=0.8, decides=False)


@pytest.mark.parametrize(
    ("claims", "verdict"),
    [
        ((), Verdict.INSUFFICIENT),
        ((CLAIM,), Verdict.INSUFFICIENT),
        ((WITHIN,), Verdict.NO_VIOLATION),
        ((WITHIN, CLAIM), Verdict.INSUFFICIENT),
        ((WITHIN, BEYOND), Verdict.VIOLATION),
        ((WITHIN, replace(BEYOND, decides=False)), Verdict.VIOLATION),
        ((WITHIN, replace(CLAIM, decides=False)), Verdict.NO_VIOLATION),
        ((WITHIN, RATIO), Verdict.VIOLATION),
        ((WITHIN, replace(RATIO, high=0.8)), Verdict.NO_VIOLATION),
        ((WITHIN, replace(WITHIN, judged=False)), Verdict.INSUFFICIENT),
        ((replace(BEYOND, judged=False),), Verdict.INSUFFICIENT),
        ((replace(WITHIN, decides=False),), Verdict.INSUFFICIENT),
    ],
)
def test_any_claim_accuses_and_every_claim_that_decides_is_needed_to_clear(
    claims: tuple[Claim, ...], verdict: Verdict
) -> None:
    assert judge(claims) is verdict


@pytest.mark.parametrize(
    ("forbids", "accused", "cleared"),
    [
        ("nothing", Verdict.VIOLATION, Verdict.NO_VIOLATION),
        ("accusing", Verdict.INSUFFICIENT, Verdict.NO_VIOLATION),
        ("clearing", Verdict.VIOLATION, Verdict.INSUFFICIENT),
        ("any claim", Verdict.INSUFFICIENT, Verdict.INSUFFICIENT),
    ],
)
def test_a_caveat_withholds_what_it_forbids_and_nothing_else(
    forbids: Forbids, accused: Verdict, cleared: Verdict
) -> None:
    caveats = (Caveat("serious", "A caveat forbids nothing."), *forbidding(forbids, [Caveat("warning", "Too few.")]))
    assert judge((BEYOND,), caveats) is accused
    assert judge((WITHIN,), caveats) is cleared
    assert judge((CLAIM,), caveats) is Verdict.INSUFFICIENT


def test_rows_left_out_forbid_to_clear_unless_their_worst_lies_within_the_tolerance() -> None:
    def told(found: Verdict, worst: float) -> tuple[str, Verdict]:
        (one,) = about_rows_left_out("40 rows were left out", found, worst, 0.1)
        return one.level, judge((WITHIN,), (one,))

    assert told(Verdict.NO_VIOLATION, 0.11) == ("serious", Verdict.INSUFFICIENT)
    assert told(Verdict.NO_VIOLATION, 0.1) == ("warning", Verdict.NO_VIOLATION)
    assert told(Verdict.NO_VIOLATION, float("nan")) == ("serious", Verdict.INSUFFICIENT)
    assert told(Verdict.VIOLATION, 0.5) == ("warning", Verdict.NO_VIOLATION)


@pytest.mark.parametrize(
    ("adjusted", "each", "audit"),
    [
        ((0.06,), (Verdict.VIOLATION,), Verdict.VIOLATION),
        ((0.05, 0.9), (Verdict.VIOLATION, Verdict.INSUFFICIENT), Verdict.VIOLATION),
        ((0.051, 0.9), (Verdict.INSUFFICIENT, Verdict.INSUFFICIENT), Verdict.INSUFFICIENT),
        ((float("nan"), 0.9), (Verdict.INSUFFICIENT, Verdict.INSUFFICIENT), Verdict.INSUFFICIENT),
    ],
)
def test_of_several_tests_a_violation_has_to_be_confirmed(
    adjusted: tuple[float, ...], each: tuple[Verdict, ...], audit: Verdict
) -> None:
    alone = [Verdict.VIOLATION, Verdict.INSUFFICIENT][: len(adjusted)]
    assert together(alone, adjusted, [0.05] * len(adjusted)) == (each, audit)


def test_an_audit_is_cleared_by_all_of_its_tests() -> None:
    clear, open_ = Verdict.NO_VIOLATION, Verdict.INSUFFICIENT
    assert together([clear, clear], [0.9, 0.8], [0.05, 0.05])[1] is clear
    assert together([clear, open_], [0.9, 0.8], [0.05, 0.05])[1] is open_


def test_a_tolerance_that_is_met_exactly_is_kept() -> None:
    assert not replace(CLAIM, low=0.1).beyond
    assert replace(CLAIM, high=0.1).within
    assert not replace(RATIO, high=0.8).beyond
    assert replace(RATIO, low=0.8, high=1.0).within


def test_groups_are_told_before_intersections_and_differences_before_ratios() -> None:
    combined = replace(BEYOND, low=0.3, decides=False)
    further = replace(BEYOND, low=0.2)
    assert leading((CLAIM, combined, BEYOND, further, RATIO)) is further
    assert leading((CLAIM, combined, RATIO)) is combined
    assert leading((CLAIM, RATIO)) is RATIO
    assert leading((WITHIN, CLAIM)) is CLAIM
    assert leading((replace(CLAIM, judged=False, low=float("-inf")), WITHIN)) is WITHIN
    assert leading(()) is None
