"""The way of a reviewer to the sensitivity test of columns: offered, set up, estimated, run and read."""

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from core.audits import KINDS
from core.audits.column_sensitivity.planning import ColumnSensitivityPilot
from core.audits.column_sensitivity.settings import ColumnSensitivity
from core.data.roles import Roles
from dashboard.audits import ROOMS
from dashboard.audits.column_sensitivity.review import expectation
from dashboard.draft import Draft
from tests.dashboard.walking import (
    assert_sound,
    click,
    draft_of,
    keys,
    named,
    open_app,
    settled,
    texts,
    upload,
    with_model,
    with_predictions,
)
from tests.dashboard.walking_texts import with_text_model
from tests.kinds import SHIPPED

GAP = "career gap (months)"


def with_column_test() -> AppTest:
    """The fourth step with the hiring model, which reads no protected column, and the column test alone."""
    app = click(with_model(), "step_next")
    assert named(app.checkbox, "tests.gradient_flow").value
    assert not named(app.checkbox, "tests.column_sensitivity").value
    told = "\n".join(box.value for box in app.info).replace("\\", "")
    assert told.count("Needs a choice of yours later.") == 1
    assert "The model reads no protected attribute, and no feature is named that carries one" in told
    named(app.checkbox, "tests.column_sensitivity").set_value(True)
    settled(app)
    named(app.checkbox, "tests.gradient_flow").set_value(False)
    settled(app)
    assert draft_of(app).tests == ("column_sensitivity",)
    return click(app, "step_next")


