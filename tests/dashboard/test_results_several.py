"""The results page of an audit with several tests."""

import re

import pytest
from streamlit.testing.v1 import AppTest

from core.audits import KINDS
from core.base.errors import Caveat, in_short
from core.inference.estimate import Verdict
from core.report.multiple_tests import Together
from core.run import find
from core.study import Study
from dashboard.audits.generic import pages_of
from dashboard.views.results.overall import in_several
from dashboard.views.results.page import RECORD
from dashboard.views.results.widgets import widget_key
from tests.dashboard.results_made import several
from tests.dashboard.results_text import told, verdict_boxes

FLOW, TRANSPORT = (KINDS[kind].title for kind in ("gradient_flow", "transport"))


def page(test: str = FLOW, excess: float = 0.6, bias: float = 1.0) -> AppTest:
    def script(excess: float, bias: float) -> None:
        from dashboard.views.results import page as results
        from tests.dashboard.results_made import several

        results.show(*several(excess=excess, bias=bias))

    app = AppTest.from_function(script, default_timeout=30, args=(excess, bias))
    app.session_state[key("test")] = test
    return app


def key(field: str, place: int | None = None) -> str:
    study = several(excess=0.6, bias=1.0)[0]
    return widget_key(field, study if place is None else study.plans[place])


@pytest.mark.parametrize("test", [FLOW, TRANSPORT, RECORD])
def test_every_part_of_the_page_opens(test: str) -> None:
    app = page(test).run()
    assert not app.exception
    assert len(verdict_boxes(app)) == (1 if test == RECORD else 2)


@pytest.mark.parametrize("browser", ["/usr/bin/chromium", None])
def test_what_a_pdf_leaves_out_is_said_where_there_is_one(monkeypatch: pytest.MonkeyPatch, browser: str | None) -> None:
    monkeypatch.setattr("dashboard.views.results.page.chromium", lambda: browser)
    said = [one.value for one in page().run().caption if one.value.startswith("The PDF has the pictures")]
    assert len(said) == bool(browser)


@pytest.mark.parametrize("place", [0, 1])
def test_every_tab_of_every_test_opens(place: int) -> None:
    app = page((FLOW, TRANSPORT)[place])
    kind = ("gradient_flow", "transport")[place]
    for tab in pages_of(KINDS[kind]).view.tabs:
        app.session_state[key("view", place)] = tab
        app.run()
        assert not app.exception


@pytest.mark.parametrize(
    ("excess", "bias", "box", "headline"),
    [
        (
            0.6,
            1.0,
            "error",
            "For the most misjudged similar person a search could make up, the model would be 1.58 times as ",
        ),
        (
            0.6,
            0.0,
            "error",
            "For the most misjudged similar person a search could make up, the model would be 1.58 times as ",
        ),
        (0.27, 0.0, "info", "Whether the model is more than 1.25 times as far off for similar people is open: "),
    ],
)
def test_one_sentence_stands_for_all_tests(excess: float, bias: float, box: str, headline: str) -> None:
    (found, card), *_ = verdict_boxes(page(excess=excess, bias=bias).run())
    together = Together.of(*several(excess=excess, bias=bias))
    assert found == box
    assert together.headline.startswith(headline)
    assert together.headline in card
    assert re.sub(r"\s", "", together.sentence) in re.sub(r"\s", "", card)


def test_the_table_gives_verdict_p_value_and_adjusted_p_value_of_each_test() -> None:
    table = page().run().table[0].value
    assert list(table.index) == [FLOW, TRANSPORT]
    plain = table.rename(columns=lambda name: name.replace("\\", "")).map(lambda cell: cell.replace("\\", ""))
    assert list(plain.columns) == ["Verdict", "p-value", "Adjusted p-value (Holm)"]
    assert plain["Verdict"].isin({verdict.words for verdict in Verdict}).all()
    for column in plain.columns[1:]:
        assert list(plain[column]) == ["< 0.0001", "0.0025"]


def test_the_error_rate_is_one_for_all_tests() -> None:
    app = page(TRANSPORT).run()
    assert [slider.key for slider in app.select_slider].count(key("alpha")) == 1
    app.select_slider(key=key("alpha")).set_value(0.001).run()
    assert not app.exception
    overall, own = verdict_boxes(app)
    assert not any("A trial" in box.value for box in page(TRANSPORT).run().warning)
    assert "any false alarm stays at 0.1%" in overall[1]
    assert "99.9% confidence" in own[1]
    app.session_state[key("test")] = FLOW
    assert "99.9% confidence" in verdict_boxes(app.run())[1][1]


def test_each_test_has_a_reading_of_its_own_wherever_one_looks() -> None:
    app = page(TRANSPORT)
    app.query_params.update({key("delta", 0): "1.9", key("tolerance", 1): "20"})
    app.run()
    assert app.slider(key=key("delta", 0)).value == 1.9
    assert app.slider(key=key("tolerance", 1)).value == 20
    verdicts = app.table[0].value["Verdict"]
    assert verdicts.str.contains("no violation found").all()
    assert verdict_boxes(app)[0][0] == "success"
    (trial,) = [box.value for box in app.warning if "A trial" in box.value]
    assert "violation found" in trial


