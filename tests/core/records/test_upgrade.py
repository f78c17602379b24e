"""Plans and numbers of record version 2 under their present names."""

import copy
import json
from typing import Any

import pytest

from core.audits.group_fairness.decision import GroupFairnessDecision
from core.audits.group_fairness.settings import GroupFairness
from core.records.audits import AUDITS
from core.records.upgrade import upgraded, upgraded_plans, with_high_scores_ignored, with_numbers_standardised
from core.workflows.comparison.record import COMPARISON
from tests.builders import make_plan

FAIR_DUMMIES: dict[str, Any] = {
    "kind": "fair_dummies",
    "asks": "equalized odds",
    "learner": "linear",
    "dummies": 199,
    "coverage": 0.8,
    "subgroup_columns": ["sex"],
    "depth": 1,
    "draws": 300,
}
READING = {"kind": "fair_dummies", "delta": 0.2, "alpha": 0.1, "attribute": "sex", "tolerance": 0.15}
NUMBERS = {"headline": "Violation found", "attributes": [1], "groups": [2], "subgroups": {"judged": 3}, "coverage": []}


def old_plan(**changes: Any) -> dict[str, Any]:
    shared = make_plan().model_dump(mode="json", include={"data", "roles", "model", "seed"})
    return copy.deepcopy({**shared, "audit": FAIR_DUMMIES, "reading": READING, **changes})


def test_a_fair_dummies_test_is_two_tests_now() -> None:
    odds, groups = AUDITS.read(json.dumps({"plans": [old_plan()]})).plan.plans
    assert (odds.audit.kind, odds.audit.learner, odds.audit.dummies) == ("equalized_odds", "linear", 199)
    assert (odds.decision.delta, odds.decision.alpha, odds.decision.attribute) == (0.2, 0.1, "sex")
    assert groups.audit == GroupFairness(coverage=0.8, depth=1)
    assert groups.decision == GroupFairnessDecision(delta=0.15, alpha=0.1, attribute="sex")
    assert odds.seed == groups.seed


def test_a_bare_plan_of_it_is_two_too() -> None:
    assert [plan.audit.kind for plan in AUDITS.read(json.dumps(old_plan())).plan.plans] == [
        "equalized_odds",
        "group_fairness",
    ]


def test_its_numbers_go_where_they_belong_and_none_is_lost() -> None:
    odds, groups = upgraded([{"plan": old_plan(), "numbers": NUMBERS}])
    assert list(odds["numbers"]) == ["headline", "attributes"]
    assert list(groups["numbers"]) == ["groups", "subgroups", "coverage"]
    assert odds["numbers"] | groups["numbers"] == NUMBERS


def test_two_of_them_that_look_at_the_same_groups_share_the_test_of_groups() -> None:
    parity = {**FAIR_DUMMIES, "asks": "demographic parity"}
    kinds = [plan["audit"]["kind"] for plan in upgraded_plans([old_plan(), old_plan(audit=parity)])]
    assert kinds == ["equalized_odds", "group_fairness", "equalized_odds"]
    deeper = {**parity, "depth": 2}
    kinds = [plan["audit"]["kind"] for plan in upgraded_plans([old_plan(), old_plan(audit=deeper)])]
    assert kinds == ["equalized_odds", "group_fairness", "equalized_odds", "group_fairness"]


def test_a_reading_without_a_kind_and_none_at_all_are_read() -> None:
    short = {"delta": 0.3, "tolerance": 0.4}
    odds, groups = AUDITS.read(json.dumps({"plans": [old_plan(reading=short)]})).plan.plans
    assert (odds.decision.delta, groups.decision.delta) == (0.3, 0.4)
    bare = {name: value for name, value in old_plan().items() if name != "reading"}
    odds, groups = AUDITS.read(json.dumps({"plans": [bare]})).plan.plans
    assert (odds.decision.delta, groups.decision.delta) == (0.1, 0.1)


def test_other_tests_keep_all_but_their_names() -> None:
    plan = make_plan().model_dump(mode="json")
    old = {**plan, "reading": plan["decision"]}
    del old["decision"]
    assert upgraded_plans([old]) == [plan]
    texts = {"audit": {"kind": "sensitivity"}, "reading": {"kind": "sensitivity", "delta": 0.1}}
    new = {"audit": {"kind": "text_sensitivity"}, "decision": {"kind": "text_sensitivity", "delta": 0.1}}
    assert upgraded_plans([texts]) == [new]


def test_what_is_no_plan_is_left_for_others_to_refuse() -> None:
    for strange in ({}, {"plan": 3}, {"plan": {"audit": 1}}, {"plan": {"audit": {"kind": ["x"]}}}, 7):
        assert upgraded([strange]) == [strange]


