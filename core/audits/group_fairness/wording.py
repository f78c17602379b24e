"""The words of groups and subgroups: the verdict, and what a reader can do next."""

from __future__ import annotations

from core import sentences
from core.audits.group_fairness.verdict import GroupFairnessFinding
from core.audits.group_fairness.wording_subgroups import (
    described,
    excess_text,
    harm_name,
    harm_text,
    unit,
)
from core.audits.group_fairness.wording_subgroups import tolerance_text as told_tolerance
from core.inference.estimate import Verdict
from core.language.told import localized, say
from core.phrases import count, lower_first, percent


def headline(finding: GroupFairnessFinding) -> str:
    """The verdict in a few words, for the top of a card."""
    told = sentences.headline(finding, say("in the subgroups that were judged"))
    if not finding.named:
        return told
    return (
        say("{told} for {named}", told=told, named=finding.named)
        if finding.wronged.any()
        else say("{told}, but {named} fares worse", told=told, named=finding.named)
    )


def sentence(finding: GroupFairnessFinding) -> str:
    """The verdict in one or two plain sentences: how many subgroups, the worst of them, and the tolerance."""
    told = {
        Verdict.VIOLATION: _violation,
        Verdict.NO_VIOLATION: _no_violation,
        Verdict.INSUFFICIENT: _insufficient,
    }[finding.verdict](finding)
    return f"{finding.headline}: {told}."


def tolerance_text(finding: GroupFairnessFinding) -> str:
    """The tolerance with its unit."""
    return told_tolerance(finding.result.detail.subgroups, finding.decision.delta)


def next_steps(finding: GroupFairnessFinding) -> tuple[str, ...]:
    """What would help where the evidence is insufficient, the most helpful first; empty where the verdict is clear."""
    if finding.verdict is not Verdict.INSUFFICIENT:
        return ()
    if not finding.subgroups.judged:
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
    fare = "fares" if wronged == 1 else "fare"
    sure = percent(1 - finding.decision.alpha)
    return say(
        "{wronged} of {judged} {fare} worse than everybody else by more than the {finding} tolerated, "
        "with {sure} confidence for all of them together. The worst is {scan}. Its {scan2} is {scan3}, "
        "that of everybody else {scan4}: {scan5}, in {scan6}",
        wronged=localized(f"{wronged:,}"),
        judged=count(found.judged, "subgroup"),
        fare=fare,
        finding=tolerance_text(finding),
        sure=sure,
        scan=described(scan, worst),
        scan2=lower_first(harm_name(scan)),
        scan3=harm_text(scan, scan.inside[worst]),
        scan4=harm_text(scan, scan.outside[worst]),
        scan5=excess_text(scan, judged, worst),
        scan6=unit(scan),
    )


def _no_violation(finding: GroupFairnessFinding) -> str:
    judged = finding.subgroups.judged
    none = (
        say("the only subgroup does not fare")
        if judged == 1
        else say("none of {judged} subgroups fares", judged=localized(f"{judged:,}"))
    )
    return say(
        "{none} worse than everybody else by more than the {finding} tolerated ({alpha} confidence for "
        "all of them together)",
        none=none,
        finding=tolerance_text(finding),
        alpha=percent(1 - finding.decision.alpha),
    )


def _insufficient(finding: GroupFairnessFinding) -> str:
    scan, found = finding.result.detail.subgroups, finding.subgroups
    if not found.judged:
        return say("no combination of values has 30 people inside and 30 outside, so no subgroup is judged")
    tolerated = say("the {finding} tolerated", finding=tolerance_text(finding))
    flagged = say("none is flagged as worse")
    if found.firm:
        flagged = say(
            "{named} fares worse beyond doubt by {scan} {scan2}, which no protected attribute makes",
            named=finding.named,
            scan=excess_text(scan, finding.judged, finding.worst),
            scan2=unit(scan),
        )
    elif found.flagged:
        flagged = say(
            "{flagged} {value} flagged as worse, but not beyond the doubt about all flags together",
            flagged=localized(f"{found.flagged:,}"),
            value="is" if found.flagged == 1 else "are",
        )
    return say(
        "{certified} of {judged} {value} shown to fare no worse than everybody else by more than "
        "{tolerated}; {flagged}",
        certified=localized(f"{found.certified:,}"),
        judged=count(found.judged, "subgroup"),
        value="is" if found.certified == 1 else "are",
        tolerated=tolerated,
        flagged=flagged,
    )
