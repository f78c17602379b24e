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
from core.language.told import say
from core.phrases import p_value, percent, whole
from core.tables import Table

MOST = 20
"""Subgroups in the table of those that fare worst."""


def tables(finding: GroupFairnessFinding) -> dict[str, Table]:
    """Counts, and the subgroups that fare worst, by the names of the report's tables."""
    found = {"subgroups": _counts(finding)}
    if finding.subgroups.judged:
        found["subgroups worst"] = _worst(finding)  # verbatim
    return found


def _counts(finding: GroupFairnessFinding) -> Table:
    """How many combinations there are, and what is said about them."""
    scan, decision, found = finding.result.detail.subgroups, finding.decision, finding.subgroups
    rows = (
        (
            say("Flagged: worse than tolerated"),
            whole(found.flagged),
            say("expect at most 1 false alarm in {n} flags", n=whole(round(1 / decision.alpha))),
        ),
        (
            say("… of these firmly"),
            whole(found.firm),
            say("any firm flag is wrong with a probability of at most {alpha}", alpha=percent(decision.alpha)),
        ),
        (
            say("Certified: not worse than tolerated"),
            whole(found.certified),
            say("any certificate is wrong with a probability of at most {alpha}", alpha=percent(decision.alpha)),
        ),
        (say("Insufficient evidence"), whole(found.judged - found.flagged - found.certified), say("neither is shown")),
        (say("Too small to judge"), whole(found.too_small), say("fewer than 30 people inside or outside")),
        (
            say("The same people as another subgroup"),
            whole(found.alike),
            say("judged once, by the simplest description"),
        ),
    )
    beyond = (
        say("Beyond the largest subgroups"),
        whole(found.beyond),
        say("only the {n} largest are judged", n=whole(found.judged)),
    )
    shown = (*rows, beyond) if found.beyond else rows
    return Table(
        say(
            "{what} in subgroups made of {columns}, compared with everybody else; tolerance {tolerance}",
            what=harm_name(scan),
            columns=", ".join(scan.columns),
            tolerance=tolerance_text(scan.shares, decision.delta),
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
            whole(int(scan.rows[place])),
            harm_text(scan, float(scan.inside[place])),
            harm_text(scan, float(scan.outside[place])),
            excess_text(scan, judged, place),
            p_value(float(judged.p_values[place]), alpha=decision.alpha),
        )
        for place in worst_first(scan, judged)[:MOST]
    )
    sure = percent(1 - decision.alpha)
    caption = (
        say(
            "Subgroups that fare worst: the first {n} of {all}, flagged ones first. Bounds on each side hold for all "
            "subgroups together with {sure} confidence; p-values of “within the tolerance” are each on their own",
            n=MOST,
            all=whole(len(scan)),
            sure=sure,
        )
        if len(scan) > MOST
        else say(
            "Subgroups that fare worst: flagged ones first. Bounds on each side hold for all subgroups "
            "together with {sure} confidence; p-values of “within the tolerance” are each on their own",
            sure=sure,
        )
    )
    return Table(
        caption,
        (
            say("Subgroup"),
            say("What is said"),
            say("People"),
            say("{what}: inside", what=harm_name(scan)),
            say("Outside"),
            say("Excess, {unit}", unit=unit(scan)),
            say("p-value"),
        ),
        rows,
    )
