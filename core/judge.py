"""The judge: what may be claimed of a result, of several tests together, and what speaks against it.

A violation is found where any claim is shown to be beyond its tolerance and no caveat forbids accusing. No violation is
found where every claim that decides is shown to be within its tolerance and no caveat forbids clearing. Everything else
is insufficient evidence. A caveat is the only thing for which a verdict is withheld.
"""

from collections.abc import Iterable, Iterator, Sequence

from core.base.errors import Caveat, forbidding
from core.claims import Claim
from core.data.left_out import FILL_IN
from core.inference.estimate import Verdict
from core.language.told import say


def judge(claims: Sequence[Claim], caveats: Iterable[Caveat] = ()) -> Verdict:
    """The verdict that follows from claims and what speaks against them.

    Args:
        claims: The claims of a result; their accusing bounds hold together.
        caveats: What was noticed; some of it forbids a claim.
    """
    forbidden = {one.forbids for one in caveats}
    if any(one.beyond for one in claims):
        return Verdict.INSUFFICIENT if forbidden & {"accusing", "any claim"} else Verdict.VIOLATION
    deciding = [one for one in claims if one.decides]
    cleared = bool(deciding) and all(one.within for one in deciding)
    return Verdict.NO_VIOLATION if cleared and not forbidden & {"clearing", "any claim"} else Verdict.INSUFFICIENT


def about_rows_left_out(told: str, found: Verdict, worst: float, tolerance: float) -> Iterator[Caveat]:
    """Whom a verdict is not about, where rows were left out that go with a group or an outcome.

    "No violation" is forbidden unless the worst that can have happened to them lies within the tolerance.

    Args:
        told: Who was left out, one sentence without its stop.
        found: The verdict on the audited rows.
        worst: The upper bound if whoever was left out were treated as badly as can be (Manski 1990); infinite where it
            is not known.
        tolerance: The tolerance.
    """
    if found is not Verdict.NO_VIOLATION:
        yield Caveat("warning", say("{told}. The verdict is about the others only.", told=told), FILL_IN)
    elif worst <= tolerance:
        yield Caveat(
            "warning", say("{told}. Even the worst treatment of them would lie within the tolerance.", told=told)
        )
    else:
        serious = say("{told}. If they are treated otherwise, the tolerance may be exceeded.", told=told)
        yield from forbidding("clearing", [Caveat("serious", serious, FILL_IN)])


def together(
    verdicts: Sequence[Verdict], adjusted: Sequence[float], alphas: Sequence[float]
) -> tuple[tuple[Verdict, ...], Verdict]:
    """The verdicts of several tests of one audit, and that of the audit.

    A violation that Holm's adjustment over the tests does not confirm is insufficient evidence. A violation by any test
    is one of the audit; no violation takes every test.

    Args:
        verdicts: Each test's verdict by itself.
        adjusted: Each test's p-value, adjusted for all of them (Holm); NaN for a test that gives none.
        alphas: Each test's error rate.
    """
    several = len(verdicts) > 1
    confirmed = tuple(
        Verdict.INSUFFICIENT if several and one is Verdict.VIOLATION and not p <= alpha else one
        for one, p, alpha in zip(verdicts, adjusted, alphas, strict=True)
    )
    if Verdict.VIOLATION in confirmed:
        return confirmed, Verdict.VIOLATION
    return confirmed, Verdict.NO_VIOLATION if set(confirmed) == {Verdict.NO_VIOLATION} else Verdict.INSUFFICIENT
