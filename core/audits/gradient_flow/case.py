"""A person for whom the search found much, beside a possible twin and the nearest real person of the table."""

from typing import Any

from core.audits.gradient_flow.pair import answers, columns, has_twin, told
from core.audits.gradient_flow.verdict import GradientFlowFinding
from core.base.tables import Case, Table
from core.language.phrases import whole
from core.language.told import say

_MOST = 5
"""Columns told, those that changed most first."""


def case(finding: GradientFlowFinding) -> Case | None:
    """The first of the pairs at the length of the search that is read; None where none was kept."""
    result, index = finding.result, finding.index
    pairs = result.detail.pairs
    if not len(pairs.rows):
        return None
    i = pairs.ranked(index)[0]
    whose: dict[str, Any] = {"personal": True, "record": int(pairs.rows[i]) + 1}
    if result.model.encoder.is_embedding:
        return Case(say("A text for which the search found much"), told(result, index, i), **whose)
    if not has_twin(pairs, index, i):
        return Case(say("A person for whom the search found much"), told(result, index, i), **whose)
    changed = [one for one in columns(result, index, i) if one.changed][:_MOST]
    real = say("Nearest real person (record {record})", record=whole(int(pairs.real_rows[index, i]) + 1))
    beside = Table(
        "",
        (say("Column"), say("Person"), say("Possible twin"), real),
        (*((one.column, one.before, one.after, one.real) for one in changed), *answers(result, index, i)),
    )
    return Case(say("A person, and a similar one who is treated worse"), told(result, index, i), beside, **whose)
