"""What a report says of texts that have no outcome and no protected attribute."""

import json
from typing import Literal

from core.records.audits import AUDITS
from core.report.model import Report, build
from core.report.multiple_tests import Together
from tests.builders_sensitivity import make_sensitivity_result, make_sensitivity_study


def report_of(*, labels: bool, attributes: Literal[0, 1, 2]) -> Report:
    study = make_sensitivity_study(labels=labels, attributes=attributes)
    return build(study, Together.of(study, (make_sensitivity_result(labels=labels, attributes=attributes),)))


def test_nothing_is_said_of_an_accuracy_that_cannot_be_known() -> None:
    report = report_of(labels=False, attributes=0)
    found = {fact.label: fact.value for fact in report.tested}
    assert found["Outcome"].startswith("none")
    assert found["Protected attributes"] == "none"
    assert not any("ccuracy" in label for label in found)
    assert report.tests[0].rows == "120 rows audited."


def test_with_an_outcome_it_is_said() -> None:
    report = report_of(labels=True, attributes=2)
    found = {fact.label: fact.value for fact in report.tested}
    data = make_sensitivity_result(labels=True, attributes=2).data
    assert found["Outcome"] == f"occupation; {data.favourable} is the favourable value"
    assert found["Protected attributes"] == ", ".join(data.protected)
    assert "always answering the most frequent outcome" in found["Accuracy on the audited rows"]
    assert "Balanced accuracy" in found
    assert "the model is right on" in report.tests[0].rows


def test_a_record_without_an_accuracy_is_strict_json() -> None:
    study = make_sensitivity_study(labels=False)
    text = AUDITS.to_json(study, (make_sensitivity_result(labels=False),))
    (test,) = json.loads(text, parse_constant=lambda name: f"not strict: {name}")["tests"]
    assert test["model"]["accuracy"] == "NaN"
    assert AUDITS.read(text).plan == study
