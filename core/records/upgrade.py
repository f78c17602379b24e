"""Plans and numbers as older versions of the record's format hold them, under their present names.

Version 2 calls the decision settings ``reading`` and two kinds of test by former names. Its fair-dummies test is two of
today: the equalized odds test, and the audit of groups and subgroups, which draw from the same streams as before.
"""

from collections.abc import Callable, Mapping
from typing import Any, get_args

from core.data.roles import GoodEnd

Tree = dict[str, Any]

FORMER_NAMES = {"sensitivity": "text_sensitivity", "fair_dummies": "equalized_odds"}
"""What version 2 calls a kind of test, and its present name."""

BY_EVIDENCE = ("comparable_pairs", "protected_status")
"""Metrics that no longer have a setting ``explained_share``."""

_OF_GROUPS = ("coverage", "depth")
"""Settings of the fair-dummies test that are now those of groups."""
_OF_SUBGROUPS = ("subgroup_columns", "draws")
"""Settings of a scan of subgroups that groups are no longer judged by."""
_NUMBERS_OF_GROUPS = ("groups", "differences", "subgroups", "coverage")
"""Numbers of the fair-dummies test that are now those of groups."""


def upgraded(tests: list[Any]) -> list[Any]:
    """The tests of a record, each with a ``plan`` and perhaps ``numbers``, under their present names.

    Where two fair-dummies tests looked at the same groups, these are one test now. What is no test is left as it is.
    """
    found = _with_good_end([one for test in tests for one in _upgraded(test)])
    return [one for place, one in enumerate(found) if not any(_same_groups(one, other) for other in found[:place])]


def upgraded_plans(plans: list[Any]) -> list[Any]:
    """Plans without numbers, likewise."""
    return [test["plan"] for test in upgraded([{"plan": plan} for plan in plans])]


def with_high_scores_ignored(tests: list[Any]) -> list[Any]:
    """Tests whose probabilities were those of the favourable outcome, whatever was said of high ones."""
    return [_with_model(test, _high_scores_ignored) for test in tests]


def with_numbers_standardised(tests: list[Any]) -> list[Any]:
    """Tests of networks that read standardised numbers wherever no preprocessing was declared."""
    return [_with_model(test, _standardised) for test in tests]


def _with_model(test: Any, changed: Callable[[Tree], Tree]) -> Any:
    match test:
        case {"plan": {"model": dict(model)}}:
            return {**test, "plan": {**test["plan"], "model": changed(model)}}
    return test


def _high_scores_ignored(model: Tree) -> Tree:
    return _without(model, ("high_scores",)) if model.get("holds") == "probability" else model


def _standardised(model: Tree) -> Tree:
    if model.get("kind") not in ("onnx", "torch_mlp") or model.get("encoder") is not None:
        return model
    return {"numbers": "standardised", **model}


def renamed(plan: Tree) -> Tree:
    """Fields of a plan, and its kinds of test, under their present names."""
    return {
        "decision" if name == "reading" else name: _without_subgroups(_by_evidence(_renamed(value)))
        for name, value in plan.items()
    }


def _with_good_end(tests: list[Any]) -> list[Any]:
    """Tests whose decision settings said which end of numbers is good, with it among the roles that they share.

    What one of them says is said to all; where two say opposite ends, none is taken.
    """
    said = {_good_end(test) for test in tests} & {"high", "low"}
    end = said.pop() if len(said) == 1 else "not said"
    return [_with_role(test, end) for test in tests] if any(map(_good_end, tests)) else tests


def _with_role(test: Any, end: str) -> Any:
    match test:
        case {"plan": {"roles": dict(roles)}} if "good_end" not in roles:
            plan: Tree = dict(test["plan"])
            if roles.get("outcome_type") == "number":
                plan["roles"] = {**roles, "good_end": end}
            if _good_end(test):
                plan["decision"] = _without(plan["decision"], ("good_end",))
            return {**test, "plan": plan}
    return test


def _good_end(test: Any) -> str:
    """Which end the decision settings of a test call good; empty where they name none that there is."""
    match test:
        case {"plan": {"decision": {"good_end": str(end)}}} if end in get_args(GoodEnd):
            return end
    return ""


def _upgraded(test: Any) -> list[Any]:
    plan = test.get("plan") if isinstance(test, dict) else None
    if not isinstance(plan, dict):
        return [test]
    former = _kind(plan.get("audit"))
    return SPLIT.get(former, _unchanged)({**test, "plan": renamed(plan)})


def _unchanged(test: Tree) -> list[Tree]:
    return [test]


def _odds_and_groups(test: Tree) -> list[Tree]:
    """The fair-dummies test as an equalized odds test and one of groups."""
    plan, numbers = test["plan"], test.get("numbers")
    decision = plan.get("decision")
    odds = {**plan, "audit": _without(plan["audit"], (*_OF_GROUPS, *_OF_SUBGROUPS))}
    groups = {**plan, "audit": {"kind": "group_fairness", **_only(plan["audit"], _OF_GROUPS)}}
    if isinstance(decision, dict):
        odds["decision"] = _without(decision, ("tolerance",))
        shared = _only(decision, ("alpha", "attribute"))
        tolerance = {"delta": decision["tolerance"]} if "tolerance" in decision else {}
        groups["decision"] = {"kind": "group_fairness", **shared, **tolerance}
    if not isinstance(numbers, dict):
        return [{**test, "plan": odds}, {**test, "plan": groups}]
    return [
        {**test, "plan": odds, "numbers": _without(numbers, _NUMBERS_OF_GROUPS)},
        {**test, "plan": groups, "numbers": _only(numbers, _NUMBERS_OF_GROUPS)},
    ]


SPLIT: Mapping[str, Callable[[Tree], list[Tree]]] = {"fair_dummies": _odds_and_groups}
"""Tests that are several ones now, by their former names."""


def _same_groups(one: Any, other: Any) -> bool:
    """Whether both are tests of groups with the same settings, however they are judged."""
    plans = [test.get("plan") if isinstance(test, dict) else None for test in (one, other)]
    if not all(isinstance(plan, dict) and _kind(plan.get("audit")) == "group_fairness" for plan in plans):
        return False
    first, second = (_without(plan, ("decision",)) for plan in plans if plan)
    return first == second


def _kind(settings: Any) -> str:
    kind = settings.get("kind") if isinstance(settings, dict) else ""
    return kind if isinstance(kind, str) else ""


def _renamed(value: Any) -> Any:
    """Settings under the present name of their kind of test."""
    return {**value, "kind": FORMER_NAMES[_kind(value)]} if _kind(value) in FORMER_NAMES else value


def _by_evidence(value: Any) -> Any:
    """Settings whose metric had a share to explain decide how many directions are free; evidence decides now."""
    metric = value.get("metric") if isinstance(value, dict) else None
    if not isinstance(metric, dict) or _kind(metric) not in BY_EVIDENCE:
        return value
    return {**value, "metric": _without(metric, ("explained_share",))}


def _without_subgroups(value: Any) -> Any:
    """Settings of groups without those of the scan of subgroups."""
    return _without(value, _OF_SUBGROUPS) if _kind(value) == "group_fairness" else value


def _only(tree: Tree, names: tuple[str, ...]) -> Tree:
    return {name: value for name, value in tree.items() if name in names}


def _without(tree: Tree, names: tuple[str, ...]) -> Tree:
    return {name: value for name, value in tree.items() if name not in names}
