"""Figures of the transport test by their specification: traces, values and words, never pixels."""

import json
import re
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest

from core.audits.transport import maps
from core.audits.transport.decision import TransportDecision
from core.audits.transport.figures import CHARTS
from core.audits.transport.figures import budget as transport_budget
from core.audits.transport.figures.budget import axis_end, curve_of
from core.audits.transport.figures.cells import tally
from core.audits.transport.figures.map import MOST_GROUPS, MOST_ROWS, tile_of
from core.audits.transport.figures.panels import FEW_HEADS, MANY_HEADS, group_name, heads
from core.audits.transport.flow_wording import people_text
from core.audits.transport.maps import group_told, group_values
from core.audits.transport.result import TransportResult
from core.audits.transport.settings import LabelBudget, MassLimit
from core.audits.transport.verdict import TransportFinding
from core.data.labels import labelled
from core.data.roles import Label
from core.figures import theme
from tests.builders import HOSTILE
from tests.builders_transport import make_transport_result
from tests.drawn import trace, words
from tests.findings import drawn_for_a_page
from tests.findings import found as finding_of

SHAPES: dict[str, dict[str, Any]] = {
    "ordinary": {},
    "by a metric": {"similarity": "metric"},
    "many groups": {"groups": "many"},
    "three outcomes": {"labels": 3},
    "decisions": {"decisions": True},
    "mixed cells": {"mixed": True},
    "fine cells": {"fine": True, "similarity": "metric", "rows": 600},
    "hostile names": {"hostile": True, "similarity": "metric"},
    "nobody treated worse": {"bias": 0.0},
    "few people": {"rows": 40},
}
READINGS = {
    "usual": TransportDecision(),
    "strict": TransportDecision(delta=0.0, alpha=0.0001, budget=0.0),
    "generous": TransportDecision(delta=1.0, budget=1000.0),
    "log": TransportDecision(loss="log", method="closed form"),
    "squared": TransportDecision(loss="squared", budget=0.01),
}
READ = [
    pytest.param(shape, reading, marks=() if not row or reading == ("usual", "strict")[row % 2] else pytest.mark.long)
    for row, shape in enumerate(SHAPES)
    for reading in READINGS
]
"""Every shape at one reading, and the first at all of them; the others where long tests are asked for."""


@pytest.fixture(scope="module")
def result() -> TransportResult:
    return make_transport_result()


@pytest.fixture(scope="module")
def by_metric() -> TransportResult:
    return make_transport_result(similarity="metric")


def draw(name: str, result: TransportResult, decision: TransportDecision | None = None) -> go.Figure:
    return CHARTS[name].draw(TransportFinding(result, decision or TransportDecision())).figure


def alt(name: str, result: TransportResult, decision: TransportDecision | None = None) -> str:
    return CHARTS[name].draw(TransportFinding(result, decision or TransportDecision())).alt


@pytest.mark.parametrize(("shape", "reading"), READ)
def test_every_figure_that_applies_is_drawn_and_told(shape: str, reading: str) -> None:
    result = make_transport_result(**SHAPES[shape])
    finding = TransportFinding(result, READINGS[reading])
    for name in finding.charts:
        told, plain = finding.drawing(name).alt, drawn_for_a_page(finding.drawing(name))
        assert "nan" not in told.casefold()
        assert not re.search(r"<(script|b onclick|img|a )|\$1\$|\$x_1\$|\$w\$", plain)


def test_what_does_not_apply_is_left_out(result: TransportResult, by_metric: TransportResult) -> None:
    """With costs of 0 or infinity the budget is irrelevant (section 5 of the paper)."""
    everything = set(CHARTS)
    assert set(TransportFinding(by_metric, TransportDecision()).charts) == everything
    assert set(TransportFinding(result, TransportDecision()).charts) == everything - {
        "transport budget",
        "transport price",
        "transport costs",
    }
    decisions = make_transport_result(decisions=True)
    assert set(TransportFinding(decisions, TransportDecision(loss="log")).charts) == {
        "transport interval",
        "transport cells",
    }
    assert "no value" in words(draw("transport interval", decisions, TransportDecision(loss="log")))


def test_the_interval_figure_shows_estimate_bounds_and_tolerance(result: TransportResult) -> None:
    decision = TransportDecision(delta=0.05, alpha=0.1)
    figure, estimate = draw("transport interval", result, decision), TransportFinding(result, decision).inference
    ends = [100 * one for one in (estimate.lower_bound(0.1), estimate.upper_bound(0.1))]
    assert trace(figure, "estimate").x == pytest.approx((100 * estimate.value,))
    assert trace(figure, "bounds").x == pytest.approx(ends)
    assert {shape.x0 for shape in figure.layout.shapes} == {0.0, 5.0}
    assert "tolerance 5" in words(figure)
    assert len({str(found.marker.symbol) for found in figure.data}) == 2


