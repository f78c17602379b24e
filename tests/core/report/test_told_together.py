"""What several tests of one audit say is never surer than their verdict."""

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from core.api import Audit, audit
from core.inference.estimate import Verdict
from core.report.model import build
from core.report.multiple_tests import Together
from core.report.others import not_settled
from core.report.summary import what_to_do
from core.study import adjusted


@pytest.fixture(scope="module")
def audited() -> Audit:
    """Two tests of the same 900 people, of whom one group is answered wrongly 23 points more often."""
    rng = np.random.default_rng(5)
    table = pd.DataFrame({"sex": rng.choice(["f", "m"], 900), "paid": rng.choice(["no", "yes"], 900, p=[0.3, 0.7])})
    wrong = rng.random(900) < np.where(table["sex"] == "f", 0.35, 0.12)
    table["says"] = np.where(wrong, np.where(table["paid"] == "yes", "no", "yes"), table["paid"])
    roles: dict[str, Any] = {"outcome": "paid", "favourable": "yes", "protected": ["sex"], "seed": 1}
    return audit(table, predictions="says", tests=["equalized_odds", "group_fairness"], progress=False, **roles)


@pytest.fixture(scope="module")
def tests(audited: Audit) -> Together:
    return audited._together


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
    strict, lenient = open_ones.findings[0].under(delta=0.05), open_ones.findings[1]
    mixed = replace(tests, findings=(strict, lenient), adjusted=adjusted((strict.p_value, lenient.p_value)))
    assert mixed.verdict is Verdict.VIOLATION
    assert "18.4 points" not in " ".join(not_settled(mixed)), "of one tolerance it is beyond, of the other open"


def test_a_page_of_an_open_test_tells_the_bounds_of_the_first_page_at_the_error_rate_of_all(
    audited: Audit, tests: Together
) -> None:
    open_ones = at(tests, 0.15)
    pages = build(audited.study, open_ones).tests
    assert [page.finding for page in pages] == [*open_ones.shown] != [*open_ones.findings]
    assert [page.error_rate for page in pages] == ["5%", "5%"]
    for page, line in zip(pages, open_ones.lines, strict=True):
        low = page.finding.headlined.low
        assert page.finding.headlined.unit.number(low, beside=0.15) in line.number
        assert "97.5%" in str(page.finding.statistics)


def test_favourable_answers_among_all_are_named_where_they_would_be_a_violation_and_the_outcome_is_a_decision() -> None:
    rng = np.random.default_rng(4)
    sex = rng.choice(["f", "m"], 3_000)
    hired = np.where(rng.random(3_000) < np.where(sex == "f", 0.2, 0.6), "yes", "no")
    table = pd.DataFrame({"sex": sex, "hired": hired, "says": hired})
    roles: dict[str, Any] = {"outcome": "hired", "favourable": "yes", "protected": ["sex"], "predictions": "says"}
    found = audit(table, tests=["group_fairness"], progress=False, **roles)._together
    assert found.verdict is Verdict.NO_VIOLATION
    told = what_to_do(found)[0]
    shares = [f"{100 * (hired[sex == one] == 'yes').mean():.1f}%" for one in "fm"]
    assert told.startswith("By favourable answers among all it would be a violation: ")
    assert f"{shares[0]} of people with sex = f get them, {shares[1]} of people with sex = m" in told
    assert found.qualifying is not None
    assert found.qualifying.advice == told
    among_all = replace(found, findings=(found.findings[0].under(measure="selection rate"),))
    assert found.findings[0].by_favourable_answers
    assert not among_all.findings[0].by_favourable_answers


def test_a_difference_among_all_is_to_be_looked_at_among_people_alike_in_what_may_rightly_matter() -> None:
    rng = np.random.default_rng(4)
    sex, grade = rng.choice(["f", "m"], 3_000), rng.choice(["a", "b", "c"], 3_000)
    hired = np.where(rng.random(3_000) < np.where(sex == "f", 0.2, 0.6), "yes", "no")
    table = pd.DataFrame({"sex": sex, "grade": grade, "hired": hired})
    roles: dict[str, Any] = {"predictions": "hired", "no_outcome": True, "favourable": "yes", "protected": ["sex"]}
    found = audit(table, tests=["group_fairness"], features=["grade"], progress=False, **roles)._together
    assert found.verdict is Verdict.VIOLATION
    advice = "See whether people fare alike who are alike in what may rightly matter, such as grade."
    assert what_to_do(found)[0] == advice
    alike = replace(found, findings=(found.findings[0].under(within=("grade",)),))
    assert advice not in what_to_do(alike)
