"""The page of groups: every tab for every shape of result, and its decision settings."""

from dataclasses import replace
from typing import Any

import pytest

from core.audits.group_fairness.decision import GroupFairnessDecision
from core.audits.group_fairness.verdict import GroupFairnessFinding
from dashboard.audits.group_fairness.results import GroupFairnessView
from dashboard.views.results.page import RECORD
from tests.dashboard.results_made import groups
from tests.dashboard.results_page import ResultsPage, assert_escaped
from tests.dashboard.results_text import chequered, told, verdict_boxes

TABS = (*GroupFairnessView.tabs, RECORD)
SHAPES: tuple[dict[str, Any], ...] = (
    {},
    {"case": "four classes"},
    {"case": "two classes", "small": True},
    {"case": "four classes", "hostile": True},
    {"rows": 40, "attributes": 1},
)
page = ResultsPage("groups", "Groups")
key = page.key


@pytest.mark.parametrize(("tab", "shape"), chequered(TABS, SHAPES))
def test_every_tab_opens_for_every_shape_of_result(tab: str, shape: dict[str, Any]) -> None:
    tabs = [tab for tab in TABS if shape.get("attributes") != 1 or tab != "Several attributes"]
    app = page(tab if tab in tabs else tabs[0], **shape).run()
    assert not app.exception
    assert len(verdict_boxes(app)) == 1
    assert [one.label for one in app.tabs] == tabs
    for chart in app.get("plotly_chart"):
        assert len(chart.proto.alt) > 40
    if shape.get("hostile"):
        assert_escaped(app)


def test_the_card_names_who_is_harmed_and_gives_the_p_value_of_all_together() -> None:
    app = page(case="two classes").run()
    [(box, card)] = verdict_boxes(app)
    assert box == "error"
    who = "People with sex = Female get the prediction outcome = no more often than people with sex = Male where "
    assert f"{who}the outcome was" in card
    assert "p-value of “nobody fares worse than tolerated”: **< 0.0001**." in told(app)


def test_what_is_compared_with_whom_is_read_live() -> None:
    shape: dict[str, Any] = {"case": "two classes"}
    app = page(**shape).run()
    app.selectbox(key=key("measure", **shape)).set_value("selection rate").run()
    assert "where the outcome was" not in verdict_boxes(app)[0][1]
    app.multiselect(key=key("reference", **shape)).set_value(["race = White"]).run()
    app.multiselect(key=key("within", **shape)).set_value(["region"]).run()
    assert "alike in region" in verdict_boxes(app)[0][1]
    assert not app.exception
    numbers = page().run()
    assert not numbers.exception
    assert [one.label for one in numbers.get("button_group")]


def test_the_tolerance_and_the_error_rate_are_read_live() -> None:
    shape: dict[str, Any] = {"case": "two classes"}
    app = page(**shape).run()
    tolerance = app.slider(key=key("delta", **shape))
    assert (tolerance.value, tolerance.max) == (10.0, 50.0)
    assert tolerance.label == "Tolerance: difference between groups (percentage points)"
    tolerance.set_value(50.0)
    app.slider(key=key("ratio", **shape)).set_value(0.0).run()
    assert verdict_boxes(app)[0][0] != "error"
    app.selectbox(key=key("attribute", **shape)).set_value("race").run()
    app.select_slider(key=key("alpha", **shape)).set_value(0.1).run()
    assert not app.exception


def test_tabs_show_figures_with_their_tables() -> None:
    shown = page("Groups", case="four classes").run()
    assert len(shown.get("plotly_chart")) == 1
    assert len(page("Several attributes", case="four classes").run().get("plotly_chart")) == 1
    measures = page("All measures", case="four classes").run()
    assert len(measures.get("plotly_chart")) == 2
    assert "alike in one column, on average over its values" in told(page("Alike in a column").run())
    assert len(page("Coverage").run().get("plotly_chart")) == 2


def test_sets_that_hold_every_outcome_say_so() -> None:
    """They are as large as there are outcomes; the simulated model is surer than that."""
    _, result = groups(case="two classes")
    assert not GroupFairnessFinding(result, GroupFairnessDecision()).sets_hold_everything
    first = result.detail.coverage[0]
    full = replace(first, sizes=first.sizes * 0 + 2.0)
    detail = replace(result.detail, coverage=(full, *result.detail.coverage[1:]))
    assert GroupFairnessFinding(replace(result, detail=detail), GroupFairnessDecision()).sets_hold_everything


def test_whom_a_test_by_itself_leaves_open_is_named_below_its_verdict() -> None:
    besides = next(one.value for one in page().run().table if one.value.index.name == "Besides the headline")
    standing = besides.loc["sex = Male and race = Black against everybody else", "Tolerance"]
    assert standing == "surely different; whether beyond the tolerance is open"
