"""The headline of an equalized odds test: how far apart two groups lie, in shares or in means, and who fares worse."""

import math
from dataclasses import replace

from core.audits.equalized_odds.compared import alike
from core.audits.equalized_odds.verdict import EqualizedOddsFinding
from core.audits.equalized_odds.wording_means import difference_of_means
from core.claims import Claim
from core.claims_told import (
    MOST_TIMES,
    Said,
    amount,
    beyond_tolerance,
    held_against,
    is_in_favour,
    needed,
    rounded_up,
    shares,
    tolerated,
    two_shares,
)
from core.claims_told import headline as claim_in_a_headline
from core.language.phrases import listed, lower_first, percent, upper_first, whole
from core.language.told import retold, say


def headline(finding: EqualizedOddsFinding, claim: Claim, said: Said) -> str:
    """Two groups and how far apart they lie, or could; no full stop."""
    if said == "within":
        return _ruled_out(finding)
    decided = finding.decisions_of(claim)
    if said == "open" and not (claim.differs and decided is None):
        return say(
            "Whether {what} differ between groups of {attributes} by {more} is open: {missing}",
            what=_compared(finding),
            attributes=_open_attributes(finding),
            more=beyond_tolerance(claim),
            missing=needed(finding, claim) if finding.different else _missing(finding),
        )
    if not claim.defined:
        return say(
            "{what} differ between groups of {attribute}, but there are too few people to say by how much",
            what=_compared(finding, begins=True),
            attribute=claim.who,
        )
    if finding.effects:
        return f"{difference_of_means(finding, claim)}; {held_against(claim)}"
    if decided is None:
        share = say("share with {what}", what=claim.what)
        return claim_in_a_headline(finding, replace(claim, what=upper_first(share)), said)
    here, there, _ = shares(claim, claim.here, claim.there)
    return say(
        "At the worst threshold, the share with {what} is {here} for {who} and {there} for {against}; {of_decisions}",
        what=claim.what,
        here=here,
        who=claim.who,
        there=there,
        against=claim.against,
        of_decisions=_of_decisions(claim, *decided),
    )


def sides(finding: EqualizedOddsFinding, claim: Claim) -> tuple[str, float, float] | None:
    """What the two shares of a headline are, and both; None of means, of which only the difference is told."""
    if finding.effects or not two_shares(claim):
        return None
    return say("share with {what}", what=claim.what), claim.here, claim.there


def measure(finding: EqualizedOddsFinding, claim: Claim) -> str:
    """What a claim's number is the difference of; and in whose favour it is an error, where it is."""
    if finding.effects:
        return claim.what
    told = say("share with {what}", what=claim.what)
    if not is_in_favour(claim, finding.result.data):
        return told
    return say("{told} (an advantage for those named first)", told=told)


def _ruled_out(finding: EqualizedOddsFinding) -> str:
    known = {
        "what": _compared(finding, begins=True),
        "attributes": _attributes(finding),
        "most": amount(finding.claims[0], finding.bound),
        "sure": percent(1 - finding.decision.alpha),
        "tolerated": tolerated(finding.claims[0]),
    }
    return say(
        "{what} differ between groups of {attributes} by at most {most}, with {sure} confidence; {tolerated}", **known
    )


def _of_decisions(claim: Claim, value: float, most: float) -> str:
    """How far decisions of a claim's two groups lie apart, whatever the outcome, or that it is open; no full stop."""
    if not most <= claim.tolerance:
        return say("whether decisions of these two groups differ by {more} is open", more=beyond_tolerance(claim))
    return say(
        "decisions of these two groups lie {value} apart, {tolerated}",
        value=amount(claim, value),
        tolerated=tolerated(claim),
    )


def _attributes(finding: EqualizedOddsFinding) -> str:
    return listed([one.name for one in finding.result.detail.attributes])


def _open_attributes(finding: EqualizedOddsFinding) -> str:
    """The attributes of which something is not settled."""
    pairs = zip(finding.result.detail.attributes, finding.of_attributes, strict=True)
    return listed([one.name for one, claims in pairs if not all(claim.settled for claim in claims)])


def _compared(finding: EqualizedOddsFinding, *, begins: bool = False) -> str:
    """What is compared of whom: ``answers of people with the same outcome``."""
    detail, outcome = finding.result.detail, finding.outcome
    among = alike(detail, about=not detail.strata.exact)
    if detail.asks == "calibration":
        told = say("Mean {outcome}", outcome=outcome) if detail.numbers else say("Shares with the outcome")
    else:
        told = say("Mean answers") if detail.numbers else say("Shares of answers")
    told = told if begins else lower_first(told)
    return say("{what} of people {with_the_same}", what=told, with_the_same=among) if among else told


def _missing(finding: EqualizedOddsFinding) -> str:
    """How many rows bring the bound below the tolerance if nothing differs: bounds shrink with the root of n."""
    delta, rows = finding.decision.delta, finding.n
    people = lower_first(retold(finding.room.rows))
    times = (finding.bound / delta) ** 2 if delta > 0 and math.isfinite(finding.bound) else math.inf
    if not times <= MOST_TIMES:
        return say("many more {people} are needed", people=people)
    return say(
        "about {rows} {people} instead of {n} may settle it, if nothing differs",
        rows=whole(rounded_up(times * rows)),
        people=people,
        n=whole(rows),
    )
