"""Figures are tested by their specification: traces, values and words, never pixels."""

import json
import re
from dataclasses import replace
from types import SimpleNamespace
from typing import cast

import numpy as np
import pandas as pd
import pytest

from core.audits.gradient_flow.changes import Changes
from core.audits.gradient_flow.decision import GradientFlowDecision
from core.audits.gradient_flow.figures import CHARTS
from core.audits.gradient_flow.figures.changes import MOST_GROUPS, table
from core.audits.gradient_flow.figures.several import OF_SEVERAL
from core.audits.gradient_flow.people import PossiblePeople
from core.data.encoder import CategoricalColumn, Column, Encoder, NumericColumn
from core.figures import estimate, theme
from core.figures.chart import Drawing
from core.figures.estimate import Shown
from core.figures.series import Spans
from core.inference.estimate import Verdict
from core.result import AuditResult
from core.run import find
from core.workflows.comparison import tests as compared
from tests.builders import HOSTILE, make_result
from tests.drawn import trace, words

SHAPES = {
    "ordinary": {},
    "no error-rate ratio": {"undefined_error_ratio": True},
    "one group": {"one_cell": True},
    "39 columns": {"wide": True},
    "no probes": {"probes": False},
    "hostile names": {"hostile": True},
    "nobody treated worse": {"excess": 0.0},
}
READINGS = {
    "usual": GradientFlowDecision(),
    "strict": GradientFlowDecision(delta=1.0, alpha=0.0001, stop_at=20),
    "beyond everything": GradientFlowDecision(delta=100.0),
    "error rates": GradientFlowDecision(statistic="error-rate ratio"),
}
READ = [
    pytest.param(
        shape,
        reading,
        marks=() if not row or reading == ("usual", "error rates", "strict")[row % 3] else pytest.mark.long,
    )
    for row, shape in enumerate(SHAPES)
    for reading in READINGS
]
"""Every shape at one reading, and the first at all of them; the others where long tests are asked for."""


@pytest.fixture(scope="module")
def result() -> AuditResult:
    return make_result()


def drawing(name: str, result: AuditResult, decision: GradientFlowDecision) -> Drawing:
    """The chart, whether or not it applies."""
    return CHARTS[name].draw(find(result, decision))


@pytest.mark.parametrize(("shape", "reading"), READ)
def test_every_figure_is_drawn_and_told_for_every_shape_of_result(shape: str, reading: str) -> None:
    finding = find(make_result(**SHAPES[shape]), READINGS[reading])
    for chart in CHARTS.values():
        drawn = chart.draw(finding)
        figure, text = drawn.figure, drawn.figure.to_json()
        json.loads(text)
        assert figure.data or figure.layout.annotations
        assert len(drawn.alt) > 40
        assert not re.search(r"<(script|b onclick|img|a )|\$1\$|\$x_1\$", text.replace("\\u003c", "<").lower())


def test_an_interval_without_an_upper_end_reaches_to_the_edge(result: AuditResult) -> None:
    far = replace(result.detail.relearned, along=np.full(20, 60.0))
    endless = replace(result, detail=replace(result.detail, relearned=far))
    intervals, sweep = (drawing(name, endless, GradientFlowDecision()) for name in ("intervals", "sweep"))
    row = trace(intervals.figure, "bounds")
    assert row.x[1] == intervals.figure.layout.xaxis.range[1]
    assert row.customdata[1] == "infinite"
    assert re.search(r"\(from \d\.\d+ on, each bound", intervals.alt)
    assert np.isfinite(np.array(trace(sweep.figure, "bounds").y)).all()
    for name in CHARTS:
        json.loads(drawing(name, endless, GradientFlowDecision()).figure.to_json())


