"""What a column of predictions holds, guessed from its values."""

import pandas as pd
import pytest

from dashboard.tables import summarise
from dashboard.views.model.columns import best_of

FRAME = pd.DataFrame(
    {
        "label": ["yes", "no", "yes"],
        "code": [1, 0, 1],
        "probability": [0.2, 0.9, 1.0],
        "decile": [3, 10, 7],
        "words": ["good", "bad", "good"],
        "gap": [None, 0.5, 0.25],
    }
)


@pytest.mark.parametrize(
    ("name", "outcomes", "holds"),
    [
        ("label", ("yes", "no"), "labels"),
        ("code", ("0", "1"), "labels"),
        ("code", ("yes", "no"), "probability"),
        ("probability", ("0", "1"), "probability"),
        ("decile", ("0", "1"), "score"),
        ("words", ("yes", "no"), "labels"),
        ("gap", ("0", "1"), "probability"),
    ],
)
def test_values_tell_what_a_column_holds(name: str, outcomes: tuple[str, ...], holds: str) -> None:
    column = summarise(FRAME).column(name)
    assert best_of((column,), outcomes) == {"columns": (name,), "holds": holds}


def test_the_column_about_which_least_has_to_be_asked_comes_first() -> None:
    summary = summarise(FRAME)
    columns = tuple(summary.column(name) for name in ("decile", "probability", "code"))
    assert best_of(columns, ("0", "1"))["columns"] == ("code",)
    assert best_of(columns[:2], ("0", "1"))["columns"] == ("probability",)
    assert best_of(columns[:1], ("0", "1"))["columns"] == ("decile",)


def test_a_column_of_shares_for_each_of_many_outcomes_are_taken_together() -> None:
    """In the order of the outcomes; not where one lacks or is named after two. Two where nothing names outcomes."""
    shares = {f"p_{name}": [0.2, 0.3] for name in ("Low", "mid", "high")}
    summary = summarise(pd.DataFrame({**shares, "label": ["low", "mid"]}))
    columns = tuple(summary.column(name) for name in ("p_high", "p_Low", "p_mid", "label"))
    outcomes = ("low", "mid", "high")
    ascending = ("high", "low", "mid")
    together = {"columns": ("p_high", "p_Low", "p_mid"), "holds": "class probabilities", "classes": ascending}
    assert best_of(columns, outcomes) == together
    assert best_of(columns[:2], outcomes)["holds"] == "probability"
    assert best_of(columns[1:], ("low", "mid"))["holds"] == "labels"
    both = {"columns": ("p_Low", "p_mid"), "holds": "class probabilities", "classes": ("low", "mid")}
    assert best_of(columns[1:3], ("low", "mid")) == both
    numbered = tuple(summarise(pd.DataFrame({"m0": [0.2, 0.9], "m1": [0.8, 0.3]})).columns)
    assert best_of(numbered, ("0", "1")) == {"columns": ("m0",), "holds": "probability"}


def test_as_many_shares_as_outcomes_are_taken_in_their_order_unless_a_column_holds_the_outcomes() -> None:
    summary = summarise(pd.DataFrame({"a": [0.2, 0.3], "b": [0.5, 0.3], "c": [0.3, 0.4], "label": ["low", "mid"]}))
    columns, outcomes = tuple(summary.column(name) for name in ("b", "a", "c", "label")), ("low", "mid", "high")
    given = {"columns": ("b", "a", "c"), "holds": "class probabilities", "classes": ("high", "low", "mid")}
    assert best_of(columns[:3], outcomes) == given
    assert best_of(columns, outcomes) == {"columns": ("label",), "holds": "labels"}
    assert best_of(columns[:2], outcomes)["columns"] == ("b",)


def test_a_summary_knows_the_ends_of_numbers_and_of_nothing_else() -> None:
    summary = summarise(FRAME.assign(empty=[None, None, None]))
    ends = {column.name: (column.lowest, column.highest) for column in summary.columns}
    assert ends["decile"] == (3.0, 10.0)
    assert ends["gap"] == (0.25, 0.5)
    assert ends["label"] == ends["empty"] == (None, None)
