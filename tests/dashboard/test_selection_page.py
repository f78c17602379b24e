"""Choosing a model in the dashboard: from a table to the choice, its audit and its files, and what goes wrong."""

import pytest
from streamlit.testing.v1 import AppTest

from core.records.codec import load_result
from core.workflows.selection.result import SelectionResult
from dashboard.jobs import queue as jobs
from tests.core.workflows.selection.cases import judged
from tests.dashboard.walking import (
    assert_sound,
    click,
    give_role,
    home_folder,
    job_of,
    keys,
    named,
    open_app,
    open_page,
    sample_model,
    settled,
    source,
    texts,
    upload,
)


def with_table() -> AppTest:
    """The page with the embedded hiring table chosen."""
    app = open_page("selection")
    app.radio(key="data.way").set_value("Use a built-in table")
    return settled(app)


@pytest.fixture(scope="module")
def name() -> str:
    """A finished selection among few candidates, found by its id."""
    app = with_table()
    named(app.number_input, "selection.path.points").set_value(5)
    named(app.number_input, "selection.test.draws").set_value(200)
    settled(app)
    click(app, "selection_run")
    assert_sound(app)
    return job_of(app, "selection")


def test_the_form_opens_with_a_table_and_says_what_is_missing() -> None:
    app = open_page("selection")
    assert_sound(app)
    assert "selection_run" not in keys(app)
    assert "The candidates come next. Choose a table first." in texts(app)


def test_the_form_is_drawn_from_the_settings_and_can_be_run_at_once() -> None:
    app = with_table()
    assert_sound(app)
    assert not app.button(key="selection_run").disabled
    assert named(app.selectbox, "selection.rule.admissible").value == "not found unfair"
    tolerance = named(app.number_input, "selection.reading.delta-100")
    assert (tolerance.label, tolerance.value) == ("Tolerance: rise of the overall error (percentage points)", 3.65)
    assert named(app.number_input, "selection.parts.audit").value == 0.25


def test_candidates_are_compared_as_an_audit_of_them_would_begin_until_somebody_chooses(name: str) -> None:
    """Models that read a protected attribute and can be asked are asked; the result says with whom is compared."""
    app = with_table()
    assert named(app.radio, "selection.space.observed").value == "observed"
    give_role(app, "protected and feature", "gender")
    assert_sound(app)
    widget = named(app.radio, "selection.space.all groups")
    assert widget.value == "all groups"
    widget.set_value("observed")
    settled(app)
    assert named(app.radio, "selection.space.all groups").value == "observed"
    shown = str([table.value for table in open_page("selection", selection=name).table])
    assert "Compared with" in shown
    assert "People in the table" in shown


def test_a_choice_is_found_again_by_its_address_with_one_plain_sentence_on_top(name: str) -> None:
    app = open_page("selection", selection=name)
    assert_sound(app)
    told = texts(app)
    assert "The model with 1/λ = " in told
    assert "people who had no part in the choice" in told
    assert len(app.get("plotly_chart")) == 2
    assert {"selection_open", "selection_more", "selection_change"} <= keys(app)
    assert {"selection_json", "selection_html", "selection_model"} <= {
        element.proto.id.rpartition("-")[2] for element in app.get("download_button")
    }


def test_another_tolerance_answers_at_once_and_says_that_its_choice_is_not_audited(name: str) -> None:
    app = open_page("selection", selection=name)
    before = jobs.find(name)
    assert before is not None
    slider = next(one for one in app.slider if str(one.key).startswith("tolerance-"))
    slider.set_value(0.0)
    rule = named(app.selectbox, next(str(one.key) for one in app.selectbox if ".admissible" in str(one.key)))
    rule.set_value("shown to be fair")
    settled(app)
    assert_sound(app)
    assert "not been audited" in texts(app) or "None of 5 candidates" in texts(app)
    assert "selection_reread" in keys(app)
    assert job_of(app, "selection") == name


@pytest.mark.long
def test_choosing_again_with_other_choices_is_a_selection_of_its_own(name: str) -> None:
    app = open_page("selection", selection=name)
    slider = next(one for one in app.slider if str(one.key).startswith("tolerance-"))
    slider.set_value(0.0)
    named(app.selectbox, next(str(one.key) for one in app.selectbox if ".admissible" in str(one.key))).set_value(
        "shown to be fair"
    )
    settled(app)
    click(app, "selection_reread")
    assert_sound(app)
    assert job_of(app, "selection") != name


def test_the_chosen_model_is_audited_like_any_other(name: str) -> None:
    app = click(open_page("selection", selection=name), "selection_open")
    assert_sound(app)
    assert "Result of the audit" in texts(app)
    again = click(open_page("selection", selection=name), "selection_more")
    assert_sound(again)
    assert "Tests" in texts(again)


