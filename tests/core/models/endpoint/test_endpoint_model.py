"""A model behind an address audited like any other: its answers, what does not fit, and repeating it without it."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from core.audits.column_sensitivity.settings import ColumnSensitivity
from core.audits.gradient_flow.settings import GradientFlow
from core.audits.group_fairness.settings import GroupFairness
from core.base.errors import ModelError
from core.base.files import FileStore
from core.base.progress import Progress
from core.data.dataset import Dataset
from core.data.roles import Roles
from core.metrics import Expert
from core.models.endpoint.source import ModelEndpoint
from core.models.inspection import inspect
from core.run import run_audit
from tests.model_server import ModelServer

ROLES = Roles(outcome="hired", favourable="yes", protected=("sex",), features=("income", "sex"))


def dataset(rows: int = 80, **changes: Any) -> Dataset:
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"income": rng.integers(10, 90, rows), "sex": np.where(rng.random(rows) < 0.5, "f", "m")})
    frame["hired"] = np.where(frame["income"] + rng.normal(0, 20, rows) > 50, "yes", "no")
    return Dataset.build(frame.assign(**changes), ROLES)


def model(server: ModelServer, protocol: str = "plain", **changes: Any) -> ModelEndpoint:
    return ModelEndpoint(endpoint=server.settings(protocol), **changes)


@pytest.mark.parametrize("protocol", ["plain", "mlflow", "open inference"])
def test_its_answers_are_the_models(server: ModelServer, protocol: str, tmp_path: Path) -> None:
    data = dataset()
    loaded = model(server, protocol).load(FileStore(tmp_path), data)
    assert server.posts == 0
    expected = [server.answer(row) for row in data.frame.to_dict("records")]
    found = loaded.predict_proba(loaded.encode(data))
    assert loaded.classes == ("no", "yes")
    np.testing.assert_array_equal(found[:, 1], expected)
    np.testing.assert_allclose(found.sum(axis=1), 1)
    seen: list[Progress] = []
    report = inspect(loaded, data, seen.append)
    assert [one.level for one in report.caveats] == ["info"]
    assert "repeating the audit does not contact the server" in report.caveats[0].what


def test_other_forms_of_answers_are_read(server: ModelServer, tmp_path: Path) -> None:
    data, files = dataset(), FileStore(tmp_path)
    by_income = server.answer
    high = np.array([by_income(row) for row in data.frame.to_dict("records")])

    def asked(holds: str, answer: Callable[[dict[str, Any]], Any], **changes: Any) -> np.ndarray:
        server.answer = answer
        endpoint = server.settings("mlflow", asked_as_of=holds)
        loaded = ModelEndpoint(endpoint=endpoint, holds=holds, **changes).load(files, data)
        return loaded.predict_proba(loaded.encode(data))

    pairs = asked("class probabilities", lambda row: [by_income(row), 1 - by_income(row)], classes=("yes", "no"))
    np.testing.assert_allclose(pairs[:, 0], high)
    labels = asked("labels", lambda row: "yes" if by_income(row) > 0.5 else "no")
    np.testing.assert_array_equal(labels[:, 1], high > 0.5)


def test_columns_have_the_names_that_the_model_knows(server: ModelServer, tmp_path: Path) -> None:
    server.answer = lambda row: row["pay"] / 100
    endpoint = server.settings(fields=({"column": "income", "field": "pay"},))
    data = dataset()
    loaded = ModelEndpoint(endpoint=endpoint).load(FileStore(tmp_path), data)
    np.testing.assert_allclose(loaded.predict_proba(loaded.encode(data))[:, 1], data.frame["income"] / 100)


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (lambda row: float("nan"), "no finite number in 80 rows"),
        (lambda row: 1.5, "probability outside 0 to 1"),
        (lambda row: [0.2, 0.8], "returns 2 values for each row, and 1 is expected"),
        (lambda row: "maybe", "no finite number"),
    ],
)
def test_answers_that_are_none_are_refused_with_their_row(
    server: ModelServer, answer: Callable[[dict[str, Any]], Any], said: str, tmp_path: Path
) -> None:
    server.answer = answer
    data = dataset()
    loaded = model(server).load(FileStore(tmp_path), data)
    with pytest.raises(ModelError, match=said) as refused:
        loaded.predict_proba(loaded.encode(data))
    assert "column" not in refused.value.where
    assert "the answer" in refused.value.advice


def test_who_answers_with_outcomes_is_told_what_to_choose(server: ModelServer, tmp_path: Path) -> None:
    server.answer = lambda row: "yes"
    loaded = model(server).load(FileStore(tmp_path), data := dataset())
    with pytest.raises(ModelError) as refused:
        loaded.predict_proba(loaded.encode(data))
    assert refused.value.advice == "Choose “The outcome itself” as the answer."


def test_settings_that_do_not_fit_the_table_are_refused_before_anything_is_asked(
    server: ModelServer, tmp_path: Path
) -> None:
    def refused(source: ModelEndpoint, said: str, data: Dataset | None = None) -> None:
        with pytest.raises(ModelError, match=said):
            source.load(FileStore(tmp_path), data or dataset())

    refused(model(server, holds="number"), "holds classes")
    refused(model(server, classes=("no", "maybe", "yes")), "One probability a row cannot answer 3 outcomes")
    twice = server.settings(fields=({"column": "income", "field": "sex"},))
    refused(ModelEndpoint(endpoint=twice), "Two columns are sent to the model as 'sex'")
    strange = server.settings(fields=({"column": "shoe", "field": "s"},))
    refused(ModelEndpoint(endpoint=strange), "'shoe' has another name")
    without = Roles(outcome="hired", favourable="yes", protected=("sex",), predictions=("income",))
    refused(model(server), "nothing to ask", Dataset.build(dataset().frame, without))
    assert server.requests == []


def test_a_black_box_test_runs_on_it_and_repeats_without_the_server(server: ModelServer, tmp_path: Path) -> None:
    data, files = dataset(), FileStore(tmp_path)
    audit = ColumnSensitivity()
    first = run_audit(model(server).load(files, data), data, audit, seed=3)
    asked = server.rows
    assert asked > len(data.frame.drop_duplicates())
    again = run_audit(model(server).load(files, data), data, audit, seed=3)
    assert server.rows == asked
    assert again.caveats == first.caveats
    assert any("repeating the audit does not contact the server" in one.what for one in first.caveats)
    with np.printoptions(threshold=10**6, precision=17):
        assert repr(again.detail) == repr(first.detail)


def test_tests_that_need_gradients_say_why_they_cannot_run(server: ModelServer, tmp_path: Path) -> None:
    data = dataset()
    loaded = model(server).load(FileStore(tmp_path), data)
    assert "A model behind an address gives answers and no gradients" in GradientFlow(
        metric=Expert(free=("sex",))
    ).is_compatible(loaded, data)
    assert GroupFairness().is_compatible(loaded, data) == ""


def test_a_change_during_an_audit_ends_it(server: ModelServer, tmp_path: Path) -> None:
    data = dataset()
    loaded = model(server).load(FileStore(tmp_path), data)
    by_income = server.answer
    server.answer = lambda row: by_income(row) if server.rows < 100 else 0.5
    with pytest.raises(ModelError, match="changed during the audit"):
        run_audit(loaded, data, ColumnSensitivity(), seed=3)


def test_a_model_that_answers_with_a_number_is_asked_too(server: ModelServer, tmp_path: Path) -> None:
    roles = Roles(outcome="pay", outcome_type="number", protected=("sex",), features=("income", "sex"))
    data = dataset()
    people = Dataset.build(data.frame.assign(pay=2.5 * data.frame["income"]), roles)
    server.answer = lambda row: 2 * row["income"]
    loaded = model(server, "mlflow", holds="number").load(FileStore(tmp_path), people)
    np.testing.assert_array_equal(loaded.predict(loaded.encode(people)), 2 * people.frame["income"])
    assert run_audit(loaded, people, GroupFairness(), seed=1).model.classes == ()
    with pytest.raises(ModelError, match="said to be none"):
        model(server).load(FileStore(tmp_path), people)
