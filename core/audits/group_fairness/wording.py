"""The words of groups and subgroups: the verdict, and what a reader can do next."""

from __future__ import annotations

from core import sentences
from core.audits.group_fairness.verdict import GroupFairnessFinding
from core.audits.group_fairness.wording_subgroups import (
    counted_in,
    described,
    excess_text,
    harm_beside,
    harm_text,
    unit,
)
from core.audits.group_fairness.wording_subgroups import tolerance_text as told_tolerance
from core.inference.estimate import Verdict
from core.language.told import say, say_count
from core.phrases import LONGEST_VALUE, count, percent, shortened


def headline(finding: GroupFairnessFinding) -> str:
    """The verdict in a few words, for the top of a card."""
    told = sentences.headline(finding, say("in the subgroups that were judged"))
    if not finding.named:
        return told
    if finding.wronged.any():
        return say("{verdict} for {subgroup}", verdict=told, subgroup=finding.named)
    return say("{verdict}, but {subgroup} fares worse", verdict=told, subgroup=finding.named)


def sentence(finding: GroupFairnessFinding) -> str:
    """The verdict in one or two plain sentences: how many subgroups, the worst of them, and the tolerance."""
    told = {
        Verdict.VIOLATION: _violation,
        Verdict.NO_VIOLATION: _no_violation,
        Verdict.INSUFFICIENT: _insufficient,
    }[finding.verdict](finding)
    return say("{headline}: {told}.", headline=finding.headline, told=told)


def tolerance_text(finding: GroupFairnessFinding) -> str:
    """The tolerance with its unit."""
    return told_tolerance(finding.result.detail.subgroups.shares, finding.decision.delta)


def next_steps(finding: GroupFairnessFinding) -> tuple[str, ...]:
    """What would help where the evidence is insufficient, the most helpful first; empty where the verdict is clear."""
    if finding.verdict is not Verdict.INSUFFICIENT:
        return ()
    if finding.subgroups.certified == finding.subgroups.judged:
        return tuple(notice.advice for notice in finding.reasons if notice.advice)
    return (
        say("Bring more rows: bounds of a subgroup shrink with the root of the number of its people."),
        say(
            "Choose fewer columns, or combine fewer at once: bounds hold for all subgroups together, so they "
            "are narrower where there are fewer."
        ),
    )


def _violation(finding: GroupFairnessFinding) -> str:
    scan, judged, found = finding.result.detail.subgroups, finding.judged, finding.subgroups
    worst, wronged = finding.worst, int(finding.wronged.sum())
    told = say_count(
        "{n} of {subgroups} fares worse than everybody else by more than the {tolerance} tolerated, with {sure} "
        "confidence for all of them together. The worst is {worst}.",
        "{n} of {subgroups} fare worse than everybody else by more than the {tolerance} tolerated, with {sure} "
        "confidence for all of them together. The worst is {worst}.",
        wronged,
        subgroups=count(found.judged, "subgroup"),
        tolerance=tolerance_text(finding),
        sure=percent(1 - finding.decision.alpha),
        worst=described(scan, worst),
    )
    inside, outside = harm_text(scan, scan.inside[worst]), harm_text(scan, scan.outside[worst])
    excess = say("{excess}, in {unit}", excess=excess_text(scan, judged, worst), unit=counted_in(scan))
    return say("{told} {beside}: {excess}", told=told, beside=harm_beside(scan, inside, outside), excess=excess)


def _no_violation(finding: GroupFairnessFinding) -> str:
    judged = finding.subgroups.judged
    return say_count(
        "the only subgroup does not fare worse than everybody else by more than the {tolerance} tolerated ({sure} "
        "confidence for all of them together)",
        "none of {n} subgroups fares worse than everybody else by more than the {tolerance} tolerated ({sure} "
        "confidence for all of them together)",
        judged,
        tolerance=tolerance_text(finding),
        sure=percent(1 - finding.decision.alpha),
    )


def _insufficient(finding: GroupFairnessFinding) -> str:
    scan, found = finding.result.detail.subgroups, finding.subgroups
    if not found.judged:
        return say("no combination of values has 30 people inside and 30 outside, so no subgroup is judged")
    flagged = say("none is flagged as worse")
    if finding.unjudged:
        flagged = say_count(
            "{first} has fewer than 30 people, too few to judge",
            "{first} is the first of {n} groups of fewer than 30 people, too few to judge",
            len(finding.unjudged),
            first=shortened(finding.unjudged[0], LONGEST_VALUE),
        )
    if found.firm:
        flagged = say(
            "{subgroup} fares worse beyond doubt by {excess} {unit}, which no protected attribute makes",
            subgroup=finding.named,
            excess=excess_text(scan, finding.judged, finding.worst),
            unit=unit(scan),
        )
    elif found.flagged:
        flagged = say_count(
            "{n} is flagged as worse, but not beyond the doubt about all flags together",
            "{n} are flagged as worse, but not beyond the doubt about all flags together",
            found.flagged,
        )
    cleared = say_count(
        "{n} of {subgroups} is shown to fare no worse than everybody else by more than the {tolerance} tolerated",
        "{n} of {subgroups} are shown to fare no worse than everybody else by more than the {tolerance} tolerated",
        found.certified,
        subgroups=count(found.judged, "subgroup"),
        tolerance=tolerance_text(finding),
    )
    open_ones = [say("of the others that is not shown")] if found.certified < found.judged else []
    return "; ".join([cleared, *open_ones, flagged])
