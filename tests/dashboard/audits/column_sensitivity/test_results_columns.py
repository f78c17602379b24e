"""The page of a sensitivity audit of columns: every tab for every shape of result, and its reading."""

from typing import Any

import pytest

from core.audits.column_sensitivity.decision import ColumnSensitivityDecision
from core.audits.column_sensitivity.verdict import ColumnSensitivityFinding
from dashboard.audits.column_sensitivity.results import ColumnSensitivityView
from dashboard.views.results.page import RECORD
from tests.dashboard.results_made import columns
from tests.dashboard.results_page import ResultsPage, assert_escaped
from tests.dashboard.results_text import told, verdict_boxes

TABS = (*ColumnSensitivityView.tabs, RECORD)
SHAPES: tuple[dict[str, Any], ...] = (
    {},
    {"attributes": 1, "through": False},
    {"hostile": True},
    {"gradients": False},
    {"rows": 12},
)
page = ResultsPage("columns")
key = page.key


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: " ".join(shape) or "plain")
def test_every_tab_opens_for_every_shape_of_result(shape: dict[str, Any]) -> None:
    for tab in TABS:
        app = page(tab, **shape).run()
        assert not app.exception
        assert len(verdict_boxes(app)) == 1
        assert [one.label for one in app.tabs] == list(TABS)
        if shape.get("hostile"):
            assert_escaped(app)


def test_the_card_says_the_verdict_and_the_p_value() -> None:
    app = page().run()
    [(box, card)] = verdict_boxes(app)
    assert (box, "Violation found" in card) == ("error", True)
    for part in ("changes the answer by", "600 people", "95% confidence", "5 percentage points tolerated"):
        assert part in card
    assert "p-value against the tolerance, adjusted for all attributes: **0.0020**." in told(app)
    assert "would get another predicted outcome" in told(app)


def test_every_part_of_the_reading_is_read_live() -> None:
    _, result = columns()
    app = page().run()
    tolerance = app.slider(key=key("delta"))
    assert (tolerance.value, tolerance.max, tolerance.label) == (
        5.0,
        20.0,
        "Tolerance: change of the answer (percentage points)",
    )
    tolerance.set_value(18.0).run()
    assert ColumnSensitivityFinding(result, ColumnSensitivityDecision(delta=0.18)).headline in verdict_boxes(app)[0][1]
    app.selectbox(key=key("attribute")).set_value("race").run()
    app.segmented_control(key=key("measure")).set_value("slope").run()
    app.select_slider(key=key("alpha")).set_value(0.1).run()
    assert not app.exception
    [(_, card)] = verdict_boxes(app)
    assert "group of sex" in card
    assert "90% confidence" in card
    assert "18 percentage points tolerated" in card


def test_a_tolerance_of_the_plan_is_kept_to_the_last_digit() -> None:
    app = page(decision=ColumnSensitivityDecision(delta=0.0371)).run()
    assert "3.71 percentage points tolerated" in verdict_boxes(app)[0][1]


def test_without_gradients_there_is_no_choice_of_measure_and_one_attribute_none_of_attribute() -> None:
    app = page(gradients=False).run()
    assert [one.key for one in app.segmented_control] == ["chart_format"]
    assert "no gradients" in told(app)
    slope = page("What changes", gradients=False, decision=ColumnSensitivityDecision(measure="slope")).run()
    assert not slope.exception
    assert verdict_boxes(slope)[0][0] == "info"
    assert not page(attributes=1, through=False).run().selectbox


def test_what_changes_is_told_in_original_units() -> None:
    app = page("What changes").run()
    facts = next(one.value for one in app.table if one.value.index.name != "Besides the headline")
    told_of = facts.iloc[0, 0].replace("\\", "")
    assert told_of == "hair, by the mean difference between the groups"
    assert list(app.table[-1].value.columns) == ["Put into sex", "Mean change"]


@pytest.mark.parametrize("tab", ["Why", "Who", "What changes"])
def test_every_chart_has_words_for_those_who_cannot_see_it(tab: str) -> None:
    charts = page(tab).run().get("plotly_chart")
    assert charts
    assert all(len(chart.proto.alt) > 40 for chart in charts)
