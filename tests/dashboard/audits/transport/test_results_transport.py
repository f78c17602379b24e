"""The results page of a transport test as Streamlit runs it, on a small test run through the real engine."""

from typing import Any

import pytest

from core.audits.transport import maps
from core.audits.transport.decision import TransportDecision
from core.audits.transport.maps import EVERYONE, Tile
from core.audits.transport.report import METHODS
from core.audits.transport.settings import LabelBudget, MassLimit
from core.audits.transport.tile import behind
from core.audits.transport.verdict import TransportFinding
from dashboard.audits.transport.results import TransportView
from dashboard.audits.transport.results_who import mark_of
from dashboard.views.results.page import RECORD
from tests.dashboard.results_made import transport
from tests.dashboard.results_page import ResultsPage
from tests.dashboard.results_text import chequered, told, unescaped, verdict_boxes, written

TABS = (*TransportView.tabs, RECORD)
LIMITS = (MassLimit(attribute="race", group="Black", at_most=0.02),)
SHAPES: tuple[dict[str, Any], ...] = (
    {},
    {"similarity": "metric"},
    {"groups": "many"},
    {"labels": 3},
    {"decisions": True},
    {"mixed": True},
    {"bias": 0.0},
    {"hostile": True},
    {"similarity": "metric", "limits": LIMITS, "label_budgets": (LabelBudget(label="yes", budget=0.001),)},
)
page = ResultsPage("transport")
key = page.key

BEHIND = ("Have similar people judged worse", "Those similar people", "Own decision", "Decision of those")
"""Columns of the table behind a tile."""


@pytest.mark.parametrize(("tab", "shape"), chequered(TABS, SHAPES))
def test_every_tab_opens_for_every_shape_of_result(tab: str, shape: dict[str, Any]) -> None:
    app = page(tab, **shape).run()
    assert not app.exception
    assert len(verdict_boxes(app)) == 1


def test_the_card_says_the_verdict_with_people_interval_and_tolerance_and_the_p_value() -> None:
    app = page().run()
    [(box, card)] = verdict_boxes(app)
    assert (box, "Violation found" in card) == ("error", True)
    for part in ("percentage points", "600 audited people", "95% confidence", "3.65 tolerated"):
        assert part in card
    assert "p-value against the tolerance: **0.0025**." in told(app)


def test_every_part_of_the_reading_is_read_live() -> None:
    shape = {"similarity": "metric"}
    _, result = transport(**shape)
    app = page(**shape).run()
    app.slider(key=key("tolerance", **shape)).set_value(30.0).run()
    app.select_slider(key=key("alpha", **shape)).set_value(0.1).run()
    app.segmented_control(key=key("loss", **shape)).set_value("squared").run()
    app.selectbox(key=key("method", **shape)).set_value("closed form").run()
    budget = app.slider(key=key("budget", **shape))
    app.slider(key=key("budget", **shape)).set_value(budget.max).run()
    assert not app.exception
    read = TransportDecision(alpha=0.1, loss="squared", method="closed form", budget=budget.max)
    [(_, card)] = verdict_boxes(app)
    assert TransportFinding(result, read).headline in card
    assert "90% confidence" in card


def test_a_reading_moves_without_running_the_test_again(monkeypatch: pytest.MonkeyPatch) -> None:
    app = page().run()
    monkeypatch.setattr("core.audits.transport.engine.sort_into_strata", None)
    app.slider(key=key("tolerance")).set_value(20.0).run()
    assert not app.exception
    assert verdict_boxes(app)[0][0] == "success"


def test_a_loss_has_a_tolerance_of_its_own() -> None:
    app = page().run()
    app.slider(key=key("tolerance")).set_value(20.0).run()
    app.segmented_control(key=key("loss")).set_value("squared").run()
    assert app.slider(key=key("delta-squared")).value == 0.0365


def test_the_reading_is_kept_in_the_address() -> None:
    app = page()
    app.query_params.update({key("tolerance"): "20", key("method"): "Efron's bootstrap", key("view"): "Robustness"})
    app.run()
    assert app.slider(key=key("tolerance")).value == 20
    assert app.selectbox(key=key("method")).value == "Efron"