def test_an_interval_that_is_far_longer_than_the_rest_is_cut_and_told_whole(result: AuditResult) -> None:
    """One to 521 would leave estimate and tolerance in one place: they keep a fifth of the axis or more."""
    decision = GradientFlowDecision(delta=1.25)
    claim = replace(find(result, decision).claims[0], estimate=2.46, low=0.84, high=521.0)
    drawn = estimate.draw(claim, Verdict.INSUFFICIENT, Shown("loss ratio", "treated alike", 0.05, 1.0))
    least, most = drawn.figure.layout.xaxis.range
    assert (most - least) / 8 < 2.46 - 1
    row = trace(drawn.figure, "bounds")
    assert (row.x[0], row.x[1], row.customdata[1]) == (0.84, most, "521")
    assert any("0.84 to 521" in text for text in words(drawn.figure))
    assert isinstance(drawn.series, Spans)
    assert drawn.series.rows[0].high < 10
    assert "0.84 to 521" in drawn.series.rows[0].said


def test_the_check_for_markup_can_fail() -> None:
    figure = theme.blank(100).add_annotation(text=HOSTILE[0])
    assert "<b onclick" in figure.to_json().replace("\\u003c", "<")


@pytest.mark.parametrize("name", CHARTS)
def test_figures_leave_the_width_to_the_page_and_reserve_no_wide_margin(name: str, result: AuditResult) -> None:
    figure = drawing(name, result, GradientFlowDecision()).figure
    assert figure.layout.width is None
    assert figure.layout.title.text is None
    assert figure.layout.margin.l + figure.layout.margin.r <= 40


@pytest.mark.parametrize("colour", [theme.BLUE, theme.ORANGE, theme.GREEN, theme.GREY])
@pytest.mark.parametrize("background", ["#FFFFFF", "#0E1117"])
def test_colours_stand_out_on_light_and_dark_pages(colour: str, background: str) -> None:
    """WCAG 2.2 asks 3:1 of graphics (success criterion 1.4.11)."""
    assert contrast(colour, background) >= 3.0


@pytest.mark.parametrize(("page", "text"), [("#FFFFFF", "#31333F"), ("#171614", "#FAFAFA")])
@pytest.mark.parametrize("scale", [theme.SCALE, theme.DIVERGING])
def test_numbers_in_tiles_stand_out_from_every_colour(
    page: str, text: str, scale: tuple[tuple[float, str], ...]
) -> None:
    """WCAG 2.2 asks 4.5:1 of text (success criterion 1.4.3); the darkest shade comes first or last."""
    assert min(contrast(text, over(page, colour)) for _, colour in scale) >= 4.5
    none = min((colour for _, colour in scale), key=lambda colour: contrast(page, over(page, colour)))
    assert contrast(page, over(page, none)) < 1.3, "nothing recedes into the page"


def over(page: str, colour: str) -> str:
    """A shade ``rgba(r, g, b, a)`` laid over a page."""
    *shade, alpha = map(float, colour.removeprefix("rgba(").removesuffix(")").split(","))
    below = [int(page[i : i + 2], 16) for i in (1, 3, 5)]
    return "#" + "".join(f"{round(alpha * top + (1 - alpha) * low):02X}" for top, low in zip(shade, below, strict=True))


def contrast(one: str, other: str) -> float:
    def luminance(colour: str) -> float:
        channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
        return float(np.dot(linear, (0.2126, 0.7152, 0.0722)))

    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_the_interval_figure_shows_the_estimate_and_both_bounds(result: AuditResult) -> None:
    decision = GradientFlowDecision(delta=1.4, alpha=0.1)
    figure = drawing("intervals", result, decision).figure
    found = find(result, decision)
    assert trace(figure, "estimate").x == pytest.approx((found.estimate,))
    assert trace(figure, "bounds").x == pytest.approx((found.lower_bound, found.upper_bound))
    assert "tolerance 1.4" in words(figure)
    assert {shape.x0 for shape in figure.layout.shapes} == {1.0, 1.4}
    assert figure.layout.xaxis.title.text == "loss ratio<br>(1: treated alike)"


