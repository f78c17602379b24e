"""Numbers behind the verdict about groups, each by hand."""

import math
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from core.audits.equalized_odds.decision import EqualizedOddsDecision
from core.audits.group_fairness.decision import GroupFairnessDecision
from core.audits.group_fairness.decisions import decision_tables
from core.audits.group_fairness.result import GroupFairnessDetail
from core.audits.group_fairness.settings import GroupFairness
from core.audits.group_fairness.verdict import GroupFairnessFinding as Finding
from core.base.progress import Progress
from core.data.dataset import Dataset
from core.result import AuditResult
from core.run import run_audit
from tests.builders_fair_dummies import make_groups_result
from tests.core.audits.group_fairness.cases import make_detail
from tests.core.audits.group_fairness.test_groups_without_outcome import DECISIONS, applicants, model_of


@cache
def result_of(case: str) -> AuditResult[GroupFairnessDetail]:
    return make_groups_result(case=case) if case != "numbers" else make_groups_result()


def left_out(result: AuditResult[GroupFairnessDetail], rows: int) -> Finding:
    return Finding(replace(result, data=replace(result.data, rows_left_out=rows)), GroupFairnessDecision())


@pytest.mark.parametrize("rows", [0, 7, 80])
def test_the_worst_case_counts_those_left_out_on_the_smaller_side_of_each_group(rows: int) -> None:
    """The difference U grows to U + (1 - U) m, m the share of the side that is unknown (Manski 1990)."""
    finding = left_out(result_of("two classes"), rows)
    by_hand = []
    for one in finding.claims:
        if one.decides:
            share = rows / (min(one.people, one.others) + rows)
            by_hand.append(max(one.high, 0) + (1 - max(one.high, 0)) * share)
    assert len(by_hand) == 5, "two sexes and three races"
    assert finding.worst_upper_bound == pytest.approx(max(by_hand))


def test_a_group_of_few_people_has_no_worst_case() -> None:
    result = make_groups_result("two classes", small=True)
    assert math.isinf(left_out(result, 7).worst_upper_bound)


def test_errors_that_are_numbers_have_no_worst_case() -> None:
    assert math.isinf(left_out(result_of("numbers"), 7).worst_upper_bound)


def test_sets_that_hold_every_class_in_every_group_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    finding = Finding(result_of("four classes"), GroupFairnessDecision())
    sets, classes = finding.sets(finding.place), len(finding.result.detail.classes)
    for sizes, told in ((classes, True), (classes - 0.5, False)):
        size = np.full(len(sets.size), float(classes))
        size[0] = sizes
        monkeypatch.setattr(Finding, "sets", lambda self, place, size=size, **_: replace(sets, size=size))
        assert finding.sets_hold_everything is told
    assert not Finding(result_of("numbers"), GroupFairnessDecision()).sets_hold_everything


def test_prediction_sets_are_told_with_what_common_ones_cover() -> None:
    finding = Finding(result_of("four classes"), GroupFairnessDecision())
    sets, seed = finding.result.detail.coverage, finding.result.detail.seed
    common = np.concatenate([one.by_group(0.05, seed=seed, common=True).covered for one in sets])
    own = np.concatenate([one.by_group(0.05, seed=seed, common=False).covered for one in sets])
    assert [one.common for one in finding.coverage] == common.tolist() != own.tolist()
    assert [one.covered for one in finding.coverage] == own.tolist()


@pytest.mark.parametrize(("decided", "scored"), [(False, True), (True, False)])
def test_scores_are_read_where_answers_are_no_decisions(decided: bool, scored: bool) -> None:
    """Groups' calibration and separation need scores; one answer of exactly 1 makes no decisions of the others."""
    detail = make_detail("two classes", decided=decided)
    answers = detail.answers.copy()
    answers[0] = (0.0, 1.0)
    decided_for = np.eye(2)[detail.answers.argmax(axis=1)]
    several, plain, without = (
        decision_tables(replace(detail, answers=one), detail.attributes, 0.05)
        for one in (answers, detail.answers, decided_for)
    )
    names = [[measure.name for measure in table.measures] for table in plain]
    assert [[measure.name for measure in table.measures] for table in several] == names
    assert ([[measure.name for measure in table.measures] for table in without] != names) is scored


def test_the_first_class_may_be_the_favourable_one() -> None:
    """The same people with the classes turned round have scores all the same."""
    detail = make_detail("two classes")
    turned = replace(
        detail, classes=detail.classes[::-1], favourable=0, outcome=1 - detail.outcome, answers=detail.answers[:, ::-1]
    )
    tables = [decision_tables(one, one.attributes, 0.05) for one in (detail, turned)]
    names = [[measure.name for table in found for measure in table.measures] for found in tables]
    assert names[0] == names[1]


def test_one_quantity_has_one_tolerance() -> None:
    """Parity, equalized odds and groups: ten points; and the four-fifths rule."""
    assert GroupFairnessDecision().delta == EqualizedOddsDecision().delta == 0.1
    assert GroupFairnessDecision().ratio == 0.8


@pytest.mark.parametrize("times", [1, 3])
def test_all_rows_of_a_person_count_and_one_makes_prediction_sets(times: int) -> None:
    frame = applicants(120).assign(years=np.arange(120)).loc[np.repeat(np.arange(120), times)]
    frame = frame.reset_index(drop=True).assign(person=np.repeat(np.arange(120), times))
    dataset = Dataset.build(frame, DECISIONS.model_copy(update={"belongs_to": "person"}))
    seen: list[Progress] = []
    audit = GroupFairness(depth=1)
    result = run_audit(model_of(dataset), dataset, audit, seed=0, on_progress=seen.append)
    assert result.detail.people == 120 * times
    done = [one.done for one in seen]
    assert done == sorted(done)
    assert 0 == done[0] < done[-1] <= 1
    told = [caveat.what for caveat in result.caveats]
    assert any(
        what.startswith("Prediction sets rest on one row of each of the 120 different 'person'") for what in told
    ) is (times > 1)
