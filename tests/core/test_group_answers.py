"""How a model answers groups, whatever a test asks: counted people, and what is told of them."""

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from core.api import audit
from core.claims_told import answer
from core.group_answers import answered, described
from core.models.answered import AnsweredGroups
from core.result import AuditResult
from tests.builders import make_result


def answers_of(counts: list[list[list[int]]], *, who: tuple[str, ...] = ("sex = f", "sex = m")) -> AuditResult:
    """A result with people of groups by outcome (no, yes, not known) and prediction (no, yes)."""
    made = make_result()
    groups = AnsweredGroups(who, np.zeros(len(who), dtype=np.int64), np.array(counts))
    data = replace(made.data, outcome="hired", favourable="yes", protected=("sex",))
    return replace(made, data=data, model=replace(made.model, classes=("no", "yes"), by_group=groups))


def test_it_is_said_who_gets_the_better_answer_least_often_and_who_does_not() -> None:
    """40 of 100 women and 60 of 100 men are told yes; of 50 who should be, 20 and 10 are not."""
    (told,) = described(answers_of([[[40, 10], [20, 30], [0, 0]], [[30, 20], [10, 40], [0, 0]]]))
    assert told == (
        "Among all people, 40.0% of people with sex = f get the prediction hired = yes, 60.0% of people with sex = m: "
        "0.67 times as often, where a rule of thumb of the US asks for 0.80. Where the outcome was yes, 40.0% and "
        "20.0% do not get that answer, 20.0 points apart."
    )


def test_of_few_people_and_of_a_group_that_is_not_known_nothing_is_said() -> None:
    alike, few = [[30, 20], [20, 30], [0, 0]], [[20, 0], [5, 0], [0, 0]]
    assert described(answers_of([alike, few])) == ()
    assert described(answers_of([alike, alike])) == ()
    unknown = [[40, 10], [40, 10], [0, 0]]
    assert described(answers_of([alike, unknown], who=("sex = f", "sex = (missing)"))) == ()
    few_deserving = [[40, 10], [9, 1], [0, 0]]
    assert described(answers_of([alike, few_deserving]))[0].endswith(
        "0.37 times as often, where a rule of thumb of the US asks for 0.80."
    )


def test_every_count_is_what_pandas_counts() -> None:
    rng = np.random.default_rng(3)
    table = pd.DataFrame({"sex": rng.choice(["f", "m"], 400), "region": rng.choice(["e", "s", "w"], 400)})
    table["paid"] = rng.choice(["no", "yes"], 400, p=[0.4, 0.6])
    table["says"] = np.where(rng.random(400) < np.where(table["sex"] == "f", 0.3, 0.6), "yes", "no")
    roles: dict[str, Any] = {"outcome": "paid", "favourable": "yes", "protected": ["sex", "region"]}
    found = audit(table, predictions="says", tests=["group_fairness"], progress=False, **roles)
    result = found["group_fairness"].result
    shown = answered(result)
    assert shown is not None
    rows = {row[0]: row[1:] for row in shown.rows}
    for name in ("sex", "region"):
        for group, own in table.groupby(name):
            shares = (
                own["says"] == "yes",
                own["says"][own["paid"] == "yes"] == "no",
                own["says"][own["paid"] == "no"] == "yes",
            )
            assert rows[f"{name} = {group}"] == (str(len(own)), *(f"{100 * one.mean():.1f}%" for one in shares))


def test_a_favourable_answer_that_sounds_like_the_other_one_is_said_to_be_favourable() -> None:
    data = replace(make_result().data, outcome="deny", favourable="no")
    assert answer(data, "no") == "the prediction deny = no (favourable)"
    assert answer(data, "yes") == "the prediction deny = yes"
    assert answer(data, "no", after_with=True) == "the prediction deny = no (favourable)"
    assert answer(replace(data, favourable="yes"), "no") == "the prediction deny = no"
    assert answer(replace(data, outcome="", decision="model_says"), "no") == "the decision model_says = no (favourable)"
