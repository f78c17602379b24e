"""Other audits of the same model on the same rows are told where they ended worse, and only to who may read them."""

import pytest

from core.inference.estimate import Verdict
from core.register.entry import verdict_words
from core.register.others import ended_worse
from core.register.register import Register
from tests.core.register.made import NONE, UNCLEAR, VIOLATION, make_entry

SAME = {"rows": "d" * 64, "model": "m" * 64}


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
    assert ended_worse(register, [person], verdict, rows=rows, model=model) == ""


def test_an_empty_register_knows_of_none(register: Register) -> None:
    assert ended_worse(register, ["anna"], NONE, **SAME) == ""


@pytest.mark.parametrize("kept", ["", "a verdict of a later version"])
def test_a_verdict_that_is_not_known_has_no_words_and_stops_no_page(kept: str) -> None:
    assert verdict_words(kept) == ""
    assert [verdict_words(one.value) for one in Verdict] == [one.words for one in Verdict]
