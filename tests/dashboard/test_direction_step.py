"""The model step asks which way round answers are and what labels mean; nothing runs before that is said."""

from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from core.models.predictions import PredictionColumns
from tests.dashboard.bad_files import people
from tests.dashboard.walking import assert_sound, click, draft_of, give_role, named, open_app, settled, texts, upload

ROW = np.arange(240)
DENIED = np.where((ROW % 3 == 0) & (ROW % 11 > 0) | (ROW % 7 == 0), 0.2, 0.7) + ROW % 10 / 50
"""A probability of not being hired, for most people: every third is hired."""


HIGH = "model.form.PredictionColumns.high_scores.predicted_probability"


def brought(**columns: Any) -> AppTest:
    """The model step of somebody who brings a column of predictions."""
    app = upload(click(open_app(), "start"), "data.file", "denied.csv", people(rows=240, **columns))
    if not draft_of(app).roles.predictions:
        give_role(app, "prediction", next(iter(columns)))
    return click(app, "step_next")


def model_of(app: AppTest) -> PredictionColumns:
    model = draft_of(app).model
    assert isinstance(model, PredictionColumns)
    return model


@pytest.fixture
def denied() -> AppTest:
    app = brought(predicted_probability=lambda i: f"{DENIED[i]:.2f}")
    named(app.radio, HIGH).set_value("favourable")
    return settled(app)


def test_nothing_is_presumed_of_what_a_high_value_means() -> None:
    app = brought(predicted_probability=lambda i: f"{DENIED[i]:.2f}")
    asked = named(app.radio, HIGH)
    assert asked.value is None
    assert [one.partition(":")[0] for one in asked.options] == [
        "something good for the person", "something bad for the person"
    ]  # fmt: skip
    assert app.button(key="step_next").disabled
    assert "Say what a high value of predicted_probability means." in texts(app)
    asked.set_value("unfavourable")
    settled(app)
    assert_sound(app)
    assert model_of(app).high_scores == "unfavourable"
    assert not app.button(key="step_next").disabled


def test_probabilities_of_the_other_outcome_are_asked_about_and_turned(denied: AppTest) -> None:
    app = denied
    assert_sound(app)
    assert "The answers go against the outcomes." in texts(app)
    assert "Say above which way round the answers are: turn them, or confirm that they are right." in texts(app)
    assert "the model is right" not in texts(app), "it is said once"
    assert app.button(key="step_next").disabled
    click(app, "model.turn")
    assert_sound(app)
    assert model_of(app).high_scores == "unfavourable"
    assert named(app.radio, HIGH).value == "unfavourable"
    assert "The answers go against the outcomes." not in texts(app)
    assert not app.button(key="step_next").disabled


def test_answers_that_are_the_outcome_again_are_asked_about() -> None:
    def hired(i: int) -> str:
        return ("yes", "no", "no")[i % 3]

    app = brought(predicted=hired)
    assert_sound(app)
    assert "predicted says the outcome of every row." in texts(app)
    assert app.button(key="step_next").disabled
    click(app, "model.not_copied")
    assert_sound(app)
    assert not app.button(key="step_next").disabled
    app = click(brought(predicted=hired), "model.copied")
    assert_sound(app)
    assert draft_of(app).model is None
    assert draft_of(app).roles.predictions == ()
    assert app.button(key="step_next").disabled


def test_who_says_that_they_are_right_goes_on_and_may_take_it_back(denied: AppTest) -> None:
    app = click(denied, "model.confirm")
    assert_sound(app)
    assert model_of(app).direction_confirmed
    assert "claim nothing" in texts(app)
    for _ in range(3):
        click(app, "step_next")
    assert_sound(app)
    assert not app.button(key="run_audit").disabled
    click(app, "step_model")
    click(app, "model.unconfirm")
    assert not model_of(app).direction_confirmed
    assert app.button(key="step_next").disabled
    click(app, "step_review")
    assert_sound(app)
    assert app.button(key="run_audit").disabled
    assert "Say in the step of the model which way round the answers are." in texts(app)


def test_what_was_confirmed_of_one_reading_is_not_confirmed_of_another(denied: AppTest) -> None:
    app = click(denied, "model.confirm")
    named(app.radio, HIGH).set_value("unfavourable")
    settled(app)
    assert not model_of(app).direction_confirmed


def test_labels_that_are_no_outcomes_are_said_to_mean_them() -> None:
    app = brought(predicted=lambda i: "low risk" if i % 3 == 0 or i % 7 == 0 else "high risk")
    assert_sound(app)
    assert "high risk → no: of the rows with 'high risk'" in texts(app)
    assert app.button(key="step_next").disabled
    click(app, "model.meanings")
    assert_sound(app)
    assert {one.label: one.outcome for one in model_of(app).meanings} == {"high risk": "no", "low risk": "yes"}
    assert "How the model answers" in texts(app)
    assert not app.button(key="step_next").disabled


def test_labels_can_be_said_to_mean_something_else_than_proposed() -> None:
    app = brought(predicted=lambda i: "low risk" if i % 3 == 0 or i % 7 == 0 else "high risk")
    for place, outcome in enumerate(("yes", "no")):
        named(app.selectbox, f"model.form.meanings.predicted.{place}").set_value(outcome)
        settled(app)
    assert_sound(app)
    assert {one.label: one.outcome for one in model_of(app).meanings} == {"high risk": "yes", "low risk": "no"}
    assert "The answers go against the outcomes." in texts(app)
    click(app, "model.turn")
    assert {one.label: one.outcome for one in model_of(app).meanings} == {"high risk": "no", "low risk": "yes"}
    assert not app.button(key="step_next").disabled
