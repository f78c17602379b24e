"""The headline of a group fairness test: who fares worse than whom, in which direction, by how much."""

from core.audits.group_fairness.verdict import GroupFairnessFinding
from core.audits.group_fairness.wording import among_alike, reservations
from core.audits.group_fairness.wording_claims import (
    answer_text,
    apart_text,
    compared_in,
    fare,
    had,
    told_share,
)
from core.claims import Claim
from core.claims_told import (
    Said,
    amount,
    beyond_tolerance,
    held_against,
    needed,
    shares,
    tolerance_number,
    tolerated,
    with_reservations,
)
from core.data.labels import whom
from core.language.phrases import listed, number, percent, upper_first
from core.language.told import say


def headline(finding: GroupFairnessFinding, claim: Claim, said: Said) -> str:
    """Who, in which direction, both shares, their difference and the tolerance; or what is ruled out or missing."""
    if said == "within":
        return with_reservations(_ruled_out(finding, claim), reservations(finding))
    people = {"who": whom(claim.who), "against": whom(claim.against), "among": _among(finding, claim)}
    still_open = said == "open" and not claim.differs
    if still_open and claim.scale == "ratio":
        told = say(
            "Whether {who} get {answer} less than {ratio} times as often as {against}{among} is open: {missing}",
            answer=answer_text(finding, claim.of),
            ratio=tolerance_number(claim),
            missing=needed(finding, claim),
            **people,
        )
        return with_reservations(told, among_alike(finding, claim))
    if still_open:
        people["more"] = beyond_tolerance(claim)
        people["missing"] = needed(finding, claim)
        if claim.one_sided:
            told = say(
                "Whether {who} {fare} {against}{among} by {more} is open: {missing}",
                fare=fare(finding, claim, worse=True),
                **people,
            )
        else:
            told = say(
                "Whether {who} and {against} differ in {what}{among} by {more} is open: {missing}",
                what=_differ_in(finding, claim),
                **people | {"who": claim.who, "against": claim.against},
            )
        return with_reservations(told, among_alike(finding, claim, brief=True))
    people["numbers"] = _numbers(finding, claim)
    people["who"] = upper_first(people["who"])
    if claim.one_sided:
        told = say("{who} {fare} {against}{among}: {numbers}", fare=fare(finding, claim), **people)
    else:
        told = say("{who} and {against} differ in {what}{among}: {numbers}", what=_differ_in(finding, claim), **people)
    return with_reservations(told, among_alike(finding, claim))


def sides(finding: GroupFairnessFinding, claim: Claim) -> tuple[str, float, float] | None:
    """What the two shares of a headline are, and both; None where answers are numbers, or people alike are compared."""
    if finding.decision.within or finding.result.detail.numbers:
        return None
    here, there = told_share(claim, claim.here), told_share(claim, claim.there)
    if claim.what == "class":
        return say("shares that get {other}", other=answer_text(finding, claim.of)), here, there
    return compared_in(finding, claim), here, there


def _numbers(finding: GroupFairnessFinding, claim: Claim) -> str:
    """Both shares, their difference, and what is tolerated."""
    two = sides(finding, claim)
    if two is None:
        return say("by {value}; {held}", value=apart_text(finding, abs(claim.estimate)), held=held_against(claim))
    here, there, apart = shares(claim, *two[1:])
    if claim.scale == "ratio" and claim.what != "true-positive rate":
        return say(
            "{here} against {there}, {ratio} times as often; {held}",
            here=here,
            there=there,
            ratio=number(claim.estimate, 2),
            held=held_against(claim),
        )
    if claim.scale == "ratio":
        return say(
            "about {here} against {there}. They get {answer} {ratio} times as often; {held}",
            here=here,
            there=there,
            answer=answer_text(finding, claim.of),
            ratio=number(claim.estimate, 2),
            held=held_against(claim),
        )
    if claim.tolerance == 0 or not claim.settled:
        return say("about {here} against {there}; {held}", here=here, there=there, held=held_against(claim))
    return say(
        "about {here} against {there}, {apart} where {tolerance} are tolerated",
        here=here,
        there=there,
        apart=apart,
        tolerance=tolerance_number(claim),
    )


def _differ_in(finding: GroupFairnessFinding, claim: Claim) -> str:
    """In what people differ of whom nobody knows which direction is a harm."""
    if claim.what == "mean error":
        return say("how far answers lie above outcomes")
    if claim.what == "recall":
        return say("how often answers are right")
    return say("how often they get {answer}", answer=answer_text(finding, claim.of))


def _among(finding: GroupFairnessFinding, claim: Claim) -> str:
    """Among whom, with a blank before it; empty where everybody is compared."""
    told = f" {happened}" if (happened := had(finding, claim)) else ""
    if columns := finding.decision.within:
        told = f"{told}{say(', alike in {columns}', columns=listed(columns))}"
    return told


def _ruled_out(finding: GroupFairnessFinding, claim: Claim) -> str:
    """By how much groups fare worse than others at most, and how surely; and who does, where that is shown."""
    known = {
        "sure": percent(1 - finding.decision.alpha),
        "attributes": listed(finding.result.data.protected),
        "most": amount(claim, max(claim.high, 0.0)),
        "tolerated": tolerated(claim),
    }
    if not claim.one_sided:
        return say(
            "With {sure} confidence, groups of {attributes} differ from others in {what} by at most {most}; "
            "{tolerated}",
            what=say("how often they get each answer") if claim.what == "class" else _differ_in(finding, claim),
            **known,
        )
    two = sides(finding, claim)
    if claim.scale == "difference" and claim.low > 0 and two is not None:
        here, there, _ = shares(claim, *two[1:])
        return say(
            "{who} {fare} {against}{among}: about {here} against {there}. Groups of {attributes} fare worse by at most "
            "{most}, with {sure} confidence; {tolerated}",
            who=upper_first(whom(claim.who)),
            fare=fare(finding, claim),
            against=whom(claim.against),
            among=_among(finding, claim),
            here=here,
            there=there,
            **known,
        )
    return say(
        "With {sure} confidence, groups of {attributes} {fare} others{among} by at most {most}; {tolerated}",
        fare=fare(finding, claim, worse=True),
        among=_among(finding, claim),
        **known,
    )
