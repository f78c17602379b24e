"""The words of groups: the verdict, and what a reader can do next."""

import math

from core.audits.group_fairness.verdict import GroupFairnessFinding
from core.audits.group_fairness.wording_claims import among, apart_text, compared_in, fare, rates, tolerated
from core.caveats.assumptions import no_good_end, where_to_say_it
from core.claims import Claim, leading
from core.claims_shown import state
from core.claims_told import bring_more
from core.data.labels import whom
from core.group_answers import GroupAnswers
from core.inference.estimate import Verdict
from core.language.phrases import (
    LONGEST_VALUE,
    count,
    listed,
    p_value,
    percent,
    share_to_one_decimal,
    shortened,
    up_to,
    upper_first,
)
from core.language.told import say, say_count
from core.language.units import POINTS

_MOST_NAMED = 2
"""Others beyond the tolerance that are named; of more it is said how many."""


def opening(finding: GroupFairnessFinding) -> str:
    """The verdict, whom it names, in which direction, two numbers and the tolerance."""
    claim = finding.deciding
    if finding.verdict is Verdict.INSUFFICIENT and finding.open_claim is not None:
        claim = finding.open_claim
    withheld = finding.verdict is not finding.own_verdict
    if claim is None or withheld:
        return say("Insufficient evidence")
    told = {
        Verdict.VIOLATION: _accusation,
        Verdict.NO_VIOLATION: _clearing,
        Verdict.INSUFFICIENT: _open,
    }[finding.verdict](finding, claim)
    otherwise = reservations(finding) if finding.verdict is Verdict.NO_VIOLATION else among_alike(finding, claim)
    return f"{told}; {otherwise}" if otherwise else told


def sentence(finding: GroupFairnessFinding) -> str:
    """The headline, and how sure it is."""
    claim = finding.deciding
    if claim is None:
        return say("{headline}. There are no two groups to compare.", headline=finding.opening)
    told = say("{headline}. {told}.", headline=finding.opening, told=upper_first(_explained(finding, claim)))
    return f"{told} {other}" if (other := _other_error(finding)) else told


def _other_error(finding: GroupFairnessFinding) -> str:
    """Who wrongly gets the favourable answer more often, by more than tolerated or not; empty where it is not told."""
    found = finding.other_error
    if finding.verdict is not Verdict.VIOLATION or found is None or finding.decision.within:
        return ""
    answers = GroupAnswers.of(finding.result)
    known = {
        "where": answers.others,
        "who": whom(found.who),
        "against": whom(found.against),
        "answer": answers.good,
        "here": share_to_one_decimal(found.here),
        "there": share_to_one_decimal(found.there),
    }
    if known["here"] == known["there"]:
        return say(
            "The other error is in people's favour: {where}, {here} of {who} and of {against} wrongly get {answer}.",
            **known,
        )
    return say(
        "The other error is in people's favour: {where}, {who} wrongly get {answer} more often than {against}, {here} "
        "against {there}. This difference of {points} points, looked at by itself, is {state}.",
        points=POINTS.number(found.estimate, 1),
        state=state(found),
        **known,
    )


def affected(finding: GroupFairnessFinding) -> str:
    """Who is shown to fare worse than tolerated, or why that is not known, a sentence or two."""
    if finding.named:
        return say("Shown to be treated worse than tolerated: {named}.", named=finding.named)
    return nobody(finding)


def nobody(finding: GroupFairnessFinding) -> str:
    """Why nobody is named as harmed, where it is not known what is good for people."""
    if finding.result.detail.numbers:
        return no_good_end(finding.result.data.outcome)
    return say(
        "It is not known which answers are good for a person, so that groups are only said to be treated differently, "
        "nobody is named as harmed, and there are no impact ratios."
    )


def next_steps(finding: GroupFairnessFinding) -> tuple[str, ...]:
    """What would help where the evidence is insufficient, the most helpful first; empty where the verdict is clear.

    Where groups differ by too much and it is open who fares worse by numbers, where to say it.
    """
    if finding.verdict is Verdict.VIOLATION and finding.result.detail.numbers and finding.good_end == "not said":
        return (where_to_say_it(finding.result.data.outcome),)
    if finding.verdict is Verdict.VIOLATION:
        return _among_alike(finding)
    if finding.verdict is Verdict.NO_VIOLATION:
        return ()
    advice = [caveat.advice for caveat in finding.reasons if caveat.advice and caveat.level == "serious"]
    few = say("Bring more rows: bounds shrink with the root of the number of people in the smaller group.")
    return (*advice, *(bring_more(finding, finding.headlined, "people") or (few,)))


