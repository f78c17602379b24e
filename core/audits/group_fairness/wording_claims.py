"""Claims about groups in words: direction, rates, difference and tolerance."""

from core.audits.group_fairness.verdict import GroupFairnessFinding
from core.claims import Claim
from core.claims_told import answer, happened
from core.language.phrases import LONGEST_VALUE, listed, number, share_to_one_decimal, shortened
from core.language.told import localized, say
from core.language.units import POINTS, units_of


def fare(finding: GroupFairnessFinding, claim: Claim, *, worse: bool | None = None) -> str:
    """What happens to several people more or less often than to others, up to "than".

    Args:
        finding: The finding.
        claim: The claim.
        worse: Whether they fare worse; as was found if None.
    """
    if worse is None:
        turned = claim.more and not claim.one_sided
        worse = (claim.estimate >= 0) is not turned if claim.scale == "difference" else claim.estimate <= 1
    if claim.what == "mean error":
        if not claim.one_sided:
            return say("get lower answers than") if worse else say("get higher answers than")
        return (
            say("get answers that err more to their disadvantage than")
            if worse
            else say("get answers that err less to their disadvantage than")
        )
    if claim.what == "predictive value":
        answer = other_text(finding, claim)
        return (
            say("wrongly get {answer} more often than", answer=answer)
            if worse
            else say("wrongly get {answer} less often than", answer=answer)
        )
    other = claim.what == "true-positive rate"
    answer = other_text(finding, claim) if other else answer_text(finding, claim.of)
    return (
        say("get {answer} more often than", answer=answer)
        if worse is other
        else say("get {answer} less often than", answer=answer)
    )


def among(finding: GroupFairnessFinding, claim: Claim) -> str:
    """Among whom, with a blank before it; empty where everybody is compared."""
    told = f" {outcomes}" if (outcomes := had(finding, claim)) else ""
    if claim.what == "predictive value":
        told = say(" among people answered so")
    if claim.what == "mean error":
        told = say(" beside their outcomes")
    return _among_alike(finding, told)


def _among_alike(finding: GroupFairnessFinding, told: str) -> str:
    """Among whom, and among them only those who are alike in the columns that were chosen for it."""
    if not finding.decision.within:
        return told
    columns = listed(finding.decision.within)
    return (
        say("{told}, on average among those alike in {columns}", told=told, columns=columns)
        if told
        else say(" on average among people alike in {columns}", columns=columns)
    )


def rates(finding: GroupFairnessFinding, claim: Claim) -> str:
    """Both rates, and the difference or ratio: ``44.8% against 23.5%, 21.3 percentage points apart``."""
    if finding.decision.within:
        return apart_text(finding, abs(claim.estimate))
    here, there = (side_text(finding, claim, value) for value in (claim.here, claim.there))
    if claim.scale == "ratio" and claim.what != "true-positive rate":
        return say(
            "{here} against {there}, a ratio of {ratio}",
            here=here,
            there=there,
            ratio=apart_text(finding, claim.estimate, ratio=True),
        )
    if claim.scale == "ratio":
        return say(
            "{here} against {there}, so that they get {answer} {ratio} times as often",
            here=here,
            there=there,
            answer=answer_text(finding, claim.of),
            ratio=apart_text(finding, claim.estimate, ratio=True),
        )
    return say(
        "{here} against {there}, {difference}",
        here=here,
        there=there,
        difference=apart_text(finding, abs(claim.estimate)),
    )


def tolerated(finding: GroupFairnessFinding, claim: Claim) -> str:
    """The tolerance of a claim, as a clause."""
    if claim.scale == "ratio":
        return say("where at least {ratio} is asked for", ratio=localized(f"{claim.tolerance:g}"))
    numbers = finding.result.detail.numbers
    told = number(claim.tolerance) if numbers else POINTS.plain_tolerance(claim.tolerance)
    return say("where {tolerance} are tolerated", tolerance=told)


def side_text(finding: GroupFairnessFinding, claim: Claim, value: float) -> str:
    """The quantity on one side as people read it, under the name that :func:`compared_in` gives it."""
    if claim.what == "mean error":
        return number(value)
    return share_to_one_decimal(told_share(claim, value))


def told_share(claim: Claim, value: float) -> float:
    """A share as it is told: of people with the favourable outcome, how many do not get that answer."""
    return 1 - value if claim.what in ("true-positive rate", "predictive value") else value


def apart_text(finding: GroupFairnessFinding, value: float, *, unit: bool = True, ratio: bool = False) -> str:
    """A difference with its unit, or a ratio."""
    if ratio:
        return number(value, 2)
    shown = finding.unit
    decimals = None if finding.result.detail.numbers else 1
    return shown.text(value, decimals) if unit else shown.number(value, decimals)


def tolerance_text(finding: GroupFairnessFinding) -> str:
    """The tolerance with its unit: ``10 percentage points``, ``2,300 units of salary``; and a ratio that was chosen."""
    decision = finding.decision
    if finding.result.detail.numbers:
        return units_of(finding.result.data.outcome, finding.factor).text(decision.delta)
    points = POINTS.tolerance(decision.delta)
    if decision.ratio == type(decision)().ratio:
        return points
    return say("{points} and ratios from {ratio} on", points=points, ratio=localized(f"{decision.ratio:g}"))


def compared_in(finding: GroupFairnessFinding, claim: Claim) -> str:
    """What groups are compared in, as a plural amid a sentence; where it is no measure, what the claim calls it."""
    known = {
        "true-positive rate": say("shares that get {other}", other=other_text(finding, claim)),
        "selection rate": say("shares that get {other}", other=answer_text(finding, claim.of)),
        "predictive value": say("shares that wrongly get {other}", other=other_text(finding, claim)),
        "mean error": say("mean errors (answer less outcome)"),
        "recall": say("shares answered rightly"),
        "class": say("shares of every answer"),
    }
    told = known.get(claim.what, claim.what)
    if claim.what == "mean error":
        return f"{told}{_among_alike(finding, '')}"
    return f"{told}{among(finding, claim)}" if claim.what in known and claim.what != "recall" else told


def measure(finding: GroupFairnessFinding, claim: Claim) -> str:
    """What a claim's number is of, amid a sentence: of a ratio, the shares that it is the ratio of."""
    if claim.scale == "difference" or claim.what not in ("true-positive rate", "selection rate"):
        return compared_in(finding, claim)
    answer = answer_text(finding, claim.of)
    return say("ratio of the shares that get {answer}{among}", answer=answer, among=among(finding, claim))


def how_much(finding: GroupFairnessFinding) -> str:
    """Heading of the differences."""
    return say("How much worse") if finding.measures[0].one_sided else say("Difference")


def other_text(finding: GroupFairnessFinding, claim: Claim) -> str:
    """The answer that is not the favourable one; of several any other."""
    others = [name for name in finding.result.detail.classes if name != claim.of]
    return answer_text(finding, others[0]) if len(others) == 1 else say("another answer")


def had(finding: GroupFairnessFinding, claim: Claim) -> str:
    """For whom which outcome came true; empty where it is not looked at."""
    return happened(claim.of) if claim.what in ("true-positive rate", "recall") else ""


def answer_text(finding: GroupFairnessFinding, value: str) -> str:
    """An answer amid a sentence, with its column, ``deny = no``, which nobody reads as a refusal."""
    return answer(finding.result.data, shortened(value, LONGEST_VALUE))
