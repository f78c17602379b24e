"""What several tests of one audit say is never surer than their verdict."""

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from core.api import audit
from core.inference.estimate import Verdict
from core.report.multiple_tests import Together
from core.report.summary import not_settled
from core.study import adjusted


@pytest.fixture(scope="module")
def tests() -> Together:
    """Two tests of the same 900 people, of whom one group is answered wrongly 23 points more often."""
    rng = np.random.default_rng(5)
    table = pd.DataFrame({"sex": rng.choice(["f", "m"], 900), "paid": rng.choice(["no", "yes"], 900, p=[0.3, 0.7])})
    wrong = rng.random(900) < np.where(table["sex"] == "f", 0.35, 0.12)
    table["says"] = np.where(wrong, np.where(table["paid"] == "yes", "no", "yes"), table["paid"])
    roles: dict[str, Any] = {"outcome": "paid", "favourable": "yes", "protected": ["sex"], "seed": 1}
    found = audit(table, predictions="says", tests=["equalized_odds", "group_fairness"], progress=False, **roles)
    return found._together


def at(tests: Together, delta: float) -> Together:
    findings = tuple(one.under(delta=delta) for one in tests.findings)
    return replace(tests, findings=findings, adjusted=adjusted(tuple(one.p_value for one in findings)))


def test_no_bound_that_is_told_of_an_open_test_shows_what_its_verdict_does_not(tests: Together) -> None:
    """Among them are tolerances at which a test by itself finds a violation that Holm does not confirm."""
    lost = 0
    ends = [[one.under(delta=0.0, alpha=alpha).headlined.low for alpha in (0.025, 0.05)] for one in tests.findings]
    for delta in np.linspace(np.min(ends), np.max(ends), 61):
        now = at(tests, float(delta))
        for verdict, own, told in zip(now.verdicts, now.findings, now.shown, strict=True):
            lost += own.verdict is Verdict.VIOLATION is not verdict
            if verdict is Verdict.INSUFFICIENT:
                assert told.verdict is not Verdict.VIOLATION
                assert told.headlined is not None
                assert not told.headlined.beyond
                assert told.headlined.low <= own.under(delta=0.0).headlined.low
            else:
                assert told is own
    assert lost, "no tolerance at which Holm takes a violation back"


def test_one_difference_is_told_once(tests: Together) -> None:
    open_ones = at(tests, 0.15)
    assert open_ones.verdict is Verdict.INSUFFICIENT
    told = " ".join(not_settled(open_ones))
    assert told.count("22.6 points") == 1
    assert "18.4 points" not in told, "the headline says it"