@pytest.mark.parametrize("value", ["1000", "-1", "nan", "<b>", ""])
def test_a_tolerance_out_of_range_in_the_address_is_not_obeyed(value: str) -> None:
    app = page()
    app.query_params[key("tolerance")] = value
    app.run()
    assert not app.exception
    assert app.slider(key=key("tolerance")).value == 3.65


def test_the_budget_has_no_widget_and_no_words_where_it_does_not_count() -> None:
    app = page().run()
    assert key("budget") not in {slider.key for slider in app.slider}
    assert "budget has no effect" not in told(app)


def test_a_proposed_budget_that_nobody_moves_stays_proposed() -> None:
    shape = {"similarity": "metric"}
    app = page("Record", **shape).run()
    assert "proposed from the costs" in told(app)


def test_a_loss_that_the_answers_do_not_allow_is_explained() -> None:
    app = page(decisions=True).run()
    assert app.segmented_control(key=key("loss", decisions=True)).options == ["Wrong decisions (0-1)"]
    for tab in TransportView.tabs:
        assert not page(tab, TransportDecision(loss="log"), decisions=True).run().exception
    app = page("Who", TransportDecision(loss="log"), decisions=True).run()
    assert verdict_boxes(app)[0][0] == "info"
    assert "Nobody can be compared" in told(app)


def test_the_largest_moves_are_told_in_plain_sentences() -> None:
    assert " people with outcome reoffended = " in told(page("Who").run())


def test_nobody_moved_is_said() -> None:
    app = page("Who", TransportDecision(budget=0.0), similarity="metric").run()
    assert not app.exception
    if not TransportFinding(transport(similarity="metric")[1], TransportDecision(budget=0.0)).moves.total:
        assert "Nobody has similar people who are judged worse" in told(app)


def test_a_tile_lists_the_kinds_of_people_behind_it() -> None:
    _, result = transport()
    app = page("Who").run()
    assert not app.dataframe
    app.selectbox(key=key("tile")).set_value((0, 0)).run()
    app.selectbox(key=key("group")).set_value(1).run()
    assert not app.exception
    tile = Tile(0, *EVERYONE, 1)
    inside = maps.in_tile(result.detail.cells, tile)
    table = app.dataframe[0].value
    assert table["People"].sum() == result.detail.cells.people[inside].sum()
    assert len(table) == inside.sum()
    assert {"age", "priors", "charge", *BEHIND} <= set(table)


def test_every_way_to_the_interval_stands_beside_the_others_the_one_read_in_bold() -> None:
    decision = TransportDecision(method="Efron")
    table = page("Robustness", decision).run().table[0].value
    assert [name.replace("\\", "") for name in table.index if "**" in name] == ["**Efron's bootstrap**"]
    assert len(table) == 7
    _, result = transport()
    for method, interval in zip(METHODS, table.iloc[:, 0], strict=True):
        low = TransportFinding(result, TransportDecision(method=method)).inference.two_sided(0.05).low
        assert interval.replace("\\", "").startswith(f"{100 * low:.2f} to ")


def test_a_way_in_doubt_is_marked_and_the_doubt_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        TransportFinding,
        "doubts",
        property(lambda self: ("It is not normal.",) if self.decision.method == "closed form" else ()),
    )
    app = page("Robustness").run()
    verdicts = app.table[0].value.iloc[:, -1]
    assert list(verdicts.str.contains("doubtful")) == [method == "closed form" for method in METHODS]
    assert "Normal approximation (closed form):** It is not normal." in told(app)


def test_ways_that_take_long_wait_to_be_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.audits.transport.report.LARGEST_AT_ONCE", {"Efron": 0, METHODS[1]: 0})
    app = page("Robustness").run()
    assert len(app.table[0].value) == 5
    assert app.toggle(key=key("slow")).label.startswith("Also the m-out-of-n bootstrap, m chosen from the data, the Ef")
    app.toggle(key=key("slow")).set_value(True).run()
    assert len(app.table[0].value) == 7


