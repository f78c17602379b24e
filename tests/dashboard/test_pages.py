"""Every page of the way from the first page to a result, and what each says when something is missing."""

import io
import re

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from core.audits.gradient_flow.settings import GradientFlow
from core.metrics.expert import Expert
from tests.dashboard.walking import (
    assert_sound,
    click,
    draft_of,
    give_role,
    home_folder,
    keys,
    named,
    open_app,
    role_select,
    sample_model,
    say_what_high_means,
    settled,
    source,
    texts,
    upload,
    with_built_in_table,
    with_model,
    with_tests,
)

HIRING = b"age,sex,income,hired\n" + b"".join(
    b"%d,%s,%d,%s\n" % (20 + i % 40, b"fm"[i % 2 : i % 2 + 1], 20000 + 137 * i, (b"yes", b"no", b"no")[i % 3])
    for i in range(120)
)


def test_the_first_page_offers_examples_beside_an_own_audit() -> None:
    app = open_app()
    assert_sound(app)
    assert {"start", "example_hiring-baseline", "example_hiring-predictions", "example_compas-faith"} <= keys(app)


def test_an_upload_is_read_guessed_and_examined() -> None:
    app = upload(click(open_app(), "start"), "data.file", "people.csv", HIRING)
    assert_sound(app)
    assert "120 rows and 4 columns, read as CSV, separator comma, encoding utf-8." in texts(app)
    assert role_select(app, "hired").value == "outcome"
    assert "Guessed from names and values" in texts(app)
    assert "stands last" not in texts(app)
    assert named(app.selectbox, "roles.favourable.hired").value == "yes"
    assert role_select(app, "sex").value == "protected"
    assert role_select(app, "age").value == "feature", "age is offered as protected, and not taken"
    assert app.metric[0].value == "120"
    assert len(app.get("plotly_chart")) == 2
    assert not app.button(key="step_next").disabled


def test_the_next_step_is_shut_with_the_reason_in_words() -> None:
    app = upload(click(open_app(), "start"), "data.file", "people.csv", HIRING)
    give_role(app, "none", "sex")
    give_role(app, "feature", "age")
    assert app.button(key="step_next").disabled
    assert app.button(key="step_model").disabled
    assert "Choose at least one protected attribute." in texts(app)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("empty.csv", b""),
        ("header.csv", b"age,sex,hired\n"),
        ("ragged.csv", b"a,b,c\n1,2,3\n1,2,3,4\n" * 20),
        ("not-a-table.xlsx", b"\x89PNG\r\n\x1a\n" + bytes(200)),
        ("few.csv", HIRING[:200]),
    ],
)
def test_a_bad_table_is_refused_with_advice(name: str, content: bytes) -> None:
    app = upload(click(open_app(), "start"), "data.file", name, content)
    assert_sound(app)
    assert len(app.error) == 1, texts(app)
    assert "What to do" in app.error[0].value
    assert app.button(key="step_next").disabled


def test_the_sheets_of_a_workbook_are_offered_at_once_and_the_largest_is_read() -> None:
    people = pd.read_csv(io.BytesIO(HIRING))
    stream = io.BytesIO()
    with pd.ExcelWriter(stream) as workbook:
        pd.DataFrame({"About": ["Sent in March"]}).to_excel(workbook, sheet_name="Notes", index=False)
        people.to_excel(workbook, sheet_name="People", index=False)
        people.head(90).to_excel(workbook, sheet_name="Pilot", index=False)
    app = upload(click(open_app(), "start"), "data.file", "people.xlsx", stream.getvalue())
    assert_sound(app)
    sheets = named(app.selectbox, "data.sheet")
    assert sheets.value == "People"
    assert [option.partition(" ")[0] for option in sheets.options] == ["Notes", "People", "Pilot"]
    assert any("is read" in panel.label for panel in app.expander)
    named(app.selectbox, "data.sheet").set_value("Pilot")
    settled(app)
    assert_sound(app)
    assert draft_of(app).data.sheet == "Pilot"
    assert "90 rows" in texts(app)


def test_a_hostile_column_name_is_shown_letter_by_letter() -> None:
    header = b"age,sex,**:red[x]** <b>,hired\n"
    app = upload(click(open_app(), "start"), "data.file", "$x$ *y*.csv", header + HIRING.split(b"\n", 1)[1])
    assert_sound(app)
    assert "$x$ *y*.csv" in texts(app)
    marked = source(app)
    for query in app.code:
        marked = marked.replace(query.value, "")
    assert "*y*" not in marked
    assert ":red[" not in marked
    assert "$x$" not in marked


