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
            "Flagged: worse than tolerated",
            f"{found.flagged:,}",
            f"expect at most 1 false alarm in {round(1 / decision.alpha)} flags",
        ),
        (
            "… of these firmly",
            f"{found.firm:,}",
            f"any firm flag is wrong with a probability of at most {percent(decision.alpha)}",
        ),
        (
            "Certified: not worse than tolerated",
            f"{found.certified:,}",
            f"any certificate is wrong with a probability of at most {percent(decision.alpha)}",
        ),
        ("Insufficient evidence", f"{found.judged - found.flagged - found.certified:,}", "neither is shown"),
        ("Too small to judge", f"{found.too_small:,}", "fewer than 30 people inside or outside"),
        ("The same people as another subgroup", f"{found.alike:,}", "judged once, by the simplest description"),
        ("Beyond the largest subgroups", f"{found.beyond:,}", f"only the {found.judged:,} largest are judged"),
    )
    shown = tuple(row for row in rows if row[0] != "Beyond the largest subgroups" or found.beyond)
    return Table(
        f"{harm_name(scan)} in subgroups made of {', '.join(scan.columns)}, compared with everybody else; tolerance "
        f"{tolerance_text(scan, decision.delta)}",
        ("Combinations of values", "How many", "What that says"),
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
    few = f"the first {MOST} of {len(scan):,}, " if len(scan) > MOST else ""
    return Table(
        f"Subgroups that fare worst: {few}flagged ones first. Bounds on each side hold for all subgroups together with "
        f"{percent(1 - decision.alpha)} confidence; p-values of “within the tolerance” are each on their own",
        (
            "Subgroup",
            "What is said",
            "People",
            f"{harm_name(scan)}: inside",
            "Outside",
            f"Excess, {unit(scan)}",
            "p-value",
        ),
        rows,
    )
