"""What people state about an audit: bounded, read strictly, and complete before it may be signed."""

import datetime
from typing import get_args

import pytest

from core.base.errors import SettingsError
from core.report.statement import (
    DECISIONS,
    LONGEST_TEXT,
    STANDARDS,
    Decision,
    Signable,
    Standard,
    Statement,
    missing,
    read_statement,
    required,
)

COMPLETE = Statement(
    system="Loans <2>",
    purpose="Grants loans.",
    scope="All branches.",
    data_source="The bank's own.",
    tolerance_reason="Agreed with the regulator.",
    auditor="A. Auditor",
    independence="None.",
    reviewer="ريم",
    date=datetime.date(2026, 11, 23),
    decision="accept",
    rationale="The difference is small.",
)


def test_every_standard_and_decision_has_its_words() -> None:
    assert (tuple(STANDARDS), tuple(DECISIONS)) == (get_args(Standard), get_args(Decision))


def test_an_empty_statement_lacks_what_a_signature_needs_and_a_complete_one_nothing() -> None:
    assert {"tolerance_reason", "auditor", "reviewer", "purpose", "decision", "rationale"} <= missing(
        Statement()
    ).keys()
    assert all(sentence.endswith(".") for sentence in missing(Statement()).values())
    assert missing(COMPLETE) == {}


@pytest.mark.parametrize(
    ("changes", "lacks"),
    [
        ({"rationale": "  \n"}, ["rationale"]),
        ({"decision": "accept_with_conditions"}, ["conditions"]),
        ({"standard": "ll144"}, ["data_period", "unknown", "distributed"]),
        ({"standard": "ll144", "unknown": 0, "data_period": "2025", "distributed": datetime.date(2026, 1, 1)}, []),
    ],
)
def test_what_is_missing_depends_on_decision_and_standard(changes: dict[str, object], lacks: list[str]) -> None:
    assert [*missing(COMPLETE.model_copy(update=changes))] == lacks


@pytest.mark.parametrize("name", ["none", " N/A ", "-", "Niemand", "no one"])
def test_who_is_nobody_is_no_reviewer(name: str) -> None:
    (told,) = missing(COMPLETE.model_copy(update={"reviewer": name})).values()
    assert told.startswith(f"“{name.strip()}” is nobody's name: name the reviewer")
    assert missing(COMPLETE.model_copy(update={"reviewer": "No\u00e9 None"})) == {}


def test_who_uses_a_system_with_a_violation_says_why_and_nobody_else_is_asked() -> None:
    found = Signable(violation=True)
    assert [*missing(COMPLETE, found)] == ["despite"]
    assert missing(COMPLETE.model_copy(update={"despite": "The board accepts it."}), found) == {}
    for decision in ("accept_with_conditions", "reject", "undecided"):
        assert "despite" not in required(COMPLETE.model_copy(update={"decision": decision}), found)
    assert "despite" not in required(COMPLETE)


def test_tests_that_tolerate_the_same_lack_one_reason_as_the_form_has_one_box() -> None:
    unreasoned = COMPLETE.model_copy(update={"tolerance_reason": ""})
    tests = {"transport": "Transport test", "group_fairness": "Group fairness test", "equalized_odds": "EO test"}
    of = Signable(tests, {"transport": "3.65 points", "group_fairness": "10 points", "equalized_odds": "10 points"})
    assert list(missing(unreasoned, of).values()) == [
        "Give the reason for the tolerance of the transport test.",
        "Give the reason for the tolerance of the group fairness test and EO test.",
    ]
    partly = unreasoned.model_copy(update={"tolerance_reasons": {"group_fairness": "So agreed."}})
    assert [*missing(partly, of)] == ["tolerance_reasons transport", "tolerance_reasons equalized_odds"]
    assert len(of.reasons(partly)) == 3


def test_a_statement_is_read_back_as_it_was_written() -> None:
    assert read_statement(COMPLETE.model_dump_json()) == COMPLETE


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("{", ""),
        ("[]", ""),
        ('{"verdict": "fair"}', "verdict"),
        (f'{{"purpose": "{"a" * (LONGEST_TEXT + 1)}"}}', "purpose"),
        ('{"date": "yesterday"}', "date"),
        ('{"unknown": -1}', "unknown"),
        ('{"system": "\\ud800"}', ""),
    ],
)
def test_what_is_no_statement_is_refused_with_its_place(text: str, where: str) -> None:
    with pytest.raises(SettingsError, match=r"The statement cannot be read: (it|there)") as e:
        read_statement(text)
    assert e.value.where == where
