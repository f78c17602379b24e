"""The first step with outcomes that are numbers, four classes or two; and the steps that do not take numbers."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

from core.audits.column_sensitivity.settings import ColumnSensitivity
from core.audits.gradient_flow.settings import GradientFlow
from core.audits.transport.settings import Transport
from core.base.errors import AuditError
from core.base.files import FileStore
from core.data.dataset import Dataset
from core.data.roles import Roles
from core.metrics.sensitive_subspace import SensitiveSubspace
from core.models.predictions import PredictionColumns
from core.sources import UploadedTable
from core.workflows.proposing import begun
from dashboard import session
from dashboard.jobs.tasks import TASKS
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
    with_built_in_table,
)
from tests.kinds import SHIPPED

ROWS = 200
ROLES = Roles(outcome="cost", outcome_type="number", protected=("sex",), features=("age",), predictions=("prediction",))
MODEL = PredictionColumns(columns=("prediction",), holds="number")


def people(**columns: object) -> pd.DataFrame:
    rng = np.random.default_rng(5)
    cost = rng.normal(100, 20, ROWS).round(2)
    table: dict[str, object] = {
        "age": rng.integers(18, 60, ROWS),
        "sex": rng.choice(["woman", "man"], ROWS),
        "prediction": (cost + rng.normal(0, 5, ROWS)).round(2),
        "cost": cost,
    }
    return pd.DataFrame(table | columns)


def with_table(frame: pd.DataFrame) -> AppTest:
    return upload(click(open_app(), "start"), "data.file", "people.csv", frame.to_csv(index=False).encode())


def holds(app: AppTest, column: str = "cost") -> Any:
    return named(app.radio, f"roles.outcome_type.{column}")


def shown(app: AppTest) -> set[str]:
    return {str(widget.key).partition("~")[0] for widget in app.selectbox}


def test_a_number_is_proposed_has_no_favourable_value_and_can_be_changed_and_changed_back() -> None:
    app = with_table(people())
    assert_sound(app)
    assert draft_of(app).roles.roles == ROLES
    assert holds(app).value == "number"
    assert "roles.favourable.cost" not in shown(app)
    assert "compared by their estimates and errors" in texts(app)
    assert "Mean cost in each group" in texts(app)
    assert len(app.get("plotly_chart")) == 3
    assert not app.button(key="step_next").disabled

    holds(app).set_value("classes")
    settled(app)
    assert_sound(app)
    now = draft_of(app).roles
    assert (now.outcome_type, now.favourable) == ("classes", None)
    assert (now.outcome, now.protected, now.features) == ("cost", ("sex",), ("age",))
    assert "is this a number?" in texts(app)
    assert app.button(key="step_next").disabled
    assert "Choose which outcome is good for the person." in texts(app)
    widget = named(app.selectbox, "roles.favourable.cost")
    widget.set_value(widget.options[0].removeprefix("cost = "))
    settled(app)
    assert_sound(app)
    assert "Say that the outcome holds a number" in texts(app)
    assert app.button(key="step_next").disabled

    holds(app).set_value("number")
    settled(app)
    assert draft_of(app).roles.roles == ROLES
    assert not app.button(key="step_next").disabled


def test_which_end_of_a_number_is_good_is_asked_beside_it_once_for_every_test_and_anew_for_another_outcome() -> None:
    app = with_table(people(price=np.random.default_rng(7).normal(50, 9, ROWS).round(2)))
    asked = named(app.selectbox, "roles.good_end.cost")
    assert asked.label == "Which end of cost is good for the person?"
    assert asked.value == "not said"
    assert "no group has an impact ratio" in texts(app)
    asked.set_value("low")
    settled(app)
    assert_sound(app)
    assert "no group has an impact ratio" not in texts(app)
    assert draft_of(app).roles.good_end == "low"
    named(app.selectbox, "roles.role.cost").set_value("none")
    settled(app)
    named(app.selectbox, "roles.role.price").set_value("outcome")
    settled(app)
    assert named(app.selectbox, "roles.good_end.price").value == "not said"
    assert draft_of(app).roles.good_end == "not said"


def test_four_classes_are_counted_and_two_as_before() -> None:
    grades = np.tile(["A", "B", "C", "fail"], ROWS // 4)
    app = with_table(people(grade=grades).drop(columns=["cost", "prediction"]))
    assert_sound(app)
    assert "Does **grade** say what really happened" in texts(app)
    click(app, "roles.yes")
    assert (draft_of(app).roles.outcome, draft_of(app).roles.outcome_type) == ("grade", "classes")
    assert named(app.selectbox, "roles.favourable.grade").options == [
        f"grade = {value}" for value in ("A", "B", "C", "fail")
    ]
    named(app.selectbox, "roles.favourable.grade").set_value("A")
    settled(app)
    assert_sound(app)
    assert len(app.get("plotly_chart")) == 3
    assert "**Outcome grade**" in {one.label for one in app.expander}
    assert "Share with grade = A" in texts(app)
    assert not app.button(key="step_next").disabled

    two = with_built_in_table()
    assert_sound(two)
    assert draft_of(two).roles.outcome_type == "classes"
    assert len(two.get("plotly_chart")) == 2


def test_few_numbers_are_asked_for_and_can_be_declared_a_number() -> None:
    """No value of a count is taken for the good one, and the page says where to declare it."""
    visits = np.tile([0, 1, 2, 3, 7, 12, 0, 1], ROWS // 8)
    app = with_table(people(visits=visits).drop(columns="cost"))
    click(app, "roles.yes")
    assert_sound(app)
    assert (draft_of(app).roles.outcome, draft_of(app).roles.favourable) == ("visits", None)
    assert "6 different numbers. If they count or measure something, choose “A number”." in texts(app)
    assert app.button(key="step_next").disabled
    holds(app, "visits").set_value("number")
    settled(app)
    assert_sound(app)
    roles = draft_of(app).roles.roles
    assert roles is not None
    assert (roles.outcome, roles.outcome_type) == ("visits", "number")
    assert not app.button(key="step_next").disabled


def test_two_columns_of_answers_are_audited_each_by_itself() -> None:
    frame = people()
    app = click(with_table(frame.assign(prediction_2=frame["prediction"] + 1).iloc[:, [0, 1, 2, 4, 3]]), "step_next")
    assert_sound(app)
    assert draft_of(app).roles.predictions == ("prediction", "prediction_2")
    assert "An audit is of one model, so prediction_2 is not audited here. Audit it by itself." in texts(app)


def test_people_without_a_group_and_words_among_numbers_are_told() -> None:
    frame = people().astype({"cost": object, "sex": object})
    frame.loc[[3, 4], "cost"] = "unknown"
    frame.loc[[7, 8, 9], "sex"] = None
    app = with_table(frame)
    assert_sound(app)
    assert "2 of 200 cells of the outcome 'cost' are no numbers: 'unknown' in row 4 is the first." in texts(app)
    assert "Without 'sex': 3 rows of 200." in texts(app)
    assert [metric.value for metric in app.metric] == ["195", "5", "0"]


def test_a_new_type_of_outcome_asks_for_the_tests_again() -> None:
    app = with_table(people())
    session.save(app.session_state["draft"], draft_of(app).model_copy(update={"tests": ("transport",)}))
    settled(app)
    assert draft_of(app).tests == ("transport",)
    holds(app).set_value("classes")
    settled(app)
    assert draft_of(app).tests == ()


def test_choosing_among_models_says_why_it_does_not_take_numbers() -> None:
    app = with_table(people())
    app._page_hash = calc_hash("selection")
    app.run()
    app._page_hash = ""
    settled(app)
    assert_sound(app)
    assert "this outcome is a number" in texts(app)
    assert "selection_run" not in keys(app)


def test_every_default_test_can_be_asked_and_two_take_numbers() -> None:
    dataset = Dataset.build(people(), ROLES)
    model = MODEL.load(FileStore(), dataset)
    audits = begun(model, dataset)
    assert [kind for kind in SHIPPED if not audits[kind].is_compatible(model, dataset)] == [
        "equalized_odds",
        "group_fairness",
    ]


@pytest.mark.parametrize(
    ("task", "more"),
    [
        ("fit_metric", {"metric": SensitiveSubspace().model_dump(mode="json")}),
        ("propose_cells", {}),
        ("look_at_cells", {"audit": Transport().model_dump(mode="json")}),
        *(
            ("pilot", {"audit": audit.model_dump(mode="json"), "decision": {}})
            for audit in (
                GradientFlow(metric=SensitiveSubspace()),
                Transport(),
                ColumnSensitivity(through=("age",)),
            )
        ),
    ],
)
def test_what_is_tried_before_an_audit_refuses_numbers_in_words(task: str, more: dict[str, object]) -> None:
    source = UploadedTable(file=FileStore().put(people().to_csv(index=False).encode(), "people.csv"))
    arguments = {
        "source": source.model_dump(mode="json"),
        "roles": ROLES.model_dump(mode="json"),
        "model": MODEL.model_dump(mode="json"),
        "seed": 0,
        **more,
    }
    with pytest.raises(AuditError, match="outcome is a number") as caught:
        TASKS[task].run(arguments, FileStore(), lambda progress: None)
    assert caught.value.advice
