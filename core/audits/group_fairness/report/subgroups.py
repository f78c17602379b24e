"""Tables of subgroups: how many are certified and flagged, and which fare worst."""

from __future__ import annotations

from core.audits.group_fairness.verdict import GroupFairnessFinding
from core.audits.group_fairness.wording_subgroups import (
    described,
    excess_text,
    harm_name,
    harm_text,
    state_told,
    tolerance_text,
    unit,
    worst_first,
)
from core.language.told import localized, say
from core.phrases import p_value, percent
from core.tables import Table

MOST = 20
"""Subgroups in the table of those that fare worst."""


def tables(finding: GroupFairnessFinding) -> dict[str, Table]:
    """Counts, and the subgroups that fare worst, by the names of the report's tables."""
    found = {"subgroups": _counts(finding)}
    if finding.subgroups.judged:
        found["subgroups worst"] = _worst(finding)
    return found


def _counts(finding: GroupFairnessFinding) -> Table:
    """How many combinations there are, and what is said about them."""
    scan, decision, found = finding.result.detail.subgroups, finding.decision, finding.subgroups
    rows = (
        (
            say("Flagged: worse than tolerated"),
            f"{found.flagged:,}",
            say("expect at most 1 false alarm in {alpha} flags", alpha=round(1 / decision.alpha)),
        ),
        (
            say("… of these firmly"),
            f"{found.firm:,}",
            say("any firm flag is wrong with a probability of at most {alpha}", alpha=percent(decision.alpha)),
        ),
        (
            say("Certified: not worse than tolerated"),
            f"{found.certified:,}",
            say("any certificate is wrong with a probability of at most {alpha}", alpha=percent(decision.alpha)),
        ),
        (say("Insufficient evidence"), f"{found.judged - found.flagged - found.certified:,}", say("neither is shown")),
        (say("Too small to judge"), f"{found.too_small:,}", say("fewer than 30 people inside or outside")),
        (
            say("The same people as another subgroup"),
            f"{found.alike:,}",
            say("judged once, by the simplest description"),
        ),
        (
            say("Beyond the largest subgroups"),
            f"{found.beyond:,}",
            say("only the {judged} largest are judged", judged=localized(f"{found.judged:,}")),
        ),
    )
    shown = tuple(row for row in rows if row[0] != "Beyond the largest subgroups" or found.beyond)
    return Table(
        say(
            "{scan} in subgroups made of {columns}, compared with everybody else; tolerance {scan2}",
            scan=harm_name(scan),
            columns=", ".join(scan.columns),
            scan2=tolerance_text(scan, decision.delta),
        ),
        (say("Combinations of values"), say("How many"), say("What that says")),
        shown,
    )


def _worst(finding: GroupFairnessFinding) -> Table:
    scan, judged, decision = finding.result.detail.subgroups, finding.judged, finding.decision
    rows = tuple(
        (
            described(scan, place),
            state_told(judged, place),
            f"{int(scan.rows[place]):,}",
            harm_text(scan, float(scan.inside[place])),
            harm_text(scan, float(scan.outside[place])),
            excess_text(scan, judged, place),
            p_value(float(judged.p_values[place]), alpha=decision.alpha),
        )
        for place in worst_first(scan, judged)[:MOST]
    )
    few = say("the first {most} of {scan}, ", most=MOST, scan=localized(f"{len(scan):,}")) if len(scan) > MOST else ""
    return Table(
        say(
            "Subgroups that fare worst: {few}flagged ones first. Bounds on each side hold for all subgroups "
            "together with {alpha} confidence; p-values of “within the tolerance” are each on their own",
            few=few,
            alpha=percent(1 - decision.alpha),
        ),
        (
            "Subgroup",
            say("What is said"),
            "People",
            say("{scan}: inside", scan=harm_name(scan)),
            "Outside",
            say("Excess, {scan}", scan=unit(scan)),
            "p-value",
        ),
        rows,
    )
