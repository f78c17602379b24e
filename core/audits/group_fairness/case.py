"""The subgroup that fares worst, told beside the verdict."""

from core.audits.group_fairness.verdict import GroupFairnessFinding
from core.audits.group_fairness.wording_subgroups import described, harm_name, harm_text, worst_first
from core.case import Case
from core.phrases import count
from core.tables import Table


def case(finding: GroupFairnessFinding) -> Case | None:
    """The worst subgroup beside everybody else; None where none is judged."""
    scan = finding.result.detail.subgroups
    if not len(scan):
        return None
    worst = finding.worst if finding.worst >= 0 else int(worst_first(scan, finding.judged)[0])
    who, people = described(scan, worst), count(int(scan.rows[worst]), "person", "people")
    cells = ((who, harm_text(scan, scan.inside[worst])), ("everybody else", harm_text(scan, scan.outside[worst])))
    return Case("The subgroup that fares worst", f"{people} with {who}.", Table("", ("Who", harm_name(scan)), cells))