def test_the_tolerance_keeps_its_digits(result: TransportResult) -> None:
    assert "tolerance 3.65" in words(draw("transport interval", result))
    assert "tolerance 0.0365" in words(draw("transport interval", result, TransportDecision(loss="log")))


def test_the_map_prints_every_change_with_its_sign_and_hands_back_its_tile(result: TransportResult) -> None:
    decision, cells = TransportDecision(), result.detail.cells
    figure = draw("transport map", result)
    found = maps.label_maps(cells, TransportFinding(result, decision).moves)
    assert len(found) == 2
    through = sum(one.moved_out[0] + one.moved_in[0] for one in found)
    shown = sorted(range(len(cells.groups)), key=lambda group: -float(np.asarray(through)[group]))
    for number, one in enumerate(found, start=1):
        colours, tiles = trace(figure, f"colours {number}"), trace(figure, f"tiles {number}")
        z = np.array(colours.z, dtype=float)
        seen = set()
        for x, y, mark in zip(tiles.x, tiles.y, tiles.customdata, strict=True):
            label, row, group = mark
            tile = tile_of(result, tuple(mark))
            assert (tile.label, tile.group) == (label, group) == (one.label, shown[x])
            assert (tile.column, tile.value) == one.rows[row]
            assert z[y, x] == one.change[row, group]
            assert colours.text[y][x] == people_text(one.change[row, group], signed=True)
            seen.add((row, group))
        assert len(seen) == np.isfinite(z).sum()
        assert {row for row, _ in seen} == set(range(len(one.rows)))
        assert -colours.zmin == colours.zmax == max(np.abs(each.change).max() for each in found)


def test_pointing_at_a_tile_tells_who_leaves_and_who_arrives(result: TransportResult) -> None:
    found = maps.label_maps(result.detail.cells, TransportFinding(result, TransportDecision()).moves)[0]
    tiles = trace(draw("transport map", result), "tiles 1")
    at = [list(mark) for mark in tiles.customdata].index([found.label, 0, 1])
    out, people = found.moved_out[0, 1], found.people[0, 1]
    assert tiles.hovertext[at].startswith("<b>everybody</b>, race = Black, sex = Male<br>reoffended = ")
    left = f"{people:,} people<br>−{out:.0f} ({100 * out / people:.1f}%) have similar people judged worse<br>"
    assert f"{left}+0 others are similar to people here judged worse" in tiles.hovertext[at]
    assert f"together −{out:.0f}" in tiles.hovertext[at]


def test_what_a_click_hands_back_survives_the_way_through_a_browser(result: TransportResult) -> None:
    """Arrays would arrive as base64 and come back as a mapping."""
    told = json.loads(draw("transport map", result).to_json())
    for found in told["data"]:
        if found["name"].startswith("tiles"):
            assert all(isinstance(mark, list) and len(mark) == 3 for mark in found["customdata"])


def test_no_tile_lies_outside_the_map(result: TransportResult) -> None:
    for mark in ((0, 99, 0), (0, 0, 99), (0, -1, 0)):
        with pytest.raises(IndexError):
            tile_of(result, mark)


def test_the_row_for_everybody_is_on_top_and_columns_are_named_once(result: TransportResult) -> None:
    ticks = list(draw("transport map", result).layout.yaxis.ticktext)
    assert ticks[0] == "everybody"
    assert [tick for tick in ticks if tick.startswith("<b>")] == ["<b>age</b>", "<b>priors</b>", "<b>charge</b>"]
    assert ticks[2:5] == ["under 25", "25 to 44", "45 and over"]


def test_a_large_map_says_what_it_leaves_out() -> None:
    result = make_transport_result(groups="many", fine=True, rows=3000)
    figure = draw("transport map", result)
    assert len(figure.layout.xaxis.ticktext) == MOST_GROUPS
    assert "3 more groups change less" in words(figure)
    values = [tick for tick in figure.layout.yaxis.ticktext[1:] if not tick.startswith("<b>")]
    assert len(values) == MOST_ROWS
    assert re.search(rf"<br>{MOST_ROWS} of \d+ values shown$", words(figure)[0])


