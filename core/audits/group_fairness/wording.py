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
from core.phrases import count, lower_first, percent


def headline(finding: GroupFairnessFinding) -> str:
    """The verdict in a few words, for the top of a card."""
    told = sentences.headline(finding, "in the subgroups that were judged")
    if not finding.named:
        return told
    return f"{told} for {finding.named}" if finding.wronged.any() else f"{told}, but {finding.named} fares worse"


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
        "Bring more rows: bounds of a subgroup shrink with the root of the number of its people.",
        "Choose fewer columns, or combine fewer at once: bounds hold for all subgroups together, so they are narrower "
        "where there are fewer.",
    )


def _violation(finding: GroupFairnessFinding) -> str:
    scan, judged, found = finding.result.detail.subgroups, finding.judged, finding.subgroups
    worst, wronged = finding.worst, int(finding.wronged.sum())
    fare = "fares" if wronged == 1 else "fare"
    sure = percent(1 - finding.decision.alpha)
    return (
        f"{wronged:,} of {count(found.judged, 'subgroup')} {fare} worse than everybody else by more than the "
        f"{tolerance_text(finding)} tolerated, with {sure} confidence for all of them together. "
        f"The worst is {described(scan, worst)}. Its {lower_first(harm_name(scan))} is "
        f"{harm_text(scan, scan.inside[worst])}, that of everybody else {harm_text(scan, scan.outside[worst])}: "
        f"{excess_text(scan, judged, worst)}, in {unit(scan)}"
    )


def _no_violation(finding: GroupFairnessFinding) -> str:
    judged = finding.subgroups.judged
    none = "the only subgroup does not fare" if judged == 1 else f"none of {judged:,} subgroups fares"
    return (
        f"{none} worse than everybody else by more than the {tolerance_text(finding)} tolerated "
        f"({percent(1 - finding.decision.alpha)} confidence for all of them together)"
    )


def _insufficient(finding: GroupFairnessFinding) -> str:
    scan, found = finding.result.detail.subgroups, finding.subgroups
    if not found.judged:
        return "no combination of values has 30 people inside and 30 outside, so no subgroup is judged"
    tolerated = f"the {tolerance_text(finding)} tolerated"
    flagged = "none is flagged as worse"
    if found.firm:
        flagged = (
            f"{finding.named} fares worse beyond doubt by {excess_text(scan, finding.judged, finding.worst)} "
            f"{unit(scan)}, which no protected attribute makes"
        )
    elif found.flagged:
        flagged = (
            f"{found.flagged:,} {'is' if found.flagged == 1 else 'are'} flagged as worse, but not beyond the doubt "
            "about all flags together"
        )
    return (
        f"{found.certified:,} of {count(found.judged, 'subgroup')} {'is' if found.certified == 1 else 'are'} shown to "
        f"fare no worse than everybody else by more than {tolerated}; {flagged}"
    )
