"""The page of a sensitivity audit of texts: every tab for every shape of result, the reading, and reading texts."""

import re
from html.parser import HTMLParser
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from core.audits.text_sensitivity.decision import TextSensitivityDecision
from core.audits.text_sensitivity.verdict import TextSensitivityFinding as Finding
from core.report.html import render
from core.study import Study
from dashboard.audits.text_sensitivity.results import TextSensitivityView
from dashboard.audits.text_sensitivity.results_order import ANY, ORDERS, Filter, places, rank_text
from dashboard.views.results.page import RECORD
from dashboard.views.results.widgets import widget_key
from tests.dashboard.results_made import sensitivity, with_texts
from tests.dashboard.results_page import ResultsPage
from tests.dashboard.results_text import told, unescaped, verdict_boxes, written

TABS = (*TextSensitivityView.tabs, RECORD)
BARE: dict[str, Any] = {
    "reference": False,
    "status": "none",
    "annotation": False,
    "attributes": 0,
    "labels": False,
    "exchanged": False,
}
SHAPES: tuple[dict[str, Any], ...] = (
    {},
    {"attributes": 2, "classes": 2, "cut": True},
    {"hostile": True, "attributes": 2},
    {"bias": 0.0, "status": "weak"},
    {"shown": 0},
    {"texts": 20, "shown": 20},
    BARE,
)
page = ResultsPage("sensitivity")
key = page.key


