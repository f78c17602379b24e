"""Prediction sets of the groups as tables: how often they hold the outcome, and how large they are."""

from __future__ import annotations

from core.audits.group_fairness.conformal import Coverage
from core.audits.group_fairness.verdict import GroupFairnessFinding
from core.audits.group_fairness.wording_coverage import CALIBRATED, covered_text, size_name, size_text
from core.phrases import percent
from core.tables import Table


def tables(finding: GroupFairnessFinding) -> dict[str, Table]:
    """Tables by the name of the figure they stand below, of the attribute that is shown; none without sets."""
    sets = finding.shown_sets
    if sets is None:
        return {}
    return {"fair dummies coverage": _coverage(finding, sets), "fair dummies set sizes": _sizes(finding, sets)}


def _coverage(finding: GroupFairnessFinding, sets: Coverage) -> Table:
    own, common = (finding.sets(finding.place, common=common) for common in (False, True))
    rows = tuple(
        (
            group,
            f"{int(sets.calibrated[g]):,}",
            f"{int(own.rows[g]):,}",
            covered_text(sets, own, g, common=False),
            covered_text(sets, common, g, common=True),
        )
        for g, group in enumerate(sets.groups)
    )
    return Table(
        f"Outcomes in the prediction set by {sets.attribute}, {percent(sets.level)} asked for; "
        f"{percent(1 - finding.decision.alpha)} intervals, all groups together",
        (f"Group of {sets.attribute}", "People calibrated on", "People judged", *_ways("Covered")),
        rows,
    )


def _sizes(finding: GroupFairnessFinding, sets: Coverage) -> Table:
    own, common = (finding.sets(finding.place, common=common) for common in (False, True))
    rows = tuple(
        (group, size_text(sets, own, g, common=False), size_text(sets, common, g, common=True))
        for g, group in enumerate(sets.groups)
    )
    name = size_name(finding.result.detail)
    return Table(
        f"Prediction sets by {sets.attribute}: {name}; {percent(1 - finding.decision.alpha)} intervals, all groups "
        "together",
        (f"Group of {sets.attribute}", *_ways("Size")),
        rows,
    )


def _ways(what: str) -> tuple[str, ...]:
    return tuple(f"{what}, {CALIBRATED[common]}" for common in (False, True))
