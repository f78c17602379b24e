"""The words of differences in the outcome's own units: who is predicted how much more than whom, and how certainly."""

from __future__ import annotations

from core.audits.equalized_odds.effects import MeanDifference
from core.audits.equalized_odds.result import EqualizedOddsDetail
from core.audits.equalized_odds.verdict import EqualizedOddsFinding
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
        told = f"the {outcome} of {more} is {size} higher than that of {less} on average"
    else:
        told = f"{more} are predicted {size} more than {less} on average"
    among = among_whom(finding, one)
    return f"{among}, {told}" if among else told


def among_whom(finding: EqualizedOddsFinding, one: MeanDifference) -> str:
    """Who is compared: ``among people with the same salary``, or of which part; empty for everybody."""
    detail = finding.result.detail
    if not detail.shared:
        return ""
    same = "who are predicted the same" if detail.asks == "calibration" else f"with the same {finding.outcome}"
    return f"among people {same}" if one.everywhere else f"among people {same}, {part_text(one)}"


def part_text(one: MeanDifference) -> str:
    """The part of what people are compared by: ``20 to 35``."""
    low, high = one.ends
    return f"of {number(low)}" if low == high else f"from {interval_text(low, high)}"


def difference_interval(finding: EqualizedOddsFinding, one: MeanDifference) -> str:
    """``95% interval 1,100 to 3,500``."""
    return f"{percent(1 - finding.decision.alpha)} interval {finding.unit.interval(one.low, one.high)}"


def group_name(detail: EqualizedOddsDetail, place: int, group: int) -> str:
    """A group with its attribute: ``people with sex = Female``."""
    one = detail.attributes[place]
    return f"people with {one.name} = {one.groups[group]}"


def too_few(finding: EqualizedOddsFinding, place: int) -> str:
    """That no two groups of an attribute can be compared; no full stop."""
    detail = finding.result.detail
    like = f" with a similar {detail.shared}" if detail.shared else ""
    return f"no two groups of {detail.attributes[place].name} have 30 people each{like}"


def cleared(finding: EqualizedOddsFinding) -> str:
    """By how much groups differ at most, of whom and with what confidence; no full stop."""
    detail, sure = finding.result.detail, percent(1 - finding.decision.alpha)
    names = listed([one.name for one in detail.attributes])
    what = f"the mean {finding.outcome}" if detail.asks == "calibration" else "the mean prediction"
    same = {
        "equalized odds": f" of people with the same {finding.outcome}",
        "calibration": " of people who are predicted the same",
        "demographic parity": "",
    }[detail.asks]
    everywhere = "" if detail.asks == "demographic parity" else ", in low, middle and high parts alike"
    bound = finding.unit.number(finding.bound)
    return f"{what}{same} differs between groups of {names} by at most {bound}{everywhere} ({sure} confidence)"