def test_a_later_step_opens_only_when_the_earlier_ones_are_finished() -> None:
    app = click(open_app(), "start")
    assert app.button(key="step_review").disabled
    assert app.button(key="step_model").disabled


def test_a_model_is_recognised_tried_and_its_label_turned_round() -> None:
    app = with_model()
    assert_sound(app)
    accuracy = app.metric[0].value
    assert "How the model answers" in texts(app)
    click(app, "model.swap")
    assert_sound(app)
    assert app.metric[0].value != accuracy
    assert "The answers go against the outcomes." in texts(app)
    assert app.button(key="step_next").disabled
    click(app, "model.turn")
    assert app.metric[0].value == accuracy
    assert not app.button(key="step_next").disabled


def test_a_built_in_table_comes_with_sample_models() -> None:
    app = click(with_built_in_table(), "step_next")
    app.radio(key="model.way").set_value("A sample model")
    settled(app)
    assert_sound(app)
    assert "How the model answers" in texts(app)
    assert not app.button(key="step_next").disabled
    app.radio(key="model.way").set_value("A model file")
    settled(app)
    assert "hiring_baseline.safetensors" in texts(app), "the chosen model is kept"


def test_choosing_to_upload_after_a_built_in_table_shuts_the_next_step() -> None:
    app = with_built_in_table()
    app.radio(key="data.way").set_value("Upload a table")
    settled(app)
    assert app.button(key="step_next").disabled
    assert "Choose a table first." in texts(app)


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("model.pkl", b"\x80\x04\x95" + bytes(40), "pickle"),
        ("model.safetensors", sample_model()[1][:100], "What to do"),
        ("model.onnx", b"hello, I am no model at all", "What to do"),
    ],
)
def test_a_bad_model_is_refused_with_advice(name: str, content: bytes, says: str) -> None:
    app = upload(click(with_built_in_table(), "step_next"), "model.file", name, content)
    assert_sound(app)
    assert len(app.error) == 1
    assert says in app.error[0].value
    assert app.button(key="step_next").disabled


def test_similar_people_of_the_search_are_shown_for_each_metric() -> None:
    app = with_tests()
    assert_sound(app)
    assert "People it calls nearly the same" in texts(app)
    assert re.search(r"Rows [\d,]+ and [\d,]+: gender = \w+, ethnicity = \w+ and gender = \w+, ", texts(app))
    assert len(app.get("plotly_chart")) >= 2
    app.radio(key="metric.kind").set_value("expert")
    settled(app)
    assert "Name at least one column that may differ" in texts(app)
    assert app.button(key="step_next").disabled
    app.multiselect(key="metric.Expert.free").set_value(["commute (km)"])
    settled(app)
    assert_sound(app)
    assert "Declared, not learned" in texts(app)
    app.radio(key="metric.kind").set_value("comparable_pairs")
    settled(app)
    assert app.button(key="step_next").disabled
    upload(app, "metric.pairs", "pairs.csv", b"a,b\n" + b"".join(b"%d,%d\n" % (i, i + 1) for i in range(1, 60, 2)))
    assert_sound(app)
    assert not app.button(key="step_next").disabled, texts(app)
    app.radio(key="metric.kind").set_value("expert")
    settled(app)
    assert app.multiselect(key="metric.Expert.free").value == ["commute (km)"], "as it was chosen before"
    assert not app.button(key="step_next").disabled
    assert draft_of(app).settings(GradientFlow).metric == Expert(free=("commute (km)",))
    app.radio(key="metric.kind").set_value("comparable_pairs")
    settled(app)
    assert not app.button(key="step_next").disabled, "the pairs are there too"


def test_what_was_chosen_of_a_metric_does_not_bring_back_a_column_that_is_gone() -> None:
    def script() -> None:
        import streamlit as st

        from core.metrics.expert import Expert
        from dashboard import session
        from dashboard.draft import Draft, RolesChoice
        from dashboard.views.similar import metric

        draft = Draft(roles=RolesChoice(features=("age", "commute"), protected=("sex",)))
        session.of_each_kind("metric").setdefault("expert", Expert(free=("age", "postcode")))
        st.session_state["chosen"] = metric.choose(draft, None, "metric")

    app = AppTest.from_function(script, default_timeout=60).run()
    app.radio(key="metric.kind").set_value("expert").run()
    assert app.session_state["chosen"] == Expert(free=("age",))


def test_an_unstable_search_cannot_be_started() -> None:
    app = click(with_tests(), "step_next")
    assert_sound(app)
    assert not app.button(key="run_audit").disabled
    click(app, "preset_paper_adult")
    named(app.number_input, "review.audit.step_size").set_value(0.05)
    settled(app)
    assert app.button(key="run_audit").disabled
    assert "unstable" in texts(app)
    click(app, "preset_quick")
    assert_sound(app)
    assert not app.button(key="run_audit").disabled
    assert named(app.number_input, "review.audit.steps").value == 25