def test_from_the_tick_to_the_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    app = with_column_test()
    assert_sound(app)
    assert app.button(key="step_next").disabled
    assert "name a feature that carries one" in texts(app)
    assert "Not read by the model: **gender**, **ethnicity**" in texts(app)
    named(app.multiselect, "column_sensitivity.through").set_value([GAP])
    settled(app)
    assert_sound(app)
    assert draft_of(app).settings(ColumnSensitivity) == ColumnSensitivity(through=(GAP,))
    assert len(app.number_input) == 1, "the share to learn from counts now"
    differences = app.table[0].value
    assert differences.columns[0] == "Difference of means"
    assert "SD" in differences.iloc[0, 0]
    groups = [name for shown in app.table for name in shown.value.columns[1:]]
    smallest = min(int(name.split("(")[1][:-1].replace(",", "")) for name in groups)
    monkeypatch.setattr("dashboard.audits.column_sensitivity.setup.SMALL_GROUP", smallest // 3)
    settled(app.run())
    assert "Learn from a larger share of the rows, merge small groups" in texts(app)
    assert app.button(key="step_next").disabled
    click(app, "column_sensitivity.more")
    assert draft_of(app).settings(ColumnSensitivity).share == 0.5
    monkeypatch.undo()
    click(app, "step_next")
    assert_sound(app)
    found = {metric.label: metric.value for metric in app.metric}
    people = found["People to measure"]
    assert found["Size it finds four times in five"].endswith(" points")
    assert "no legal threshold" in texts(app)
    click(app, "run_audit")
    assert_sound(app)
    assert "percentage points on average" in texts(app)
    assert f"{people} people" in texts(app)
    assert "putting people into the other group of gender" in texts(app).lower()
    assert "add_test" in keys(app)


def test_it_is_thinkable_for_tables_and_not_for_texts() -> None:
    table = Roles(outcome="y", favourable="1", protected=("sex",), features=("age",))
    assert _taking(table) == [
        "gradient_flow",
        "transport",
        "column_sensitivity",
        "equalized_odds",
        "group_fairness",
    ]
    assert _taking(Roles(text="text")) == [
        "gradient_flow",
        "transport",
        "text_sensitivity",
        "equalized_odds",
        "group_fairness",
    ]
    assert set(ROOMS) == set(KINDS)


def _taking(roles: Roles) -> list[str]:
    return [name for name, kind in SHIPPED.items() if kind.takes(roles)]


def test_predictions_and_texts_are_told_why_it_is_not_for_them() -> None:
    table = b"sex,age,prediction,hired\n" + b"".join(
        b"%s,%d,%s,%s\n"
        % (b"mw"[i % 2 : i % 2 + 1], 20 + i % 30, b"yes" if i % 3 else b"no", b"yes" if i % 5 else b"no")
        for i in range(200)
    )
    app = click(with_predictions(table), "step_tests")
    assert named(app.checkbox, "tests.column_sensitivity").disabled
    assert "This test asks the model about changed rows." in texts(app)
    app = click(with_text_model(), "step_next")
    assert named(app.checkbox, "tests.column_sensitivity").disabled
    assert "This test changes columns of a table, and the model reads texts." in texts(app)


def test_a_feature_that_tells_the_attribute_is_offered_and_one_click_lets_it_change() -> None:
    import skops.io as sio
    from sklearn.linear_model import LogisticRegression

    rng = np.random.default_rng(0)
    women = rng.random(400) < 0.5
    people = pd.DataFrame(
        {
            "sex": np.where(women, "f", "m"),
            "dress size": 30 + 10 * women + rng.integers(0, 3, 400),
            "age": rng.integers(20, 60, 400),
            "hired": np.where(rng.random(400) < 0.3 + 0.4 * women, "yes", "no"),
        }
    )
    features = people[["dress size", "age"]]
    fitted = LogisticRegression(max_iter=1_000).fit(features, people["hired"])
    app = upload(click(open_app(), "start"), "data.file", "people.csv", people.to_csv(index=False).encode())
    app = upload(click(app, "step_next"), "model.file", "model.skops", sio.dumps(fitted))
    app = click(app, "step_next")
    named(app.checkbox, "tests.gradient_flow").set_value(False)
    named(app.checkbox, "tests.column_sensitivity").set_value(True)
    app = click(settled(app), "step_next")
    assert "**'dress size'** tells sex almost without error" in texts(app)
    app = click(app, "carry.sex")
    assert draft_of(app).settings(ColumnSensitivity).through == ("dress size",)
    assert named(app.multiselect, "column_sensitivity.through").value == ["dress size"]
    assert "almost without error" not in texts(app)
    assert not app.button(key="step_next").disabled


def test_a_model_that_reads_no_number_is_said_to_have_nothing_else_changed() -> None:
    import skops.io as sio
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder

    rng = np.random.default_rng(0)
    people = pd.DataFrame(
        {
            "sex": rng.choice(["f", "m"], 300),
            "job": rng.choice(["cook", "driver", "nurse"], 300),
            "hired": rng.choice(["yes", "no"], 300),
        }
    )
    fitted = make_pipeline(OneHotEncoder(), LogisticRegression()).fit(people[["sex", "job"]], people["hired"])
    app = upload(click(open_app(), "start"), "data.file", "people.csv", people.to_csv(index=False).encode())
    app = upload(click(app, "step_next"), "model.file", "model.skops", sio.dumps(fitted))
    app = click(app, "step_next")
    named(app.checkbox, "tests.column_sensitivity").set_value(True)
    settled(app)
    for kind in ("transport", "equalized_odds", "group_fairness"):
        named(app.checkbox, f"tests.{kind}").set_value(False)
    app = click(settled(app), "step_next")
    assert_sound(app)
    assert "this test changes only features that hold numbers" in texts(app)
    assert "Not offered: job." in texts(app)


@pytest.mark.parametrize(
    ("spread", "said"),
    [(0.2, "about 620 people like these"), (8.0, "more than 6,000 people like these")],
)
def test_people_out_of_reach_are_no_number(spread: float, said: str) -> None:
    """Of a spread s, ((1.645 + 0.842) s / 0.02)^2 people: 619 of 0.2, and 989,137 of 8."""
    tried = ColumnSensitivityPilot(300, 300, 1.0, ("sex",), np.array([spread]), np.array([spread]))
    assert said in expectation(Draft(), tried).needed