class Tags(HTMLParser):
    """Names of the tags of a page of HTML."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: set[str] = set()
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.add(tag)


def raw(app: AppTest) -> str:
    """Everything on the page that is HTML of our own."""
    return "".join(element.proto.body for element in app.get("html"))


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: " ".join(shape) or "plain")
def test_every_tab_opens_for_every_shape_of_result(shape: dict[str, Any]) -> None:
    tabs = (*TextSensitivityView().tabs_of(sensitivity(**shape)[1]), RECORD)
    for tab in tabs:
        app = page(tab, **shape).run()
        assert not app.exception
        assert len(verdict_boxes(app)) == 1
        assert [tab.label for tab in app.tabs] == list(tabs)


def test_tabs_without_anything_to_show_are_left_out() -> None:
    view = TextSensitivityView()
    assert view.tabs_of(sensitivity()[1]) == view.tabs
    assert "Compare" not in view.tabs_of(sensitivity(**BARE)[1])
    assert "Read" not in view.tabs_of(sensitivity(shown=0)[1])


def test_the_card_says_the_verdict_with_texts_interval_and_tolerance_and_the_p_value() -> None:
    app = page().run()
    [(box, card)] = verdict_boxes(app)
    assert (box, "Violation found" in card) == ("error", True)
    for part in (
        "changes the answer by",
        "114 texts",
        "95% confidence",
        "5 percentage points tolerated",
        "change class",
    ):
        assert part in card
    assert "p-value against the tolerance: **0.0010**." in told(app)


def test_every_part_of_the_reading_is_read_live() -> None:
    _, result = sensitivity()
    app = page().run()
    app.slider(key=key("delta")).set_value(15.0).run()
    assert Finding(result, TextSensitivityDecision(delta=0.15)).headline in verdict_boxes(app)[0][1]
    app.segmented_control(key=key("judged")).set_value("reference").run()
    app.selectbox(key=key("measure")).set_value("P4").run()
    app.select_slider(key=key("alpha")).set_value(0.1).run()
    assert not app.exception
    read = TextSensitivityDecision(judged="reference", measure="P4", alpha=0.1)
    [(_, card)] = verdict_boxes(app)
    assert Finding(result, read).headline in card
    assert "90% confidence" in card
    app.segmented_control(key=key("judged")).set_value("swaps").run()
    assert app.slider(key=key("delta")).value == 15.0


def test_a_tolerance_belongs_to_what_is_judged_and_has_its_unit() -> None:
    app = page().run()
    swaps = app.slider(key=key("delta"))
    assert (swaps.value, swaps.max) == (5.0, 20.0)
    assert swaps.label == "Tolerance: change of the answer (percentage points)"
    app.segmented_control(key=key("judged")).set_value("reference").run()
    second = app.slider(key=key("delta-P3"))
    assert second.value == 0.0
    assert second.label == "Tolerance: change of the answer (P3)"


def test_the_signed_product_is_offered_where_it_means_something() -> None:
    app = page().run()
    app.toggle(key=key("signed")).set_value(True).run()
    assert not app.exception
    app.selectbox(key=key("measure")).set_value("P1").run()
    assert key("signed") not in {toggle.key for toggle in app.toggle}
    assert not app.exception


def test_a_measure_that_is_not_to_be_had_is_explained_and_another_is_shown() -> None:
    app = page("Corpus", **BARE).run()
    chosen = app.selectbox(key=key("measure", **BARE))
    assert (chosen.value, chosen.options) == ("P1", ["All words alike (P1)"])
    for reason in ("P2 needs a protected status model", "P4 applies to none", "No text holds a word that could be"):
        assert reason in told(app)


def test_what_the_plan_judges_stays_though_its_measure_is_not_to_be_had() -> None:
    decision = TextSensitivityDecision(judged="reference", measure="P2")
    app = page("Corpus", decision, status="none").run()
    assert app.selectbox(key=key("measure", status="none")).value == "P2"
    assert "Choose another measure above" in told(app)
    assert verdict_boxes(app)[0][0] == "info"


def test_the_reading_is_kept_in_the_address() -> None:
    app = page("Read")
    app.query_params.update({key("delta"): "15", key("measure"): "Words that name a group (P4)", key("text"): "7"})
    app.run()
    assert app.slider(key=key("delta")).value == 15.0
    assert app.selectbox(key=key("measure")).value == "P4"
    assert app.number_input(key=key("text")).value == 7


@pytest.mark.parametrize("value", ["4000", "-1", "nan", "<b>", ""])
def test_a_text_that_is_not_there_in_the_address_is_not_obeyed(value: str) -> None:
    app = page("Read")
    app.query_params[key("text")] = value
    app.run()
    assert not app.exception
    assert app.number_input(key=key("text")).value == 1


def button(app: AppTest, label: str) -> Any:
    return next(one for one in app.button if one.label == label)


def shown_text(app: AppTest) -> str:
    """The text read, without tags."""
    found = re.search(r'<p class="ev-words"[^>]*>(.*?)</p>', raw(app), re.DOTALL)
    assert found
    return re.sub(r"<[^>]+>", "", found[1])


def test_next_and_previous_walk_through_the_texts_in_order() -> None:
    _, result = sensitivity()
    detail = result.detail
    order = places(Finding(result, TextSensitivityDecision()), "measure", Filter())
    app = page("Read").run()
    assert shown_text(app) == detail.shown.texts[order[0]]
    assert button(app, "Previous").disabled
    button(app, "Next").click().run()
    assert shown_text(app) == detail.shown.texts[order[1]]
    button(app, "Previous").click().run()
    assert shown_text(app) == detail.shown.texts[order[0]]
    app.number_input(key=key("text")).set_value(len(order)).run()
    assert button(app, "Next").disabled
    assert shown_text(app) == detail.shown.texts[order[-1]]


def test_a_filter_begins_at_its_first_text_and_keeps_the_rest_out() -> None:
    _, result = sensitivity()
    detail = result.detail
    app = page("Read").run()
    app.number_input(key=key("text")).set_value(30).run()
    app.selectbox(key=key("read-group")).set_value((0, 1)).run()
    men = detail.memberships[0].codes[detail.shown.rows] == 1
    assert app.number_input(key=key("text")).value == 1
    assert app.number_input(key=key("text")).max == men.sum()
    assert "Male" in set(app.table[2].value.iloc[:, 0])
    app.selectbox(key=key("read-true")).set_value(2).run()
    app.selectbox(key=key("read-predicted")).set_value(3).run()
    assert not app.exception
    if not app.number_input:
        assert "No kept text is like that" in told(app)


def test_only_changed_answers_can_be_asked_for() -> None:
    _, result = sensitivity(bias=3.0)
    app = page("Read", bias=3.0).run()
    app.toggle(key=key("changed", bias=3.0)).set_value(True).run()
    assert (
        app.number_input(key=key("text", bias=3.0)).max == result.detail.audited.flipped[result.detail.shown.rows].sum()
    )
    assert "the predicted class changes" in told(app)


def test_a_text_is_told_with_its_answer_its_truth_and_what_exchanged_words_change() -> None:
    _, result = sensitivity()
    detail = result.detail
    first = int(places(Finding(result, TextSensitivityDecision()), "measure", Filter())[0])
    row = int(detail.shown.rows[first])
    app = page("Read").run()
    facts = dict(zip(app.table[2].value.index, app.table[2].value.iloc[:, 0], strict=True))
    facts = {name.replace("\\", ""): value.replace("\\", "") for name, value in facts.items()}
    assert facts["Predicted class"].startswith(detail.classes[detail.audited.predicted[row]])
    assert facts["True class"].startswith(detail.classes[detail.label[row]])
    assert facts["Row"] == str(detail.shown.records[first])
    assert facts["Words that give the group away, by embedding (P3)"].endswith("the largest of 120 texts")
    assert "of the probability moves" in facts["Effect of exchanged words (CF)"]
    assert "Second model" in facts
    assert raw(app).count("<ins>") >= 1
    assert "→" in told(app)


def test_the_words_of_a_text_stand_in_a_table_too() -> None:
    app = page("Read").run()
    table = app.table[1].value
    assert [*table.columns] == ["Word", "Audited model", "wᵀJ", "Protected status model", "Names a group"]
    words = [word.replace("\\", "") for word in table["Word"]]
    assert "".join(words) == shown_text(app).replace(" ", "")
    assert "yes" in set(table["Names a group"])


def test_cut_words_are_said_not_to_be_read() -> None:
    app = page("Read", cut=True, attributes=2, classes=2).run()
    assert "The model does not read the last" in told(app)
    assert "not read" in set(app.table[1].value["Audited model"])


@pytest.mark.parametrize("order", ORDERS)
def test_every_order_holds_every_kept_text_once(order: Any) -> None:
    finding = Finding(sensitivity()[1], TextSensitivityDecision(measure="P4"))
    detail, found = finding.detail, places(finding, order, Filter())
    assert sorted(found) == list(range(len(detail.shown.rows)))
    rows = detail.shown.rows[found]
    keys = {
        "measure": -detail.audited.values("P4")[rows],
        "CF": -detail.audited.measures[rows, 5],
        "unsure": detail.audited.confidence[rows],
        "record": detail.shown.records[found],
    }[order]
    known = keys[np.isfinite(keys)]
    assert (np.diff(known) >= 0).all()
    assert np.isnan(keys[len(known) :]).all()


def test_filters_agree_with_the_detail() -> None:
    finding = Finding(sensitivity(attributes=2)[1], TextSensitivityDecision(measure="P2"))
    detail = finding.detail
    rows = detail.shown.rows
    wanted = Filter(membership=1, group=2, true_class=ANY, predicted_class=1)
    found = places(finding, "record", wanted)
    expected = np.flatnonzero((detail.memberships[1].codes[rows] == 2) & (detail.audited.predicted[rows] == 1))
    assert sorted(found) == list(expected)


def test_the_rank_of_a_text_is_told_in_words() -> None:
    values = np.array([0.1, 0.2, 0.3, np.nan, 0.4])
    assert rank_text(values, 4) == "the largest of 4 texts"
    assert rank_text(values, 1) == "larger than for 33% of the other texts"
    assert rank_text(values, 3) == ""


@pytest.mark.parametrize("tab", TABS)
def test_names_and_texts_that_are_markup_are_shown_letter_by_letter(tab: str) -> None:
    app = page(tab, hostile=True, attributes=2).run()
    left = unescaped(written(app))
    for mark in ("<b", "<i", "<img", "<script", "](", "$", ":red", "~~", "`"):
        assert mark not in left
    assert not [element for element in app.markdown if element.allow_html]
    assert Tags(raw(app)).found <= {"style", "div", "p", "span", "s", "ins"}


def test_every_hostile_text_is_read_without_a_tag_of_its_own() -> None:
    app = page("Read", hostile=True, attributes=2).run()
    for _ in range(6):
        assert Tags(raw(app)).found <= {"style", "div", "p", "span", "s", "ins"}
        button(app, "Next").click().run()
        assert not app.exception


@pytest.mark.parametrize("tab", ["Why", "Corpus", "Compare", "Robustness"])
def test_every_chart_has_words_for_those_who_cannot_see_it(tab: str) -> None:
    charts = page(tab).run().get("plotly_chart")
    assert charts
    assert all(len(chart.proto.alt) > 40 for chart in charts)


def test_a_weak_status_model_is_flagged_and_word_lists_are_named_instead() -> None:
    app = page("Robustness", bias=0.0, status="weak").run()
    assert any("Rely on P4, P5 and CF instead" in warning.value for warning in app.warning)
    none = page("Robustness", **BARE).run()
    assert "There is no protected status model" in told(none)
    assert "No column says what people found biased" in told(none)


def test_the_record_names_texts_status_model_and_second_model() -> None:
    app = page("Record", cut=True, attributes=2, classes=2).run()
    said = told(app)
    for part in ("a word could be exchanged in 114", "Small recurrent network", "balanced.zip"):
        assert part in said
    assert "Texts longer than the model reads" in told(page("Robustness", cut=True, attributes=2, classes=2).run())


def test_next_steps_help_where_the_evidence_is_insufficient_and_only_there() -> None:
    _, result = sensitivity()
    assert Finding(result, TextSensitivityDecision()).next_steps == ()
    close = TextSensitivityDecision(delta=0.09)
    assert any("texts" in step for step in Finding(result, close).next_steps)
    few = Finding(sensitivity(texts=20, shown=20)[1], TextSensitivityDecision())
    assert few.next_steps == ("Bring more texts, or a list of words that occur in them.",)
    second = TextSensitivityDecision(judged="reference", measure="P2", delta=1.0)
    assert "Base the verdict on exchanged words such as he and she." in Finding(result, second).next_steps


def test_several_tests_are_read_together() -> None:
    def script() -> None:
        from dashboard.views.results import page as results
        from tests.dashboard.results_made import with_texts

        results.show(*with_texts())

    app = AppTest.from_function(script, default_timeout=60)
    app.session_state[widget_key("test", with_texts()[0])] = "Text sensitivity test"
    app.run()
    assert not app.exception
    assert len(verdict_boxes(app)) == 2
    assert "Adjusted for 2 tests" in told(app)
    table = app.table[0].value
    assert list(table.index) == ["Gradient-flow test", "Text sensitivity test"]


@pytest.mark.parametrize("hostile", [False, True])
def test_the_report_holds_the_figures_and_no_text(hostile: bool) -> None:
    plan, result = sensitivity(hostile=hostile, attributes=2)
    page = render(Study(plans=(plan,)), (result,))
    for name in ("interval", "flips", "groups", "words", "classes", "pair", "confidence", "status", "annotations"):
        assert f"-sensitivity-{name}" in page
    for text in (*result.detail.shown.texts, *result.detail.shown.exchanged):
        assert not text or text[:40] not in page
    body = re.sub(r"<script\b.*?</script>", "", page, flags=re.DOTALL)
    assert not re.search(r"<(img|i)\b[^>]*(onerror|>F)", body)


def test_a_text_without_words_is_said_to_hold_none() -> None:
    def script() -> None:
        from dataclasses import replace

        import numpy as np

        from core.audits.text_sensitivity.decision import TextSensitivityDecision
        from core.audits.text_sensitivity.verdict import TextSensitivityFinding as Finding
        from dashboard.audits.text_sensitivity import results_read
        from tests.dashboard.results_made import sensitivity

        plan, result = sensitivity()
        shown = result.detail.shown
        empty = np.empty(0)
        none = replace(
            shown, rows=shown.rows[:1], records=shown.records[:1], texts=(" ",), exchanged=("",),
            first=np.array([0, 0]), start=empty.astype(int), end=empty.astype(int), task=empty, status=empty,
            listed=empty.astype(bool), cut=empty.astype(bool),
        )  # fmt: skip
        changed = replace(result, detail=replace(result.detail, shown=none))
        results_read.show(plan, Finding(changed, TextSensitivityDecision()))

    app = AppTest.from_function(script, default_timeout=60).run()
    assert not app.exception
    assert any("holds no word" in info.value for info in app.info)
