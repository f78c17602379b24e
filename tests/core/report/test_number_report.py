"""What report and record say of a model that answers with a number."""

import json

import numpy as np
import pandas as pd
import pytest

from core.audits import KINDS
from core.audits.equalized_odds.result import EqualizedOddsResult
from core.audits.equalized_odds.settings import EqualizedOdds
from core.audits.group_fairness.settings import GroupFairness
from core.base.files import FileStore
from core.data.dataset import Dataset
from core.data.roles import GoodEnd, Roles
from core.language.phrases import number
from core.models.predictions import PredictionColumns
from core.records.audits import AUDITS
from core.report.model import build
from core.report.multiple_tests import Together
from core.report.summary import reconciled
from core.run import find, run_audit
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


def people_of_two_levels(shift: float) -> pd.DataFrame:
    """Outcomes of f are 2 higher; answers are half outcome and half the group's mean, those of f moved by ``shift``."""
    rng = np.random.default_rng(4)
    sex = rng.choice(["f", "m"], 400)
    level = np.where(sex == "f", 12.0, 10.0)
    cost = level + rng.normal(0, 1.5, 400)
    return pd.DataFrame({"sex": sex, "cost": cost, "said": (cost + level) / 2 + shift * (sex == "f")})


@pytest.mark.parametrize("end", ["not said", "high", "low"])
@pytest.mark.parametrize(("shift", "both"), [(0.0, True), (-0.3, True), (2.0, False)])
def test_mean_errors_that_say_less_than_answers_at_the_same_outcome_are_no_contradiction(
    shift: float, both: bool, end: GoodEnd
) -> None:
    frame = people_of_two_levels(shift)
    roles = Roles(outcome="cost", outcome_type="number", protected=("sex",), predictions=("said",), good_end=end)
    dataset = Dataset.build(frame, roles)
    model = PredictionColumns(columns=("said",), holds="number").load(FileStore(), dataset)
    tests = (EqualizedOdds(learner="linear", dummies=99), GroupFairness())
    results = [run_audit(model, dataset, one, seed=0) for one in tests]
    findings = tuple(find(one, KINDS[one.audit.kind].decision(), end) for one in results)
    together = Together(("a", "b"), findings, (0.001, 1.0), (0.05, 0.05))
    error = number(float((frame["said"] - frame["cost"])[frame["sex"] == "f"].mean()))
    told = f"The mean error of sex = f, {error}, is no contradiction: their mean cost is 1"
    assert reconciled(together).startswith(told) is both
    assert reconciled(Together(("a",), findings[:1], (0.001,), (0.05,))) == "", "there is no other number to explain"


def test_the_record_keeps_error_and_explained_share(result: EqualizedOddsResult, study: Study) -> None:
    text = AUDITS.to_json(study, (result,))
    (test,) = json.loads(text)["tests"]
    assert test["model"]["root_mean_squared_error"] == result.model.error
    assert test["model"]["outcome_standard_deviation"] == result.model.spread
    assert test["model"]["r_squared"] == result.model.fit.explained
    assert "accuracy" not in test["model"]
    assert AUDITS.read(text).plan == study