def test_the_interval_figure_differs_by_marker_and_words_not_by_colour_alone(result: AuditResult) -> None:
    figure = drawing("intervals", result, GradientFlowDecision()).figure
    symbols = {str(found.marker.symbol) for found in figure.data}
    assert {"diamond", str(("line-ns-open", "line-ns-open"))} <= symbols
    assert any("each bound with 95% confidence" in text.replace("<br>", " ") for text in words(figure))


def test_a_statistic_without_a_value_is_said_to_have_none() -> None:
    result = make_result(undefined_error_ratio=True)
    drawn = drawing("intervals", result, GradientFlowDecision(statistic="error-rate ratio"))
    assert "no value" in words(drawn.figure)
    assert not drawn.figure.data
    assert drawn.alt.startswith("Error-rate ratio has no value.")


def result_edges(result: AuditResult) -> np.ndarray:
    return find(result, GradientFlowDecision(delta=1.25)).distribution[1]


def test_the_ratio_figure_counts_everybody_once(result: AuditResult) -> None:
    figure = drawing("ratios", result, GradientFlowDecision(delta=1.25)).figure
    within, beyond = trace(figure, "within tolerance"), trace(figure, "beyond tolerance")
    assert figure.layout.xaxis.type == "log"
    assert max(within.x) == min(beyond.x) == 1.25
    area = sum(
        height * (np.log(end) - np.log(start))
        for found in (within, beyond)
        for start, end, height in zip(found.x[:-1], found.x[1:], found.y[:-1], strict=True)
    )
    width = np.median(np.diff(np.log(result_edges(result))))
    assert area == pytest.approx(360 * width)
    assert figure.layout.yaxis.title.text == "people"
    assert figure.layout.yaxis.showticklabels is not False
    assert beyond.fillpattern.shape == "/"
    assert not within.fillpattern.shape


def test_the_ratio_figure_follows_the_stopping_time(result: AuditResult) -> None:
    early = drawing("ratios", result, GradientFlowDecision(stop_at=20)).alt
    late = drawing("ratios", result, GradientFlowDecision()).alt
    assert "about 2% lie beyond" in early
    assert "about 80% lie beyond" in late


def test_the_sweep_figure_shows_every_stopping_time_in_steps_and_flow_time(result: AuditResult) -> None:
    figure = drawing("sweep", result, GradientFlowDecision(stop_at=100)).figure
    sweep = find(result, GradientFlowDecision()).sweep
    assert list(trace(figure, "estimate").x) == list(sweep.steps)
    assert np.allclose(trace(figure, "lower bound").y, sweep.lower_bound)
    assert trace(figure, "lower bound").line.dash == "dot"
    assert figure.layout.xaxis2.ticktext[-1] == "5"
    assert figure.layout.xaxis.title.text.endswith("(read at 100)")
    assert figure.layout.xaxis.range == figure.layout.xaxis2.range


def test_the_sweep_marks_what_the_verdict_says_of_people_who_could_exist(result: AuditResult) -> None:
    assert "who could exist" not in " ".join(words(drawing("sweep", result, GradientFlowDecision()).figure))
    wrong, taken = np.zeros(200, dtype=bool), np.ones((200, 7), dtype=bool)
    people = PossiblePeople(np.arange(200), taken, None, np.tile([1.0, 5.0], 100), wrong, wrong)
    found = replace(result, detail=replace(result.detail, people=people))
    drawn = drawing("sweep", found, GradientFlowDecision(stop_at=100))
    assert "verdict, of people who could exist: 3.00" in words(drawn.figure)
    (mark,) = [one for one in drawn.figure.data if one.marker.symbol == "diamond"]
    assert (list(mark.x), list(mark.y)) == ([100], [3.0])
    assert drawn.figure.layout.yaxis.range[1] > 3.0
    assert drawn.alt.endswith("Of people who could exist it is 3.00.")


