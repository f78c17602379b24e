"""How far apart the groups of each attribute may be, beside the tolerance."""

from __future__ import annotations

import math

from core.audits.equalized_odds.figures.means import said
from core.audits.equalized_odds.gap import EqualizedOddsGap
from core.audits.equalized_odds.verdict import EqualizedOddsFinding
from core.audits.equalized_odds.wording import gap_comparison
from core.figures import interval_rows, theme
from core.figures.chart import Drawing
from core.figures.interval_rows import Line, Row, named
from core.inference.estimate import Verdict
from core.language.phrases import percent, points
from core.language.told import localized, say, say_count


def applies(finding: EqualizedOddsFinding) -> bool:
    """Whether the verdict is about shares, and two groups of any attribute are large enough to be compared."""
    return not finding.effects and any(gap.stratum >= 0 for gap in finding.gaps)


def draw(finding: EqualizedOddsFinding) -> Drawing:
    """A row an attribute: the largest difference with its bounds, where it lies by marker and in words."""
    delta = 100 * finding.decision.delta
    return interval_rows.draw(
        [_row(finding, place, one.name) for place, one in enumerate(finding.result.detail.attributes)],
        [Line(0.0, ""), Line.tolerance(delta, localized(f"{delta:.10g}"))],
        say("largest difference, percentage points"),
        what=say(
            "The largest difference between groups, in percentage points, with one-sided {confidence} bounds.",
            confidence=percent(1 - finding.decision.alpha),
        ),
        closing=say("The tolerance is {tolerance}.", tolerance=localized(f"{delta:.10g}")),
    )


def _row(finding: EqualizedOddsFinding, place: int, attribute: str) -> Row:
    gap, stands = finding.gaps[place], standing(finding, place)
    name, told = named("", attribute, 20), _told(finding, place)
    if math.isnan(gap.value):
        return Row.named(name, told, alt=f"{attribute}: {told}", who=attribute)
    return Row(
        words=f"{name} {_numbers(gap)}, {_lies(finding, place)}",
        told=_hover(name, theme.literal(gap_comparison(finding, place, gap)), gap),
        value=100 * gap.value,
        low=100 * gap.low,
        high=100 * gap.high,
        alt=f"{attribute}: {told}",
        colour=theme.VERDICT_COLOUR[stands],
        symbol=theme.VERDICT_MARKER[stands],
        who=attribute,
    )


def standing(finding: EqualizedOddsFinding, place: int) -> Verdict:
    """Where the bounds of an attribute's largest difference lie; the p-value is another question."""
    gap, delta = finding.gaps[place], finding.decision.delta
    if gap.low > delta:
        return Verdict.VIOLATION
    return Verdict.NO_VIOLATION if gap.high <= delta and not len(gap.small) else Verdict.INSUFFICIENT


def _told(finding: EqualizedOddsFinding, place: int) -> str:
    gap = finding.gaps[place]
    if math.isnan(gap.value):
        return say("insufficient evidence: {why}", why=_few(gap) or say("no two groups to compare"))
    few = f", {_few(gap)}" if len(gap.small) else ""
    return f"{_numbers(gap)}, {_lies(finding, place)}{few} ({gap_comparison(finding, place, gap)})"


def _lies(finding: EqualizedOddsFinding, place: int) -> str:
    """Where the bounds lie; those within the tolerance clear nobody where a group is too small to be compared."""
    if finding.gaps[place].high <= finding.decision.delta and standing(finding, place) is Verdict.INSUFFICIENT:
        return say("within the tolerance, but some groups are too small")
    return said(standing(finding, place))


def _numbers(gap: EqualizedOddsGap) -> str:
    return say("{value} ({low} to {high})", value=points(gap.value), low=points(gap.low), high=points(gap.high))


def _few(gap: EqualizedOddsGap) -> str:
    if not len(gap.small):
        return ""
    return say_count("{n} combination too small to compare", "{n} combinations too small to compare", len(gap.small))


def _hover(name: str, where: str, gap: EqualizedOddsGap) -> str:
    wrapped = where.replace(", ", ",<br>")
    return "<br>".join(filter(None, (f"{name} {_numbers(gap)}", wrapped, _few(gap))))