def test_a_whole_audit_from_the_review_to_its_result_and_back_to_the_settings() -> None:
    """With steps of its own: an audit that another test ran before is not among the newest."""
    app = click(click(with_tests(), "step_next"), "preset_quick")
    named(app.number_input, "review.audit.steps").set_value(24)
    settled(app)
    click(app, "run_audit")
    assert_sound(app)
    assert "iolation" in texts(app)
    audit = app.query_params["audit"]
    again = open_app()
    assert any(key.startswith("open_") for key in keys(again)), "the first page lists it"
    name = audit[0] if isinstance(audit, list) else audit
    click(again, f"open_{name}")
    assert "iolation" in texts(again)
    click(again, "change_settings")
    assert named(again.number_input, "review.audit.steps").value == 24


def test_an_example_answers_with_one_click_and_the_second_time_from_disk() -> None:
    app = click(open_app(), "example_hiring-baseline")
    assert_sound(app)
    assert "Violation found" in texts(app)
    again = click(open_app(), "example_hiring-baseline")
    assert again.query_params["audit"] == app.query_params["audit"], "an identical plan ran twice"
    assert (home_folder() / "results").exists()


def test_an_unknown_audit_says_so() -> None:
    app = click(open_app(), "example_hiring-sensr")
    app.query_params["audit"] = "0" * 16
    settled(app)
    assert_sound(app)
    assert "There is no audit of this name" in texts(app)


def test_a_column_of_answers_that_was_taken_for_a_feature_gets_its_role_in_the_second_step() -> None:
    header, *people = HIRING.splitlines()
    table = b"\n".join([header + b",invited", *(row + (b",no", b",yes")[i % 2] for i, row in enumerate(people))])
    app = click(upload(click(open_app(), "start"), "data.file", "people.csv", table), "step_next")
    app.radio(key="model.way").set_value("A column with predictions")
    settled(app)
    assert app.button(key="step_next").disabled
    named(app.selectbox, "model.answers").set_value("invited")
    settled(app)
    assert_sound(app)
    assert "How the model answers" in texts(app)
    assert not app.button(key="step_next").disabled
    click(app, "step_data")
    assert role_select(app, "invited").value == "prediction"


def test_a_probability_says_where_it_is_cut_and_may_be_cut_elsewhere() -> None:
    header, *people = HIRING.splitlines()
    table = b"\n".join([header + b",score", *(row + b",0.%d" % (i % 10) for i, row in enumerate(people))])
    app = click(upload(click(open_app(), "start"), "data.file", "people.csv", table), "step_next")
    say_what_high_means(app)
    above = sum(i % 10 > 5 for i in range(len(people)))
    assert f"Above 0.5, score counts as **hired = yes**: {above} of {len(people)}." in texts(app)
    named(app.radio, "model.form.PredictionColumns.high_scores.score").set_value("unfavourable")
    from_it_on = sum(i % 10 >= 5 for i in range(len(people)))
    counted = f"From 0.5 on, score counts as **hired = no**: {from_it_on} of {len(people)}."
    assert counted in texts(settled(app))
    click(app, "model.cut")
    assert_sound(app)
    model = draft_of(app).model
    assert (model.holds, model.threshold, model.high_scores) == ("score", 0.5, "unfavourable")  # type: ignore[union-attr]
    assert named(app.number_input, "model.form.PredictionColumns.threshold").value == 0.5
    assert counted in texts(app)
    named(app.number_input, "model.form.PredictionColumns.threshold").set_value(0.8)
    few = sum(i % 10 >= 8 for i in range(len(people)))
    assert f"From 0.8 on, score counts as **hired = no**: {few} of {len(people)}." in texts(settled(app))


def test_a_score_is_asked_for_its_threshold_and_which_end_is_good() -> None:
    header, *people = HIRING.splitlines()
    table = b"\n".join([header + b",score", *(row + b",%d" % (i % 10) for i, row in enumerate(people))])
    app = click(upload(click(open_app(), "start"), "data.file", "people.csv", table), "step_next")
    assert_sound(app)
    assert app.radio(key="model.way").value == "column"
    assert "Set the threshold." in texts(app)
    assert app.button(key="step_next").disabled
    named(app.number_input, "model.form.PredictionColumns.threshold").set_value(5)
    settled(app)
    named(app.radio, "model.form.PredictionColumns.high_scores.score").set_value("unfavourable")
    settled(app)
    assert_sound(app)
    assert not app.button(key="step_next").disabled