def _among_alike(finding: GroupFairnessFinding) -> tuple[str, ...]:
    """That a difference in favourable answers among all may have reasons that may rightly matter."""
    claim, columns = finding.headlined, [one.name for one in finding.result.detail.columns]
    if claim is None or claim.what != "selection rate" or finding.decision.within or not columns:
        return ()
    told = say(
        "See whether people fare alike who are alike in what may rightly matter, such as {columns}.",
        columns=listed(columns[:_MOST_NAMED]),
    )
    return (told,)


def _accusation(finding: GroupFairnessFinding, claim: Claim) -> str:
    return say("Violation found: {told}, {tolerated}", told=_told(finding, claim), tolerated=tolerated(finding, claim))


def _clearing(finding: GroupFairnessFinding, claim: Claim) -> str:
    deciding = [one for one in finding.claims if one.decides]
    paired = any(one.against != say("everybody else") for one in deciding)
    parts = {
        "attributes": listed(finding.result.data.protected),
        "against": say("those it is compared with") if paired else say("everybody else"),
        "what": compared_in(finding, claim),
        "most": apart_text(finding, max(one.high for one in deciding)),
        "tolerated": tolerated(finding, deciding[0]),
    }
    return (
        say(
            "No violation found: no group of {attributes} fares worse than {against} by more than {most} in {what}, "
            "{tolerated}",
            **parts,
        )
        if claim.one_sided
        else say(
            "No violation found: no group of {attributes} differs from {against} by more than {most} in {what}, "
            "{tolerated}",
            **parts,
        )
    )


def reservations(finding: GroupFairnessFinding) -> str:
    """What stays open or reads otherwise where single groups are cleared: who is favoured, ratios, intersections, and
    what people say who are alike in a column; beside a violation the opposite error. Empty for nothing.
    """
    if finding.verdict is Verdict.VIOLATION:
        return _other_error(finding)
    open_ones = [one for one in finding.claims if not one.decides and not one.within and one.people and one.others]
    single = {one.who for one in finding.claims if one.decides}
    ratios = [one for one in open_ones if one.scale == "ratio" and one.who in single]
    combined = {one.who for one in open_ones if one.scale == "difference"}
    told = []
    better = min(
        (one for one in finding.claims if one.decides and one.one_sided), key=lambda one: one.high, default=None
    )
    if better is not None and better.judged and better.high < -better.tolerance:
        value = apart_text(finding, -better.estimate)
        told.append(say("{who} fare better by {value}", who=whom(better.who), value=value))
    if ratios:
        lowest = min(ratios, key=lambda one: one.estimate)
        told.append(say("the ratio for {who} is not settled", who=shortened(lowest.who, LONGEST_VALUE)))
    if combined:
        told.append(
            say_count(
                "{n} combination of groups is not settled", "{n} combinations of groups are not settled", len(combined)
            )
        )
    otherwise = among_alike(finding, finding.deciding) if finding.deciding is not None else ""
    return "; ".join(part for part in (listed(told) if told else "", otherwise) if part)


def _open(finding: GroupFairnessFinding, claim: Claim) -> str:
    if not claim.judged:
        return say(
            "Insufficient evidence: {told}, which decides nothing with only {people}",
            told=_told(finding, claim),
            people=count(min(claim.people, claim.others), "person", "people"),
        )
    return say(
        "Insufficient evidence: {told}, {tolerated}", told=_told(finding, claim), tolerated=tolerated(finding, claim)
    )


def _told(finding: GroupFairnessFinding, claim: Claim) -> str:
    """Who, the direction and both rates."""
    return say(
        "{who} {fare} {against}{among}: {rates}",
        who=whom(claim.who),
        fare=fare(finding, claim),
        against=whom(claim.against),
        among=among(finding, claim),
        rates=rates(finding, claim),
    )


