"""Changing a person on the results page: what the widgets say goes to the model, and nowhere else."""

from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from core.base.errors import EvenhandError
from core.base.files import FileStore
from core.base.progress import ignore_progress
from core.language.phrases import distance
from core.models.edited import Edited, edit
from core.result import AuditResult
from core.run import run_plan
from core.study import Study
from core.workflows.examples import open_example
from dashboard.jobs import editing
from dashboard.messages import show_failure
from dashboard.views.results import person as page
from tests.dashboard.results_text import told


@cache
def made(example: str = "hiring-baseline") -> tuple[Study, tuple[AuditResult, ...], FileStore]:
    """A short audit of an example."""
    files = FileStore(Path(mkdtemp()))
    study = open_example(example, files)
    plan = study.plans[0]
    if example == "hiring-baseline":
        audit = plan.audit.model_copy(update={"steps": 5, "metric_resamples": 0})
        study = Study(plans=(plan.model_copy(update={"audit": audit}),))
    return study, tuple(run_plan(one, files) for one in study.plans), files


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """What the page asks, answered in this process by the task itself."""
    found: list[dict[str, Any]] = []

    def answer(kind: str, arguments: dict[str, Any], waiting: str, *, patience: float) -> Any:
        found.append(arguments)
        assert kind == "edit_person"
        try:
            return editing.edit_person(arguments, made()[2], ignore_progress)
        except EvenhandError as error:
            show_failure(error)
            return None

    monkeypatch.setattr(page, "answer", answer)
    return found


def shown() -> AppTest:
    def script() -> None:
        from dashboard.views.results import person
        from tests.dashboard.test_changing_a_person import made

        person.offer(*made()[:2])

    app = AppTest.from_function(script, default_timeout=60)
    app.session_state[f"person-{made()[0].result_fingerprint[:6]}-open"] = True
    return app.run()


def directly(record: int, changes: dict[str, Any]) -> Edited:
    study, (result,), files = made()
    plan = study.plans[0]
    dataset = plan.model.dataset(plan.data.load(files), plan.roles)
    return edit(plan.model.load(files, dataset), dataset, record, changes, metric=result.metric)


def test_nothing_is_asked_before_somebody_opens_it(asked: list[dict[str, Any]]) -> None:
    def script() -> None:
        from dashboard.views.results import person
        from tests.dashboard.test_changing_a_person import made

        person.offer(*made()[:2])

    app = AppTest.from_function(script, default_timeout=60).run()
    assert [one.label for one in app.expander] == ["Change a person and ask the model"]
    assert asked == []


def test_a_change_shows_answer_distance_and_error_at_once(asked: list[dict[str, Any]]) -> None:
    app = shown()
    assert not app.exception
    assert "Nothing is changed yet." in told(app)
    app.multiselect[0].set_value(["languages", "district"]).run()
    own = app.number_input[1].value
    app.number_input[1].set_value(own + 2)
    app.selectbox[0].select("south").run()
    changes = asked[-1]["changes"]
    assert changes == {"languages": own + 2, "district": "south"}
    expected = directly(1, changes)
    words = told(app)
    assert f"The model is {expected.ratio:.2f} times as far off." in words
    assert f"Fair distance between the two: {distance(expected.distance)} (" in words
    assert expected.classes[int(expected.answers[1].argmax())] in app.table[0].value["As changed"].iloc[0]


def test_another_record_has_values_of_its_own_and_one_that_is_none_gives_a_sentence(
    asked: list[dict[str, Any]],
) -> None:
    app = shown()
    app.multiselect[0].set_value(["languages"]).run()
    app.number_input[0].set_value(12).run()
    assert asked[-1]["record"] == 12
    assert not app.multiselect[0].value
    app.number_input[0].set_value(10**9).run()
    assert not app.exception
    assert "is none of the audited rows" in app.error[0].value


def test_it_opens_at_the_person_beside_the_verdict_and_says_why(asked: list[dict[str, Any]]) -> None:
    def script() -> None:
        from dashboard.views.results import person
        from tests.dashboard.test_changing_a_person import made

        person.offer(*made()[:2], first=12)

    app = AppTest.from_function(script, default_timeout=60)
    key = f"person-{made()[0].result_fingerprint[:6]}-open"
    app.session_state[key] = True
    app.run()
    assert not app.exception
    assert asked[-1]["record"] == app.number_input[0].value == 12
    assert "Row 12 stands beside the verdict, so it is shown first." in told(app)


def test_what_is_typed_stands_in_no_address(asked: list[dict[str, Any]]) -> None:
    app = shown()
    app.number_input[0].set_value(12).run()
    app.multiselect[0].set_value(["languages"]).run()
    app.number_input[1].set_value(7).run()
    assert asked[-1]["changes"] == {"languages": 7}
    assert not dict(app.query_params)


def test_a_column_of_answers_and_a_model_behind_an_address_are_not_asked() -> None:
    study = made()[0]
    assert page.can_be_asked(study.plans[0])
    answers = open_example("hiring-predictions", FileStore(Path(mkdtemp()))).plans[0]
    assert not page.can_be_asked(answers)


def test_the_answer_travels_as_it_is(asked: list[dict[str, Any]]) -> None:
    """What the child says is packed by type and unpacked to the same."""
    from dashboard.jobs.answers import unpack

    study = made()[0]
    plan = study.plans[0]
    arguments = {
        "source": plan.data.model_dump(mode="json"),
        "roles": plan.roles.model_dump(mode="json"),
        "model": plan.model.model_dump(mode="json"),
        "audit": plan.audit.model_dump(mode="json"),
        "record": 5,
        "changes": {"languages": 4},
    }
    found = unpack(editing.edit_person(arguments, made()[2], ignore_progress), editing.ChangedPerson)
    expected = directly(5, {"languages": 4})
    assert found.edited.answers.tobytes() == expected.answers.tobytes()
    assert found.edited.people.equals(expected.people)
    assert (found.first, found.columns) == (1, ())
