"""The verdict about subgroups, what the engine draws from, and what the report says; every sort of answers."""

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from core.audits.equalized_odds.decision import EqualizedOddsDecision
from core.audits.equalized_odds.settings import EqualizedOdds
from core.audits.equalized_odds.verdict import EqualizedOddsFinding
from core.audits.group_fairness.case import case
from core.audits.group_fairness.conformal import calibrate
from core.audits.group_fairness.decision import GroupFairnessDecision
from core.audits.group_fairness.engine import run
from core.audits.group_fairness.settings import GroupFairness
from core.audits.group_fairness.subgroups.scan import SubgroupScan, harm_of, scan
from core.audits.group_fairness.verdict import GroupFairnessFinding as Finding
from core.audits.group_fairness.wording import next_steps
from core.data.dataset import Dataset
from core.data.roles import Roles
from core.errors import SettingsError
from core.files import FileStore
from core.inference.estimate import Verdict
from core.models.predictions import PredictionColumns
from core.progress import ignore_progress
from core.records.audits import AUDITS, numbers_json
from core.records.document import differences
from core.report.html import render
from core.report.model import build
from core.report.multiple_tests import Together
from core.run import run_audit
from core.study import Study, adjusted
from tests.builders_fair_dummies import make_fair_dummies_plan, make_groups_result, make_people

SHAPES: dict[str, dict[str, Any]] = {
    "numbers": {},
    "four classes": {"case": "four classes", "continuous": True},
    "two classes": {"case": "two classes", "small": True},
    "hostile": {"case": "four classes", "hostile": True},
    "few": {"rows": 40, "attributes": 1},
}
DECISION = GroupFairnessDecision()


def test_the_second_and_third_stream_are_subgroups_and_prediction_sets() -> None:
    """Those with which records of version 2 hold them, inside the fair-dummies test."""
    people = make_people("two classes", rows=300)
    dataset = Dataset.build(people.frame, people.roles)
    model = people.model.load(FileStore(), dataset)
    data, audit = model.encode(dataset), GroupFairness(draws=200)
    detail, notices = run(audit, model, data, rng=np.random.default_rng(7), on_progress=ignore_progress)
    _, second, third, *_ = np.random.default_rng(7).spawn(5)
    harm = harm_of(detail)
    expected = scan(dataset, harm, shares=True, draws=200, rng=second)
    assert detail.subgroups.largest.tobytes() == expected.largest.tobytes()
    for one, sets in zip(detail.attributes, detail.coverage, strict=True):
        same = calibrate(detail.answers, detail.outcome, one, audit.coverage, third)
        assert same.covered.tobytes() == sets.covered.tobytes()
    assert detail.seed == third.integers(2**62)
    assert notices == ()


def test_a_column_that_makes_no_subgroups_is_refused() -> None:
    people = make_people("two classes", rows=60)
    dataset = Dataset.build(people.frame, people.roles)
    model = people.model.load(FileStore(), dataset)
    with pytest.raises(SettingsError, match="neither a protected attribute nor a feature"):
        run(
            GroupFairness(subgroup_columns=("nobody",)),
            model,
            model.encode(dataset),
            rng=np.random.default_rng(0),
            on_progress=ignore_progress,
        )


def test_a_firm_flag_is_a_violation_and_names_the_worst() -> None:
    finding = Finding(make_groups_result("two classes"), DECISION)
    assert finding.verdict is Verdict.VIOLATION
    assert finding.judged.firm.sum() == finding.subgroups.firm > 0
    assert "The worst is sex = Female" in finding.sentence
    assert finding.headline == "Violation found for sex = Female"
    assert finding.next_steps == ()
    assert finding.p_value <= DECISION.alpha