def among_alike(finding: GroupFairnessFinding, claim: Claim, *, brief: bool = False) -> str:
    """What the same comparison says among people who are alike in a column, where it says otherwise.

    Args:
        finding: The finding.
        claim: What is told of everybody.
        brief: Whether it is told behind a headline that names the same people, in few words.
    """
    everybody, turned = finding.among_all, finding.turned_within
    if everybody is not None and (everybody.beyond is not claim.beyond or everybody.who != claim.who):
        return say("among all people: {told}", told=_told(finding.under(within=()), everybody))
    hidden = finding.hidden
    if turned is None and hidden is not None and not claim.beyond:
        place = hidden.largest
        found = {
            "weight": say("more than tolerated") if hidden.column.name in finding.decision.within else _no_verdict(),
            "column": hidden.column.name,
            "value": hidden.column.groups[place],
            "who": whom(hidden.subject.who),
            "difference": apart_text(finding, float(hidden.found.differences[place])),
            "low": apart_text(finding, hidden.largest_low, unit=False),
        }
        return (
            say("but at {column} = {value} it is {difference}, {weight}", **found)
            if brief and hidden.subject.who in (claim.who, claim.against)
            else say(
                "but at {column} = {value} {who} fare worse by {difference} (at least {low}), {weight}",
                **found,
            )
            if claim.one_sided
            else say("but at {column} = {value} {who} differ by {difference} (at least {low}), {weight}", **found)
        )
    if turned is None:
        return ""
    parts = {
        "weight": _no_verdict(),
        "column": turned.column.name,
        "who": whom(turned.subject.who),
        "value": apart_text(finding, turned.found.value),
        "low": apart_text(finding, turned.low, unit=False),
        "high": apart_text(finding, turned.high, unit=False),
    }
    if claim.beyond and turned.high >= 0:
        return say(
            "but among people alike in {column} the difference is {value} ({low} to {high}), within the tolerance",
            **parts,
        )
    if turned.high < 0:
        return say("but among people alike in {column} it is the other way round, {value} ({low} to {high})", **parts)
    return (
        say(
            "but among people alike in {column} {who} fare worse by {value} ({low} to {high}), {weight}",
            **parts,
        )
        if claim.one_sided
        else say(
            "but among people alike in {column} {who} differ by {value} ({low} to {high}), {weight}",
            **parts,
        )
    )


def _no_verdict() -> str:
    """What a difference weighs that people show who are alike in a column that nobody chose to compare them in."""
    return say("on which the verdict does not rest")


def _explained(finding: GroupFairnessFinding, claim: Claim) -> str:
    sure, beyond = percent(1 - finding.decision.alpha), [one for one in finding.claims if one.beyond]
    if finding.verdict is Verdict.VIOLATION:
        told = say(
            "with {sure} confidence for all comparisons together the {scale} is {bound}; p-value {p}",
            sure=sure,
            scale=say("ratio") if claim.scale == "ratio" else say("difference"),
            bound=_bound(finding, claim),
            p=p_value(claim.p_value, alpha=finding.decision.alpha),
        )
        combined = {one.who for one in finding.subjects.intersections}
        others = dict.fromkeys(one.who for one in beyond if one.who not in (claim.who, claim.against))
        if others:
            named = [
                say("the combination of {groups}", groups=name) if who in combined else name
                for who in others
                for name in [shortened(who, LONGEST_VALUE)]
            ]
            shown = "; ".join(up_to(named, _MOST_NAMED))
            told = say("{told}; beyond the tolerance too: {others}", told=told, others=shown)
        return told
    if finding.verdict is Verdict.NO_VIOLATION:
        return say("this holds with {sure} confidence for every group of every protected attribute", sure=sure)
    if small := finding.unjudged:
        cleared = [one for one in finding.claims if one.decides and one.within]
        if not cleared:
            return say("too few people are compared to judge anybody")
        if any(one.decides and one.judged and not one.within for one in finding.claims):
            told = say_count(
                "of {n} comparison one side has too few people",
                "of {n} comparisons one side has too few people",
                len(small),
            )
            return f"{_bounds(finding, claim)}; {told}"
        return say_count(
            "{cleared} of the comparisons of groups are shown to be within the tolerance, but {n} has too few people "
            "to be judged",
            "{cleared} of the comparisons of groups are shown to be within the tolerance, but {n} have too few people "
            "to be judged",
            len(small),
            cleared=len(cleared),
        )
    return _bounds(finding, claim)


def _bounds(finding: GroupFairnessFinding, claim: Claim) -> str:
    """Both bounds of what is furthest from settled, each with its own confidence, and whose that is."""
    worst = finding.open_claim or leading(one for one in finding.claims if one.decides and not one.within) or claim
    ratio = worst.scale == "ratio"
    known = {
        "scale": say("ratio") if ratio else say("difference"),
        "sure": percent(1 - finding.decision.alpha),
        "low": apart_text(finding, worst.low, ratio=ratio),
        "high": apart_text(finding, worst.high if math.isfinite(worst.high) else worst.ends[1], ratio=ratio),
    }
    if worst.who == claim.who:
        return say(
            "the {scale} is at least {low} and at most {high}, each with {sure} confidence, so that it may lie on "
            "either side of the tolerance",
            **known,
        )
    return say(
        "of {who} the {scale} is at least {low} and at most {high}, each with {sure} confidence, so that it may lie on "
        "either side of the tolerance",
        who=shortened(worst.who, LONGEST_VALUE),
        **known,
    )


def _bound(finding: GroupFairnessFinding, claim: Claim) -> str:
    if claim.scale == "ratio":
        return say("at most {ratio}", ratio=apart_text(finding, claim.high, ratio=True))
    return say("at least {difference}", difference=apart_text(finding, claim.low))
