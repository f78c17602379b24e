"""The case told beside a verdict: one for each kind, about the rows of the result, and none where there is nothing."""

from typing import Any

import pytest

from core.audits import KINDS
from core.finding import room_of
from tests.builders import make_result
from tests.dashboard.results_made import columns, fair_dummies, groups, sensitivity, transport


def finding_of(result: Any) -> Any:
    kind = KINDS[result.audit.kind]
    return room_of(kind).finding(result, kind.decision())


@pytest.mark.parametrize(
    ("made", "personal"),
    [
        (make_result, True),
        (lambda: transport()[1], False),
        (lambda: sensitivity()[1], True),
        (lambda: columns()[1], False),
        (lambda: fair_dummies()[1], False),
        (lambda: groups()[1], False),
    ],
    ids=["gradient_flow", "transport", "text_sensitivity", "column_sensitivity", "equalized_odds", "group_fairness"],
)
def test_every_kind_tells_a_case(made: Any, personal: bool) -> None:
    case = finding_of(made()).case
    assert case is not None
    assert case.personal is personal
    assert case.told.endswith(".")
    if case.beside is not None:
        assert len({len(row) for row in (case.beside.header, *case.beside.rows)}) == 1