def test_a_small_subgroup_that_is_always_denied_is_named_and_no_audit_with_it_says_no_violation() -> None:
    """3% of people, a part of a region, are all denied; the sexes are treated alike, so equalized odds sees nothing."""
    rng = np.random.default_rng(2)
    n = 4_000
    hired, region = rng.random(n) < 0.5, np.where(rng.random(n) < 0.03, "North", "South")
    answer = np.where(rng.random(n) < 0.1, ~hired, hired) & (region == "South")
    frame = pd.DataFrame(
        {
            "sex": np.where(rng.random(n) < 0.5, "Female", "Male"),
            "region": region,
            "hired": np.where(hired, "yes", "no"),
            "answer": np.where(answer, "yes", "no"),
        }
    )
    roles = {"outcome": "hired", "favourable": "yes", "predictions": ("answer",)}
    for protected, features, verdict, headline in (
        (("sex", "region"), (), Verdict.VIOLATION, "Violation found for region = North"),
        (("sex",), ("region",), Verdict.INSUFFICIENT, "Insufficient evidence, but region = North fares worse"),
    ):
        dataset = Dataset.build(frame, Roles(**roles, protected=protected, features=features))
        model = PredictionColumns(columns=("answer",), holds="labels").load(FileStore(), dataset)
        found = Finding(run_audit(model, dataset, GroupFairness(draws=200, depth=1), seed=0), DECISION)
        assert (found.verdict, found.headline) == (verdict, headline)
        assert "North" in found.sentence
        assert (found.p_value <= DECISION.alpha) == (verdict is Verdict.VIOLATION)
        odds = run_audit(model, dataset, EqualizedOdds(learner="linear", dummies=99), seed=0)
        beside = EqualizedOddsFinding(odds, EqualizedOddsDecision(delta=0.9))
        if protected == ("sex",):
            assert beside.verdict is Verdict.NO_VIOLATION
        values = adjusted((beside.p_value, found.p_value))
        together = Together(("odds", "groups"), (beside, found), values, (0.05, 0.05))
        assert together.verdict is verdict
        assert "region = North" in together.headline


def test_a_group_too_small_to_be_judged_is_named_and_no_audit_with_it_says_no_violation() -> None:
    """All 25 people of a group are decided wrongly, one in fifty of the others: they were cleared at ten points."""
    rng = np.random.default_rng(3)
    race = np.where(np.arange(1_000) < 25, "Roma", np.where(rng.random(1_000) < 0.5, "Black", "White"))
    hired = rng.random(1_000) < 0.5
    answer = hired != ((race == "Roma") | (rng.random(1_000) < 0.02))
    frame = pd.DataFrame({"race": race, "hired": hired, "answer": answer}).replace({True: "yes", False: "no"})
    roles = Roles(outcome="hired", favourable="yes", protected=("race",), predictions=("answer",))
    for rows in (frame, frame[frame["race"] != "Roma"]):
        dataset = Dataset.build(rows, roles)
        model = PredictionColumns(columns=("answer",)).load(FileStore(), dataset)
        found = Finding(run_audit(model, dataset, GroupFairness(draws=200), seed=0), GroupFairnessDecision(delta=0.1))
        if rows is frame:
            assert found.verdict is Verdict.INSUFFICIENT
            assert found.reasons[0].level == "serious"
            assert found.reasons[0].what == "1 group has fewer than 30 people, too few to clear: race = Roma."
            assert found.sentence.endswith("tolerated; race = Roma has fewer than 30 people, too few to judge.")
            worst = case(found)
            assert worst is not None
            assert "percentage points, beside everybody else and with bounds that hold for all subgroups" in worst.told
            assert next_steps(found) == (
                "Merge small groups, or bring more rows.",
                "Merge rare values, or bring more rows.",
            )
        else:
            assert found.verdict is Verdict.NO_VIOLATION


