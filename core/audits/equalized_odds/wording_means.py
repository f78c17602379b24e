"""The words of differences in the outcome's own units: who is predicted how much more than whom, and how certainly."""

from core.audits.equalized_odds.compared import nearly_alike, part_text
from core.audits.equalized_odds.effects import MeanDifference
from core.audits.equalized_odds.result import EqualizedOddsDetail
from core.audits.equalized_odds.verdict import EqualizedOddsFinding
from core.data.labels import condition, whom
from core.language.phrases import listed, percent, quoted
from core.language.told import say


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
    return say("{among_people}, {told}", among_people=among, told=told) if among else told


def among_whom(finding: EqualizedOddsFinding, one: MeanDifference) -> str:
    """Who is compared: ``among people with the same salary``, or of which part; empty for everybody."""
    detail = finding.result.detail
    if not detail.shared:
        return ""
    if detail.asks == "calibration":
        told = say("among people who are predicted the same")
    else:
        told = say("among people with the same {outcome}", outcome=finding.outcome)
    return told if one.everywhere else say("{among_people}, {of_part}", among_people=told, of_part=part_text(one))


def difference_interval(finding: EqualizedOddsFinding, one: MeanDifference) -> str:
    """``95% interval 1,100 to 3,500``."""
    return say(
        "{confidence} interval {low_to_high}",
        confidence=percent(1 - finding.decision.alpha),
        low_to_high=finding.unit.interval(one.low, one.high),
    )


def group_name(detail: EqualizedOddsDetail, place: int, group: int) -> str:
    """A group with its attribute: ``people with sex = Female``."""
    one = detail.attributes[place]
    return whom(condition(one.name, one.groups[group]))


def too_few(finding: EqualizedOddsFinding, place: int) -> str:
    """That no two groups of an attribute can be compared; no full stop."""
    detail = finding.result.detail
    name, similar = detail.attributes[place].name, nearly_alike(detail)
    if detail.clusters is None:
        if not similar:
            return say("no two groups of {name} have 30 people each", name=name)
        return say("no two groups of {name} have 30 people each {with_the_same}", name=name, with_the_same=similar)
    units = quoted(finding.result.data.belongs_to)
    if not similar:
        return say("no two groups of {name} have rows of 30 different {belongs_to} each", name=name, belongs_to=units)
    return say(
        "no two groups of {name} have rows of 30 different {belongs_to} each {with_the_same}",
        name=name,
        belongs_to=units,
        with_the_same=similar,
    )


def cleared(finding: EqualizedOddsFinding) -> str:
    """By how much groups differ at most, of whom and with what confidence; no full stop."""
    detail, sure = finding.result.detail, percent(1 - finding.decision.alpha)
    names = listed([one.name for one in detail.attributes])
    known = {"names": names, "bound": finding.unit.number(finding.bound), "sure": sure}
    if detail.asks == "demographic parity":
        return say(
            "the mean prediction differs between groups of {names} by at most {bound} ({sure} confidence)",
            **known,
        )
    if detail.asks == "calibration":
        return say(
            "the mean {outcome} of people who are predicted the same differs between groups of {names} by at most "
            "{bound}, in low, middle and high parts alike ({sure} confidence)",
            outcome=finding.outcome,
            **known,
        )
    return say(
        "the mean prediction of people with the same {outcome} differs between groups of {names} by at most {bound}, "
        "in low, middle and high parts alike ({sure} confidence)",
        outcome=finding.outcome,
        **known,
    )
