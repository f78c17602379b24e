"""The subgroups that fare worst, with bounds that hold for all subgroups together, beside the tolerance."""

from __future__ import annotations

from core.audits.group_fairness.verdict import GroupFairnessFinding
from core.audits.group_fairness.wording_subgroups import (
    counted_in,
    described,
    harm_name,
    shown,
    told,
    tolerance_text,
    unit,
    worst_first,
)
from core.figures import interval_rows, theme
from core.figures.chart import Drawing
from core.figures.interval_rows import Line, Row
from core.language.told import localized, say
from core.phrases import count, percent

MOST = 12
"""Subgroups drawn; all of them are in the explorer."""
_LINE = 46
"""Characters a row's name may have on the narrowest page."""


def applies(finding: GroupFairnessFinding) -> bool:
    """Whether any subgroup is large enough."""
    return len(finding.result.detail.subgroups) > 0


def draw(finding: GroupFairnessFinding) -> Drawing:
    """A row a subgroup, flagged ones first: excess, simultaneous bounds, what is said of it by marker and in words."""
    scan, judged, decision = finding.result.detail.subgroups, finding.judged, finding.decision
    tolerance = 100 * decision.delta
    places = worst_first(scan, judged)[:MOST]
    ends = [(shown(scan, float(judged.low[k])), shown(scan, float(judged.high[k]))) for k in places]
    span = theme.padded([0.0, tolerance, *(end for pair in ends for end in pair)])
    drawn = []
    for place, (low, high) in zip(places, ends, strict=True):
        verdict = judged.verdict(place)
        whole, words = described(scan, place), told(scan, judged, place)
        drawn.append(
            Row(
                words=f"<b>{_name(whole)}</b><br>{words}",
                told=f"{theme.literal(whole)}<br>{words}",
                value=shown(scan, float(scan.excess[place])),
                low=max(low, span[0]),
                high=min(high, span[1]),
                alt=f"{whole}: {words}",
                colour=theme.VERDICT_COLOUR[verdict],
                symbol=theme.VERDICT_MARKER[verdict],
                who=whole,
            )
        )
    return interval_rows.draw(
        drawn,
        [Line(0.0, ""), Line.tolerance(tolerance, localized(f"{tolerance:.10g}"))],
        say("worse than everybody else, {unit}", unit=unit(scan)),
        what=say(
            "{what} of a subgroup less that of everybody else, in {unit}, for {n} of {subgroups}, flagged "
            "ones first; {sure} bounds on each side hold for all subgroups together.",
            what=harm_name(scan),
            unit=counted_in(scan),
            n=len(places),
            subgroups=count(len(scan), "subgroup"),
            sure=percent(1 - decision.alpha),
        ),
        closing=say("The tolerance is {tolerance}.", tolerance=tolerance_text(scan.shares, decision.delta)),
        span=span,
    )


def _name(whole: str) -> str:
    """On one line, or one for each column where it is too long for that."""
    lines = [whole] if len(whole) <= _LINE else whole.split(", ")
    return ",<br>".join(theme.literal(line, _LINE) for line in lines)