def test_the_matrix_of_flows_prints_people_and_leaves_nobody_blank(result: TransportResult) -> None:
    cells = result.detail.cells
    flows = maps.group_flows(cells, TransportFinding(result, TransportDecision()).moves)
    figure = draw("transport flows", result)
    shown = 0.0
    for number in (1, 2):
        colours = trace(figure, f"colours {number}")
        z = np.array(colours.z, dtype=float)
        assert all(
            (text == "") == np.isnan(value) for text, value in zip(np.ravel(colours.text), z.ravel(), strict=True)
        )
        shown += np.nansum(z)
    assert shown == pytest.approx(flows.sum())
    assert f"{flows.sum():.0f} people in all" in alt("transport flows", result)


def test_with_many_groups_the_matrix_keeps_those_that_matter() -> None:
    result = make_transport_result(groups="many", rows=3000)
    cells = result.detail.cells
    flows = maps.group_flows(cells, TransportFinding(result, TransportDecision()).moves).sum(axis=0)
    figure = draw("transport flows", result)
    assert len(figure.layout.xaxis.ticktext) < len(cells.groups)
    shown = sum(np.nansum(np.array(found.z, dtype=float)) for found in figure.data if found.type == "heatmap")
    assert 0.75 * flows.sum() < shown <= flows.sum()
    assert "3 more groups with fewer of them" in words(figure)


def test_where_nobody_is_moved_the_figures_say_so() -> None:
    result = make_transport_result(bias=0.0)
    for decision in (TransportDecision(), TransportDecision(loss="log")):
        assert "nobody has" in alt("transport flows", result, decision)
        assert "0 of" in alt("transport map", result, decision)
        assert set(np.ravel(trace(draw("transport map", result, decision), "colours 1").text)) == {"", "0"}


def test_the_budget_figure_holds_every_breakpoint_and_the_decision(by_metric: TransportResult) -> None:
    decision = TransportDecision(budget=0.002)
    figure, curve = draw("transport budget", by_metric, decision), TransportFinding(by_metric, decision).curve
    line = trace(figure, "estimate")
    seen = curve.budgets < line.x[-1]
    assert seen.sum() > 5
    assert set(curve.budgets[seen]) <= set(line.x)
    assert np.interp(curve.budgets[seen], line.x, line.y) == pytest.approx(100 * curve.values[seen])
    marker = trace(figure, "this reading")
    assert marker.x == (0.002,)
    assert marker.y == pytest.approx((100 * TransportFinding(by_metric, decision).solution.value,))
    assert any("tolerance 3.65" in text for text in words(figure))


def test_the_band_is_that_of_the_estimate_at_the_dots_and_holds_the_curve(by_metric: TransportResult) -> None:
    decision = TransportDecision()
    figure, detail = draw("transport budget", by_metric, decision), by_metric.detail
    dots, band = trace(figure, "lower bound"), trace(figure, "bounds")
    for x, y in zip(dots.x, dots.y, strict=True):
        bound = finding_of(detail, decision.model_copy(update={"budget": float(x)})).inference.lower_bound(
            decision.alpha
        )
        assert y == pytest.approx(100 * bound)
    half = len(band.x) // 2
    x, high, low = np.array(band.x[:half]), np.array(band.y[:half]), np.array(band.y[half:][::-1])
    value = 100 * finding_of(detail, decision).curve.at(x)
    assert (low <= value + 1e-9).all()
    assert (value <= high + 1e-9).all()
    assert finding_of(detail, decision).budget in dots.x


def test_with_limits_the_curve_runs_through_the_value_of_the_decision() -> None:
    """The detail knows the value at evenly spaced budgets only, far from a small one."""
    limits = (LabelBudget(label="yes", budget=0.001),)
    result = make_transport_result(rows=400, draws=200, similarity="metric", label_budgets=limits)
    decision = TransportDecision()
    figure = draw("transport budget", result, decision)
    line, marker = trace(figure, "estimate"), trace(figure, "this reading")
    value = 100 * TransportFinding(result, decision).solution.value
    assert marker.y == pytest.approx((value,))
    assert np.interp(marker.x[0], line.x, line.y) == pytest.approx(value)
    assert (np.diff(line.y) >= -1e-9).all()
    draw("transport price", result, decision)


def test_limits_that_cannot_be_met_leave_no_map() -> None:
    most = MassLimit(attribute="race", group="Black", at_least=0.42)
    result = make_transport_result(rows=400, similarity="metric", limits=(most,))
    decision = TransportDecision(budget=1e-6)
    assert set(TransportFinding(result, decision).charts) == {"transport interval", "transport cells"}
    assert "The limits cannot all be met" in alt("transport interval", result, decision)


