"""Tables of decisions of which nobody knows whether they were right: what can be asked of them, and what cannot."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
import skops.io
from sklearn.linear_model import LogisticRegression
from streamlit.testing.v1 import AppTest

from core.audits.equalized_odds.settings import EqualizedOdds
from dashboard.text import literal
from dashboard.views.data.roles import _reasons
from tests.dashboard.walking import (
    assert_sound,
    click,
    draft_of,
    give_role,
    named,
    open_app,
    say_what_high_means,
    settled,
    texts,
    upload,
)
from tests.kinds import SHIPPED


def applicants(rows: int = 900) -> pd.DataFrame:
    """Women are selected 30 points less often than men."""
    rng = np.random.default_rng(0)
    sex = rng.choice(["Female", "Male"], rows)
    score = np.clip(rng.normal(0.5, 0.2, rows) + 0.15 * (sex == "Male"), 0, 1).round(3)
    return pd.DataFrame(
        {
            "sex": sex,
            "years": rng.integers(0, 30, rows),
            "score": score,
            "selected": np.where(score > 0.55, "yes", "no"),
        }
    )


def with_decisions(column: str) -> AppTest:
    """The first step with a table whose only answers stand in this column."""
    frame = applicants().rename(columns={column: "prediction"})[["sex", "years", "prediction"]]
    app = upload(click(open_app(), "start"), "data.file", "people.csv", frame.to_csv(index=False).encode())
    if any(button.key == "roles.no" for button in app.button):
        click(app, "roles.no")
    return app


def test_decisions_are_compared_between_groups() -> None:
    app = with_decisions("selected")
    assert_sound(app)
    assert "No column says what really happened" in texts(app)
    assert named(app.selectbox, "roles.favourable.prediction").value is None, "its name does not say which is good"
    named(app.selectbox, "roles.favourable.prediction").set_value("yes")
    settled(app)
    click(app, "step_next")
    assert_sound(app)
    assert "nobody can say how often the model is right" in texts(app)
    click(app, "step_next")
    assert_sound(app)
    assert "This test needs an outcome, which nobody has named yet." in texts(app)
    for kind in ("equalized_odds", "group_fairness"):
        named(app.checkbox, f"tests.{kind}").set_value(True)
        settled(app)
    click(app, "step_next")
    assert_sound(app)
    assert draft_of(app).settings(EqualizedOdds).asks == "demographic parity"
    assert "No outcome is known" in texts(app)
    for given in (["years"], []):
        named(app.multiselect, "fair_dummies.alike.given").set_value(given)
        settled(app)
        assert_sound(app)
        assert draft_of(app).settings(EqualizedOdds).given == tuple(given)
    click(app, "step_next")
    assert_sound(app)
    assert "was guessed from names and values, except where you answered or chose" in texts(app)
    facts = {name: value for table in app.table for name, value in table.value.iloc[:, 0].items()}
    assert facts["Decision"] == literal("prediction (good: prediction = yes)")
    click(app, "run_audit")
    assert_sound(app)
    assert "Violation found" in texts(app)
    assert "31.5 points (at least 26.1); 10 are tolerated" in texts(app)


def test_tests_that_were_chosen_for_an_outcome_can_be_run_when_there_is_none_any_more() -> None:
    right = np.where(np.arange(900) % 5 == 0, "no", applicants()["selected"])
    app = started(applicants()[["sex", "years"]].assign(outcome=right, prediction=applicants()["selected"]))
    named(app.selectbox, "roles.favourable.outcome").set_value("yes")
    settled(app)
    for _ in range(2):
        click(app, "step_next")
    named(app.checkbox, "tests.equalized_odds").set_value(True)
    settled(app)
    click(app, "step_next")
    assert draft_of(app).settings(EqualizedOdds).asks == "equalized odds"
    click(app, "step_data")
    give_role(app, "none", "outcome")
    named(app.selectbox, "roles.favourable.prediction").set_value("yes")
    settled(app)
    click(app, "step_next")
    click(app, "step_next")
    assert_sound(app)
    for kind in ("equalized_odds", "group_fairness"):
        named(app.checkbox, f"tests.{kind}").set_value(True)
        settled(app)
    click(app, "step_next")
    click(app, "step_next")
    assert_sound(app)
    assert "What will be run" in texts(app)
    assert "cannot be run like this" not in texts(app)
    assert not app.button(key="run_audit").disabled


def started(frame: pd.DataFrame) -> AppTest:
    return upload(click(open_app(), "start"), "data.file", "people.csv", frame.to_csv(index=False).encode())


def test_what_may_be_the_outcome_may_be_a_decision_too() -> None:
    app = started(applicants()[["sex", "years"]].assign(qualified=applicants()["selected"]))
    assert "Does **qualified** say what really happened" in texts(app)
    click(app, "roles.decision")
    assert_sound(app)
    roles = draft_of(app).roles
    assert (roles.outcome, roles.predictions, roles.favourable) == (None, ("qualified",), "yes")
    assert not app.button(key="step_next").disabled


def test_what_may_be_the_outcome_may_tell_of_the_person() -> None:
    app = started(applicants()[["sex", "years"]].assign(qualified=applicants()["selected"]))
    click(app, "roles.person")
    assert_sound(app)
    roles = draft_of(app).roles
    assert (roles.outcome, roles.predictions, roles.features) == (None, (), ("years", "qualified"))
    assert "has no role now" not in texts(app)


def test_why_a_column_holds_answers_is_not_said_of_another_outcome() -> None:
    guess = SimpleNamespace(
        outcome="employed",
        predictions=("says",),
        ignored=(("id", "identifies people"),),
        reasons=(
            ("employed", "is predicted"),
            ("says", "agrees with the outcome in 82% of the rows"),
            ("sex", "is sex"),
        ),
    )
    assert set(_reasons(guess, "released")) == {"id", "sex"}
    assert set(_reasons(guess, "employed")) == set(_reasons(guess, None)) == {"id", "sex", "employed", "says"}
    assert _reasons(None, None) == {}


def test_an_outcome_that_was_decided_is_judged_without_a_model_by_one_click() -> None:
    app = started(applicants()[["sex", "years"]].assign(approved=applicants()["selected"]))
    assert draft_of(app).roles.outcome == "approved"
    click(app, "step_next")
    assert app.button(key="step_next").disabled
    click(app, "model_decisions")
    assert_sound(app)
    roles = draft_of(app).roles
    assert (roles.outcome, roles.predictions, roles.favourable) == (None, ("approved",), "yes")
    assert not app.button(key="step_next").disabled


def test_what_is_no_outcome_may_be_a_feature() -> None:
    app = started(applicants()[["sex", "years"]].assign(qualified=applicants()["selected"]))
    click(app, "roles.no")
    assert "**qualified** has no role now. Did the model read it?" in texts(app)
    click(app, "roles.feature")
    assert_sound(app)
    assert draft_of(app).roles.features == ("years", "qualified")
    assert "has no role now" not in texts(app)


def test_a_model_is_judged_by_its_own_answers_where_there_is_nothing_else() -> None:
    frame = applicants()
    fitted = LogisticRegression().fit(frame[["years", "score"]], np.where(frame["selected"] == "yes", "in", "out"))
    app = started(frame[["sex", "years", "score"]])
    if any(button.key == "roles.no" for button in app.button):
        click(app, "roles.no")
    give_role(app, "feature", "score")
    assert "a model's own answers are judged" in texts(app)
    click(app, "step_next")
    app.radio(key="model.way").set_value("A model file")
    upload(settled(app), "model.file", "screen.skops", skops.io.dumps(fitted))
    assert_sound(app)
    assert app.button(key="step_next").disabled
    assert "Choose which answer is good for the person." in texts(app)
    named(app.selectbox, "model.favourable").set_value("in")
    settled(app)
    assert draft_of(app).roles.favourable == "in"
    for _ in range(3):
        click(app, "step_next")
        assert_sound(app)
    assert SHIPPED.keys() & draft_of(app).tests == {"equalized_odds", "group_fairness"}
    click(app, "run_audit")
    assert_sound(app)
    assert "Violation found" in texts(app)
    assert "get the answer “in” less often than" in texts(app)


def test_of_a_score_a_threshold_is_asked() -> None:
    app = with_decisions("score")
    assert_sound(app)
    assert "is a score" in texts(app)
    assert draft_of(app).roles.favourable == "selected"
    click(app, "step_next")
    assert app.button(key="step_next").disabled, "nobody has said what a high score means"
    say_what_high_means(app)
    assert_sound(app)
    assert not app.button(key="step_next").disabled


@pytest.mark.parametrize("value", ["yes", "1"])
def test_decisions_that_are_all_the_same_are_refused(value: str) -> None:
    frame = applicants()[["sex", "years"]].assign(prediction=value)
    app = upload(click(open_app(), "start"), "data.file", "people.csv", frame.to_csv(index=False).encode())
    assert_sound(app)
    assert app.button(key="step_next").disabled