def test_a_violation_that_the_adjustment_does_not_confirm_is_said_to_be_none() -> None:
    study, results = several(excess=0.6, bias=0.0)
    low = next(
        delta
        for delta in (1.5 + step / 1000 for step in range(200))
        if 0.026 < find(results[0], study.plans[0].decision).under(delta=delta).p_value < 0.049
    )
    app = page(bias=0.0)
    app.query_params[key("delta", 0)] = f"{low:.3f}"
    app.run()
    overall, own = verdict_boxes(app)
    assert (overall[0], own[0]) == ("info", "info")
    assert "among several tests this one is **insufficient evidence**" in told(app)


def test_what_several_tests_say_stands_on_top_only() -> None:
    one, other, third = (Caveat("warning", what) for what in ("One.", "Other.", "Third."))
    assert in_several(((one, other, one), (other, third), (third, other))) == (other, third)
    assert in_several(((one, one), ())) == ()
    assert in_several(((one,),)) == ()


def test_a_number_is_qualified_by_the_first_sentence_of_what_is_serious() -> None:
    grave, mild = Caveat("serious", "It is grave. And why."), Caveat("warning", "It is mild.")
    assert in_short((mild, grave)) == "It is grave."
    assert in_short((mild,)) == ""


def test_the_page_opens_at_the_test_that_decides_and_a_line_opens_another() -> None:
    """The transport test's bound is the larger multiple of its tolerance; an address that names a test wins."""
    app = page(excess=0.6, bias=1.0)
    del app.session_state[key("test")]
    app.run()
    assert app.button(key="open_0").label.replace("\\", "") == FLOW
    app.button(key="open_0").click().run()
    assert app.session_state[key("test")] == FLOW


def test_another_result_opens_at_a_test_and_not_at_the_tab_that_was_left() -> None:
    def script() -> None:
        import streamlit as st

        from dashboard.views.results import page as results
        from tests.dashboard.results_made import groups_beside_transport, several

        results.show(*(groups_beside_transport() if "other" in st.session_state else several(excess=0.6, bias=1.0)))

    app = AppTest.from_function(script, default_timeout=30)
    app.session_state[key("test")] = RECORD
    assert len(verdict_boxes(app.run())) == 1
    app.session_state["other"] = True
    assert len(verdict_boxes(app.run())) == 2
    del app.session_state["other"]
    assert len(verdict_boxes(app.run())) == 1, "each keeps its own"


def test_the_record_tells_shared_settings_once_and_each_test_its_own() -> None:
    app = page(RECORD).run()
    text = told(app)
    assert text.count("Prediction or score columns") == 1
    for own in ("Weight of similarity", "Columns that tell people apart", FLOW, TRANSPORT):
        assert own in text
    codes = "\n".join(element.value for element in app.code)
    study = several(excess=0.6, bias=1.0)[0]
    assert all(plan.result_fingerprint in codes for plan in study.plans)
    assert {"Report (HTML)", "Record (JSON)"} <= {element.proto.label for element in app.get("download_button")}


def test_tests_of_one_kind_are_numbered() -> None:
    study = several(excess=0.6, bias=1.0)[0]
    again = study.plans[1].model_copy(update={"seed": 1})
    assert Study(plans=(*study.plans, again)).names == (FLOW, f"{TRANSPORT} 1", f"{TRANSPORT} 2")


def test_the_cards_say_once_each_that_answers_go_against_the_outcomes() -> None:
    def script() -> None:
        from dataclasses import replace

        from core.models.direction import Direction
        from dashboard.views.results import page as results
        from tests.dashboard.results_made import several

        study, found = several(excess=0.6, bias=1.0)
        against = Direction("scores", -0.3, -0.2, "1", (0.0, 0.0), "Check the order of the classes.")
        results.show(study, tuple(replace(one, model=replace(one.model, direction=against)) for one in found))

    app = AppTest.from_function(script, default_timeout=30)
    app.session_state[key("test")] = FLOW
    app.run()
    assert not app.exception
    boxes = [words for _, words in verdict_boxes(app)]
    assert [words.count("Answers go against the outcomes, so nothing is claimed.") for words in boxes] == [1, 1]
    assert all("Insufficient evidence" in words for words in boxes)
    assert not [box for box in app.warning if "go against the outcomes" in box.value]
    assert "Check the order of the classes." in boxes[1]


def test_an_audit_with_the_same_results_as_one_that_was_read_opens_as_it_was_run() -> None:
    def script() -> None:
        import streamlit as st

        from dashboard.views.results import page as results
        from dashboard.views.results.widgets import begin_as_run
        from tests.dashboard.results_made import several

        study, found = several(excess=0.6, bias=1.0)
        begin_as_run(str(st.session_state["job"]), study)
        results.show(study, found)

    app = AppTest.from_function(script, default_timeout=30)
    app.session_state["job"], app.session_state[key("test")] = "first", FLOW
    as_run = app.run().slider(key=key("delta", 0)).value
    assert app.slider(key=key("delta", 0)).set_value(1.9).run().slider(key=key("delta", 0)).value == 1.9
    app.select_slider(key=key("alpha")).set_value(0.1).run()
    assert app.run().slider(key=key("delta", 0)).value == 1.9
    app.session_state["job"] = "second"
    app.query_params.clear()
    app.run()
    assert app.slider(key=key("delta", 0)).value == as_run
    assert app.select_slider(key=key("alpha")).value == 0.05
