"""The person whose similar twin is treated worst, told beside the verdict."""

from core.audits.gradient_flow.pair import changes, told
from core.audits.gradient_flow.verdict import GradientFlowFinding
from core.base.tables import Case, Table
from core.language.told import say

_MOST = 5
"""Columns told, those that changed most first."""


def case(finding: GradientFlowFinding) -> Case | None:
    """The worst pair; None where none was kept."""
    result = finding.result
    pairs, encoder = result.detail.pairs, result.model.encoder
    if not len(pairs.rows):
        return None
    moved = [] if encoder.is_embedding else [one for one in changes(pairs, 0, encoder) if one.changed][:_MOST]
    beside = Table(
        "",
        (say("Column"), say("Person"), say("Similar twin")),
        tuple((one.column, one.before, one.after) for one in moved),
    )
    title = say("The person treated worst, beside a similar twin")
    return Case(title, told(result, 0), beside if moved else None, personal=True)
