"""Subgroups as they are drawn and tabulated, by their specification."""

from dataclasses import replace

import numpy as np
import pytest

from core.audits.equalized_odds.decision import EqualizedOddsDecision
from core.audits.equalized_odds.result import EqualizedOddsResult
from core.audits.groups.figures.subgroups import MOST, alt, draw
from core.audits.groups.report.subgroups import tables
from core.audits.groups.subgroups.verdicts import judge
from core.audits.groups.wording_subgroups import described, excess_text, shown, worst_first
from core.figures.table import figures_of
from core.inference.estimate import Verdict
from tests.builders_fair_dummies import make_fair_dummies_result

READING = EqualizedOddsDecision()


@pytest.fixture(scope="module", params=["two classes", "numbers"])
def result(request: pytest.FixtureRequest) -> EqualizedOddsResult:
    return make_fair_dummies_result(request.param)


def test_the_worst_are_drawn_with_their_bounds_and_what_is_said_of_them(result: EqualizedOddsResult) -> None:
    scan = result.detail.subgroups
    judged = judge(scan, READING.tolerance, READING.alpha)
    figure = draw(result, READING)
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
    assert "sex: Female: firmly flagged" in alt(result, READING)
    assert "subgroups" in figures_of(result, READING)


def test_flagged_ones_come_first_and_each_kind_by_its_lower_bound(result: EqualizedOddsResult) -> None:
    judged = judge(result.detail.subgroups, READING.tolerance, READING.alpha)
    order = worst_first(result.detail.subgroups, judged)
    assert (np.diff(judged.flagged[order].astype(int)) <= 0).all()
    for flagged in (True, False):
        lows = judged.low[order][judged.flagged[order] == flagged]
        assert (np.diff(lows[np.isfinite(lows)]) <= 0).all()


def test_the_table_counts_every_combination_once(result: EqualizedOddsResult) -> None:
    scan = result.detail.subgroups
    judged = judge(scan, READING.tolerance, READING.alpha)
    found = tables(result.detail, READING)
    counted = {row[0]: int(row[1].replace(",", "")) for row in found["subgroups"].rows}
    judged_ones = ("Flagged: worse than tolerated", "Certified: not worse than tolerated", "Insufficient evidence")
    assert sum(counted[name] for name in judged_ones) == len(scan)
    assert counted["… of these firmly"] == judged.firm.sum() <= counted[judged_ones[0]] == judged.flagged.sum() > 0
    assert not (judged.flagged & judged.certified).any()
    first = found["subgroups worst"].rows[0]
    place = worst_first(scan, judged)[0]
    assert first[0] == described(scan, place)
    assert first[5] == excess_text(scan, judged, place)


def test_ends_that_are_not_known_are_told_and_reach_the_edge(result: EqualizedOddsResult) -> None:
    scan = replace(result.detail.subgroups, shares=False, skewness=np.full(len(result.detail.subgroups), 2.0))
    skewed = replace(result, detail=replace(result.detail, subgroups=scan))
    judged = judge(scan, READING.tolerance, READING.alpha)
    assert np.isinf(judged.high).all()
    assert not judged.certified.any()
    assert "(at least " in alt(skewed, READING)
    edge = draw(skewed, READING).layout.xaxis.range[1]
    assert all(one.x[1] == edge for one in draw(skewed, READING).data if one.name.startswith("interval"))


def test_hostile_names_are_drawn_letter_by_letter() -> None:
    figure = draw(make_fair_dummies_result("two classes", hostile=True), READING)
    for text in [*(one.text for one in figure.layout.annotations), *(one.customdata[0] for one in figure.data)]:
        for mark in ("<i", "<img", "<script", "$"):
            assert mark not in text


def test_a_table_without_subgroups_has_counts_only(result: EqualizedOddsResult) -> None:
    scan = result.detail.subgroups
    empty = {
        name: getattr(scan, name)[:0]
        for name in ("members", "rows", "inside", "outside", "errors", "skewness", "freedom", "largest")
    }
    bare = replace(result, detail=replace(result.detail, subgroups=replace(scan, **empty)))
    assert list(tables(bare.detail, READING)) == ["subgroups"]
    assert "subgroups" not in figures_of(bare, READING)
