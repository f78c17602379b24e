"""The results page of a gradient-flow test as Streamlit runs it, on a synthetic result."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core.audits.gradient_flow.decision import GradientFlowDecision
from core.audits.gradient_flow.pair import columns
from core.inference.estimate import Verdict
from core.language.phrases import number
from core.run import find
from dashboard.audits.gradient_flow.results import GradientFlowView
from dashboard.text import literal
from dashboard.views.results.page import RECORD
from dashboard.views.results.widgets import widget_key
from tests.builders import HOSTILE, make_plan, make_result, make_study
from tests.dashboard.results_text import chequered, told, unescaped, verdict_boxes, written

REPOSITORY = Path(__file__).parents[4]
TABS = (*GradientFlowView.tabs, RECORD)


def page(excess: float = 0.6, delta: float = 1.25, **shape: bool) -> AppTest:
    def script(excess: float, delta: float, shape: dict[str, bool]) -> None:
        from core.audits.gradient_flow.decision import GradientFlowDecision
        from dashboard.views.results import page as results
        from tests.builders import make_result, make_study

        hostile = shape.get("hostile", False)
        study = make_study(hostile=hostile, decision=GradientFlowDecision(delta=delta))
        results.show(study, (make_result(excess=excess, **shape),))

    return AppTest.from_function(script, default_timeout=30, args=(excess, delta, shape))


def key(field: str) -> str:
    return widget_key(field, make_study() if field == "alpha" else make_plan())


def opened(tab: str, **options: bool) -> AppTest:
    app = page(**options)
    app.session_state[widget_key("view", make_plan(hostile=bool(options.get("hostile"))))] = tab
    return app.run()


@pytest.mark.parametrize(
    ("tab", "shape"),
    chequered(TABS, [{}, {"undefined_error_ratio": True}, {"one_cell": True}, {"wide": True}, {"hostile": True}]),
)
def test_every_tab_opens_for_every_shape_of_result(tab: str, shape: dict[str, bool]) -> None:
    app = opened(tab, **shape)
    assert not app.exception
    assert "For each of 360 audited people" in verdict_boxes(app)[0][1]


def test_the_card_says_the_verdict_with_rows_interval_and_tolerance_and_both_p_values() -> None:
    app = page().run()
    [(box, card)] = verdict_boxes(app)
    assert box == "error"
    assert app.error[0].icon == ":material/error:"
    assert "Violation found" in card
    for part in ("360 audited people", "With 95% confidence the ratio is at least 1.53", "tolerance of 1.25"):
        assert part in card
    told = next(element.value for element in app.markdown if element.value.startswith("p-values"))
    assert re.fullmatch(r"p-values against the tolerance: loss ratio \*\*.+\*\*, error-rate ratio \*\*.+\*\*\.", told)


def test_a_p_value_near_one_is_no_quotation_to_markdown() -> None:
    cells = page(delta=3.0).run().table[1].value.loc["p-value"]
    assert cells.str.startswith("\\>").all()


def test_the_first_serious_caveat_qualifies_the_verdict_in_its_card_and_all_are_folded_away() -> None:
    app = page().run()
    [(_, card)] = verdict_boxes(app)
    assert "**Keep in mind**: 3 rows had a loss below the floor" in unescaped(card)
    assert any(one.label.startswith("How sure is this, and what to keep in mind") for one in app.expander)
    assert not app.warning, "none forbids a claim"


@pytest.mark.parametrize(
    ("delta", "verdict"), [(1.25, "error"), (1.55, "info"), (1.58, "info"), (1.9, "success"), (1.0, "error")]
)
def test_moving_the_tolerance_changes_the_verdict_at_once(delta: float, verdict: str) -> None:
    app = opened("Robustness")
    app.slider(key=key("delta")).set_value(delta).run()
    assert not app.exception
    assert [box for box, _ in verdict_boxes(app)] == [verdict]
    expected = find(make_result(), GradientFlowDecision(delta=delta, stop_at=500)).verdict
    assert {Verdict.VIOLATION: "error", Verdict.NO_VIOLATION: "success", Verdict.INSUFFICIENT: "info"}[
        expected
    ] == verdict


def test_error_rate_stopping_time_and_statistic_are_read_live() -> None:
    app = opened("Robustness")
    app.select_slider(key=key("alpha")).set_value(0.001).run()
    assert "99.9% confidence" in verdict_boxes(app)[0][1]
    app.select_slider(key=key("stop")).set_value(20).run()
    assert "loss ratio 1.07" in told(app)
    app.segmented_control(key=key("statistic")).set_value("error-rate ratio").run()
    assert "The model errs" in written(app)
    assert "Metrics learned again from half of the rows" in written(app)


def test_a_reading_moves_without_any_new_search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.audits.gradient_flow.engine.SearchBench.search", None)
    app = opened("Robustness")
    app.slider(key=key("delta")).set_value(1.7).run()
    assert not app.exception


def test_the_reading_is_kept_in_the_address() -> None:
    app = page()
    app.query_params.update({key("delta"): "1.7", key("view"): "Robustness", key("statistic"): "loss ratio"})
    app.run()
    assert app.slider(key=key("delta")).value == 1.7
    assert app.success


def test_the_reading_of_one_result_does_not_stray_to_another() -> None:
    app = page()
    app.query_params.update({widget_key("delta", make_plan(seed=1)): "1.7", key("view"): "Robustness"})
    app.run()
    assert app.slider(key=key("delta")).value == 1.25


@pytest.mark.parametrize("value", ["1000", "0.5", "-1", "nan", "<b>", ""])
def test_a_tolerance_out_of_range_in_the_address_is_not_obeyed(value: str) -> None:
    app = page()
    app.query_params.update({key("delta"): value, key("view"): "Robustness"})
    app.run()
    assert not app.exception
    assert app.slider(key=key("delta")).value == 1.25


def test_a_plan_with_a_large_tolerance_keeps_it() -> None:
    app = page(delta=100.0)
    app.session_state[key("view")] = "Robustness"
    app.run()
    assert app.slider(key=key("delta")).value == 100.0
    assert app.success


@pytest.mark.parametrize("tab", TABS)
def test_names_that_are_markup_are_shown_letter_by_letter(tab: str) -> None:
    app = opened(tab, hostile=True)
    left = unescaped(written(app))
    for mark in ("<b", "<img", "<script", "](http", "$", ":red", ":green", "~~", "`"):
        assert mark not in left
    assert not [element for element in app.markdown if element.allow_html]


def test_the_check_for_markup_can_fail() -> None:
    assert "<b" in unescaped(HOSTILE[0])
    assert "<b" not in unescaped(literal(HOSTILE[0]))


@pytest.mark.parametrize("text", ["black = no", "race_a", "p-value", "from (0.25) to 1.5%", "18/25 years; 'old'?"])
def test_words_that_mean_nothing_in_markdown_are_read_aloud_as_they_are(text: str) -> None:
    assert literal(text) == text


@pytest.mark.parametrize("text", ["_a_", "a__b", "- a", "=== a", "1. a", "12) a", "a -> b", "#a", "a*b*"])
def test_marks_that_mean_something_where_they_stand_are_escaped(text: str) -> None:
    assert "\\" in literal(text)


@pytest.mark.parametrize("text", [*HOSTILE, "a :smile: b", "x -> y", "www.example.com", "me@example.com", "1. one"])
def test_escaped_text_keeps_every_letter(text: str) -> None:
    assert re.sub(r"\\(.)", r"\1", literal(text)).replace("\u2060", "") == " ".join(text.split())


def test_pairs_are_walked_through_with_words_for_what_changed() -> None:
    app = opened("Who")
    assert "Pair **1** of 12" in written(app)
    first = app.table[1].value
    assert list(first.columns)[:3] == ["Column", "Person", "Possible twin"]
    assert "Nearest real person" in first.columns[3]
    names = first["Column"].map(unescaped).tolist()
    assert names[-3].startswith("Chance of hired")
    assert [name.partition(" hired")[0] for name in names[-2:]] == [
        "How far from",
        "Difference that counts (fair distance)",
    ]
    assert first["Possible twin"].iloc[:-3].str.contains("▲|▼|⇄").all()
    next(button for button in app.button if button.label == "Next").click().run()
    assert "Pair **2** of 12" in written(app)
    next(button for button in app.button if button.label == "Previous").click().run()
    assert next(button for button in app.button if button.label == "Previous").disabled


def test_record_numbers_start_at_one() -> None:
    pairs = make_result().detail.pairs
    good = make_result().data.favourable
    row = int(pairs.rows[pairs.ranked(len(pairs.ratios) - 1, good)[0]])
    assert f"Row {row + 1:,} " in written(opened("Who"))


def test_the_pair_follows_the_length_of_the_search() -> None:
    app = opened("Who")
    for index, steps in ((0, 20), (-1, 500)):
        app.select_slider(key=key("stop")).set_value(steps).run()
        pairs = make_result().detail.pairs
        first = pairs.ranked(index % len(pairs.ratios), make_result().data.favourable)[0]
        assert f" is {number(pairs.ratios[index, first])} times as far off" in told(app)


def test_a_pair_tells_changes_in_original_units_the_largest_first() -> None:
    result = make_result()
    pairs, index = result.detail.pairs, 3
    rows = {row.column: row for row in columns(result, index, 0)}
    before, after = pairs.before["age"][0], pairs.after["age"][index * 12]
    word = "more" if after > before else "less"
    assert rows["age"].words.endswith(f"{abs(after - before):.1f} {word}")
    assert rows["pay expected"].words == ""
    assert not rows["pay expected"].changed
    flags = [row.changed for row in columns(result, index, 0)]
    assert flags == sorted(flags, reverse=True)


def test_a_category_is_reached_or_left_and_a_whole_number_stays_whole() -> None:
    result = make_result()
    kept = result.detail.pairs
    words = {row.words for i in range(12) for row in columns(result, 0, i) if row.column == "occupation"}
    assert words == {"", "⇄ another category"}
    whole = replace(kept, decimals=kept.decimals * 0, before=kept.before.copy(), after=kept.after.copy())
    whole.before.loc[0, "age"], whole.after.loc[0, "age"] = 37, 41.0
    row = next(row for row in columns(replace(result, detail=replace(result.detail, pairs=whole)), 0, 0))
    by_name = {row.column: row for row in columns(replace(result, detail=replace(result.detail, pairs=whole)), 0, 0)}
    assert (by_name["age"].before, by_name["age"].after, by_name["age"].words) == ("37", "41", "▲ 4 more")
    assert row.changed


def test_no_address_holds_anybody() -> None:
    app = opened("Who")
    next(button for button in app.button if button.label == "Next").click().run()
    pairs = make_result().detail.pairs
    held = " ".join(f"{name} {value}" for name, values in app.query_params.items() for value in values)
    for row in (*pairs.rows, *pairs.real_rows.ravel()):
        assert f" {row}" not in f" {held}"
        assert f" {row + 1}" not in f" {held}"


def test_symbols_are_shown_on_demand() -> None:
    app = opened("Robustness")
    assert app.slider(key=key("delta")).label == "Tolerance: times as far off"
    assert "δ" in app.slider(key=key("delta")).help
    app.toggle(key="symbols").set_value(True).run()
    assert app.slider(key=key("delta")).label == "Tolerance: times as far off δ"


def test_the_record_names_every_fingerprint_and_both_downloads_follow_the_decision() -> None:
    app = page()
    app.session_state[key("view")] = "Record"
    app.run()
    shown = "\n".join(element.value for element in app.code)
    for sha in ("d" * 64, "e" * 64, make_plan().result_fingerprint):
        assert sha in shown
    assert re.search(r"python -m core run baseline_gradient-flow_\d{4}-\d\d-\d\d_record\.json --out", shown)
    assert {"Report (HTML)", "Record (JSON)"} <= {element.proto.label for element in app.get("download_button")}


def test_every_chart_has_words_for_those_who_cannot_see_it() -> None:
    app = page().run()
    charts = app.get("plotly_chart")
    assert len(charts) == 3
    assert all(len(chart.proto.alt) > 40 for chart in charts)
