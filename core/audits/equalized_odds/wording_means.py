"""The words of differences in the outcome's own units: who is predicted how much more than whom, and how certainly."""

from __future__ import annotations

from core.audits.equalized_odds.effects import MeanDifference
from core.audits.equalized_odds.result import EqualizedOddsDetail
from core.audits.equalized_odds.verdict import EqualizedOddsFinding
from core.language.told import say
from core.phrases import interval_text, listed, number, percent


def difference_sentence(finding: EqualizedOddsFinding, place: int) -> str:
    """The difference between two groups of an attribute that shows most, with its interval; no full stop."""
    one = finding.shown(place)
    if one is None:
        return too_few(finding, place)
    return f"{comparison(finding, place, one)} ({difference_interval(finding, one)})"


def comparison(finding: EqualizedOddsFinding, place: int, one: MeanDifference) -> str:
    """``among people with the same salary, people with sex = f are predicted 2,300 less than …``; no full stop."""
    detail, outcome = finding.result.detail, finding.outcome
    more, less = (group_name(detail, place, group) for group in one.groups)
    size = finding.unit.number(one.value)
    if detail.asks == "calibration":
        told = say(
            "the {outcome} of {more} is {size} higher than that of {less} on average",
            outcome=outcome,
            more=more,
            size=size,
            less=less,
        )
    else:
        told = say("{more} are predicted {size} more than {less} on average", more=more, size=size, less=less)
    among = among_whom(finding, one)
    return f"{among}, {told}" if among else told


def among_whom(finding: EqualizedOddsFinding, one: MeanDifference) -> str:
    """Who is compared: ``among people with the same salary``, or of which part; empty for everybody."""
    detail = finding.result.detail
    if not detail.shared:
        return ""
    same = (
        say("who are predicted the same")
        if detail.asks == "calibration"
        else say("with the same {outcome}", outcome=finding.outcome)
    )
    return (
        say("among people {same}", same=same)
        if one.everywhere
        else say("among people {same}, {it}", same=same, it=part_text(one))
    )


def part_text(one: MeanDifference) -> str:
    """The part of what people are compared by: ``20 to 35``."""
    low, high = one.ends
    return say("of {low}", low=number(low)) if low == high else say("from {low}", low=interval_text(low, high))


def difference_interval(finding: EqualizedOddsFinding, one: MeanDifference) -> str:
    """``95% interval 1,100 to 3,500``."""
    return say(
        "{alpha} interval {low}",
        alpha=percent(1 - finding.decision.alpha),
        low=finding.unit.interval(one.low, one.high),
    )


def group_name(detail: EqualizedOddsDetail, place: int, group: int) -> str:
    """A group with its attribute: ``people with sex = Female``."""
    one = detail.attributes[place]
    return say("people with {name} = {groups}", name=one.name, groups=one.groups[group])


def too_few(finding: EqualizedOddsFinding, place: int) -> str:
    """That no two groups of an attribute can be compared; no full stop."""
    detail = finding.result.detail
    like = say(" with a similar {shared}", shared=detail.shared) if detail.shared else ""
    return say("no two groups of {name} have 30 people each{like}", name=detail.attributes[place].name, like=like)


def cleared(finding: EqualizedOddsFinding) -> str:
    """By how much groups differ at most, of whom and with what confidence; no full stop."""
    detail, sure = finding.result.detail, percent(1 - finding.decision.alpha)
    names = listed([one.name for one in detail.attributes])
    what = (
        say("the mean {outcome}", outcome=finding.outcome)
        if detail.asks == "calibration"
        else say("the mean prediction")
    )
    same = {
        "equalized odds": say(" of people with the same {outcome}", outcome=finding.outcome),
        "calibration": say(" of people who are predicted the same"),
        "demographic parity": "",
    }[detail.asks]
    everywhere = "" if detail.asks == "demographic parity" else say(", in low, middle and high parts alike")
    bound = finding.unit.number(finding.bound)
    return say(
        "{what}{same} differs between groups of {names} by at most {bound}{everywhere} ({sure} confidence)",
        what=what,
        same=same,
        names=names,
        bound=bound,
        everywhere=everywhere,
        sure=sure,
    )
