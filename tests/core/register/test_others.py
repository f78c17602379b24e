"""Other audits of the same model on the same rows are told where they ended worse, and only to who may read them."""

import time
from typing import Any

import pytest

from core.inference.estimate import Verdict
from core.register.entry import verdict_words
from core.register.others import ended_worse
from core.register.project import Member
from core.register.projects import begin, dissolve, set_member
from core.register.register import Register
from core.register.timeline import day
from tests.core.register.made import NONE, UNCLEAR, VIOLATION, make_entry

SAME = {"subject": "", "rows": "d" * 64, "model": "m" * 64}


def entered(register: Register, name: str, verdict: str, *, owner: str = "anna", model: str = "m" * 64) -> None:
    entry = make_entry(name, owner, verdict, made=1.7e9 + ord(name))
    summary = entry.summary.model_copy(update={"fingerprint_of_model": model})
    register.enter(entry.model_copy(update={"summary": summary}))


def test_worse_verdicts_are_counted_and_the_worst_is_told_with_its_day(register: Register) -> None:
    for name, verdict in (("a", NONE), ("b", VIOLATION), ("c", UNCLEAR), ("d", NONE)):
        entered(register, name, verdict)
    told = ended_worse(register, ["anna"], NONE, **SAME)
    assert told.startswith("2 other audits of this model on these rows ended worse, the worst on ")
    assert told.endswith(": violation found. Violation found: by sex.")
    alone = ended_worse(register, ["anna"], UNCLEAR, **SAME)
    assert alone.startswith("1 other audit of this model on these rows ended worse, on ")
    assert ended_worse(register, ["anna"], VIOLATION, **SAME) == ""
    entered(register, "e", VIOLATION, owner="ben")
    assert ended_worse(register, ["anna", "ben"], NONE, **SAME).startswith("3 other audits")


@pytest.mark.parametrize(
    ("person", "verdict", "rows", "model"),
    [
        ("ben", NONE, SAME["rows"], SAME["model"]),
        ("anna", NONE, "e" * 64, SAME["model"]),
        ("anna", NONE, SAME["rows"], "n" * 64),
        ("anna", NONE, SAME["rows"], ""),
        ("anna", "", "", ""),
        ("anna", "something else", SAME["rows"], SAME["model"]),
    ],
)
def test_other_rows_models_and_visitors_are_not_told(
    register: Register, person: str, verdict: str, rows: str, model: str
) -> None:
    entered(register, "a", VIOLATION)
    entered(register, "b", VIOLATION, model="")
    assert ended_worse(register, [person], verdict, subject="", rows=rows, model=model) == ""


def test_an_empty_register_knows_of_none(register: Register) -> None:
    assert ended_worse(register, ["anna"], NONE, **SAME) == ""


@pytest.mark.parametrize("kept", ["", "a verdict of a later version"])
def test_a_verdict_that_is_not_known_has_no_words_and_stops_no_page(kept: str) -> None:
    assert verdict_words(kept) == ""
    assert [verdict_words(one.value) for one in Verdict] == [one.words for one in Verdict]


def about(register: Register, name: str, verdict: str, *, owner: str = "anna", **values: Any) -> None:
    """An audit of one subject whose roles, and so the fingerprints of rows and model, are its own."""
    entry = make_entry(name, owner, verdict, made=1.7e9 + ord(name), **values)
    own = {"subject": "s" * 64, "rows_fingerprint": name * 64, "fingerprint_of_model": name * 64}
    register.enter(entry.model_copy(update={"summary": entry.summary.model_copy(update=own)}))


def test_the_same_answers_to_the_same_rows_are_told_whatever_the_columns_are_for(register: Register) -> None:
    about(register, "a", VIOLATION)
    told = ended_worse(register, ["anna"], UNCLEAR, subject="s" * 64, rows="b" * 64, model="b" * 64)
    assert told.startswith("1 other audit of this model on these rows ended worse, on ")
    assert ended_worse(register, ["anna"], UNCLEAR, subject="t" * 64) == ""


def test_of_a_deleted_audit_the_others_keep_telling_verdict_and_day_to_who_had_it(register: Register) -> None:
    for name, verdict in (("a", UNCLEAR), ("b", VIOLATION), ("c", UNCLEAR)):
        about(register, name, verdict)
    assert register.delete("b", "anna")
    today = day(time.time())
    told = f"1 other audit of this model on these rows ended worse and was deleted, on {today}."
    asked = {"subject": "s" * 64}
    assert ended_worse(register, ["anna"], UNCLEAR, **asked) == f"{told} Its verdict was: violation found."
    assert ended_worse(register, ["anna"], VIOLATION, **asked) == ""
    assert ended_worse(register, ["ben"], UNCLEAR, **asked) == "", "it was nobody's but Anna's"
    assert ended_worse(register, ["anna"], UNCLEAR, subject="t" * 64) == ""
    register.delete("c", "anna")
    told = f"2 other audits of this model on these rows ended worse and were deleted, the worst on {today}. Its verdict"
    assert told in ended_worse(register, ["anna"], NONE, **asked)
    assert "violation found" not in register.log("c")[-1].content
    assert not any("s" * 64 in line.content or "anna" in line.content for line in register.log())
    assert register.verify() == ()


def test_members_of_a_project_are_told_what_was_deleted_in_it_and_its_owner_when_the_project_is(
    register: Register,
) -> None:
    anna, ben = "a" * 32, "b" * 32
    project = begin(register, "Loans", anna, "Anna").id
    set_member(register, project, anna, Member(person=ben, role="viewer", name="Ben"))
    for name in "ab":
        about(register, name, VIOLATION, owner=anna, project=project)
    register.delete("a", anna)
    assert "was deleted" in ended_worse(register, [ben], NONE, subject="s" * 64)
    dissolve(register, project, anna)
    assert "was deleted" in ended_worse(register, [anna], NONE, subject="s" * 64)
    assert register.verify() == ()
