"""The judge: a verdict from claims, and from what speaks against making them."""

from __future__ import annotations

from collections.abc import Sequence

from core.claims import Claim
from core.inference.estimate import Verdict


def judge(claims: Sequence[Claim], *, accuses: bool = True, clears: bool = True) -> Verdict:
    """The verdict that follows from claims.

    A violation if any claim is shown to be beyond its tolerance. No violation if every claim that decides is shown to
    be within it. Insufficient evidence otherwise, and where what speaks against a verdict forbids it.

    Args:
        claims: The claims of a result; their accusing bounds hold together.
        accuses: Whether nothing forbids to accuse.
        clears: Whether nothing forbids to clear.
    """
    if any(one.beyond for one in claims):
        return Verdict.VIOLATION if accuses else Verdict.INSUFFICIENT
    deciding = [one for one in claims if one.decides]
    cleared = bool(deciding) and all(one.within for one in deciding)
    return Verdict.NO_VIOLATION if cleared and clears else Verdict.INSUFFICIENT
