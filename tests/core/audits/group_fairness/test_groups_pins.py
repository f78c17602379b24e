"""Numbers behind the verdict about subgroups, each by hand."""

import math
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from core.audits.group_fairness.decision import GroupFairnessDecision
from core.audits.group_fairness.result import GroupFairnessDetail
from core.audits.group_fairness.verdict import GroupFairnessFinding as Finding
from core.audits.group_fairness.verdict import _tables
from core.result import AuditResult
from tests.builders_fair_dummies import make_groups_result
from tests.core.audits.group_fairness.cases import make_detail


@cache
def result_of(case: str) -> AuditResult[GroupFairnessDetail]:
    return make_groups_result(case=case) if case != "numbers" else make_groups_result()


def left_out(result: AuditResult[GroupFairnessDetail], rows: int) -> Finding:
    return Finding(replace(result, data=replace(result.data, rows_left_out=rows)), GroupFairnessDecision())


@pytest.mark.parametrize("rows", [0, 7, 80])
def test_the_worst_case_counts_those_left_out_on_the_smaller_side_of_each_subgroup(rows: int) -> None:
    """The difference U grows to U + (1 - U) m, m the share of the side that is unknown (Manski 1990)."""
    finding = left_out(result_of("four classes"), rows)
    scan = finding.result.detail.subgroups
    by_hand = []
    for size, high in zip(scan.rows.tolist(), finding.judged.high.tolist(), strict=True):
        share = rows / (min(size, scan.people - size) + rows)
        by_hand.append(max(high, 0) + (1 - max(high, 0)) * share)
    assert len(by_hand) > 1
    assert finding.worst_upper_bound == pytest.approx(max(by_hand))


def test_errors_that_are_numbers_have_no_worst_case() -> None:
    assert math.isinf(left_out(result_of("numbers"), 7).worst_upper_bound)


def test_the_worst_subgroup_is_a_protected_one_where_there_is_any_beyond_doubt() -> None:
    finding = Finding(result_of("four classes"), GroupFairnessDecision())
    judged, size = finding.judged, len(finding.judged.low)
    low = np.linspace(0.3, 0.1, size)
    protected = np.arange(size) >= size - 2
    for firm, worst in ((np.ones(size, dtype=bool), size - 2), (~protected, 0), (np.zeros(size, dtype=bool), -1)):
        again = Finding(finding.result, finding.decision)
        again.__dict__.update(judged=replace(judged, low=low, firm=firm), protected=protected)
        assert again.worst == worst
        assert again.wronged.tolist() == (firm & protected).tolist()


def test_sets_that_hold_every_class_in_every_group_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    finding = Finding(result_of("four classes"), GroupFairnessDecision())
    sets, classes = finding.sets(finding.place), len(finding.result.detail.classes)
    for sizes, told in ((classes, True), (classes - 0.5, False)):
        size = np.full(len(sets.size), float(classes))
        size[0] = sizes
        monkeypatch.setattr(Finding, "sets", lambda self, place, size=size, **_: replace(sets, size=size))
        assert finding.sets_hold_everything is told
    assert not Finding(result_of("numbers"), GroupFairnessDecision()).sets_hold_everything


@pytest.mark.parametrize(("decided", "scored"), [(False, True), (True, False)])
def test_scores_are_read_where_answers_are_no_decisions(decided: bool, scored: bool) -> None:
    """Groups' calibration and separation need scores; one answer of exactly 1 makes no decisions of the others."""
    detail = make_detail("two classes", decided=decided)
    answers = detail.answers.copy()
    answers[0] = (0.0, 1.0)
    several, plain = (_tables(replace(detail, answers=one), 0.05) for one in (answers, detail.answers))
    names = [[measure.name for measure in table.measures] for table in plain]
    assert [[measure.name for measure in table.measures] for table in several] == names
    without = _tables(replace(detail, answers=np.eye(2)[detail.answers.argmax(axis=1)]), 0.05)
    assert ([[measure.name for measure in table.measures] for table in without] != names) is scored


def test_the_first_class_may_be_the_favourable_one() -> None:
    """The same people with the classes turned round have scores all the same."""
    detail = make_detail("two classes")
    turned = replace(
        detail, classes=detail.classes[::-1], favourable=0, outcome=1 - detail.outcome, answers=detail.answers[:, ::-1]
    )
    names = [[measure.name for table in _tables(one, 0.05) for measure in table.measures] for one in (detail, turned)]
    assert names[0] == names[1]


def test_a_subgroup_may_be_wronged_five_points_more_often() -> None:
    assert GroupFairnessDecision().delta == 0.05