@pytest.mark.parametrize(("people", "few"), [(0, False), (1, True), (29, True), (30, False), (None, False)])
def test_groups_of_one_to_twenty_nine_people_are_too_small_to_be_judged(people: int | None, few: bool) -> None:
    """Values that nobody has, and those that are no group, are nobody to clear."""
    result = make_groups_result("two classes")
    scan, one = result.detail.subgroups, result.detail.attributes[0]
    first, *others = scan.values[scan.columns.index(one.name)]
    codes = (np.arange(len(one.codes)) >= (people or 0)) * (people is not None)
    groups = (first, others[0]) if people is not None else (others[0],)
    changed = replace(one, groups=groups, codes=codes.astype(np.int64))
    detail = replace(result.detail, attributes=(changed, *result.detail.attributes[1:]))
    unjudged = Finding(replace(result, detail=detail), GroupFairnessDecision()).unjudged
    assert (f"{one.name} = {first}" in unjudged) is few


def test_no_violation_takes_a_certificate_for_every_subgroup() -> None:
    result = make_groups_result("two classes", violation=0.0)
    tolerant, strict = (
        Finding(result, GroupFairnessDecision(delta=0.6)),
        Finding(result, GroupFairnessDecision(delta=0.05)),
    )
    assert tolerant.judged.certified.all()
    assert tolerant.verdict is Verdict.NO_VIOLATION
    assert f"none of {tolerant.subgroups.judged} subgroups fares worse" in tolerant.sentence
    assert not strict.judged.firm.any()
    assert not strict.judged.certified.all()
    assert strict.verdict is Verdict.INSUFFICIENT
    assert strict.next_steps[0].startswith("Bring more rows")


def test_nobody_to_judge_is_insufficient_evidence() -> None:
    scanned = make_groups_result("two classes").detail.subgroups
    arrays = ("members", "rows", "inside", "outside", "errors", "skewness", "freedom", "largest")
    none: SubgroupScan = replace(scanned, **{name: getattr(scanned, name)[:0] for name in arrays})
    result = make_groups_result("two classes")
    finding = Finding(replace(result, detail=replace(result.detail, subgroups=none)), DECISION)
    assert finding.verdict is Verdict.INSUFFICIENT
    assert finding.reasons[0].level == "serious"
    assert "no subgroup is judged" in finding.sentence
    assert math.isnan(finding.p_value)
    assert "subgroups" not in finding.charts


def test_an_unknown_attribute_is_refused() -> None:
    with pytest.raises(SettingsError, match="'age' was not tested"):
        Finding(make_groups_result(), GroupFairnessDecision(attribute="age")).place  # noqa: B018


@pytest.mark.parametrize("shape", SHAPES)
def test_every_sort_of_result_has_a_report_a_record_and_figures(shape: str) -> None:
    result = make_groups_result(**SHAPES[shape])
    study = Study(plans=(make_fair_dummies_plan(result),))
    page, record = render(study, (result,)), AUDITS.to_json(study, (result,))
    read = AUDITS.read(record)
    assert read.plan == study
    assert read.numbers is not None
    assert differences(read.numbers[0], numbers_json(result, study.plans[0])) == ()
    for markup in ("<b onclick", "<i>deny", "<i>Female</i>", "<img src=x"):
        assert markup not in page
    finding = Finding(result, DECISION)
    for name in finding.charts:
        assert len(finding.drawing(name).alt) > 40
        assert name in finding.tables
    (section,) = build(study, Together.of(study, (result,))).tests
    for table in (section.finding.statistics, *section.finding.tables.values()):
        assert {len(row) for row in table.rows} <= {len(table.header)}
        assert len(set(table.header)) == len(table.header)
        assert not any("nan" in cell.split() for row in table.rows for cell in row)
    assert len(section.finding.limits) >= 5


def test_the_lowest_impact_ratio_is_that_of_a_single_attribute() -> None:
    finding = Finding(make_groups_result("two classes"), DECISION)
    rows = {row[0]: row[1] for row in finding.statistics.rows}
    ratios = [table.impacts[0].values for table in finding.group_tables if len(table.family.attributes) == 1]
    lowest = min(float(np.nanmin(values)) for values in ratios)
    assert f"{lowest:.2f} (" in rows["Lowest impact ratio of a group"]
