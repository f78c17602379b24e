"""The page of a fair-dummies test: every tab for every shape of result, and its reading."""

from typing import Any

import pytest

from core.audits.equalized_odds.decision import EqualizedOddsDecision
from core.audits.equalized_odds.verdict import EqualizedOddsFinding
from core.language.phrases import number
from dashboard.audits.equalized_odds.results import EqualizedOddsView
from dashboard.views.results.page import RECORD
from tests.dashboard.results_made import fair_dummies
from tests.dashboard.results_page import ResultsPage, assert_escaped
from tests.dashboard.results_text import chequered, told, verdict_boxes

TABS = (*EqualizedOddsView.tabs, RECORD)
SHAPES: tuple[dict[str, Any], ...] = (
    {},
    {"case": "four classes"},
    {"case": "two classes", "small": True},
    {"case": "four classes", "hostile": True},
    {"rows": 120, "attributes": 1},
    {"case": "four classes", "untested": True},
)
page = ResultsPage("fair_dummies", "Overview")
key = page.key


@pytest.mark.parametrize(("tab", "shape"), chequered(TABS, SHAPES))
def test_every_tab_opens_for_every_shape_of_result(tab: str, shape: dict[str, Any]) -> None:
    app = page(tab, **shape).run()
    assert not app.exception
    assert len(verdict_boxes(app)) == 1
    assert [one.label for one in app.tabs] == list(TABS)
    for chart in app.get("plotly_chart"):
        assert len(chart.proto.alt) > 40
    if shape.get("hostile"):
        assert_escaped(app)


def test_the_card_says_the_verdict_and_the_p_values() -> None:
    app = page(case="two classes").run()
    [(box, card)] = verdict_boxes(app)
    assert (box, "Violation found" in card) == ("error", True)
    for part in (
        "People with the same outcome get different answers depending on sex",
        "each with 95% confidence",
        "points apart",
    ):
        assert part in card
    assert "p-values of “at most 10 percentage points apart”: sex **0.0020**; race **> 0.9999**." in told(app)
    assert "p-values of “no difference”: sex **0.0020**; race" in told(app)
    assert "They are adjusted for 2 attributes." in told(app)


def test_every_part_of_the_reading_is_read_live() -> None:
    shape: dict[str, Any] = {"case": "two classes", "violation": 0.0}
    _, result = fair_dummies(**shape)
    app = page(**shape).run()
    tolerance = app.slider(key=key("delta", **shape))
    assert (tolerance.value, tolerance.max, tolerance.label) == (
        10.0,
        50.0,
        "Tolerance: difference between groups (percentage points)",
    )
    assert verdict_boxes(app)[0][0] == "info"
    assert "no evidence of fairness" in verdict_boxes(app)[0][1]
    tolerance.set_value(50.0).run()
    assert EqualizedOddsFinding(result, EqualizedOddsDecision(delta=0.5)).headline in verdict_boxes(app)[0][1]
    app.selectbox(key=key("attribute", **shape)).set_value("race").run()
    app.select_slider(key=key("alpha", **shape)).set_value(0.1).run()
    assert not app.exception
    assert "90% confidence" in verdict_boxes(app)[0][1]


def test_an_attribute_that_the_headline_is_not_about_says_what_is_found_of_it() -> None:
    shape: dict[str, Any] = {"case": "two classes"}
    app = page(**shape).run()
    assert not any(one.value.startswith("Shown here") for one in app.markdown)
    app.selectbox(key=key("attribute", **shape)).set_value("race").run()
    (shown,) = (one.value for one in app.markdown if one.value.startswith("Shown here"))
    assert shown.replace("\u2060", "").replace("\\", "").startswith("Shown here: race = ")
    assert "sex" in verdict_boxes(app)[0][1]


def test_a_tolerance_of_the_plan_is_kept_to_the_last_digit() -> None:
    shape: dict[str, Any] = {"case": "two classes", "violation": 0.0}
    app = page(decision=EqualizedOddsDecision(delta=0.0123), **shape).run()
    assert "more than the 1.2 tolerated" in verdict_boxes(app)[0][1]
    assert app.slider(key=key("delta", **shape)).value == pytest.approx(1.23)


def test_the_tolerance_of_numbers_is_chosen_in_the_outcomes_units() -> None:
    _, result = fair_dummies()
    spread = float(result.detail.outcome.std())
    app = page(decision=EqualizedOddsDecision(delta=0.1234)).run()
    tolerance = app.slider(key=key("delta"))
    assert tolerance.label == "Tolerance: difference between groups (units of outcome)"
    assert tolerance.value == pytest.approx(0.1234 * spread)
    assert any(f"standard deviation of outcome is {number(spread)}" in one.value for one in app.caption)
    tolerance.set_value(0.0).run()
    assert EqualizedOddsFinding(result, EqualizedOddsDecision(delta=0.0)).headline in verdict_boxes(app)[0][1]
    assert not any("percentage points tolerated" in one for one in verdict_boxes(app)[0])


def test_one_attribute_leaves_no_choice_of_attribute() -> None:
    assert not page(attributes=1).run().selectbox
    assert page().run().selectbox(key=key("attribute")).options == ["sex", "race"]


def test_the_next_steps_name_the_rows_that_would_be_needed() -> None:
    app = page(violation=0.0).run()
    card = verdict_boxes(app)[0][1]
    assert "What to do next" in card
    assert "instead of 1,500" in card


def test_robustness_shows_the_other_way_to_draw() -> None:
    facts = page("Robustness").run().table[-1].value
    assert sum("drawn the other way" in name for name in facts.index) == 2


def test_the_record_of_a_number_tells_how_far_off_the_model_is() -> None:
    assert "Root mean squared error" in told(page(RECORD).run())
    assert "always answering the most frequent outcome" in told(page(RECORD, case="two classes").run())