def test_the_settings_come_back_to_be_changed(name: str) -> None:
    app = click(open_page("selection", selection=name), "selection_change")
    assert_sound(app)
    assert named(app.number_input, "selection.path.points").value == 5
    assert named(app.number_input, "selection.test.draws").value == 200


def test_the_kept_result_is_the_whole_one(name: str) -> None:
    job = jobs.find(name)
    assert job is not None
    result = load_result(home_folder() / "results" / job.answer["selection"], SelectionResult)
    assert len(result.candidates) == 5
    assert job.arguments["source"] == job.arguments["plan"]["data"]


def test_a_lost_result_is_offered_again(name: str) -> None:
    job = jobs.find(name)
    assert job is not None
    folder = home_folder() / "results" / job.answer["selection"]
    tree = (folder / "result.json").read_text()
    (folder / "result.json").write_text(tree[:-40])
    import streamlit

    streamlit.cache_resource.clear()
    app = open_page("selection", selection=name)
    assert_sound(app)
    assert "The saved result is damaged." in texts(app)
    click(app, "selection_rerun")
    assert_sound(app)
    assert "had no part in the choice" in texts(app)


def test_an_unknown_selection_says_so_and_offers_a_new_one() -> None:
    app = open_page("selection", selection="0" * 16)
    assert_sound(app)
    assert "There is no selection of this name" in texts(app)


def test_an_audit_is_no_selection() -> None:
    app = click(open_app(), "example_hiring-baseline")
    other = open_page("selection", selection=job_of(app, "audit"))
    assert_sound(other)
    assert "There is no selection of this name" in texts(other)


def with_predictions(flipped: tuple[tuple[int, ...], ...] = ((), (1,), (2, 3))) -> AppTest:
    app = open_page("selection")
    table = judged(600, flipped, seed=7).to_csv(index=False).encode()
    upload(app, "data.file", "judged.csv", table)
    give_role(app, "outcome", "outcome")
    named(app.selectbox, "roles.favourable.outcome").set_value("yes")
    settled(app)
    columns = [f"h{i}" for i in range(len(flipped))]
    give_role(app, "protected", "group")
    give_role(app, "prediction", *columns)
    give_role(app, "feature", "kind")
    app.radio(key="selection.way").set_value("own_models")
    return settled(app)


@pytest.mark.long
def test_columns_of_predictions_can_be_compared_and_one_alone_cannot() -> None:
    app = with_predictions()
    assert_sound(app)
    assert app.button(key="selection_run").disabled
    assert "Bring at least two models to choose from." in texts(app)
    app.multiselect(key="selection.columns").set_value(["h0", "h1"])
    settled(app)
    assert "1. h0" in texts(app)
    click(app, "selection_run")
    assert_sound(app)
    assert "people who had no part in the choice" in texts(app)
    assert "Evenhand does not know their coefficients" in texts(app)


def test_files_can_be_compared_and_a_pickle_is_refused() -> None:
    app = with_table()
    app.radio(key="selection.way").set_value("own_models")
    settled(app)
    baseline, content = sample_model()
    app.file_uploader(key="selection.files").upload(baseline, content, "application/octet-stream")
    settled(app)
    assert "1. hiring_baseline.safetensors" in texts(app)
    assert app.button(key="selection_run").disabled
    app.file_uploader(key="selection.files").upload(
        "model.pkl", b"\x80\x04\x95" + bytes(40), "application/octet-stream"
    )
    settled(app)
    assert_sound(app)
    assert "pickle" in texts(app)


def test_a_hostile_name_of_a_column_is_shown_letter_by_letter() -> None:
    app = open_page("selection")
    table = judged(300, ((), (1,)), seed=8).rename(columns={"kind": "**:red[x]** $y$"})
    upload(app, "data.file", "$x$ *y*.csv", table.to_csv(index=False).encode())
    assert_sound(app)
    assert "*y*" not in source(app)
    assert ":red[" not in source(app)


def test_a_selection_that_cannot_run_says_why_before_it_is_run_and_what_it_will_take_once_it_can() -> None:
    app = with_predictions()
    app.multiselect(key="selection.columns").set_value(["h0", "h1"])
    named(app.number_input, "selection.parts.audit").set_value(0.01)
    settled(app)
    assert_sound(app)
    assert "Too few rows are left for the audit" in texts(app)
    assert app.button(key="selection_run").disabled
    named(app.number_input, "selection.parts.audit").set_value(0.5)
    settled(app)
    told = [metric.value for metric in app.metric if metric.label == "Memory it will take"]
    assert [one[-3:] for one in told] == [" MB"]
    assert not app.button(key="selection_run").disabled
