"""Claims, and the verdict that a judge makes of them."""

from dataclasses import replace

import pytest

from core.claims import Claim, leading
from core.inference.estimate import Verdict
from core.judge import judge

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


def test_what_forbids_a_verdict_leaves_it_open() -> None:
    assert judge((BEYOND,), accuses=False) is Verdict.INSUFFICIENT
    assert judge((BEYOND,), clears=False) is Verdict.VIOLATION
    assert judge((WITHIN,), clears=False) is Verdict.INSUFFICIENT
    assert judge((WITHIN,), accuses=False) is Verdict.NO_VIOLATION


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
