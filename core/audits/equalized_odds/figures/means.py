"""How far apart the groups' mean answers lie, in the outcome's own units: on the whole and in each part."""

from __future__ import annotations

from dataclasses import replace

from core.audits.equalized_odds.effects import MeanDifference
from core.audits.equalized_odds.verdict import EqualizedOddsFinding
from core.audits.equalized_odds.wording_means import (
    comparison,
    difference_interval,
    part_text,
    too_few,
)
from core.figures import interval_rows, theme
from core.figures.chart import Drawing
from core.figures.interval_rows import Line, Row, named
from core.inference.estimate import Verdict
from core.language.told import say


def said(stands: Verdict) -> str:
    """Where a difference lies beside the tolerance."""
    return {
        Verdict.VIOLATION: say("beyond the tolerance"),
        Verdict.NO_VIOLATION: say("within the tolerance"),
        Verdict.INSUFFICIENT: say("may lie on either side"),
    }[stands]


def applies(finding: EqualizedOddsFinding) -> bool:
    """Whether answers are numbers and two groups of any attribute can be compared."""
    return any(effects.pairs for effects in finding.effects)


def draw(finding: EqualizedOddsFinding) -> Drawing:
    """The two groups of each attribute whose difference shows most: on the whole, and part by part."""
    unit, delta = finding.unit, finding.decision.delta
    told = unit.number(delta)
    tolerance = [Line.tolerance(unit.factor * delta, told), Line(-unit.factor * delta, "", "dash", theme.ORANGE)]
    rows = [row for place in range(len(finding.effects)) for row in _rows(finding, place)]
    return interval_rows.draw(
        rows,
        [Line(0.0, ""), *tolerance],
        unit.axis(say("difference of the means")),
        what=say(
            "Differences between the two groups of each attribute that differ most, {unit}, with intervals "
            "that hold together.",
            unit=unit.name,
        ),
        closing=say("The tolerance is {tolerance}.", tolerance=told),
    )


def _rows(finding: EqualizedOddsFinding, place: int) -> list[Row]:
    name, shown = finding.result.detail.attributes[place].name, finding.shown(place)
    if shown is None:
        few = too_few(finding, place)
        return [Row.named(named("", name, 20), few, alt=f"{name}: {few}", who=name)]
    more, less = (finding.result.detail.attributes[place].groups[group] for group in shown.groups)
    head = f"{named('', name, 20)}: {theme.literal(more, 22)} − {theme.literal(less, 22)}"
    runs = [one for one in finding.told(place) if {*one.groups} == {*shown.groups}]
    whole = next(one for one in runs if one.everywhere)
    parts = [one for one in runs if one.parts == 1 and not one.everywhere]
    return [
        replace(
            _row(finding, place, whole, shown, f"{head}<br>{say('all together')}"),
            who=say("{name}, {more} minus {less}", name=name, more=more, less=less),
        ),
        *(_row(finding, place, one, shown, part_text(one)) for one in parts),
    ]


def _row(finding: EqualizedOddsFinding, place: int, one: MeanDifference, shown: MeanDifference, head: str) -> Row:
    unit, stands = finding.unit, standing(finding, one)
    value, low, high = one.seen_from(shown.groups[0])
    numbers = f"{unit.number(value)} ({unit.interval(low, high)})"
    return Row(
        words=f"{head}: {numbers}, {said(stands)}",
        told=f"{theme.literal(comparison(finding, place, one))}<br>{difference_interval(finding, one)}",
        value=unit.factor * value,
        low=unit.factor * low,
        high=unit.factor * high,
        alt=f"{comparison(finding, place, one)} ({difference_interval(finding, one)}), {said(stands)}",
        colour=theme.VERDICT_COLOUR[stands],
        symbol=theme.VERDICT_MARKER[stands],
    )


def standing(finding: EqualizedOddsFinding, one: MeanDifference) -> Verdict:
    """Where the interval of a difference lies beside the tolerance, on either side of none."""
    delta = finding.decision.delta
    if one.low > delta:
        return Verdict.VIOLATION
    return Verdict.NO_VIOLATION if max(one.high, -one.low) <= delta else Verdict.INSUFFICIENT