def test_a_metric_that_explained_a_share_goes_by_evidence_now() -> None:
    metric = {"kind": "comparable_pairs", "pairs": [[0, 1]], "explained_share": 0.8, "directions": 2}
    plan = old_plan(audit={"kind": "gradient_flow", "metric": metric}, reading={"kind": "gradient_flow"})
    [found] = upgraded_plans([plan])
    assert found["audit"]["metric"] == {"kind": "comparable_pairs", "pairs": [[0, 1]], "directions": 2}
    other = {"kind": "text_swaps", "explained_share": 0.8}
    [kept] = upgraded_plans([old_plan(audit={"kind": "gradient_flow", "metric": other})])
    assert kept["audit"]["metric"] == other
    assert AUDITS.read(json.dumps(plan)).plan.plans[0].audit.metric.directions == 2


@pytest.mark.parametrize(("holds", "heeded"), [("probability", False), ("score", True)])
def test_what_high_probabilities_stand_for_did_not_count_before_version_six(holds: str, heeded: bool) -> None:
    plan = {"audit": {"kind": "equalized_odds"}, "model": {"holds": holds, "high_scores": "unfavourable"}}
    (test,) = with_high_scores_ignored([{"plan": plan}])
    assert ("high_scores" in test["plan"]["model"]) is heeded
    assert with_high_scores_ignored(["no test"]) == ["no test"]


@pytest.mark.parametrize(
    ("model", "numbers"),
    [
        ({"kind": "onnx"}, "standardised"),
        ({"kind": "torch_mlp", "encoder": None}, "standardised"),
        ({"kind": "onnx", "encoder": {"columns": []}}, None),
        ({"kind": "predictions"}, None),
    ],
)
def test_networks_read_standardised_numbers_before_version_seven(model: dict[str, Any], numbers: str | None) -> None:
    (test,) = with_numbers_standardised([{"plan": {"model": model}}])
    assert test["plan"]["model"].get("numbers") == numbers
    plan = {"audit": {"kind": "equalized_odds"}, "model": model}
    for version, said in ((6, numbers), (7, None)):
        (read,) = AUDITS.upgraded({"tests": [{"plan": plan}]}, version)["tests"]
        assert read["plan"]["model"].get("numbers") == said


def numbers_plan(kind: str, end: str | None, outcome_type: str = "number") -> dict[str, Any]:
    """A plan of version 12, whose decision settings say which end of numbers is good."""
    told = {} if end is None else {"good_end": end}
    judged = {"outcome": "cost", "outcome_type": outcome_type, "protected": ["sex"]}
    return {"audit": {"kind": kind}, "roles": judged, "decision": {"kind": kind, "delta": 0.2, **told}}


@pytest.mark.parametrize(
    ("ends", "kept"),
    [
        (("low", "low"), "low"),
        (("high", "not said"), "high"),
        (("not said", "low"), "low"),
        (("high", None), "high"),
        (("high", "low"), "not said"),
        (("not said", "not said"), "not said"),
    ],
)
def test_which_end_of_numbers_is_good_was_told_to_each_test_before_version_thirteen(
    ends: tuple[str, str | None], kept: str
) -> None:
    """One end counts for all tests, two opposite ones for none; nothing that was given is changed in place."""
    given = [numbers_plan(kind, end) for kind, end in zip(("equalized_odds", "group_fairness"), ends, strict=True)]
    before = copy.deepcopy(given)
    found = upgraded_plans(given)
    assert given == before
    assert [plan["roles"].get("good_end", "not said") for plan in found] == [kept, kept]
    assert [plan["decision"] for plan in found] == [
        {"kind": kind, "delta": 0.2} for kind in ("equalized_odds", "group_fairness")
    ]
    assert upgraded_plans(found) == found


def test_classes_have_no_good_end_and_what_is_none_is_left_for_others_to_refuse() -> None:
    [classes] = upgraded_plans([numbers_plan("group_fairness", "high", "classes")])
    assert "good_end" not in classes["roles"] | classes["decision"]
    strange = numbers_plan("group_fairness", "upwards")
    assert upgraded_plans([strange]) == [strange]
    twice = numbers_plan("group_fairness", "high")
    twice["roles"]["good_end"] = "low"
    assert upgraded_plans([twice]) == [twice]


def test_a_comparison_of_version_four_is_read_with_the_end_that_its_tests_were_told() -> None:
    studies = [{"study": {"plans": [numbers_plan("group_fairness", "low")]}}, 7]
    found, other = COMPARISON.upgraded({"plan": {"models": studies}}, 4)["plan"]["models"]
    assert found["study"]["plans"][0]["roles"]["good_end"] == "low"
    assert other == 7
    assert COMPARISON.upgraded({"plan": {"models": 3}}, 4) == {"plan": {"models": 3}}