def test_ticks_of_the_sweep_spread_evenly_over_steps_recorded_unevenly(result: AuditResult) -> None:
    steps = np.array([1, 2, 3, 5, 7, 10, 20, 30, 50, 70, 100, 120, 150, 160, 170, 180, 190, 200, 220, 250, 300])
    few = replace(
        result.detail,
        steps=np.append(steps, [350, 400, 450, 500]),
        flow_time=np.append(steps, [350, 400, 450, 500]) * 0.01,
    )
    figure = drawing("sweep", replace(result, detail=few), GradientFlowDecision()).figure
    assert np.abs(np.array(figure.layout.xaxis.tickvals) - np.linspace(1, 500, 5)).max() <= 25


def test_an_undefined_sweep_says_so() -> None:
    decision = GradientFlowDecision(statistic="error-rate ratio")
    result = make_result(undefined_error_ratio=True)
    assert "no value at any T" in words(drawing("sweep", result, decision).figure)
    assert "no value" in drawing("sweep", result, decision).alt


def test_the_group_figure_gives_each_group_its_simultaneous_interval_and_verdict(result: AuditResult) -> None:
    figure = drawing("groups", result, GradientFlowDecision(delta=1.45)).figure
    groups = find(result, GradientFlowDecision(delta=1.45)).parts["groups"]
    drawn = {found.x for found in figure.data if found.name.startswith("interval")}
    assert drawn == {(group.low, group.high) for group in groups if group.people >= 30}
    markers = {found.x[0]: found.marker.symbol for found in figure.data if found.name.startswith("estimate")}
    for group in groups:
        if group.people >= 30:
            assert markers[group.estimate] == theme.VERDICT_MARKER[group.verdict]
    assert {group.verdict for group in groups if group.people >= 30} == {Verdict.VIOLATION, Verdict.INSUFFICIENT}


def test_a_small_group_is_named_with_insufficient_evidence_and_no_number(result: AuditResult) -> None:
    label = next(
        text for text in words(drawing("groups", result, GradientFlowDecision()).figure) if "Not stated</b>" in text
    )
    assert label == "<b>sex = Not stated</b><br>insufficient evidence (10 people)"


def changes_of(before: list[object], after: list[object], taken: np.ndarray, column: Column) -> Changes:
    """What differs between people of one column."""
    frames = (pd.DataFrame({column.name: np.array(values)}) for values in (before, after))
    return Changes.of(*frames, taken, Encoder(columns=(column,)))


def test_changes_are_counted_and_measured_without_their_sign() -> None:
    before, after = [1.0, 2.0, 3.0, 4.0], [3.0, 1.0, 3.0, 4.5]
    taken = np.array([[1, 1], [1, 0], [1, 1], [1, 0]], dtype=bool)
    found = changes_of(before, after, taken, NumericColumn(name="pay", mean=2.0, scale=10.0))
    assert (found.rows.tolist(), found.changed[:, 0].tolist(), found.larger[:, 0].tolist()) == ([4, 2], [3, 1], [2, 1])
    assert found.apart[:, 0].tolist() == [3.5, 2.0], "2 more and 1 less are no average of 0.5"
    assert (found.share[0, 0], found.by[1, 0]) == (0.75, 2.0)
    assert found.way[:, 0].tolist() == [0, 1]
    nobody = changes_of(before, before, taken, NumericColumn(name="pay"))
    assert (nobody.way[0, 0], nobody.share[0, 0]) == (0, 0.0)
    assert np.isnan(nobody.by[0, 0])


@pytest.mark.parametrize(("larger", "way"), [(10, 1), (9, 1), (8, 0), (5, 0), (2, 0), (1, -1), (0, -1)])
def test_nine_in_ten_changes_are_nearly_all(larger: int, way: int) -> None:
    after = [1.0] * larger + [-1.0] * (10 - larger)
    found = changes_of([0.0] * 10, after, np.ones((10, 1), dtype=bool), NumericColumn(name="pay"))
    assert found.way[0, 0] == way


