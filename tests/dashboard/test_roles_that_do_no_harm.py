"""Steps of roles and model: what is nearly the answer is left out, models prove themselves, labels are written once."""

import numpy as np
import pandas as pd
import pytest

from core.base.files import FileStore
from core.data.roles import Label, Roles
from core.models.formats.safetensors.source import TorchMLP
from core.sources.simulated.hiring import Hiring
from core.workflows.examples import SAMPLE_MODELS
from tests.dashboard.walking import (
    assert_sound,
    click,
    draft_of,
    give_role,
    keys,
    named,
    open_app,
    say_what_high_means,
    settled,
    texts,
    upload,
)

ROWS = 300


def people() -> pd.DataFrame:
    rng = np.random.default_rng(2)
    skill = rng.normal(size=ROWS)
    hired = np.where(skill + rng.normal(size=ROWS) > 0, "yes", "no")
    return pd.DataFrame(
        {
            "sex": rng.choice(["woman", "man"], ROWS),
            "pay": (skill * 10 + 40).round(1),
            "zz": np.where(hired == "yes", "kept", "sent away"),
            "near": np.where(rng.random(ROWS) < 0.02, 1, hired == "yes").astype(int),
            "hired": hired,
        }
    )


def as_file(frame: pd.DataFrame) -> bytes:
    return frame.to_csv(index=False).encode()


def test_what_is_nearly_the_outcome_is_left_out_and_can_be_taken_and_left_out_again() -> None:
    app = upload(click(open_app(), "start"), "data.file", "people.csv", as_file(people()))
    assert_sound(app)
    assert draft_of(app).roles.features == ("pay",)
    said = texts(app).replace("**", "")
    assert "Left out, since they are nearly the answer itself." in said
    assert "near tells the outcome 'hired' in 9" in said
    assert "data.leave_out" not in keys(app)
    give_role(app, "feature", "near")
    assert_sound(app)
    assert draft_of(app).roles.features == ("pay", "near")
    assert "Nearly the answer itself: 'near'" in texts(app).replace("**", "")
    click(app, "data.leave_out")
    assert draft_of(app).roles.features == ("pay",)
    assert "data.leave_out" not in keys(app)


def test_decisions_without_an_outcome_are_asked_nothing_of_training_and_a_score_its_threshold_once() -> None:
    table = people().drop(columns=["zz", "near", "hired"]).assign(score=np.arange(ROWS) % 100)
    app = upload(click(open_app(), "start"), "data.file", "people.csv", as_file(table))
    if not draft_of(app).roles.predictions:
        give_role(app, "prediction", "score")
    if "roles.no" in keys(app):
        click(app, "roles.no")
    click(app, "step_next")
    assert_sound(app)
    assert texts(app).count("Set the threshold.") == 1
    assert "A score without a threshold" not in texts(app)
    assert not any("trained_on" in str(one.key) or "by_people" in str(one.key) for one in (*app.selectbox, *app.toggle))
    named(app.number_input, "model.form.PredictionColumns.threshold").set_value(50)
    assert_sound(settled(app))
    assert "Set the threshold." not in texts(app)
    say_what_high_means(app)
    assert not app.button(key="step_next").disabled


@pytest.fixture(scope="module")
def applicants() -> tuple[pd.DataFrame, bytes]:
    """Applicants with the answers of the sample model, and the model."""
    store = FileStore()
    people = Hiring(rows=400, part="test").load(store)
    content = (SAMPLE_MODELS / "hiring_baseline.safetensors").read_bytes()
    source = TorchMLP(file=store.put(content, "hiring.safetensors"))
    roles: Roles = Hiring().roles(people)
    dataset = source.dataset(people, roles)
    loaded = source.load(store, dataset)
    given = loaded.predict_proba(loaded.encode(dataset))[:, loaded.classes.index("yes")]
    return people.assign(p_hired=given.round(3)), content


def test_a_model_gives_the_answers_of_its_column_or_the_step_is_shut(applicants: tuple[pd.DataFrame, bytes]) -> None:
    table, content = applicants
    app = upload(click(open_app(), "start"), "data.file", "people.csv", as_file(table))
    click(app, "step_next")
    named(app.radio, "model.way").set_value("file")
    upload(settled(app), "model.file", "hiring.safetensors", content)
    assert_sound(app)
    rows = f"{len(table):,}"
    assert f"agree with 'p_hired' on {rows} of {rows} rows" in texts(app)
    assert not app.button(key="step_next").disabled


