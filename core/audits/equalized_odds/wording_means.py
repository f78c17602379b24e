"""The words of differences in the outcome's own units: who is predicted how much more than whom, and how certainly."""

import math

import numpy as np

from core.audits.equalized_odds.compared import alike, nearly_alike, part_text
from core.audits.equalized_odds.effects import MeanDifference
from core.audits.equalized_odds.result import EqualizedOddsDetail
from core.audits.equalized_odds.verdict import EqualizedOddsFinding
from core.claims import Claim
from core.claims_told import bounds_text, value_text
from core.data.labels import condition, whom
from core.language.phrases import listed, number, percent, quoted, upper_first
from core.language.told import say


def difference_sentence(finding: EqualizedOddsFinding, place: int) -> str:
    """The difference between two groups of an attribute that shows most, with the bounds that decide; no full stop."""
    one = finding.shown(place)
    if one is None:
        return too_few(finding, place)
    told = comparison(finding, place, one)
    if not (bounds := bounds_text(finding.of_attributes[place][0])):
        return told
    sure = percent(1 - finding.decision.alpha)
    return say("{told} ({bounds} with {sure} confidence)", told=told, bounds=bounds, sure=sure)


def difference_of_means(finding: EqualizedOddsFinding, claim: Claim) -> str:
    """A claim about means as a headline: who is predicted how much more, and whether they fare worse; no full stop."""
    detail = finding.result.detail
    one, more = finding.shown_by(claim), finding.more_harms
    who, against = whom(claim.who), whom(claim.against)
    known = {"value": value_text(claim), "outcome": finding.outcome}
    if one is None or not one.low > 0:
        told = say(
            "{who} and {against} differ by {value} in {what}", who=who, against=against, what=claim.what, **known
        )
        return upper_first(told)
    known |= {"who": who, "against": against}
    calibration = detail.asks == "calibration"
    if not claim.one_sided:
        told = (
            say("the mean {outcome} of {who} is {value} higher than that of {against}", **known)
            if calibration
            else say("{who} are predicted {value} more on average than {against}", **known)
        )
    elif calibration:
        told = (
            say("{who} fare worse: their mean {outcome} is {value} higher than that of {against}", **known)
            if more
            else say("{who} fare worse: their mean {outcome} is {value} lower than that of {against}", **known)
        )
    else:
        told = (
            say("{who} fare worse: they are predicted {value} more on average than {against}", **known)
            if more
            else say("{who} fare worse: they are predicted {value} less on average than {against}", **known)
        )
    same = alike(detail, about=not finding.exact)
    if same and not one.everywhere:
        same = f"{same}, {part_text(one)}"
    return upper_first(say("{with_the_same}, {told}", with_the_same=same, told=told) if same else told)


def reconciled(finding: EqualizedOddsFinding, claim: Claim, other: Claim) -> str:
    """Why a claim of another test about mean errors is no contradiction, two sentences; empty where it agrees.

    Answers mostly lie nearer to the middle than outcomes. Then the group whose outcomes are higher is predicted more at
    the same outcome, though no more than its outcomes on average.
    """
    detail = finding.result.detail
    one = finding.shown_by(claim) if finding.effects and detail.asks == "equalized odds" else None
    if one is None:
        return ""
    attribute, people = detail.attributes[finding.claims.index(claim)], detail.sampling.people(len(detail.outcome))
    who = condition(attribute.name, attribute.groups[one.groups[0]])
    own, others = (other.here, other.there) if other.who == who else (other.there, other.here)
    inside, beside = (attribute.codes == group for group in one.groups)
    error = float(np.average((detail.answers[:, 0] - detail.outcome)[inside], weights=people[inside]))
    here, there = (float(np.average(detail.outcome[rows], weights=people[rows])) for rows in (inside, beside))
    is_its_error = who in (other.who, other.against) and math.isclose(own, error, abs_tol=1e-9 * detail.spread)
    if not is_its_error or here <= there or own - others > claim.tolerance * claim.unit.factor:
        return ""
    return say(
        "The mean error of {who}, {error}, is no contradiction: their mean {outcome} is {here}, against {there}. Where "
        "outcomes differ, a model that errs can rarely be even at equal outcomes and in its mean errors too.",
        who=who,
        error=number(error),
        outcome=finding.outcome,
        here=number(here),
        there=number(there),
    )


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