def test_of_categories_the_one_is_kept_that_most_then_have() -> None:
    column = CategoricalColumn(name="job", categories=("Clerk", "Cook", "Nurse"))
    before, after = ["Nurse", "Clerk", "Clerk", "Cook"], ["Cook", "Cook", "Nurse", "Cook"]
    found = changes_of(before, after, np.array([[1, 0], [1, 0], [1, 1], [1, 1]], dtype=bool), column)
    assert found.changed[:, 0].tolist() == [3, 1]
    assert [column.categories[code] for code in found.toward[:, 0]] == ["Cook", "Nurse"]
    assert not found.larger.any()
    assert not found.apart.any()


def test_the_heatmap_names_every_column_most_moved_first_and_hides_groups_below_thirty(result: AuditResult) -> None:
    figure = drawing("changes", result, GradientFlowDecision()).figure
    heat = figure.data[0]
    assert len(figure.layout.yaxis.ticktext) == 5
    assert list(heat.z[:, 0]) == sorted(heat.z[:, 0], reverse=True)
    assert figure.layout.xaxis.ticktext[0] == "everyone"
    hidden = figure.layout.xaxis.ticktext.index("Not<br>stated")
    assert np.isnan(heat.z[:, hidden].astype(float)).all()
    assert {row[hidden] for row in heat.text} == {"–"}


def test_columns_that_are_the_same_in_everybody_found_are_not_drawn(result: AuditResult) -> None:
    changed = result.detail.changes.changed.copy()
    changed[:, [0, 2]] = 0
    few = replace(result, detail=replace(result.detail, changes=replace(result.detail.changes, changed=changed)))
    figure = drawing("changes", few, GradientFlowDecision()).figure
    assert len(figure.layout.yaxis.ticktext) == 3
    assert "the 3 columns of 5 that differ most often" in words(figure)
    none = replace(few, detail=replace(few.detail, changes=replace(few.detail.changes, changed=0 * changed)))
    heat = drawing("changes", none, GradientFlowDecision()).figure.data[0]
    assert {text for row in heat.text for text in row} == {"0%", "–"}
    assert "the same in every person found" in heat.customdata[0][0]


def test_a_tile_says_how_often_and_by_how_much_and_its_words_say_which_way(result: AuditResult) -> None:
    heat = drawing("changes", result, GradientFlowDecision()).figure.data[0]
    tile = {row[0].split("</b>")[0]: (text[0], row[0]) for row, text in zip(heat.customdata, heat.text, strict=True)}
    often, by = tile["<b>pay expected"][0].split("<br>")
    assert often.endswith("%")
    assert by[0] in "+-"
    assert "nearly always" in tile["<b>pay expected"][1]
    assert re.fullmatch(r"[\d.]+%", tile["<b>occupation"][0])
    assert "most often Technical" in tile["<b>occupation"][1]


def test_the_heatmap_stays_readable_with_39_columns() -> None:
    figure = drawing("changes", make_result(wide=True), GradientFlowDecision()).figure
    assert len(figure.layout.yaxis.ticktext) == 12
    assert figure.layout.annotations[0].text == "the 12 columns of 39 that differ most often"
    assert figure.layout.height / 12 >= 24
    assert max(map(len, figure.layout.yaxis.ticktext)) <= 18


def test_the_table_of_what_differs_holds_every_column() -> None:
    finding = find(make_result(wide=True), GradientFlowDecision())
    listed, heat = table(finding), finding.drawing("changes").figure.data[0]
    assert len(listed.rows) == 39
    assert [row[1] for row in listed.rows[:12]] == [row[0].replace("<br>", ", ") for row in heat.text]
    assert listed.header[:2] == ("Column", "everyone")