def test_the_price_is_the_slope_of_the_curve_and_that_of_the_solution(by_metric: TransportResult) -> None:
    decision = TransportDecision()
    curve = curve_of(TransportFinding(by_metric, decision))
    budgets, prices = curve.budgets, 100 * curve.slopes
    assert (np.diff(prices) <= 1e-6 * prices[:-1]).all()
    assert prices[-1] == 0
    solution = TransportFinding(by_metric, decision).solution
    at = np.searchsorted(budgets, TransportFinding(by_metric, decision).budget, side="right") - 1
    assert prices[at] == pytest.approx(100 * solution.price, rel=1e-6)
    figure = draw("transport price", by_metric, decision)
    line = trace(figure, "price")
    assert line.line.shape == "hv"
    assert line.y[
        np.searchsorted(line.x, TransportFinding(by_metric, decision).budget, side="right") - 1
    ] == pytest.approx(prices[at])
    assert trace(figure, "this reading").y == pytest.approx((100 * solution.price,))


def test_a_curve_of_very_many_points_is_drawn_by_some_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    most = 300
    monkeypatch.setattr(transport_budget, "MOST_POINTS", most)
    result, decision = make_transport_result(similarity="metric", fine=True, rows=3000), TransportDecision(loss="log")
    curve, end = curve_of(TransportFinding(result, decision)), axis_end(TransportFinding(result, decision))
    line = trace(draw("transport budget", result, decision), "estimate")
    assert (curve.budgets < end).sum() > most
    assert len(line.x) == most + 1
    at = np.linspace(0.0, end, 1000)
    assert np.abs(np.interp(at, line.x, line.y) - curve.at(at)).max() < 0.002 * curve.at(np.array([end]))[0]
    assert len(trace(draw("transport price", result, decision), "price").x) == most + 1


def test_axes_of_budgets_end_where_the_reading_can_be_seen(by_metric: TransportResult) -> None:
    for budget in (0.0, 1e-6, 0.0038, 0.5, 5.0):
        decision = TransportDecision(budget=budget)
        end = axis_end(TransportFinding(by_metric, decision))
        assert end > budget
        assert budget == 0 or budget >= 0.19 * end


def test_people_by_size_of_their_kind_add_up(result: TransportResult) -> None:
    people, cells = tally(result.detail.cells.people)
    assert people.sum() == 1500
    assert cells.sum() == (result.detail.cells.people > 0).sum()
    figure = draw("transport cells", result)
    assert sum(figure.data[0].x) == pytest.approx(1.0)
    assert figure.data[0].marker.pattern.shape[0] == "/"


@pytest.mark.parametrize(
    ("size", "place"), [(1, 0), (2, 1), (3, 2), (4, 2), (5, 3), (9, 3), (10, 4), (99, 5), (1000, 7)]
)
def test_each_size_has_its_bar(size: int, place: int) -> None:
    people, cells = tally(np.array([0, size]))
    assert (people[place], cells[place]) == (size, 1)
    assert cells.sum() == 1


@pytest.mark.parametrize(
    ("limit", "name"), [(40, "Native American, Not stated"), (18, "Native…, Not sta…"), (3, "Na…, No…")]
)
def test_long_groups_keep_a_part_of_every_value(limit: int, name: str) -> None:
    cells = make_transport_result(groups="many", rows=600).detail.cells
    group = cells.groups.index("Native American, Not stated")
    assert group_name(cells, group, limit) == name


def test_the_matrix_of_flows_names_each_group_whole() -> None:
    result = make_transport_result(groups="many", rows=600)
    named = {" ".join(tick.split("<br>")) for tick in draw("transport flows", result).layout.yaxis.ticktext}
    assert named <= {group_name(result.detail.cells, group) for group in range(len(result.detail.cells.groups))}
    assert "Native American, Not stated" in named
    assert not [name for name in named if "…" in name]


def test_the_check_for_markup_can_fail() -> None:
    assert re.search(r"<b onclick", theme.blank(100).add_annotation(text=HOSTILE[0]).to_json().replace("\\u003c", "<"))


def test_a_label_that_says_who_somebody_is_stands_alone_beside_those_that_do_not() -> None:
    cells = make_transport_result(groups="many", rows=600).detail.cells
    (first, value), (second, other) = group_values(cells, 0)
    shown = labelled(cells, [Label(column=first, value=value, label="People from there")], columns=cells.protected)
    assert group_told(shown, 0) == f"People from there, {second} = {other}"
    assert group_told(cells, 0) == f"{first} = {value}, {second} = {other}"


def test_heads_that_a_telephone_turns_have_two_lines_at_most() -> None:
    cells = make_transport_result(groups="many", rows=600).detail.cells
    for many in (FEW_HEADS + 1, MANY_HEADS):
        told = heads(cells, list(range(many)))
        assert max(head.count("<br>") for head in told) == 1
        assert not any("…" in head for head in told)
