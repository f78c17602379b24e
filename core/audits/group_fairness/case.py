"""The subgroup that fares worst, told beside the verdict."""

from core.audits.group_fairness.verdict import GroupFairnessFinding
from core.audits.group_fairness.wording_subgroups import (
    described,
    excess_text,
    harm_name,
    harm_text,
    unit,
    worst_first,
)
from core.case import Case
from core.language.told import say
from core.phrases import count
from core.tables import Table


def case(finding: GroupFairnessFinding) -> Case | None:
    """The worst subgroup beside everybody else; None where none is judged."""
    scan = finding.result.detail.subgroups
    if not len(scan):
        return None
    worst = finding.worst if finding.worst >= 0 else int(worst_first(scan, finding.judged)[0])
    who, people = described(scan, worst), count(int(scan.rows[worst]), "person", "people")
    cells = ((who, harm_text(scan, scan.inside[worst])), (say("everybody else"), harm_text(scan, scan.outside[worst])))
    return Case(
        say("The subgroup that fares worst"),
        say(
            "{people} with {subgroup}: {excess} {unit}, beside everybody else and with bounds that hold for all "
            "subgroups together.",
            people=people,
            subgroup=who,
            excess=excess_text(scan, finding.judged, worst),
            unit=unit(scan),
        ),
        Table("", (say("Who"), harm_name(scan)), cells),
    )
