"""Mistakes that people make in Python: each is a sentence that says what to give in its place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import Pipeline

import core
from core import Audit, Expert, GradientFlow, GroupFairness, Transport, audit
from core.audits.transport.settings import CellColumn
from core.base.errors import DataError, EvenhandError, ModelError, SettingsError
from tests.core.api.test_api_guesses import fitted, people

GIVEN: dict[str, Any] = {"outcome": "insured", "favourable": "yes", "protected": "sex", "progress": False}


@pytest.fixture(scope="module")
def model() -> Pipeline:
    return fitted(["age", "sex", "region"])


@pytest.fixture(scope="module")
def several(model: Pipeline) -> Audit:
    return audit(people(), model=model, tests=["gradient_flow", "group_fairness"], steps=5, metric_resamples=2, **GIVEN)


def test_one_tolerance_of_several_tests_is_answered_with_those_they_have(several: Audit) -> None:
    with pytest.raises(SettingsError, match="Name the test of each, as they are now") as caught:
        several.under(delta=0.05)
    assert "delta={'gradient_flow': 1.25, 'group_fairness': 0.1}" in caught.value.advice
    several.under(delta={"gradient_flow": 1.25, "group_fairness": 0.1})
    with pytest.raises(SettingsError, match="delta of the gradient-flow test cannot be taken: it must be at least 1"):
        several.under(delta={"gradient_flow": 0.05})


def test_a_search_is_not_read_beyond_its_end(several: Audit) -> None:
    with pytest.raises(SettingsError, match=r"up to step 6 .*takes 5") as caught:
        several.under(stop_at=6)
    assert caught.value.where == "Gradient-flow test"
    assert several.under(stop_at=5).study.plans[0].decision.stop_at == 5  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "columns", ["age", ["age"], [{"name": "age"}], [CellColumn(name="age")], CellColumn(name="age")]
)
def test_columns_that_tell_people_apart_are_names_or_settings(columns: Any, model: Pipeline) -> None:
    a = audit(people(), model=model, tests="transport", columns=columns, draws=200, **GIVEN)
    assert a.study.plans[0].audit.columns == (CellColumn(name="age"),)  # type: ignore[attr-defined]


def test_a_setting_of_two_tests_that_fits_one_is_given_by_the_kind(model: Pipeline) -> None:
    given = {"model": model, "tests": ("transport", "group_fairness"), "draws": 200, **GIVEN}
    with pytest.raises(SettingsError, match=r"columns of the group fairness test.*columns=\{'group_fairness'"):
        audit(people(), columns=[CellColumn(name="age")], **given)
    a = audit(people(), columns={"transport": [CellColumn(name="age")], "group_fairness": ["region"]}, **given)
    assert [len(plan.audit.columns) for plan in a.study.plans] == [1, 1]  # type: ignore[attr-defined]


def test_a_test_is_named_by_its_class_too(model: Pipeline) -> None:
    a = audit(people(), model=model, tests=GroupFairness, **GIVEN)
    assert list(a) == list(audit(people(), model=model, tests=[GroupFairness], **GIVEN)) == ["group_fairness"]


def test_a_test_is_the_same_by_its_name_and_as_an_object_but_for_what_the_object_says(model: Pipeline) -> None:
    def asked(tests: Any, **given: Any) -> Transport:
        found: Any = audit(people(), model=model, tests=tests, **given, **GIVEN).study.plans[0].audit
        return found

    named = asked("transport", draws=200)
    assert named.space == "all groups", "the model reads sex"
    assert asked([Transport(draws=200)]) == asked([Transport()], draws=200) == asked(Transport, draws=200) == named
    assert asked([Transport(draws=200, space="observed")]).space == "observed"
    assert asked([Transport(draws=200)], draws=300).draws == 200


def test_an_outcome_may_be_a_list(model: Pipeline) -> None:
    table, given = people(), GIVEN | {"model": model, "tests": "group_fairness"}
    a = audit(table.drop(columns="insured"), **given | {"outcome": table.insured.tolist()})
    assert a["group_fairness"].headline == audit(table, **given)["group_fairness"].headline.replace(
        "insured", "outcome"
    )
    with pytest.raises(DataError, match="399 values are given beside a table of 400 rows"):
        audit(table, **given | {"outcome": table.insured.tolist()[:-1]})


WRONG: dict[str, tuple[Callable[[Pipeline], Any], type[EvenhandError], str]] = {
    "no settings of a test": (lambda _: GradientFlow(), SettingsError, "metric of GradientFlow .*: it is missing"),
    "a name where a list is": (lambda _: Expert(free="sex"), SettingsError, "free of Expert .*: it must be a list"),  # type: ignore[arg-type]
    "a setting that is none": (lambda _: Expert(fre=["sex"]), SettingsError, "Its settings are free, weights"),  # type: ignore[call-arg]
    "a contradiction": (
        lambda _: Expert(free=("sex",), weights=(("sex", 1.0),)),
        SettingsError,
        "^Column 'sex' is free and has a weight: choose one",
    ),
    "a metric by its name": (
        lambda model: audit(people(), model=model, metric="expert", **GIVEN),  # type: ignore[arg-type]
        SettingsError,
        r"such as Expert\(free=\['age'\]\)",
    ),
    "a column that is none": (
        lambda model: audit(people(), model=model, tests="transport", columns=[3], **GIVEN),
        SettingsError,
        "columns of the transport test cannot be taken: a column is given by its name, or with name, edges and merged",
    ),
    "a tolerance by its word": (
        lambda model: audit(people(), model=model, tolerance=0.05, **GIVEN),
        SettingsError,
        "Did you mean delta",
    ),
    "no favourable value": (
        lambda model: audit(people(), model=model, outcome="insured", protected="sex"),
        SettingsError,
        r"which value of the outcome 'insured' is good .*\(favourable\) .*one of '(no|yes)' and",
    ),
    "no protected attribute": (
        lambda model: audit(people().drop(columns="sex"), model=model, outcome="insured", favourable="yes"),
        SettingsError,
        r"protected=\['age'\], if it is meant",
    ),
    "a model that is not fitted": (
        lambda _: audit(people(), model=LogisticRegression(), **GIVEN),
        ModelError,
        "This LogisticRegression is not fitted",
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_a_mistake_is_a_sentence_that_says_what_to_give(case: str, model: Pipeline) -> None:
    mistake, kind, told = WRONG[case]
    with pytest.raises(kind, match=told) as caught:
        mistake(model)
    assert "file" not in str(caught.value)


def test_an_edit_is_printed_in_a_line(several: Audit) -> None:
    told = repr(several.edit(3, {"age": 44}))
    assert told.startswith("Person 3 (age = ")
    assert " → 44): the answer no: " in told
    assert "; fair distance " in told
    assert "\n" not in told
    assert repr(several.edit(3)).startswith("Person 3 (as in the table): the answer ")


def test_what_the_package_offers_is_listed() -> None:
    assert {"audit", "compare", "GradientFlow", "Expert"} <= set(dir(core))
    assert all(hasattr(core, name) for name in dir(core))
