"""Subgroups as they are drawn and tabulated, by their specification."""

from dataclasses import replace

import numpy as np
import pytest

from core.audits.group_fairness.decision import GroupFairnessDecision
from core.audits.group_fairness.figures.subgroups import MOST
from core.audits.group_fairness.report.subgroups import tables
from core.audits.group_fairness.result import GroupFairnessResult
from core.audits.group_fairness.subgroups.verdicts import judge
from core.audits.group_fairness.verdict import GroupFairnessFinding as Finding
from core.audits.group_fairness.wording_subgroups import described, excess_text, shown, worst_first
from core.inference.estimate import Verdict
from tests.builders_fair_dummies import make_groups_result

READING = GroupFairnessDecision()


@pytest.fixture(scope="module", params=["two classes", "numbers"])
def result(request: pytest.FixtureRequest) -> GroupFairnessResult:
    return make_groups_result(request.param)


def test_the_worst_are_drawn_with_their_bounds_and_what_is_said_of_them(result: GroupFairnessResult) -> None:
    scan = result.detail.subgroups
    judged = judge(scan, READING.delta, READING.alpha)
    figure = Finding(result, READING).drawing("subgroups").figure
    places = worst_first(scan, judged)[:MOST]
    estimates = {one.name: one for one in figure.data if one.name.startswith("estimate")}
    intervals = {one.name: one for one in figure.data if one.name.startswith("interval")}
    assert len(estimates) == len(places) == len(intervals)
    symbols = {Verdict.VIOLATION: "x", Verdict.NO_VIOLATION: "circle", Verdict.INSUFFICIENT: "square-open"}
    for row, place in enumerate(places, start=1):
        assert estimates[f"estimate {row}"].x[0] == pytest.approx(100 * scan.excess[place] / scan.scale)
        assert estimates[f"estimate {row}"].marker.symbol == symbols[judged.verdict(place)]
        low, high = intervals[f"interval {row}"].x
        assert low == pytest.approx(shown(scan, judged.low[place]))
        assert np.isinf(judged.high[place]) or high == pytest.approx(shown(scan, judged.high[place]))
    words = [one.text for one in figure.layout.annotations]
    assert any("flagged" in text for text in words)
    assert any("tolerance 5" in text for text in words)
    assert "sex = Female: firmly flagged" in Finding(result, READING).drawing("subgroups").alt
    assert "subgroups" in Finding(result, READING).charts


def test_flagged_ones_come_first_and_each_kind_by_its_lower_bound(result: GroupFairnessResult) -> None:
    judged = judge(result.detail.subgroups, READING.delta, READING.alpha)
    order = worst_first(result.detail.subgroups, judged)
    assert (np.diff(judged.flagged[order].astype(int)) <= 0).all()
    for flagged in (True, False):
        lows = judged.low[order][judged.flagged[order] == flagged]
        assert (np.diff(lows[np.isfinite(lows)]) <= 0).all()


def test_the_table_counts_every_combination_once(result: GroupFairnessResult) -> None:
    scan = result.detail.subgroups
    judged = judge(scan, READING.delta, READING.alpha)
    found = tables(Finding(result, READING))
    counted = {row[0]: int(row[1].replace(",", "")) for row in found["subgroups"].rows}
    judged_ones = ("Flagged: worse than tolerated", "Certified: not worse than tolerated", "Insufficient evidence")
    assert sum(counted[name] for name in judged_ones) == len(scan)
    assert counted["… of these firmly"] == judged.firm.sum() <= counted[judged_ones[0]] == judged.flagged.sum() > 0
    assert not (judged.flagged & judged.certified).any()
    first = found["subgroups worst"].rows[0]
    place = worst_first(scan, judged)[0]
    assert first[0] == described(scan, place)
    assert first[5] == excess_text(scan, judged, place)


def test_ends_that_are_not_known_are_told_and_reach_the_edge(result: GroupFairnessResult) -> None:
    scan = replace(result.detail.subgroups, shares=False, skewness=np.full(len(result.detail.subgroups), 2.0))
    skewed = replace(result, detail=replace(result.detail, subgroups=scan))
    judged = judge(scan, READING.delta, READING.alpha)
    assert np.isinf(judged.high).all()
    assert not judged.certified.any()
    assert "(at least " in Finding(skewed, READING).drawing("subgroups").alt
    edge = Finding(skewed, READING).drawing("subgroups").figure.layout.xaxis.range[1]
    assert all(
        one.x[1] == edge
        for one in Finding(skewed, READING).drawing("subgroups").figure.data
        if one.name.startswith("interval")
    )


def test_hostile_names_are_drawn_letter_by_letter() -> None:
    figure = Finding(make_groups_result("two classes", hostile=True), READING).drawing("subgroups").figure
    for text in [*(one.text for one in figure.layout.annotations), *(one.customdata[0] for one in figure.data)]:
        for mark in ("<i", "<img", "<script", "$"):
            assert mark not in text


def test_a_table_without_subgroups_has_counts_only(result: GroupFairnessResult) -> None:
    scan = result.detail.subgroups
    empty = {
        name: getattr(scan, name)[:0]
        for name in ("members", "rows", "inside", "outside", "errors", "skewness", "freedom", "largest")
    }
    bare = replace(result, detail=replace(result.detail, subgroups=replace(scan, **empty)))
    assert list(tables(Finding(bare, READING))) == ["subgroups"]
    assert "subgroups" not in Finding(bare, READING).charts
