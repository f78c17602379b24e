"""What report and record say of a model that answers with a number."""

import json

import numpy as np
import pytest

from core.audits.equalized_odds.result import EqualizedOddsResult
from core.language.phrases import number
from core.records.audits import AUDITS
from core.report.model import build
from core.report.multiple_tests import Together
from core.study import Study
from tests.builders_fair_dummies import make_fair_dummies_plan, make_fair_dummies_result, make_people


@pytest.fixture(scope="module")
def result() -> EqualizedOddsResult:
    return make_fair_dummies_result("numbers")


@pytest.fixture(scope="module")
def study(result: EqualizedOddsResult) -> Study:
    return Study(plans=(make_fair_dummies_plan(result),))


def test_the_error_stands_beside_that_of_the_mean(result: EqualizedOddsResult, study: Study) -> None:
    people = make_people("numbers")
    true, said = people.frame[people.roles.outcome], people.frame[result.model.name]
    error = float(np.sqrt(((true - said) ** 2).mean()))
    report = build(study, Together.of(study, (result,)))
    found = {fact.label: fact.value for fact in report.tested}
    assert found["Outcome"] == f"{result.data.outcome}, a number"
    assert found["Root mean squared error on the audited rows"] == (
        f"{number(error)}; always answering the mean of the outcome reaches {number(float(true.std(ddof=0)))}"
    )
    explained = 1 - error**2 / float(true.var(ddof=0))
    assert found["Share of the outcome's variance explained (R²)"] == f"{explained:.2f}"
    assert not any("ccuracy" in label for label in found)
    assert report.tests[0].rows.endswith(f"root mean squared error of the predictions {number(error)}.")


def test_the_record_keeps_error_and_explained_share(result: EqualizedOddsResult, study: Study) -> None:
    text = AUDITS.to_json(study, (result,))
    (test,) = json.loads(text)["tests"]
    assert test["model"]["root_mean_squared_error"] == result.model.error
    assert test["model"]["outcome_standard_deviation"] == result.model.spread
    assert test["model"]["r_squared"] == result.model.fit.explained
    assert "accuracy" not in test["model"]
    assert AUDITS.read(text).plan == study
