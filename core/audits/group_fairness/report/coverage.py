"""Prediction sets of the groups as tables: how often they hold the outcome, and how large they are."""

from core.audits.group_fairness.conformal import Coverage
from core.audits.group_fairness.verdict import GroupFairnessFinding
from core.audits.group_fairness.wording_coverage import calibrated, covered_text, size_name, size_text
from core.base.tables import Table
from core.language.phrases import percent, whole
from core.language.told import say


def tables(finding: GroupFairnessFinding) -> dict[str, Table]:
    """Tables by the name of the figure they stand below, of the attribute that is shown; none without sets."""
    sets = finding.shown_sets
    if sets is None:
        return {}
    return {
        "fair dummies coverage": _coverage(finding, sets),  # verbatim
        "fair dummies set sizes": _sizes(finding, sets),  # verbatim
    }  # verbatim


def _coverage(finding: GroupFairnessFinding, sets: Coverage) -> Table:
    own, common = (finding.sets(finding.place, common=common) for common in (False, True))
    rows = tuple(
        (
            group,
            whole(int(sets.calibrated[g])),
            whole(int(own.rows[g])),
            covered_text(sets, own, g, common=False),
            covered_text(sets, common, g, common=True),
        )
        for g, group in enumerate(sets.groups)
    )
    return Table(
        say(
            "Outcomes in the prediction set by {attribute}, {level} asked for; {sure} intervals, all groups together",
            attribute=sets.attribute,
            level=percent(sets.level),
            sure=percent(1 - finding.decision.alpha),
        ),
        (
            say("Group of {attribute}", attribute=sets.attribute),
            say("People calibrated on"),
            say("People judged"),
            *_ways(say("Covered")),
        ),
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
        say(
            "Prediction sets by {attribute}: {what}; {sure} intervals, all groups together",
            attribute=sets.attribute,
            what=name,
            sure=percent(1 - finding.decision.alpha),
        ),
        (say("Group of {attribute}", attribute=sets.attribute), *_ways(say("Size"))),
        rows,
    )


def _ways(what: str) -> tuple[str, ...]:
    return tuple(f"{what}, {calibrated(common=common)}" for common in (False, True))