def test_groups_whose_names_say_little_are_named_with_their_attribute(result: AuditResult) -> None:
    cells = replace(result.detail.cells, groups=(("0", "1", "2"), ("0", "1", "2")))
    coded = replace(result, detail=replace(result.detail, cells=cells))
    figure = drawing("changes", coded, GradientFlowDecision()).figure
    assert figure.layout.xaxis.ticktext[:2] == ("everyone", "race = 0")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("White", "White"),
        ("Not-Caucasian", "Not-<br>Caucasian"),
        ("Amer-Indian-Eskimo and more", "Amer-Indian-<br>Eskimo…"),
        ("<b>x</b> $1$ abc", "&lt;b&gt;x&lt;/b&gt;<br>&#36;1&#36; abc"),
        ("a" * 40, "a" * 19 + "…"),
    ],
)
def test_long_heads_of_columns_are_broken_in_two_lines(text: str, shown: str) -> None:
    assert theme.two_lines(text, 20) == shown


def test_the_heatmap_says_how_many_groups_it_leaves_out(monkeypatch: pytest.MonkeyPatch, result: AuditResult) -> None:
    assert MOST_GROUPS == 12
    monkeypatch.setattr("core.audits.gradient_flow.figures.changes.MOST_GROUPS", 2)
    figure = drawing("changes", result, GradientFlowDecision()).figure
    assert figure.layout.xaxis.ticktext == ("everyone", "White", "Male")
    assert "the 2 largest of 6 groups" in words(figure)


def test_rotations_and_resamples_are_drawn_with_intervals_and_only_where_there_are_some(result: AuditResult) -> None:
    figure = drawing("rotations", result, GradientFlowDecision(alpha=0.05)).figure
    assert list(figure.data[0].x) == [0, 15, 30, 45, 60, 75, 90]
    assert figure.data[0].error_y.array == pytest.approx(1.959964 * 0.03 * np.ones(7), rel=1e-6)  # z_0.975
    ordered = drawing("resampled", result, GradientFlowDecision()).figure.data[0].y
    assert list(ordered) == sorted(ordered)
    weights = drawing("other_weights", result, GradientFlowDecision(delta=1.25)).figure
    assert (weights.layout.xaxis.type, list(weights.layout.xaxis.ticktext)) == ("log", ["5", "50", "500"])
    assert list(weights.data[0].marker.symbol) == ["x", "x", "circle"]
    assert list(find(result, GradientFlowDecision()).charts) == list(CHARTS)


def test_all_models_stand_in_one_chart_on_two_logarithmic_axes() -> None:
    models = {HOSTILE[0]: make_result(excess=0.9, seed=1), "fair": make_result(excess=0.1, seed=2)}
    findings = {name: find(one, GradientFlowDecision()) for name, one in models.items()}
    for name, chart in OF_SEVERAL.items():
        assert chart.applies(findings)
        drawn = chart.draw(findings)
        assert (drawn.figure.layout.xaxis.type, drawn.figure.layout.yaxis.type) == ("log", "log")
        assert HOSTILE[0] not in drawn.figure.to_json()
        for line, finding in zip(drawn.figure.data, findings.values(), strict=True):
            curve = (
                finding.sweep.lower_bound if name == "sweep" else [one.low for one in finding.parts["other_weights"]]
            )
            shown = [bound for bound in curve if bound > 0]
            assert list(line.y) == pytest.approx(shown)


def test_a_comparison_draws_what_a_room_offers_where_models_were_audited_alike() -> None:
    results = [make_result(seed=1), make_result(seed=2)]
    other = replace(results[1], audit=results[1].audit.model_copy(update={"steps": 7}))

    def names(*audits: AuditResult) -> list[str]:
        found = [SimpleNamespace(name=f"m{at}", alone=_alone(one)) for at, one in enumerate(audits)]
        return [name for name, *_ in compared.drawings(cast(tuple[compared.Tested, ...], tuple(found)))]

    assert names(*results) == ["gradient_flow sweep", "gradient_flow other_weights"]
    assert names(results[0], other) == []


def _alone(result: AuditResult) -> SimpleNamespace:
    return SimpleNamespace(names=("Gradient-flow test",), findings=(find(result, GradientFlowDecision()),))
