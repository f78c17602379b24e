"""How much worse groups fare than those they are compared with, with bounds, beside the tolerance."""

from __future__ import annotations

from collections import Counter

from core.audits.group_fairness.report.claims import difference_text, shown
from core.audits.group_fairness.verdict import GroupFairnessFinding
from core.audits.group_fairness.wording_claims import compared_in, how_much, state, tolerance_text
from core.claims import Claim
from core.figures import interval_rows, theme
from core.figures.chart import Drawing
from core.figures.interval_rows import Line, Row
from core.inference.estimate import Verdict
from core.language.phrases import lower_first, percent
from core.language.told import localized, say

MOST = 12
"""Comparisons drawn."""
_LINE = 46
"""Characters a row's name may have on the narrowest page."""


def applies(finding: GroupFairnessFinding) -> bool:
    """Whether any two groups are large enough."""
    return any(one.judged for one in shown(finding, decides=True))


def applies_to_intersections(finding: GroupFairnessFinding) -> bool:
    """Whether any intersection is large enough."""
    return any(one.judged for one in shown(finding, decides=False))


def draw(finding: GroupFairnessFinding) -> Drawing:
    """A row a group, the worst first."""
    return _drawn(finding, [one for one in shown(finding, decides=True) if one.judged])


def draw_intersections(finding: GroupFairnessFinding) -> Drawing:
    """A row an intersection, the worst first."""
    return _drawn(finding, [one for one in shown(finding, decides=False) if one.judged])


def _drawn(finding: GroupFairnessFinding, claims: list[Claim]) -> Drawing:
    factor, times = finding.unit.factor, Counter(one.who for one in claims)
    tolerance = factor * finding.decision.delta * finding.factor
    rows = claims[:MOST]
    ends = [(factor * one.low, factor * one.high) for one in rows]
    span = theme.padded([0.0, tolerance, *(end for pair in ends for end in pair)])
    drawn = []
    for one, (low, high) in zip(rows, ends, strict=True):
        name = one.who if times[one.who] == 1 else say("{who}, than {against}", who=one.who, against=one.against)
        if finding.measures[0].name in ("class", "recall"):
            name = f"{name}: {one.of}"
        words = f"{difference_text(finding, one)}, {state(one)}"
        verdict = _verdict(one)
        drawn.append(
            Row(
                words=f"<b>{theme.literal(name, _LINE)}</b><br>{words}",
                told=f"{theme.literal(name)}<br>{words}",
                value=factor * one.estimate,
                low=max(low, span[0]),
                high=min(high, span[1]),
                alt=f"{name}: {words}",
                colour=theme.VERDICT_COLOUR[verdict],
                symbol=theme.VERDICT_MARKER[verdict],
                who=name,
            )
        )
    told = tolerance_text(finding.decision.delta, numbers=finding.result.detail.numbers)
    unit = say("percentage points") if factor != 1 else say("in units of the outcome")
    return interval_rows.draw(
        drawn,
        [Line(0.0, ""), Line.tolerance(tolerance, localized(f"{tolerance:.10g}"))],
        f"{lower_first(how_much(finding))}, {unit}",
        what=say(
            "{how_much} people have in {what} than those they are compared with, the largest first; lower bounds hold "
            "for all together with {sure} confidence.",
            how_much=how_much(finding),
            what=compared_in(finding, claims[0]),
            sure=percent(1 - finding.decision.alpha),
        ),
        closing=say("The tolerance is {tolerance}.", tolerance=told),
        span=span,
    )


def _verdict(claim: Claim) -> Verdict:
    if claim.beyond:
        return Verdict.VIOLATION
    return Verdict.NO_VIOLATION if claim.within else Verdict.INSUFFICIENT
