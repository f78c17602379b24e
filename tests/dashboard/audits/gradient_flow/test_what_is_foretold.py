"""What the review step says that a gradient-flow test will find, and how many rows that takes."""

import math
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import pytest

from core.audits.gradient_flow.decision import GradientFlowDecision, Statistic
from core.audits.gradient_flow.planning import GradientFlowPilot
from core.inference.estimate import Estimate
from dashboard.audits.gradient_flow.review import expectation
from dashboard.audits.pages import Expectation

PILOT = GradientFlowPilot(
    rows=512,
    seconds=3.0,
    relearning=0.0,
    loss=Estimate(1.5, 0.02, 300),
    errors=Estimate(1.4, 0.1, 300),
    audited=300,
    people=300,
)


def told(pilot: GradientFlowPilot, statistic: Statistic = "loss ratio") -> Expectation:
    decision = GradientFlowDecision(statistic=statistic, delta=1.25, alpha=0.05)
    draft = SimpleNamespace(decision=lambda kind: decision)
    return expectation(cast(Any, draft), pilot)


@pytest.mark.parametrize(
    ("statistic", "found"),
    [("loss ratio", "a ratio of 1.30, at best"), ("error-rate ratio", "a ratio of 1.50, at best")],
)
def test_the_size_that_is_found_is_that_of_the_statistic_which_was_chosen(statistic: Statistic, found: str) -> None:
    shown = told(PILOT, statistic)
    assert shown.found == found
    assert "The verdict rests on people who could exist, looked for beside 300 rows." in shown.found_help


def test_rows_are_asked_for_where_they_help_and_else_it_is_said_that_they_would_not() -> None:
    assert told(PILOT).needed == "To find a true ratio of 1.35 so often, about 75 rows would be needed."
    more = told(replace(PILOT, loss=replace(PILOT.loss, standard_error=0.2))).needed
    assert more == (
        "No number of rows finds a true ratio of 1.35 so often: people who could exist are looked for beside 500 rows, "
        "however many there are."
    )
    texts = told(replace(PILOT, people=0, loss=replace(PILOT.loss, standard_error=0.1)))
    assert texts.needed.endswith("about 1,900 rows would be needed.")
    assert "who could exist" not in texts.found_help


def test_of_a_model_without_errors_nothing_is_foretold() -> None:
    shown = told(
        replace(PILOT, errors=Estimate(math.nan, math.nan, 300, undefined="It never errs.")), "error-rate ratio"
    )
    assert (shown.found, shown.needed) == ("", "")
