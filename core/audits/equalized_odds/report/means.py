"""Differences in the outcome's own units: their table, and their rows among the statistics."""

from collections.abc import Callable

from core.audits.equalized_odds.effects import MeanDifference
from core.audits.equalized_odds.summaries import AttributeSummary
from core.audits.equalized_odds.verdict import EqualizedOddsFinding
from core.audits.equalized_odds.wording_means import group_name, part_text
from core.phrases import interval, number, percent
from core.tables import NOT_GIVEN, Table


def table(finding: EqualizedOddsFinding) -> Table:
    """Each pair of groups on the whole, the largest difference first, and each attribute's shown pair part by part."""
    places = range(len(finding.effects))
    rows = tuple(_row(finding, place, one) for place in places for one in finding.told(place))
    given = "answer" if finding.asks == "calibration" else finding.outcome
    header = (
        "Attribute",
        *((f"Among people with the same {given}",) if finding.result.detail.shared else ()),
        "Group with the larger mean",
        "Other group",
        "Difference",
        f"{percent(1 - finding.decision.alpha)} interval, all together",
    )
    tolerated = finding.unit.number(finding.decision.delta)
    return Table(f"Differences of the means, {finding.unit.name}; tolerance {tolerated}", header, rows)


def statistics(finding: EqualizedOddsFinding) -> tuple[tuple[str, Callable[[AttributeSummary], str]], ...]:
    """The difference on the whole of the pair of groups that shows most, and the bounds that the verdict rests on."""
    sure, unit = percent(1 - finding.decision.alpha), finding.unit
    evidence = dict(zip((one.name for one in finding.result.detail.attributes), finding.evidence, strict=True))

    def high(one: AttributeSummary) -> str:
        bound = evidence[one.attribute].high(finding.decision.alpha)
        return unit.number(bound) if one.means else NOT_GIVEN

    places = {one.name: place for place, one in enumerate(finding.result.detail.attributes)}

    def most(one: AttributeSummary) -> str:
        shown = finding.shown(places[one.attribute])
        if shown is None:
            return NOT_GIVEN
        first, second = (group_name(finding.result.detail, places[one.attribute], group) for group in shown.groups)
        among = "" if shown.everywhere else f", {part_text(shown)}"
        return f"{unit.number(shown.value)} ({unit.interval(shown.low, shown.high)}), {first} above {second}{among}"

    return (
        (
            f"Difference of the means on the whole, {unit.name} ({sure} interval)",
            lambda one: (
                f"{number(one.means[0].value)} ({interval(one.means[0].low, one.means[0].high)})"
                if one.means
                else NOT_GIVEN
            ),
        ),
        ("The difference that shows most", most),
        (f"No part differs by more than ({sure} confidence)", high),
    )


def _row(finding: EqualizedOddsFinding, place: int, one: MeanDifference) -> tuple[str, ...]:
    detail, unit = finding.result.detail, finding.unit
    return (
        detail.attributes[place].name,
        *(("all" if one.everywhere else part_text(one),) if detail.shared else ()),
        *(group_name(detail, place, group) for group in one.groups),
        unit.number(one.value),
        unit.interval(one.low, one.high),
    )
