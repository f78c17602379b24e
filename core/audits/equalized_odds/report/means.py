"""Differences in the outcome's own units: their table, and their rows among the statistics."""

from collections.abc import Callable

from core.audits.equalized_odds.effects import MeanDifference
from core.audits.equalized_odds.summaries import AttributeSummary
from core.audits.equalized_odds.verdict import EqualizedOddsFinding
from core.audits.equalized_odds.wording_means import group_name, part_text
from core.base.tables import NOT_GIVEN, Table
from core.language.phrases import interval, number, percent
from core.language.told import say, say_as


def table(finding: EqualizedOddsFinding) -> Table:
    """Each pair of groups on the whole, the largest difference first, and each attribute's shown pair part by part."""
    places = range(len(finding.effects))
    rows = tuple(_row(finding, place, one) for place in places for one in finding.told(place))
    among = (
        say("Among people with the same answer")
        if finding.asks == "calibration"
        else say("Among people with the same {outcome}", outcome=finding.outcome)
    )
    header = (
        say("Attribute"),
        *((among,) if finding.result.detail.shared else ()),
        say("Group with the larger mean"),
        say("Other group"),
        say("Difference"),
        say("{confidence} interval, all together", confidence=percent(1 - finding.decision.alpha)),
    )
    tolerated = finding.unit.number(finding.decision.delta)
    return Table(
        say("Differences of the means, {unit}; tolerance {tolerance}", unit=finding.unit.name, tolerance=tolerated),
        header,
        rows,
    )


def statistics(finding: EqualizedOddsFinding) -> tuple[tuple[str, Callable[[AttributeSummary], str]], ...]:
    """The difference on the whole of the pair of groups that shows most, and the bounds that the verdict rests on."""
    sure, unit = percent(1 - finding.decision.alpha), finding.unit
    evidence = dict(zip((one.name for one in finding.result.detail.attributes), finding.evidence, strict=True))

    def high(one: AttributeSummary) -> str:
        bound = evidence[one.attribute].upper_bound(finding.decision.alpha)
        return unit.number(bound) if one.means else NOT_GIVEN

    places = {one.name: place for place, one in enumerate(finding.result.detail.attributes)}

    def most(one: AttributeSummary) -> str:
        shown = finding.shown(places[one.attribute])
        if shown is None:
            return NOT_GIVEN
        first, second = (group_name(finding.result.detail, places[one.attribute], group) for group in shown.groups)
        told = say(
            "{difference} ({low_to_high}), {first} above {second}",
            difference=unit.number(shown.value),
            low_to_high=unit.interval(shown.low, shown.high),
            first=first,
            second=second,
        )
        return told if shown.everywhere else f"{told}, {part_text(shown)}"

    return (
        (
            say("Difference of the means on the whole, {unit} ({sure} interval)", unit=unit.name, sure=sure),
            lambda one: (
                f"{number(one.means[0].value)} ({interval(one.means[0].low, one.means[0].high)})"
                if one.means
                else NOT_GIVEN
            ),
        ),
        (say("The difference that shows most"), most),
        (say("No part differs by more than ({sure} confidence)", sure=sure), high),
    )


def _row(finding: EqualizedOddsFinding, place: int, one: MeanDifference) -> tuple[str, ...]:
    detail, unit = finding.result.detail, finding.unit
    return (
        detail.attributes[place].name,
        *((say_as("parts", "all") if one.everywhere else part_text(one),) if detail.shared else ()),
        *(group_name(detail, place, group) for group in one.groups),
        unit.number(one.value),
        unit.interval(one.low, one.high),
    )