def test_another_systems_column_is_declared_by_a_click(applicants: tuple[pd.DataFrame, bytes]) -> None:
    table, content = applicants
    table = table.assign(p_hired=1 - table.p_hired**2)
    app = upload(click(open_app(), "start"), "data.file", "people.csv", as_file(table))
    if draft_of(app).roles.predictions != ("p_hired",):
        give_role(app, "prediction", "p_hired")
    click(app, "step_next")
    named(app.radio, "model.way").set_value("file")
    upload(settled(app), "model.file", "hiring.safetensors", content)
    assert_sound(app)
    assert "agree with 'p_hired' on only" in texts(app)
    assert app.button(key="step_next").disabled
    click(app, "model.other_system.0")
    assert_sound(app)
    model = draft_of(app).model
    assert model is not None
    assert model.other_system == ("p_hired",)
    assert not app.button(key="step_next").disabled
    known = table.head(8).assign(answer="yes")[[*Hiring().roles(table).features, "answer"]]
    upload(app, "model.known.file", "known.csv", as_file(known))
    assert "agree with 'answer' on only" in texts(app)
    click(app, "model.known_not")
    assert not app.button(key="step_next").disabled


def test_labels_are_written_once_and_stand_on_the_page() -> None:
    app = upload(click(open_app(), "start"), "data.file", "people.csv", as_file(people()))
    named(app.text_input, "roles.labels.hired.yes").set_value("taken on")
    settled(app)
    assert "sex" not in named(app.selectbox, "roles.labelled").options, "whom headlines name has fields at once"
    named(app.text_input, "roles.labels.sex.").set_value("gender")
    assert_sound(settled(app))
    labels = {Label(column="sex", label="gender"), Label(column="hired", value="yes", label="taken on")}
    assert {*draft_of(app).roles.labels} == labels
    assert "Share with “taken on”" in texts(app)
    roles = draft_of(app).roles.roles
    assert roles is not None
    assert roles.protected == ("sex",)
    named(app.text_input, "roles.labels.sex.man").set_value("person")
    settled(app)
    named(app.text_input, "roles.labels.sex.woman").set_value("person")
    assert_sound(settled(app))
    assert "The label 'person' is given twice." in texts(app)
    assert len(draft_of(app).roles.labels) == 3


def test_a_good_value_that_no_name_tells_is_asked_for_with_a_button_each() -> None:
    table = (
        people()
        .drop(columns=["zz", "near"])
        .rename(columns={"hired": "y"})
        .assign(y=lambda one: (one["y"] == "yes").astype(int))
    )
    app = upload(click(open_app(), "start"), "data.file", "people.csv", as_file(table))
    assert draft_of(app).roles.outcome == "y"
    assert draft_of(app).roles.favourable is None
    assert app.button(key="step_next").disabled
    assert [app.button(key=f"roles.good.{place}").label.replace("\\", "") for place in range(2)] == ["y = 0", "y = 1"]
    click(app, "roles.good.0")
    assert_sound(app)
    assert draft_of(app).roles.favourable == "0"
    assert named(app.selectbox, "roles.favourable.y").value == "0"
    assert not app.button(key="step_next").disabled


def test_codes_that_headlines_would_say_are_asked_about_until_they_have_a_label() -> None:
    table = people().assign(afam=np.where(np.arange(ROWS) % 3 == 0, "yes", "no"))
    app = upload(click(open_app(), "start"), "data.file", "people.csv", as_file(table))
    give_role(app, "protected", "afam")
    read = (
        "“People with afam = yes get the prediction hired = no more often than people with afam = no where the outcome "
        "was yes”. Does everybody"
    )
    assert read in texts(app)
    assert named(app.selectbox, "roles.labelled").value is None, "both have their fields at once"
    named(app.text_input, "roles.labels.afam.yes").set_value("Black")
    named(app.text_input, "roles.labels.hired.yes").set_value("taken on")
    named(app.text_input, "roles.labels.hired.no").set_value("turned away")
    assert_sound(settled(app))
    read = (
        "“Black get the prediction “turned away” more often than people with afam = no where the outcome was taken on”."
    )
    assert read in texts(app)
    assert "Does everybody understand it?" not in texts(app)
    assert Label(column="afam", value="yes", label="Black") in draft_of(app).roles.labels


def test_labels_stand_in_the_steps_before_the_run() -> None:
    """Who is similar, and what will be run; settings keep the names of the table."""
    rng = np.random.default_rng(3)
    table = people().drop(columns=["zz", "near"]).assign(town=rng.choice(["east", "west"], ROWS))
    table = table.assign(prediction=np.where(rng.random(ROWS) < 0.1, "no", table["hired"]))
    app = upload(click(open_app(), "start"), "data.file", "people.csv", as_file(table))
    named(app.text_input, "roles.labels.hired.yes").set_value("taken on")
    settled(app)
    named(app.selectbox, "roles.labelled").set_value("town")
    settled(app)
    for column, label in (("sex", "gender"), ("town", "place of work")):
        named(app.text_input, f"roles.labels.{column}.").set_value(label)
        settled(app)
    for _ in range(3):
        click(app, "step_next")
    assert_sound(app)
    assert "gender" in texts(app)
    assert {"gender"} <= {one for select in app.multiselect for one in select.options}
    click(app, "step_next")
    assert_sound(app)
    facts = "\n".join(table.value.to_string() for table in app.table).replace("\\", "")
    assert "(good: taken on)" in facts.replace("⁠", "")
    assert "gender" in facts
    assert "sex" not in facts
    study = draft_of(app).study
    assert study.plans[0].roles.protected == ("sex",)