def test_what_limits_change_is_told_with_how_far_they_are_used() -> None:
    app = page("Robustness", similarity="metric", limits=LIMITS).run()
    assert not app.exception
    assert "without them it would be" in told(app)
    row = app.table[0].value.iloc[0]
    assert app.table[0].value.index[0].replace("\\", "") == "Black (race), compared with others"
    assert row["Allowed"].replace("\\", "") == "at most 2% of all people"
    assert row["In this plan"].replace("\\", "") == "2%, 12 people"


def test_a_budget_at_which_the_limits_cannot_be_met_is_an_answer_not_a_failure() -> None:
    limits = (MassLimit(attribute="race", group="Black", at_least=0.4),)
    for tab in TransportView.tabs:
        app = page(tab, TransportDecision(budget=0.0), similarity="metric", limits=limits).run()
        assert not app.exception
        assert verdict_boxes(app)[0][0] == "info"


@pytest.mark.parametrize("sent", [[1, 2, 3], {"0": 1, "1": 2, "2": 3}])
def test_a_click_is_understood_as_a_browser_sends_it(sent: object) -> None:
    assert mark_of(sent) == (1, 2, 3)


def test_what_lies_behind_a_tile_adds_up() -> None:
    _, result = transport(similarity="metric")
    decision = TransportDecision()
    cells, found = result.detail.cells, TransportFinding(result, decision).moves
    for label_map in maps.label_maps(cells, found):
        for row, (column, value) in enumerate(label_map.rows):
            for group in range(len(cells.groups)):
                told_of = behind(TransportFinding(result, decision), Tile(label_map.label, column, value, group))
                assert told_of.people == label_map.people[row, group]
                assert told_of.moved_out == pytest.approx(label_map.moved_out[row, group])
                assert told_of.moved_in == pytest.approx(label_map.moved_in[row, group])
                if told_of.people:
                    assert told_of.own[BEHIND[0]].sum() == pytest.approx(told_of.moved_out, abs=0.05 * told_of.kinds)


def test_a_kind_moved_to_people_treated_worse_is_told_with_both_decisions() -> None:
    _, result = transport()
    decision = TransportDecision()
    cells, found = result.detail.cells, TransportFinding(result, decision).moves
    source = found.source[found.people.argmax()]
    tile = Tile(int(cells.label[source]), *EVERYONE, int(cells.group[source]))
    first = behind(TransportFinding(result, decision), tile).own.iloc[0]
    assert first[BEHIND[0]] > 0
    assert first[BEHIND[2]] != first[BEHIND[3]]
    assert first[BEHIND[1]] != cells.groups[cells.group[source]]


@pytest.mark.parametrize("tab", TABS)
def test_names_that_are_markup_are_shown_letter_by_letter(tab: str) -> None:
    app = page(tab, hostile=True).run()
    left = unescaped(written(app))
    for mark in ("<b", "<img", "<script", "](http", "$", ":red", ":green", "~~", "`"):
        assert mark not in left
    assert not [element for element in app.markdown if element.allow_html]


@pytest.mark.parametrize("tab", TransportView.tabs)
def test_every_chart_has_words_for_those_who_cannot_see_it(tab: str) -> None:
    charts = page(tab, similarity="metric").run().get("plotly_chart")
    assert charts
    assert all(len(chart.proto.alt) > 40 for chart in charts)


def test_symbols_are_shown_on_demand() -> None:
    shape = {"similarity": "metric"}
    app = page(**shape).run()
    assert app.slider(key=key("budget", **shape)).label == "Budget for comparisons"
    assert not any(symbol in chart.proto.spec for chart in app.get("plotly_chart") for symbol in ("\\u03b5", "ε"))
    app.toggle(key="symbols").set_value(True).run()
    assert app.slider(key=key("budget", **shape)).label == "Budget for comparisons ε"
    assert any(symbol in chart.proto.spec for chart in app.get("plotly_chart") for symbol in ("\\u03b5", "ε"))


def test_the_record_names_the_kinds_of_people_and_both_downloads_follow_the_decision() -> None:
    app = page("Record").run()
    assert "Columns that tell people apart" in told(app)
    assert {"Report (HTML)", "Record (JSON)"} <= {element.proto.label for element in app.get("download_button")}
