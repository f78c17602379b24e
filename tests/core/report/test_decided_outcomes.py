"""That the outcome is itself a decision of people is kept in mind where its name says so, and nowhere else."""

from dataclasses import replace

import pytest

from core.audits.group_fairness.decision import GroupFairnessDecision
from core.caveats.assumptions import IS_A_DECISION
from core.report.model import build
from core.report.multiple_tests import Together
from core.run import find
from core.study import Study
from tests.core.slides.made import audit
from tests.dashboard import results_made


def of(kind: str, outcome: str) -> tuple[Study, Together]:
    study, (result,) = audit(kind)
    named = replace(result, data=replace(result.data, outcome=outcome, favourable="yes"))
    return study, Together.of(study, (named,))


@pytest.mark.parametrize("kind", ["gradient_flow", "transport", "equalized_odds", "group_fairness"])
def test_it_stands_beside_the_verdict_of_a_decision_only(kind: str) -> None:
    for outcome, told in (("released", True), ("two_year_recid", False)):
        study, found = of(kind, outcome)
        assert (IS_A_DECISION in found.findings[0].spoken) is told
        report = build(study, found)
        assert (report.together.qualifying == IS_A_DECISION or IS_A_DECISION in report.forbidding) is told
        assert IS_A_DECISION not in report.weakening, "it stands on page one"


@pytest.mark.parametrize("kind", ["column_sensitivity", "text_sensitivity"])
def test_it_is_not_said_where_answers_are_not_held_against_outcomes(kind: str) -> None:
    assert IS_A_DECISION not in of(kind, "released")[1].findings[0].spoken


def test_where_it_is_said_of_the_audit_too_it_stands_once() -> None:
    _, result = results_made.groups(case="two classes")
    named = replace(result, data=replace(result.data, outcome="released"))
    told = find(named, GroupFairnessDecision(outcome="a decision")).spoken
    assert told.count(IS_A_DECISION) == 1
    favours = find(named, GroupFairnessDecision(measure="selection rate"))
    assert IS_A_DECISION not in favours.spoken, "who gets the better answer asks for no outcome"
